"""The draft's own family: known by the corpus, by numbers the draft claims, by its own text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from asked import search
from foreart.corpus import Corpus
from foreart.corpus.views import read_view
from foreart.document.draft import Draft, draft_of_patent
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.index import Index
from foreart.index.building import build
from foreart.search import IndexRanker, Result, Scope
from foreart.search.law.relatives import relatives

LONG = " ".join(f"The pawl {number} holds the ratchet {number + 1} of the bar." for number in range(40))
OTHER = " ".join(f"A spout {number} pours tea {number * 3} into a cup of {number + 5} litres." for number in range(40))


def patent(number: str, text: str, **more: object) -> Patent:
    made = Patent(number, title="Pawl", description=(Paragraph(text),), claims=(Claim(1, "A pawl."),))
    return replace(made, **{"published": "2010-01-01", "filed": "2008-01-01", "priority": "2008-01-01", **more})


PATENTS = (
    patent("US20100000001A1", LONG, application_number="US12/345678", applicants=("Acme",), family_id="F"),
    patent("US8000001B2", LONG + " And more.", published="2013-01-01", family_id="F", applicants=("Acme",)),
    patent("US20110000002A1", "The pawl of another.", applicants=("ACME ",), published="2013-09-01"),
    patent("US20110000003A1", "Pawl and ratchet.", priority_numbers=("US61/049123",), published="2012-01-01"),
    patent("EP1234567A1", "Ratchet pawl bar.", inventors=("Ann Hall",)),
    patent("US20120000005A1", OTHER, published="2012-05-05"),
)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus(tmp_path / "corpus.db", create=True) as opened:
        opened.add(PATENTS)
        yield opened


@pytest.fixture
def index(corpus: Corpus, tmp_path: Path) -> Index:
    return build(corpus, tmp_path / "index")


def own(result: Result) -> dict[str, str]:
    return {item.id: item.rule for item in result.own_family}


def test_a_publication_of_the_corpus_is_not_its_own_prior_art(corpus: Corpus, index: Index) -> None:
    result = search(draft_of_patent(corpus["US8000001B2"]), index, corpus, cutoff="2014-03-10")
    assert own(result).keys() == {"US8000001B2", "US20100000001A1"}
    assert own(result)["US8000001B2"].startswith(
        "own family: the draft itself; it still counts: published 2013-01-01, before the cut-off"
    )
    assert "of the family US20100000001A1 (family id F)" in own(result)["US20100000001A1"]
    assert {item.status for item in result.own_family} == {"own family"}
    assert not own(result).keys() & {hit.id for hit in result.hits}
    assert result.hits[0].id in {"US20110000003A1", "EP1234567A1", "US20110000002A1"}
    assert result.compared == len(PATENTS)
    assert (
        sum(result.scores.counts) == len(PATENTS) - 2 - result.left_out_count
    )  # its own text would be far above all others


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("This is a continuation of U.S. application Ser. No. 12/345,678.", {"US20100000001A1", "US8000001B2"}),
        ("This application claims the benefit of U.S. Provisional Application No. 61/049,123.", {"US20110000003A1"}),
        ("Diese Anmeldung beansprucht die Priorität der EP 1 234 567 A1.", {"EP1234567A1"}),
        ("It is known from EP 1 234 567 A1 to hold a bar.", set()),
        ("It claims priority to U.S. application 61/049,123. See also EP 1234567 A1.", {"US20110000003A1"}),
    ],
)
def test_what_the_draft_claims_is_its_own(corpus: Corpus, index: Index, sentence: str, expected: set[str]) -> None:
    draft = Draft(title="Pawl", description=(Paragraph(sentence), Paragraph("A pawl holds a bar.")))
    found = search(draft, index, corpus)
    assert own(found).keys() == expected
    assert not expected & {hit.id for hit in found.hits}


def test_a_text_nearly_the_same_is_the_drafts_own_with_its_family(corpus: Corpus, index: Index) -> None:
    draft = Draft(title="Pawl", description=(Paragraph(LONG.replace("pawl 7 ", "detent 7 ")),))
    result = search(draft, index, corpus, cutoff="2014-03-10")
    assert own(result).keys() == {"US8000001B2", "US20100000001A1"}
    assert any("text nearly the same as the draft's (0.9" in rule for rule in own(result).values())
    assert any("and no names to compare" in rule for rule in own(result).values())
    assert all("it still counts: published" in rule for rule in own(result).values())
    assert {item.by_date for item in result.own_family} == {"prior art"}
    far = search(replace(draft, description=(Paragraph("The pawl holds the ratchet of the bar."),)), index, corpus)
    assert not far.own_family
    assert far.hits[0].family == "US20100000001A1"


def test_rankers_are_not_told_of_the_family_nor_of_what_is_later(corpus: Corpus, index: Index) -> None:
    class Spy(IndexRanker):
        scopes: list[np.ndarray] = []  # noqa: RUF012 of this test only

        def compare(self, draft: Draft, scope: Scope):  # type: ignore[no-untyped-def]
            self.scopes.append(scope.known)
            return super().compare(draft, scope)

    spy = Spy(index, read_view(corpus))
    draft = Draft(title="Pawl", description=(Paragraph(LONG),), priority="2010-06-01")
    search(draft, spy, corpus)
    ids = np.array(index.ids)
    assert len(spy.scopes) == 1
    assert set(ids[spy.scopes[0]]) == set(ids) - {"US8000001B2", "US20100000001A1"}  # all are filed before
    spy.scopes.clear()
    search(replace(draft, priority="2007-01-01"), spy, corpus)
    assert not spy.scopes[0].any()


def test_the_same_applicant_within_the_grace_year_is_flagged(corpus: Corpus, index: Index) -> None:
    result = search(draft_of_patent(corpus["US8000001B2"]), index, corpus, cutoff="2014-03-10", regime="us")
    rules = {hit.id: hit.rule for hit in result.hits}
    assert "same applicant or inventor, within a year" in rules["US20110000002A1"]
    assert "102(b)" not in rules["US20110000003A1"]


def test_the_drafts_own_names_resolve_the_grace_period(corpus: Corpus, index: Index) -> None:
    """Those of the cover page or the sidecar: a real draft is no publication of the corpus."""
    draft = Draft(title="Pawl", description=(Paragraph("The pawl of a ratchet."),), applicants=("Acme Inc.",))
    rules = grace_rules(draft, corpus, index)
    assert "same applicant or inventor, within a year" in rules["US20110000002A1"]


@pytest.mark.parametrize(
    ("inventors", "expected"),
    [
        (("Hall, Ann",), "same applicant or inventor, within a year"),
        (("HALL Ann",), "same applicant or inventor, within a year"),
        (("A. Hall",), "within the year before: not prior art in the US if it is the inventor's own"),
        ((), "within the year before: not prior art in the US if it is the inventor's own"),
        (("Bo Ray",), "other inventors: the grace period excludes it in the US only if derived from your inventors"),
    ],
)
def test_names_agree_in_any_order_and_prove_others_only_if_nothing_agrees(
    corpus: Corpus, tmp_path: Path, inventors: tuple[str, ...], expected: str
) -> None:
    corpus.add([patent("US20130000009A1", "A ratchet and its pawl.", inventors=("Ann Hall",), published="2013-10-10")])
    index = build(corpus, tmp_path / "more")
    draft = Draft(title="Pawl", description=(Paragraph("The pawl of a ratchet."),), inventors=inventors)
    assert expected in grace_rules(draft, corpus, index)["US20130000009A1"]


def grace_rules(draft: Draft, corpus: Corpus, index: Index) -> dict[str, str]:
    result = search(draft, index, corpus, cutoff="2014-03-10", regime="us")
    return {hit.id: hit.rule for hit in result.hits}


CONFLICT = {"published": "2014-09-03", "filed": "2013-03-04", "priority": "2013-03-04"}


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        ({"inventors": ("Wei Zhang",)}, {"inventors": ("Ann Hall",)}),
        ({"applicants": ("Beta Medical Ltd",)}, {"applicants": ("Acme Medical Inc.",)}),
        ({"applicants": ("Beta",), "inventors": ("Wei Zhang",)}, {"applicants": ("Acme",), "inventors": ("Ann Hall",)}),
    ],
)
def test_the_same_text_by_others_is_a_hit(
    tmp_path: Path, theirs: dict[str, tuple[str, ...]], mine: dict[str, tuple[str, ...]]
) -> None:
    """The worst document under Art. 54(3) EPC: the same invention, filed earlier by somebody else."""
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add([patent("EP2000001A1", LONG, **CONFLICT, **theirs), PATENTS[5]])
        index = build(corpus, tmp_path / "index")
        draft = Draft(title="Pawl", description=(Paragraph(LONG),), **mine)
        result = search(draft, index, corpus, cutoff="2014-03-10", regime="epc")
    assert not result.own_family
    assert (result.hits[0].id, result.hits[0].status) == ("EP2000001A1", "novelty only")
    assert "Art. 54(3) EPC" in result.hits[0].rule
    assert result.hits[0].rule.endswith(
        "text nearly the same as the draft's (1.00), but no applicant or inventor matches: not treated as the draft's "
        "own family"
    )


def test_the_own_earlier_application_is_listed_apart_and_said_to_count(tmp_path: Path) -> None:
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add([patent("EP2000001A1", LONG, **CONFLICT, inventors=("HALL Ann",)), PATENTS[5]])
        index = build(corpus, tmp_path / "index")
        draft = Draft(title="Pawl", description=(Paragraph(LONG),), inventors=("Ann Hall",))
        result = search(draft, index, corpus, cutoff="2014-03-10", regime="epc")
    (item,) = result.own_family
    assert (item.id, item.status, item.by_date) == ("EP2000001A1", "own family", "novelty only")
    assert item.rule.startswith(
        "own family: text nearly the same as the draft's (1.00), and a name matches; it still counts: priority "
        "2013-03-04, before the cut-off 2014-03-10"
    )
    assert item.rule.endswith("Art. 54(3) EPC makes no exception for the same applicant")
    assert "EP2000001A1" not in {hit.id for hit in result.hits}


def test_names_of_the_whole_family_are_compared(tmp_path: Path) -> None:
    """The nearest publication names nobody, its family does: others."""
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(
            [
                patent("EP2000001A1", LONG, **CONFLICT, family_id="F"),
                patent("US20140000001A1", "A bar.", **CONFLICT, family_id="F", inventors=("Wei Zhang",)),
                PATENTS[5],
            ]
        )
        index = build(corpus, tmp_path / "index")
        draft = Draft(title="Pawl", description=(Paragraph(LONG),), inventors=("Ann Hall",))
        result = search(draft, index, corpus, cutoff="2014-03-10", regime="epc")
    assert not result.own_family
    assert result.hits[0].id == "EP2000001A1"


def test_a_priority_that_others_claim_makes_no_family(corpus: Corpus, tmp_path: Path) -> None:
    corpus.add([patent("US20110000003A1", "Pawl and ratchet.", inventors=("Wei Zhang",))])
    text = "US 2011/0000003 A1, which claims priority to U.S. application 61/049,123, shows a pawl and a ratchet."
    draft = Draft(title="Pawl", description=(Paragraph(text),), inventors=("Ann Hall",))
    result = search(draft, build(corpus, tmp_path / "more"), corpus)
    assert not result.own_family
    rules = {hit.id: hit.rule for hit in result.hits}
    assert "the draft names US61/049123 as claimed, but its inventors differ" in rules["US20110000003A1"]


def test_a_corpus_family_by_text_is_not_followed_against_names(tmp_path: Path) -> None:
    """Also where an earlier version of foreart made the family."""
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        corpus.add(
            [
                patent("EP2000001A1", LONG, inventors=("Ann Hall",)),
                patent("EP2000002A1", LONG, inventors=("Wei Zhang",), published="2013-02-02"),
                PATENTS[5],
            ]
        )
        for serial in (1, 2):
            corpus.connection.execute(
                "INSERT OR REPLACE INTO family VALUES (?, 'EP2000001A1', 'near-identical text (1.00)')", (serial,)
            )
        index = build(corpus, tmp_path / "index")
        result = search(draft_of_patent(corpus["EP2000001A1"]), index, corpus, cutoff="2014-03-10")
    assert own(result).keys() == {"EP2000001A1"}
    assert result.hits[0].id == "EP2000002A1"
    assert "but no applicant or inventor matches" in result.hits[0].rule


def test_what_is_published_between_priority_and_filing_is_listed(corpus: Corpus, tmp_path: Path) -> None:
    dates = {"published": "2014-06-01", "filed": "2014-04-01", "priority": "2014-03-20"}
    corpus.add([patent("US20140000007A1", "A ratchet with a pawl.", **dates)])
    index = build(corpus, tmp_path / "more")
    text = (Paragraph("The pawl of a ratchet."),)
    draft = Draft(title="Pawl", description=text, priority="2014-03-10", filed="2015-03-09")
    for regime, expected in (("pct", "mentioned"), ("any", "mentioned"), ("epc", None), ("us", None)):
        result = search(draft, index, corpus, regime=regime)
        statuses = {hit.id: hit.status for hit in result.hits}
        assert statuses.get("US20140000007A1") == expected
        if expected is None:
            assert "prior art if the draft's priority is not valid" in result.left_out[0].rule


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("is a divisional of U.S. Ser. No. 10/111,222, filed May 1, 2003, which claims priority to PCT/US02/36644.",
         ("US10/111222", "PCT/US02/36644")),
        ("This is the national stage of PCT/EP2010/012345. Background. US 5,123,456 shows a bar.",
         ("PCT/EP2010/012345",)),
        ("related to U.S. application 12/000,001, which is incorporated by reference", ()),
        ("This application claims priority from U.S. Provisional Application Nos. 61/111,222 and 61/333,444.",
         ("US61/111222",)),
    ],
)  # fmt: skip
def test_numbers_of_claimed_applications(text: str, numbers: tuple[str, ...]) -> None:
    found = relatives(Draft(description=(Paragraph(text),)))
    assert found[: len(numbers)] == numbers
    assert "US5123456" not in found
