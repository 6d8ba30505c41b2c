"""Do the hits have any of the draft's rare terms? A warning if not one has one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import foreart
from asked import search
from foreart.corpus import Corpus
from foreart.document.draft import Draft, draft_of_patent
from foreart.document.patent import Paragraph, Patent
from foreart.index import QueryTerm
from foreart.index.building import build
from foreart.library import Library
from foreart.search.missing import missing_terms, rare_terms
from foreart.sources import read_draft

SAMPLE = Path(foreart.__file__).parent / "sample"


def asked(**words: tuple[float, int]) -> list[QueryTerm]:
    return [QueryTerm(word, weight, documents) for word, (weight, documents) in words.items()]


def test_the_weightiest_of_the_rare() -> None:
    words = asked(
        common=(9.0, 51), b=(8.0, 2), rare2=(8.0, 2), nobody=(7.0, 0), two=(2.0, 50), one=(3.0, 9), six=(0.1, 1)
    )
    more = asked(three=(2.0, 7), four=(1.5, 7), five=(1.0, 7))
    assert rare_terms([*words, *more], 1000) == ("one", "three", "two", "four", "five")
    assert rare_terms(words, 1000, own=9) == ()
    assert rare_terms([*words, *more], 100) == ()
    assert rare_terms(asked(aa=(1.0, 3), aaa=(1.0, 3), bbb=(1.0, 3), ccc=(1.0, 3)), 10) == ("aaa", "bbb", "ccc")
    assert missing_terms(("aaa", "bbb", "ccc"), {"ddd"}) == ("aaa", "bbb", "ccc")
    assert missing_terms(("aaa", "bbb", "ccc"), {"ddd", "ccc"}) == ()
    assert missing_terms((), {"ddd"}) == ()


FANS = "ceiling fan rotor blades turning air in a room with a motor housing and a switch"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Ninety documents about ceiling fans; three have the draft's terms and hardly anything else."""
    fans = [
        Patent(id=f"XX{number}A", title=f"Fan {number}", published="2000-01-01", description=(Paragraph(FANS),))
        for number in range(100, 190)
    ]
    rare = [
        Patent(id=f"XX{number}A", title="Other", published="2000-01-01", description=(Paragraph(text),))
        for number, text in ((900, "winglet vortex"), (901, "winglet serration"), (902, "vortex serration"))
    ]
    made = Corpus(tmp_path / "corpus.db", create=True)
    made.add([*fans, *rare])
    return made


def test_a_list_beside_the_subject_is_told(corpus: Corpus, tmp_path: Path) -> None:
    draft = Draft(
        title="Fan", description=(Paragraph(f"{FANS} {FANS} winglet vortex serration"),), priority="2010-01-01"
    )
    with corpus:
        index = build(corpus, tmp_path / "index")
        found = search(draft, index, corpus, k=100)
        assert found.missing_terms == ()
        without = search(draft, index, corpus, k=100, without=("winglet", "vortex"))
        assert len(without.hits) > 50
        assert set(without.missing_terms) == {"winglet", "vortex", "serration"}
        assert search(draft, index, corpus, k=100, without=("winglet",)).missing_terms == ()
        assert search(replace(draft, description=(Paragraph(FANS),)), index, corpus).missing_terms == ()
        assert search(draft, index, corpus, must=("unobtainium",)).missing_terms == ()


def test_all_channels_know_it_too(tmp_path: Path) -> None:
    """The draft is a document of the corpus: terms that only its own family has are no fault of the hits."""
    with Library(tmp_path) as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
        draft = read_draft(SAMPLE / "drafts" / "interspinous-fusion.docx")
        assert library.search(draft, k=10).missing_terms == ()
        rare = rare_terms(library.ranker().compare(draft, _scope(library)).query_terms(), 50)
        assert len(rare) == 5
        beside = library.search(draft, k=3, without=rare)
        assert beside.missing_terms == rare
        own = draft_of_patent(library.corpus["XX20090312644A1"])
        shown = library.search(own, k=10)
        having = {word for hit in shown.hits for word, _ in hit.words}
        assert shown.missing_terms == () or not having & set(shown.missing_terms)
        # An index of topics does not count words.
        assert library.search(draft, k=3, index="topics", without=rare).missing_terms == ()


def _scope(library: Library) -> object:
    import numpy as np

    from foreart.search import Scope

    return Scope(np.ones(len(library.corpus), dtype=bool))
