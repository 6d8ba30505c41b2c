"""Cutting: every record once, in order, at its true place, wherever the chunks of the stream happen to end."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.errors import BadFile
from foreart.sources.formats.uspto_aps import READER as APS
from foreart.sources.formats.uspto_v2 import READER as V2
from foreart.sources.opening import record_splitting
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.record_splitting import json_values, lines, single_record, split, xml_documents
from foreart.sources.opening.stream import CHUNK, Stream

Cut = Callable[[Stream], Iterator[RawRecord]]


class Slices:
    """A source that gives as few bytes at a time as it likes, as pipes do."""

    def __init__(self, data: bytes, sizes: Iterator[int] | None = None) -> None:
        self.data = data
        self.sizes = sizes

    def read(self, size: int = -1, /) -> bytes:
        size = min(size, next(self.sizes, size)) if self.sizes else size
        part, self.data = self.data[:size], self.data[size:]
        return part


def cut(cutter: Cut, data: bytes, *sizes: int) -> list[RawRecord]:
    return list(cutter(Stream("file", Slices(data, iter(sizes) if sizes else None))))


def texts(pieces: list[RawRecord]) -> list[bytes]:
    return [piece.data for piece in pieces]


def are_in_place(pieces: list[RawRecord], data: bytes) -> bool:
    """Whether index and offset of each piece are true."""
    return all(data[piece.offset : piece.offset + len(piece.data)] == piece.data for piece in pieces) and [
        piece.index for piece in pieces
    ] == list(range(1, len(pieces) + 1))


def test_the_whole_file_is_one_record():
    assert cut(single_record, b"a\nb" * 800_000) == [RawRecord(1, 0, b"a\nb" * 800_000)]


def test_lines_without_the_empty_ones():
    data = b"one\n\n  \r\ntwo\r\nthree"
    assert cut(lines, data) == [RawRecord(1, 0, b"one\n"), RawRecord(2, 9, b"two\r\n"), RawRecord(3, 14, b"three")]


GRANTS = xml_documents("grant", "application")


def test_documents_one_after_the_other():
    data = b'<?xml version="1.0"?>\n<grant>1</grant>\n<?xml version="1.0"?><application>2</application >\n\n'
    assert cut(GRANTS, data) == [
        RawRecord(1, 0, b'<?xml version="1.0"?>\n<grant>1</grant>'),
        RawRecord(2, 39, b'<?xml version="1.0"?><application>2</application >'),
    ]


def test_documents_without_declarations():
    assert texts(cut(GRANTS, b"<grant>1</grant><grant>2</grant>")) == [b"<grant>1</grant>", b"<grant>2</grant>"]


def test_a_document_that_is_cut_off_does_not_swallow_its_neighbour():
    data = b"<?xml version='1.0'?><grant>1</gra<?xml version='1.0'?><grant>2</grant>"
    assert texts(cut(GRANTS, data)) == [b"<?xml version='1.0'?><grant>1</gra", b"<?xml version='1.0'?><grant>2</grant>"]


def test_the_last_document_may_be_cut_off():
    assert texts(cut(GRANTS, b"<grant>1</grant><grant>2</gr")) == [b"<grant>1</grant>", b"<grant>2</gr"]


def test_other_instructions_and_names_that_only_begin_alike_do_not_cut():
    data = b"<grant><?xml-stylesheet x?><a>1</a></grants></grant>"
    assert texts(cut(GRANTS, data)) == [data]


DOCUMENT = b'<?xml version="1.0"?><grant>%s</grant>'


@pytest.mark.parametrize("edge", range(-45, 46))
def test_boundaries_on_the_edge_of_a_chunk(edge: int):
    """The end of the first document and the declaration of the second cross the edge at every offset."""
    first = DOCUMENT % (b"x" * (CHUNK - len(DOCUMENT % b"") + edge))
    assert len(first) == CHUNK + edge
    data = first + DOCUMENT % b"2" + DOCUMENT % b"3"
    # The head of a stream goes first, so the edges lie at 64 KiB and then at every chunk after it.
    found = cut(GRANTS, data, *[1 << 16] * 16)
    assert texts(found) == [first, DOCUMENT % b"2", DOCUMENT % b"3"]
    assert are_in_place(found, data)


@given(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_wherever_a_pipe_breaks_the_bytes_the_cuts_are_the_same(sizes: list[int]):
    data = (DOCUMENT % b"1") + b"\n" + (DOCUMENT % b"2</gran") + (DOCUMENT % b"3") + b"<grant>4</grant>"
    found = cut(GRANTS, data, *sizes)
    assert [re.sub(rb"<[^>]*>|\s", b"", piece.data) for piece in found] == [b"1", b"2", b"3", b"4"]
    assert b"".join(texts(found)).replace(b"\n", b"") == data.replace(b"\n", b"")
    assert are_in_place(found, data)


PATDOC = b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE PATDOC SYSTEM "ST32.dtd" [\n]>\n<PATDOC>%s</PATDOC>\n'


@pytest.mark.parametrize("edge", range(-10, 80, 3))
def test_a_declaration_and_a_document_type_on_the_edge_are_one_beginning(edge: int):
    """Grants of 2001 to 2004, where either of the two may begin a document."""
    first = PATDOC % (b"q" * (CHUNK - len(PATDOC % b"") - edge))
    data = first + PATDOC % b"2"
    found = cut(V2.split, data, *[1 << 16] * 16)
    assert [re.sub(rb"q+", b"", piece.data).strip() for piece in found] == [
        (PATDOC % b"").strip(),
        (PATDOC % b"2").strip(),
    ]


@pytest.mark.parametrize("edge", range(-8, 9))
def test_a_code_that_only_begins_like_a_boundary_on_the_edge_does_not_cut(edge: int):
    """PATN alone on its line opens a record of the Green Book; PATNO is another code."""
    start = b"PATN\nWKU  039327093\nTTL  "
    data = start + b"x" * (CHUNK - len(start) - 6 - edge) + b"\nPATNO 5\nPATN\nWKU  2\n"
    found = cut(APS.split, data, *[1 << 16] * 16)
    assert [piece.data[-9:] for piece in found] == [b"\nPATNO 5\n", b"\nWKU  2\n".rjust(9, b"N")]


def test_what_stands_whole_before_an_error_is_given_before_it():
    class Broken(Slices):
        def read(self, size: int = -1, /) -> bytes:
            if not self.data:
                raise EOFError("cut off")
            return super().read(size)

    found: list[bytes] = []
    with pytest.raises(EOFError, match="cut off"):
        for piece in lines(Stream("file", Broken(b"one\ntwo\nthr"))):
            found.append(piece.data)
    assert found == [b"one\n", b"two\n"]


# JSON.


def test_the_elements_of_an_array():
    data = b'[ {"a": 1},\n {"b": [1, {"c": 2}]} ]'
    assert cut(json_values, data) == [RawRecord(1, 2, b'{"a": 1}'), RawRecord(2, 13, b'{"b": [1, {"c": 2}]}')]


def test_objects_one_after_the_other_however_they_are_laid_out():
    assert texts(cut(json_values, b'{"a":\n1}{"b":2}\n\n {"c":3},')) == [b'{"a":\n1}', b'{"b":2}', b'{"c":3}']


def test_arrays_one_after_the_other_and_stray_brackets():
    assert texts(cut(json_values, b'[{"a":1}]\n[{"b":2}] ]} {"c":3}')) == [b'{"a":1}', b'{"b":2}', b'{"c":3}']


def test_elements_may_be_arrays():
    assert texts(cut(json_values, b'[[1, "]"], [2, [3]], {"a": []}]')) == [b'[1, "]"]', b"[2, [3]]", b'{"a": []}']


def test_brackets_quotes_and_escapes_in_strings_are_no_structure():
    values = [{"a": 'brace } quote " slash \\ bracket ]'}, {"\\": "\\\\"}, {"end\\": '\\"}'}]
    found = cut(json_values, json.dumps(values).encode())
    assert [json.loads(piece.data) for piece in found] == values


def test_a_last_object_that_is_cut_off_becomes_a_piece():
    assert texts(cut(json_values, b'[{"a": 1}, {"b": "x]}')) == [b'{"a": 1}', b'{"b": "x]}']


@given(
    values=st.lists(st.dictionaries(st.text(max_size=4), st.text(alphabet='a"\\{}[],é\n', max_size=12)), max_size=6),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=60),
    indent=st.sampled_from([None, 1]),
)
def test_values_come_back_wherever_a_pipe_breaks_them(values: list[dict[str, str]], sizes: list[int], indent: int):
    data = json.dumps(values, indent=indent, ensure_ascii=False).encode()
    found = cut(json_values, data, *sizes)
    assert [json.loads(piece.data) for piece in found] == values
    assert are_in_place(found, data)


@pytest.mark.parametrize("edge", range(-12, 3))
def test_an_escape_on_the_edge_of_a_chunk(edge: int):
    tail = b'\\\\\\"}]'  # \\ \" } ] inside the string
    first = b'{"a": "' + b"x" * (CHUNK - 8 - len(tail) - edge) + tail + b'"}'
    data = b"[" + first + b', {"b": 2}]'
    found = cut(json_values, data, *[1 << 16] * 16)
    assert texts(found) == [first, b'{"b": 2}']
    assert are_in_place(found, data)


# Limits.


@pytest.mark.parametrize("cutter", [single_record, json_values])
def test_a_file_that_is_one_record_beyond_all_measure_is_refused(cutter: Cut, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(record_splitting, "MAX_RECORD", 3 << 20)
    data = b'{"a": "' + b"x" * (4 << 20) + b'"}'
    with pytest.raises(BadFile, match="document 1, byte 0: a record of more than 3 MiB"):
        cut(cutter, data)


@pytest.mark.parametrize("size", [(3 << 20) + 1, 5 << 20, (9 << 20) + 77])
@pytest.mark.parametrize("after", [b"", b"four\n", b"four\nfive"])
def test_a_record_beyond_all_measure_costs_only_itself(size: int, after: bytes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(record_splitting, "MAX_RECORD", 3 << 20)
    data = b"one\ntwo\n" + b"x" * size + b"\n" + after
    found = cut(lines, data)
    assert [piece.data for piece in found[:2]] == [b"one\n", b"two\n"]
    giant = found[2]
    assert (giant.index, giant.offset, giant.data) == (3, 8, b"x" * (1 << 20))
    assert giant.problem == "a record of more than 3 MiB"
    assert b"".join(piece.data for piece in found[3:]) == after
    assert [piece.index for piece in found] == list(range(1, len(found) + 1))
    assert all(data[piece.offset :].startswith(piece.data) for piece in found)


def test_a_document_beyond_all_measure_costs_only_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(record_splitting, "MAX_RECORD", 3 << 20)
    good = b'<?xml version="1.0"?><us-patent-grant>a</us-patent-grant>'
    huge = b'<?xml version="1.0"?><us-patent-grant>' + b"y" * (7 << 20) + b"</us-patent-grant>"
    found = cut(GRANTS, good + huge + good)
    assert [(piece.index, bool(piece.problem)) for piece in found] == [(1, False), (2, True), (3, False)]
    assert found[2].data == good


def test_many_boundaries_in_one_chunk_are_not_gathered():
    pieces = split(Stream("file", Slices(b"x\n" * 500_000)), re.compile(rb"\n"))
    assert next(pieces) == RawRecord(1, 0, b"x\n")
    assert sum(1 for _ in pieces) == 499_999


MEMORY = """
import resource, sys
from foreart.sources.opening.record_splitting import json_values, lines, xml_documents
from foreart.sources.opening.stream import Stream

document = {
    "xml": b'<?xml version="1.0"?><us-patent-grant>' + b"x" * 100_000 + b"</us-patent-grant>",
    "lines": b'{"id": "' + b"x" * 100_000 + b'"}' + bytes([10]),
    "json": b'{"id": "' + b"x" * 100_000 + b'"},',
}[sys.argv[1]]
cutter = {"xml": xml_documents("us-patent-grant"), "lines": lines, "json": json_values}[sys.argv[1]]

class Week:
    left = 3000
    rest = b""
    def read(self, size=-1):
        while len(self.rest) < size and self.left:
            self.rest += document
            self.left -= 1
        part, self.rest = self.rest[:size], self.rest[size:]
        return part

week = Week()
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
before = peak()
count = sum(1 for _ in cutter(Stream("week", week)))
print(count, peak() - before)
"""


@pytest.mark.parametrize("kind", ["xml", "lines", "json"])
def test_a_weekly_file_of_300_megabytes_takes_a_few_megabytes(kind: str):
    done = subprocess.run([sys.executable, "-c", MEMORY, kind], capture_output=True, text=True, check=True, timeout=120)
    count, grown = map(int, done.stdout.split())
    assert count == 3000
    assert grown < 16, f"{grown} MiB"
