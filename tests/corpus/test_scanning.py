"""The fast path from a stored record to its texts gives the same as the full one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings

from foreart.corpus import Corpus, pack
from foreart.corpus.packing import unpack
from foreart.corpus.scanning import stored, unpack_texts
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.text import SECTIONS, section_text
from strategies import patents


def same(patent: Patent) -> None:
    blob = pack(patent).json
    full, fast = unpack(blob), unpack_texts(blob)
    assert fast.id == full.id
    for sections in SECTIONS:
        assert section_text(fast, sections) == section_text(full, sections)


@settings(deadline=None, max_examples=25)
@given(patents())
def test_texts_equal_those_of_the_full_patent(patent: Patent) -> None:
    same(patent)


def test_odd_texts() -> None:
    patent = Patent(id="US1B2", title='A "screw" \\n \ud800', abstract="\u2028\n\t", claims=(Claim(7, "7. A screw."),))
    same(patent)
    paragraphs = ("", "One.", "", "Two\n\nlines.", "")
    same(replace(patent, description=tuple(Paragraph(text) for text in paragraphs), claims=()))
    assert unpack_texts(pack(patent).json).claims == (Claim(7, "7. A screw."),)


def test_records_of_a_corpus_in_order_of_arrival(tmp_path: Path) -> None:
    given = [Patent(id=f"US{number}B2", title=f"Title {number}") for number in (5, 3, 4)]
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(given)
        assert [(number, unpack_texts(blob).title) for number, blob in stored(corpus)] == [
            (patent.id, patent.title) for patent in given
        ]
        assert [number for number, _ in stored(corpus, [3, 99, 1])] == ["US4B2", "US5B2"]
