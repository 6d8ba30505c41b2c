"""JSON objects out of bytes, whatever their layout."""

from __future__ import annotations

import io

import pytest

from foreart.errors import BadRecord
from foreart.sources.markup.json_object import first_keys, folded, load, mappings, objects, string, strings
from foreart.sources.opening.stream import Stream


@pytest.mark.parametrize(
    ("head", "keys"),
    [
        (b'{"a": 1, "b": {"c": 2, "d": [1, {"e": 3}]}, "f": "g,"}', {"a", "b", "f"}),
        (b'\xef\xbb\xbf [ {"a": "x\\"y{", "b": 2}, {"c": 1}]', {"a", "b"}),
        (b'{"a": "cut off in a strin', {"a"}),
        (b'{"a": 1, "cut', {"a"}),
        (b'{"a": [1, 2, {"b": 1', {"a"}),
        (b"{}", set()),
        (b"[1, 2]", set()),
        (b"[[[{'a': 1}]]]", set()),
        (b"", set()),
        (b"<a/>", set()),
        (b'"a"', set()),
    ],
)
def test_first_keys(head: bytes, keys: set[str]):
    assert first_keys(head) == keys


def test_first_keys_of_hostile_bytes_take_no_time():
    heads = (b'{"' + b"\\" * 65_000, b"[" * 65_000, b'{"a":"' * 10_000, b'{"a"' + b"," * 65_000)
    assert [first_keys(head) for head in heads] == [set(), set(), {"a"}, {"a"}]


@pytest.mark.parametrize(
    ("data", "pieces"),
    [
        (b'{"a": 1}\n{"a": 2}\n', [b'{"a": 1}\n', b'{"a": 2}\n']),
        (b'{"a": 1}', [b'{"a": 1}']),
        (b'{\n"a": 1\n}\n{\n"a": 2\n}', [b'{\n"a": 1\n}', b'{\n"a": 2\n}']),
        (b'[{"a": 1}, {"a": 2}]', [b'{"a": 1}', b'{"a": 2}']),
        (b'[\n{"a": 1}\n]', [b'{"a": 1}']),
    ],
)
def test_objects(data: bytes, pieces: list[bytes]):
    assert [piece.data for piece in objects(Stream("x", io.BytesIO(data)))] == pieces


def test_load_repairs_what_can_be_repaired():
    assert load(b'\xef\xbb\xbf{"a": "tab\there", "b": "\\ud83d\\ude00 \\ud800"}') == {
        "a": "tab\there",
        "b": "\U0001f600 \ufffd",
    }
    assert load('{"a": "ü"}'.encode("cp1252")) == {"a": "ü"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "not valid JSON"), (b"[]", "not a JSON object"), (b'{"a":' * 100_000, "nested too deep|not valid JSON")],
)
def test_load_refuses(data: bytes, reason: str):
    with pytest.raises(BadRecord, match=reason):
        load(data)


def test_values():
    assert [string(value) for value in (None, " a ", 3, True, {"a": 1}, ["a", None, ["b"]])] == [
        "",
        "a",
        "3",
        "",
        "",
        "a\nb",
    ]
    assert strings(["a", "", None, "a", 2]) == ("a", "2")
    assert strings("a") == ("a",)
    assert mappings([{"a": 1}, 2]) == [{"a": 1}]
    assert mappings({"a": 1}) == [{"a": 1}]
    assert folded(" a  b \n\n \n c ") == "a b\nc"
