"""Arrays out of a `.safetensors` file: a header in JSON, then the bare numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from foreart.errors import BadFile

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1"}

# Files of another kind begin with any eight bytes: they are not to be read whole as a header.
_LONGEST_HEADER = 100_000_000


def read_safetensors(file: Path) -> dict[str, np.ndarray]:
    """Every array of the file by its name; they stay in the file until they are used. bfloat16 becomes float32."""
    try:
        with file.open("rb") as opened:
            size = int.from_bytes(opened.read(8), "little")
            header = json.loads(opened.read(min(size, _LONGEST_HEADER)))
        body = np.memmap(file, dtype=np.uint8, mode="r", offset=8 + size)
        return {name: _array(body, entry) for name, entry in header.items() if name != "__metadata__"}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise BadFile(f"{file}: no whole safetensors file ({type(error).__name__}: {error})") from None


def _array(body: np.ndarray, entry: dict[str, Any]) -> np.ndarray:
    start, end = entry["data_offsets"]
    flat = body[start:end].view(_TYPES[entry["dtype"]])
    if entry["dtype"] == "BF16":  # the upper half of a float32
        flat = (flat.astype(np.uint32) << 16).view(np.float32)
    return flat.reshape(entry["shape"])
