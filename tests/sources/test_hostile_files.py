"""Patent files made to hang a reader or to fill its memory: what is in them is read, or refused in a sentence."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from foreart.document.reject import Reject
from foreart.errors import BadRecord
from foreart.sources import scan
from foreart.sources.formats.epo_ops import parse_response
from foreart.sources.formats.google_html_text import parse_html
from foreart.sources.markup.maths import formula
from foreart.sources.markup.running_text import joined_lines
from foreart.sources.markup.xml import parse_xml
from foreart.sources.opening.tabular import header


def tar_header(size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo("a.xml")
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, b"Z", tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_a_tar_member_of_impossible_size_ends_the_archive(tmp_path: Path, kind: bytes) -> None:
    (tmp_path / "week.tar").write_bytes(tar_header(2**88 - 1, kind) + b"<x/>".ljust(1024, b"\0"))
    found = list(scan(tmp_path / "week.tar"))
    assert found
    assert all(isinstance(item, Reject) and item.reason for item in found)


def test_members_after_another_are_still_read(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name in ("a.txt", "b.txt"):
            info = tarfile.TarInfo(name)
            info.size = 3000
            archive.addfile(info, io.BytesIO(b"x" * 3000))
    (tmp_path / "week.tar").write_bytes(out.getvalue())
    assert [item.file.rpartition("!")[2] for item in scan(tmp_path / "week.tar")] == ["a.txt", "b.txt"]


def test_equal_columns_are_counted_once_each() -> None:
    assert header(b"Title,Title,Title 2,Title,\n", ",") == ["Title", "Title 2", "Title 2 2", "Title 3", "column 5"]
    names = header(b",".join([b"a"] * 32_000) + b"\n", ",")
    assert (names[0], names[1], names[-1], len(set(names))) == ("a", "a 2", "a 32000", 32_000)


def test_a_page_nested_too_deep_is_no_page_without_its_claims() -> None:
    with pytest.raises(BadRecord, match="nested too deep"):
        parse_html(b"<html><body>" + b"<div>x" * 3_000 + b"<section itemprop='claims'>1. A pawl.")


def test_brackets_of_a_formula_are_looked_at_once() -> None:
    base = "(" * 50_000 + "a + b" + ")" * 50_000
    element = parse_xml(f"<math><msup><mi>{base}</mi><mn>2</mn></msup></math>".encode())
    assert formula(element) == f"{base}^2"


def test_a_family_of_impossible_size_is_refused() -> None:
    members = "".join(
        "<family-member><publication-reference><document-id document-id-type='docdb'><country>EP</country>"
        f"<doc-number>{number}</doc-number><kind>A1</kind></document-id></publication-reference></family-member>"
        for number in range(1_000_000, 1_002_001)
    )
    data = f"<world-patent-data><patent-family>{members}</patent-family></world-patent-data>".encode()
    with pytest.raises(BadRecord, match="a family of more than 2,000 documents"):
        list(parse_response(data))


def test_lines_of_one_long_sentence_are_joined() -> None:
    lines = ["The pawl", *["is held by the lev-", "er and turns"] * 3, "", "Next"]
    sentence = "The pawl" + " is held by the lever and turns" * 3
    assert list(joined_lines(lines)) == [sentence, "Next"]
