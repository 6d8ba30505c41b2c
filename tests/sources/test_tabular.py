"""Rows of CSV and TSV files as they come: quoted, broken, in any encoding."""

from __future__ import annotations

import io

import pytest

from foreart.errors import BadFile, BadRecord
from foreart.sources.opening.stream import Stream
from foreart.sources.opening.tabular import cells, header, rows


def stream(data: bytes) -> Stream:
    return Stream("t.csv", io.BytesIO(data))


def read(data: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    return [cells(piece.data) for piece in rows(stream(data), delimiter)]


def test_a_row_is_a_dict_of_column_and_cell():
    assert read(b"id,title\nUS1A,Screw\nUS2A,Nail\n") == [
        {"id": "US1A", "title": "Screw"},
        {"id": "US2A", "title": "Nail"},
    ]


def test_quoted_cells_hold_delimiters_newlines_and_quotes():
    data = b'id\ttitle\n"1"\t"a\tb\r\nc ""d"""\n'
    assert read(data, "\t") == [{"id": "1", "title": 'a\tb\r\nc "d"'}]


def test_a_quote_inside_an_unquoted_cell_is_itself():
    assert read(b'id\ttitle\n1\ta 5" pipe\n2\tb\n', "\t") == [
        {"id": "1", "title": 'a 5" pipe'},
        {"id": "2", "title": "b"},
    ]


def test_offsets_are_those_of_the_rows_in_the_file():
    data = 'id,t\n1,"ü\nb"\n\n2,c'.encode()
    pieces = list(rows(stream(data), ","))
    assert [(piece.index, piece.offset) for piece in pieces] == [(1, 5), (2, data.index(b"2,c"))]


def test_a_cell_of_megabytes():
    text = "word " * 700_000
    assert read(f'id,d\n1,"{text}"\n2,x\n'.encode()) == [{"id": "1", "d": text}, {"id": "2", "d": "x"}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_encodings(encoding: str):
    assert read("id,title\r\n1,Küvette – groß\r\n".encode(encoding)) == [{"id": "1", "title": "Küvette – groß"}]


def test_one_line_in_another_encoding_does_not_spoil_the_rest():
    data = "id,t\n1,ü\n".encode() + "2,ü\n".encode("cp1252") + b"3,\x81\n"
    assert [row["t"] for row in read(data)] == ["ü", "ü", "\ufffd"]


def test_old_mac_line_ends():
    assert read(b"id,t\r1,a\r2,b\r") == [{"id": "1", "t": "a"}, {"id": "2", "t": "b"}]


def test_a_ragged_row_is_refused_and_the_rest_goes_on():
    pieces = list(rows(stream(b"id,title,date\n1,a\n2,b,c,d\n3,b,c,,\n"), ","))
    with pytest.raises(BadRecord, match="a row of 2 cells, but the header has 3"):
        cells(pieces[0].data)
    with pytest.raises(BadRecord, match="a row of 4 cells, but the header has 3"):
        cells(pieces[1].data)
    assert cells(pieces[2].data) == {"id": "3", "title": "b", "date": "c"}


def test_repeated_and_empty_column_names_stay_apart():
    assert read(b"id,Title,Title,\n1,a,b,c\n") == [{"id": "1", "Title": "a", "Title 2": "b", "column 4": "c"}]


def test_a_quote_that_never_closes_is_one_ragged_row():
    pieces = list(rows(stream(b'id,t\n1,a\n2,"b\n3,c\n'), ","))
    assert cells(pieces[0].data) == {"id": "1", "t": "a"}
    assert cells(pieces[1].data) == {"id": "2", "t": "b\n3,c\n"}
    assert len(pieces) == 2


def test_a_line_without_end_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("foreart.sources.opening.tabular.MAX_RECORD", 1000)
    with pytest.raises(BadFile, match="a line of more than"):
        list(rows(stream(b"id,t\n" + b"x" * 5000), ","))


def test_header_reads_columns_off_the_first_bytes():
    assert header(b'\xef\xbb\xbf"id","the\ntitle"\n1,2\n', ",") == ["id", "the title"]
    assert header(b"id\ttitle", "\t") == ["id", "title"]
    assert header("id,ti\n1,ü".encode()[:-1], ",") == ["id", "ti"]
    assert header("a,b\r\n1,2\r\n".encode("utf-16"), ",") == ["a", "b"]
    assert header(b"SQLite format 3\0\x10", ",") == []
    assert header(b"", ",") == []
