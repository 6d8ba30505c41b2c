"""Markdown with front matter: values with colons, a date that is not the one it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from expectation import Expected, check_file, files, only
from foreart.document.patent import Patent
from foreart.errors import BadRecord
from foreart.sources.formats.evangelist_markdown import READER

INVENTED = {
    "2012-03-05-gate-that-hums.markdown": Expected(
        id="US8899030",
        title="Gate that hums",
        published="2014-12-02",  # estimated from the number
        filed="2012-03-05",
        applicants=("Zaun & Tor Company",),
        inventors=(),
        abstract=("A gate hums: a reed", "its hinge."),
        description=("This application is", "the wind asks."),
        paragraphs=3,
    ),
}
REAL = {
    "2012-01-10-heart-valve-implant.markdown": Expected(
        id="US8888844",
        title="Heart valve implant",
        published="2014-11-18",
        filed="2012-01-10",
        applicants=("Cardiosolutions, Inc.",),
        inventors=(),
        abstract=("A method according", "this embodiment."),
        description=("This application is", "appended claims."),
        paragraphs=63,
    ),
    "2012-01-10-input-control-pattern.markdown": Expected(
        id="US8424632",
        title="Input control pattern",
        published="2013-04-16",
        filed="2012-01-10",
        applicants=("Deere & Company",),
        inventors=(),
        abstract=("A control system", "motor grader."),
        description=("The present application", "invention pertains."),
        paragraphs=54,
    ),
}


@pytest.mark.parametrize(("path", "facts"), files("api_evangelist_markdown", invented=INVENTED, real=REAL))
def test_files(path: Path, facts: Expected):
    check_file(path, facts)
    assert only(path).published_estimated


def read(front: str, body: str = "Text.") -> Patent:
    data = f"---\n\n{front}\n---\n{body}\n".encode()
    assert READER.sniff(data, "x.markdown")
    (patent,) = READER.parse(data)
    return patent


def test_colons_quotes_and_values_over_lines():
    patent = read(
        'title: "Screw: a fastener"\nabstract: It has: a head,\n  and a slot.\nurl: http://x?a=b:c\n'
        "owner:\nnumber: 07155908\npublication_date: 20070102"
    )
    assert patent.title == "Screw: a fastener"
    assert patent.abstract == "It has: a head, and a slot."
    assert patent.applicants == ()
    assert patent.id == "US7155908"


def test_a_date_in_the_year_of_grant_is_the_date_of_publication():
    patent = read("title: t\nnumber: 07155908\npublication_date: 20070102")
    assert (patent.published, patent.published_estimated, patent.filed) == ("2007-01-02", False, "")


def test_numbers_with_letters():
    patent = read("title: t\nnumber: D0512345\npublication_date: 20051206")
    assert (patent.id, patent.document_type, patent.published) == ("USD512345", "design", "2005-12-06")


def test_windows_line_ends_and_encoding():
    data = "---\r\ntitle: Schlüssel\r\nnumber: 7155908\r\npublication_date: 20070102\r\n---\r\nA – b.\r\n".encode(
        "cp1252"
    )
    (patent,) = READER.parse(data)
    assert (patent.title, patent.description_text) == ("Schlüssel", "A – b.")


@pytest.mark.parametrize("number", ["", "none"])
def test_no_number_is_refused(number: str):
    with pytest.raises(BadRecord, match="no publication number"):
        read(f"title: t\nnumber: {number}\npublication_date: 20070102")


def test_a_file_cut_off_in_its_front_matter_is_refused():
    with pytest.raises(BadRecord, match="front matter"):
        list(READER.parse(b"---\ntitle: t\nnumber: 1\n"))


def test_other_front_matter_is_not_claimed():
    assert not READER.sniff(
        b"---\ntitle: My post\ndate: 2012-01-10\n---\nHello number: 1 publication_date: 2", "post.md"
    )
    assert not READER.sniff(b"title: t\nnumber: 1\npublication_date: 2", "x.md")
