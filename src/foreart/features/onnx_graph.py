"""An ONNX graph put together node by node and written in protobuf's wire format, without the `onnx` package."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import numpy as np

# Numbers of fields and types as onnx.proto names them: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
_IR_VERSION, _OPSET = 8, 17
_TENSOR_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
_VARINT, _BYTES, _FIXED32 = 0, 2, 5

Attribute = int | float | Sequence[int]
Shape = Sequence[str | int]


class OnnxGraph:
    """A graph that grows: each node and each array gives the name under which others take it as input."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._names = 0
        self._arrays: list[bytes] = []

    def input(self, name: str, kind: str, shape: Shape) -> str:
        """What is given to the graph from outside."""
        self._parts.append(_message(11, _value(name, kind, shape)))
        return name

    def output(self, name: str, kind: str, shape: Shape) -> None:
        """What the graph gives; `name` must be that of a node."""
        self._parts.append(_message(12, _value(name, kind, shape)))

    def array(self, values: np.ndarray) -> str:
        """Numbers that belong to the graph."""
        name = self._name()
        whole = np.asarray(values, order="C")
        form = b"".join(_number(1, size) for size in whole.shape)
        form += _number(2, _TENSOR_TYPES[whole.dtype.name]) + _text(8, name) + _message(9, whole.tobytes())
        self._arrays.append(_message(5, form))
        return name

    def node(self, kind: str, *inputs: str, **attributes: Attribute) -> str:
        """An operator with one output."""
        return self.nodes(kind, inputs, 1, **attributes)[0]

    def nodes(self, kind: str, inputs: Iterable[str], outputs: int, **attributes: Attribute) -> list[str]:
        """An operator with several outputs."""
        names = [self._name() for _ in range(outputs)]
        form = b"".join(_text(1, name) for name in inputs) + b"".join(_text(2, name) for name in names)
        form += _text(4, kind) + b"".join(_message(5, _attribute(*item)) for item in attributes.items())
        self._parts.append(_message(1, form))
        return names

    def rename(self, name: str, to: str) -> str:
        """The same value under a name of one's choice."""
        self._parts.append(_message(1, _text(1, name) + _text(2, to) + _text(4, "Identity")))
        return to

    def to_bytes(self) -> bytes:
        """The whole model, as a `.onnx` file holds it."""
        graph = b"".join([*self._parts, _text(2, "graph"), *self._arrays])
        return _number(1, _IR_VERSION) + _message(8, _number(2, _OPSET)) + _message(7, graph)

    def _name(self) -> str:
        self._names += 1
        return f"v{self._names}"


def _value(name: str, kind: str, shape: Shape) -> bytes:
    sizes = b"".join(_message(1, _text(2, size) if isinstance(size, str) else _number(1, size)) for size in shape)
    tensor = _number(1, _TENSOR_TYPES[kind]) + _message(2, sizes)
    return _text(1, name) + _message(2, _message(1, tensor))


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _key(2, _FIXED32) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    return _text(1, name) + b"".join(_number(8, item) for item in value) + _number(20, 7)


def _number(field: int, value: int) -> bytes:
    return _key(field, _VARINT) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _message(field, value.encode())


def _message(field: int, value: bytes) -> bytes:
    return _key(field, _BYTES) + _varint(len(value)) + value


def _key(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def _varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF  # negative numbers are written as if they had 64 bits
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes([*written, value])
