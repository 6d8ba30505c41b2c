"""The letters that are proposed and the rules that are checked, against the dates of each case."""

from __future__ import annotations

from dataclasses import replace

import pytest

from example_report import DRAFT, PATENTS, REPORT
from foreart.document.draft import Draft, analysed
from foreart.document.patent import Claim, Paragraph, Patent
from foreart.regimes import Regime
from foreart.report.forms.citation_text import place_text, printed_number, printed_time, us_number
from foreart.report.forms.epo_form import citation_of
from foreart.report.forms.open_points import open_points
from foreart.report.forms.proposed_letters import category_text, letters_in, merged_lines, proposed_letters
from foreart.report.forms.report_data import (
    CategoryLine,
    FamilyPublication,
    ReportedDocument,
    ReportedDraft,
    ReportedLiterature,
    SearchReport,
)
from foreart.report.forms.report_sources import reported_document, reported_draft
from foreart.report.forms.us_form import copies_needed, size_facts, size_step, us_points, us_sections
from foreart.search.law.priority import Cutoff

HEAD = ReportedDraft("Ratchet", priority="2014-03-10", filed="2015-03-09", claims=10, independent=(1, 9))
CUTOFF = Cutoff("2014-03-10", "priority date named in the draft", "2015-03-09")


def document(
    published: str, *, number: str = "EP1000000A1", earliest: str = "2000-01-01", **more: object
) -> ReportedDocument:
    return replace(
        reported_document(Patent(number, published=published, priority=earliest)), status="prior art", **more
    )


def letters(
    *documents: ReportedDocument, draft: ReportedDraft = HEAD, law: Regime = "epc"
) -> list[tuple[str, str, bool]]:
    found = proposed_letters(SearchReport(draft, CUTOFF, documents), law)
    return [(item.document, item.letter, item.certain) for item in found]


@pytest.mark.parametrize(
    ("published", "earliest", "expected"),
    [
        ("2014-03-09", "2012-01-01", []),
        ("2014-03-10", "2012-01-01", [("P", True)]),  # also on the very day of priority
        ("2015-03-08", "2012-01-01", [("P", True)]),
        ("2015-03-09", "2012-01-01", [("E", True)]),
        ("2016-01-01", "2015-03-08", [("E", True)]),  # earlier than the filing, not than the priority
        ("2016-01-01", "2015-03-09", [("E", True)]),  # of the same date
        ("2016-01-01", "2015-03-10", []),
        ("2015-03", "2012-01-01", [("P", False), ("E", False)]),
        ("2014-03", "2012-01-01", [("P", False)]),
        ("", "2012-01-01", [("E", False)]),
    ],
)
def test_p_and_e_follow_from_priority_and_filing(
    published: str, earliest: str, expected: list[tuple[str, bool]]
) -> None:
    assert [(letter, certain) for _, letter, certain in letters(document(published, earliest=earliest))] == expected


def test_an_estimated_date_makes_no_certain_letter() -> None:
    near = document("2014-03-20", published_estimated=True)
    assert letters(near) == [("EP1000000A1", "P", False)]


def test_p_and_e_need_the_filing_date_and_p_a_priority() -> None:
    later = document("2014-06-01")
    assert letters(later, draft=replace(HEAD, filed="")) == []
    points = open_points(SearchReport(replace(HEAD, filed=""), CUTOFF, (later,)), "epc")
    assert "published on or after the priority of a draft without a filing date: P or E, or neither" in [
        point.sentence for point in points
    ]
    assert letters(later, draft=replace(HEAD, priority="")) == []


def test_e_counts_by_the_law_of_the_form() -> None:
    japanese = document("2016-01-01", number="JP2016000001A")
    american = document("2016-01-01", number="US20160000001A1")
    assert [letters(japanese, law=law) for law in ("epc", "us")] == [[], []]
    assert letters(japanese, law="pct") == letters(japanese, law="any") == [("JP2016000001A", "E", True)]
    assert letters(american, law="epc") == []
    assert letters(american, law="us") == [("US20160000001A1", "E", True)]
    design = replace(document("2016-01-01", number="USD700001S1"), document_type="design")
    assert letters(design, law="pct") == []
    assert letters(design, law="us") == [("USD700001S1", "E", True)]


def test_d_and_the_family_sign_follow_from_numbers() -> None:
    cited = replace(HEAD, cited=("EP1000000", "WO2001012345", "US12/345678"))
    itself = document("2001-01-01")
    by_family = document("2002-01-01", number="US7000001B2", family=(FamilyPublication("WO2001012345A1"),))
    by_application = document("2003-01-01", number="US8000001B2", application_number="US12/345678")
    again = document("2004-01-01", number="DE60000001T2", family_id="F")
    sibling = document("2005-01-01", number="AT300001T", family_id="F")
    found = proposed_letters(SearchReport(cited, CUTOFF, (itself, by_family, by_application, again, sibling)), "epc")
    assert [(item.document, item.letter) for item in found] == [
        ("EP1000000A1", "D"), ("US7000001B2", "&"), ("US8000001B2", "D"), ("AT300001T", "&")
    ]  # fmt: skip
    assert found[1].reason == "the draft names WO 2001/012345 of the same family"
    assert found[3].reason == "of the same family as DE 60000001 T2, which is cited above"


def test_a_letter_of_the_person_is_not_proposed_again_and_x_y_a_never() -> None:
    given = document("2014-06-01", categories=(CategoryLine("P,X", (1,)),))
    assert letters(given) == []
    every = {letter for law in ("epc", "us", "pct", "any") for _, letter, _ in letters(*REPORT.documents, law=law)}  # type: ignore[arg-type]
    assert every <= set("DPE&")


def test_a_category_is_printed_with_proposals_in_brackets() -> None:
    report = SearchReport(HEAD, CUTOFF, (document("2014-06-01"), document("2015-03", number="EP2000000A1")))
    proposals = proposed_letters(report, "epc")
    assert category_text("X", proposals[:1]) == "[P],X"
    assert category_text("", proposals[1:]) == "[P?],[E?],–"
    assert [letters_in(text) for text in ("x p", "PX", "Y, &", "–", "q")] == [
        ("P", "X"),
        ("P", "X"),
        ("&", "Y"),
        (),
        ("Q",),
    ]
    lines = (CategoryLine("X", (3, 1), rater="A"), CategoryLine("y", (4,)), CategoryLine("X", (2,), ("claim 1",), "B"))
    assert merged_lines(lines) == (CategoryLine("X", (1, 2, 3), ("claim 1",), "A, B"), CategoryLine("Y", (4,)))


def told(*documents: ReportedDocument, law: Regime = "epc", **more: object) -> set[str]:
    report = replace(SearchReport(HEAD, CUTOFF, documents), **more)  # type: ignore[arg-type]
    return {f"{point.about}: {point.sentence}" for point in open_points(report, law)}


def category(
    letters: str, *claims: int, number: str = "EP1000000A1", published: str = "2010-01-01", **more: object
) -> ReportedDocument:
    return document(published, number=number, categories=(CategoryLine(letters, claims, ("claim 1",)),), **more)


def test_a_complete_report_has_no_open_points() -> None:
    assert told(category("X", 1), category("A", 9, number="EP2000000A1")) == set()


@pytest.mark.parametrize(
    ("cited", "sentence"),
    [
        (category("P", 1, published="2014-06-01"), "P stands only with X, Y or A"),
        (document("2014-06-01"), "P, which is proposed, stands only with X, Y or A"),
        (category("L", 1), "L alone has no claims"),
        (category("X"), "X is given without claims"),
        (category("X", 11), "the draft has no claim 11: it has 10"),
        (category("X,Y", 1), "X,Y: a line has one of X, Y and A; another one needs its own line"),
        (category("Q", 1), "Q is not a category of a search report"),
        (category("D,X", 1), "D is given, but the draft does not name it"),
        (category("P,X", 1), "P is given, but it was not published from 2014-03-10 to before 2015-03-09"),
        (
            category("E,X", 1),
            "E is given, but it is not an earlier document published on or after the filing 2015-03-09",
        ),
        (
            category("E,Y", 1, published="2016-01-01"),
            "E with Y: under Art. 54(3), 56 EPC it counts against novelty only",
        ),
        (category("X", 1, published="2010-01"), "its date of publication is known only as 2010-01"),
        (category("X", 1, published=""), "its date of publication is not known"),
        (category("X", 1, published_estimated=True), "its date of publication 2010-01-01 is an estimate: look it up"),
        (document("2010-01-01"), "no category was given: X, Y and A are the person's opinion"),
        (document("2010-01-01", categories=(CategoryLine("X", (1,)),)), "no passage is cited"),
    ],
)  # fmt: skip
def test_each_broken_rule_is_told(cited: ReportedDocument, sentence: str) -> None:
    found = told(cited, category("X", 1, 9, number="EP2000000A1"))
    assert f"EP 1 000 000 A1: {sentence}" in found


def test_y_is_never_alone_and_a_family_counts_once() -> None:
    alone = "claim 4: only one document has Y: Y needs another document of the same category"
    first = category("Y", 4, family_id="F")
    same = category("Y", 4, number="US7000001B2", family_id="F")
    other = category("Y", 4, number="EP3000000A1")
    assert alone in told(first)
    assert alone in told(first, same)
    assert alone not in told(first, other)
    paper = ReportedLiterature("HARTWELL, R., Springs", (CategoryLine("Y", (4,)),))
    assert alone not in told(first, literature=(paper,))


def test_each_independent_claim_is_named_beside_a_document_before_the_priority() -> None:
    missing = "claim 9: this independent claim is named beside no document that was published before 2014-03-10"
    assert missing in told(category("X", 1))
    assert missing in told(category("X", 1), category("X", 9, number="EP2000000A1", published="2014-03-10"))
    assert missing in told(category("X", 1), category("X", 9, number="EP2000000A1", published="2014"))
    assert missing not in told(category("X", 1), category("A", 9, number="EP2000000A1", published="2014-03-09"))
    assert missing not in told(category("X", 1), claims_searched=(1, 2, 3))


def test_the_form_of_the_us_counts_items_and_tells_the_step_of_the_size_fee() -> None:
    assert [size_step(number) for number in (0, 50, 51, 100, 101, 200, 201, 900)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assertions = [
        dict(size_facts(replace(REPORT, items_before=before)))["Assertion under 37 CFR 1.98"]
        for before in (0, 47, 60, 96, 199)
    ]
    assert assertions == [
        "no IDS size fee is required under 37 CFR 1.17(v) at this time",
        "the IDS size fee under 37 CFR 1.17(v)(1) is due",
        "step 37 CFR 1.17(v)(1), which the earlier statements had reached: check that it was paid",
        "the IDS size fee under 37 CFR 1.17(v)(2) is due, less what was paid for an earlier step",
        "the IDS size fee under 37 CFR 1.17(v)(3) is due, less what was paid for an earlier step",
    ]  # fmt: skip
    sections = [[item.id for item in section] for section in us_sections(REPORT)]
    assert sections == [["US7585299B2"], ["US20140087291A1"], ["EP1962041A1", "WO2015031337A1", "JP2009119593A"]]
    assert copies_needed(REPORT)[:3] == ("EP 1 962 041 A1 (de)", "WO 2015/031337 A1 (en)", "JP 2009119593 A (ja)")
    assert len(copies_needed(REPORT)) == 4
    points = [
        (point.about, point.sentence)
        for point in us_points(replace(REPORT, draft=replace(DRAFT, inventors=()), literature=()))
    ]
    assert points[0] == ("head", "not known: first named inventor")
    assert ("JP 2009119593 A", "not known: the day of its date") in points


def test_numbers_and_places_are_printed_as_offices_do() -> None:
    assert [printed_number(number) for number in ("EP0123456B1", "JP2009119593A", "doc7", "USRE40000E1")] == [
        "EP 0 123 456 B1", "JP 2009119593 A", "doc7", "US RE40000 E1"
    ]  # fmt: skip
    assert [us_number(number) for number in ("USRE40000E1", "USPP12345P2", "US4123456A")] == [
        "RE40,000",
        "PP12,345",
        "4,123,456",
    ]
    assert place_text("3:45", "JP") == "column or page 3, line 45"
    assert place_text("7:12-15", "WO") == "page 7, line 12 - line 15"
    assert place_text("paragraph 12", "EP") == "paragraph 12"
    assert (
        citation_of(ReportedDocument("US4123456A", inventors=("Okafor, A", "Other, B")))
        == "US 4 123 456 A (OKAFOR, A et al.) date unknown"
    )
    assert printed_time("yesterday") == "yesterday"


def test_drafts_and_patents_become_the_data_of_a_report() -> None:
    text = "The lever of U.S. Pat. No. 7,585,299 is known; so is US 7,585,299."
    draft = analysed(
        Draft(
            "Ratchet",
            description=(Paragraph(text),),
            claims=(Claim(1, "A ratchet."), Claim(2, "The ratchet of claim 1.", (1,)), Claim(3, "A method.")),
            priority="2014-03-10",
            inventors=("Meier",),
        )
    )
    head = reported_draft(draft, docket="NF-1")
    assert (head.cited, head.claims, head.independent, head.docket) == (("US7585299",), 3, (1, 3), "NF-1")
    assert head.fingerprint == draft.fingerprint
    item = reported_document(PATENTS[0], rank=3)
    assert (item.id, item.country, item.kind, item.cpc, item.rank) == (
        "US7585299B2",
        "US",
        "B2",
        ("B25B 13/46", "F16D 41/12"),
        3,
    )
