"""What sentences have of an element, which of them are quoted, and what follows for references together."""

from __future__ import annotations

import numpy as np
import pytest

from foreart.document.patent import Claim, Paragraph, Patent, Translation
from foreart.regimes import Regime
from foreart.search.charting.claim_chart import ChartFinding, ChartRow, Quote
from foreart.search.charting.combining import findings
from foreart.search.charting.coverage import ALONE, GRADES, Wanted, grade
from foreart.search.charting.element_terms import counted_words, terms_of
from foreart.search.charting.places import Place, places, text_fingerprint
from foreart.search.charting.quoting import FURTHER, Windows, quotes, separate_quotes
from foreart.search.charting.reference_words import Bridges, ChartVocabulary, read
from foreart.search.law.priority import Status
from foreart.text.stems import stem

FILL = "It is of some material that is well known to those who make it in a great many countries of the world today."


def quoted(
    element: str,
    *texts: str,
    language: str = "en",
    weights: dict[str, float] | None = None,
    bridges: Bridges | None = None,
) -> tuple[tuple[Quote, ...], float]:
    """The quotes of a document of these paragraphs; words weigh 1 unless told."""
    idf = {stem(word, language): (weights or {}).get(word, 1.0) for word in counted_words(element, language, {})}
    terms = terms_of(element, language, idf)
    columns = {term.stem: position for position, term in enumerate(terms)}
    vocabulary = ChartVocabulary(list(columns), [term.word for term in terms], language, bridges or {})
    patent = Patent("XX1A", description=tuple(Paragraph(text) for text in texts), language=language)
    windows = Windows(read(patent, vocabulary))
    return quotes(Wanted.of(terms, columns), windows, [term.word for term in terms])


def test_the_element_itself_is_disclosed_and_nothing_else_is_quoted() -> None:
    found, coverage = quoted("a locking lever", f"{FILL} The lever is locked by a spring. {FILL}")
    assert coverage == 1.0
    assert [quote.text for quote in found] == ["The lever is locked by a spring."]
    assert [(m.word, found[0].text[m.start : m.end], m.credit) for m in found[0].matches] == [
        ("lever", "lever", 1.0),
        ("locking", "locked", 1.0),
    ]


def test_words_weigh_by_their_rarity() -> None:
    weights = {"lever": 3.0, "housing": 1.0}
    assert quoted("lever housing", "The lever.", weights=weights)[1] == pytest.approx(0.75 * ALONE)
    assert quoted("lever housing", "The housing.", weights=weights)[1] == pytest.approx(0.25 * ALONE)


def test_words_far_from_each_other_count_for_a_part() -> None:
    assert quoted("lever housing", "The lever of the housing.")[1] == 1.0
    assert quoted("lever housing", f"The lever. {FILL} A housing.")[1] == pytest.approx(ALONE)
    assert quoted("lever", f"{FILL} A lever.")[1] == 1.0  # it has no neighbour to be near to


def test_a_second_place_counts_for_a_part_of_what_it_adds() -> None:
    found, coverage = quoted(
        "a locking lever beside a round housing", "The lever is locked.", FILL, "It has a round housing."
    )
    assert coverage == pytest.approx(0.5 + 0.5 * FURTHER)
    assert [quote.place.ordinal for quote in found] == [1, 3]
    assert [quote.coverage for quote in found] == [0.5, 0.5]
    assert [quote.adds for quote in found] == [0.5, 0.25]


def test_few_sentences_are_taken_where_they_belong_together() -> None:
    text = f"{FILL} The lever is locked. It sits beside a round housing. {FILL}"
    (found,) = quoted("a locking lever beside a round housing", text)[0]
    assert found.text == "The lever is locked. It sits beside a round housing."
    assert text[found.start :].startswith(found.text)


def test_the_same_in_another_place_is_quoted_too_but_adds_nothing() -> None:
    found, coverage = quoted("a locking lever", "The lever is locked.", FILL, "Locking levers are known from ships.")
    assert coverage == 1.0
    assert [(quote.place.ordinal, quote.adds) for quote in found] == [(1, 1.0), (3, 0.0)]


def test_a_document_without_the_words_has_nothing() -> None:
    assert quoted("a locking lever", FILL) == ((), 0.0)
    assert quoted("a locking lever") == ((), 0.0)


def test_bridges_earn_their_part_and_are_named() -> None:
    bridges = {"lever": {"handle": 0.6}}
    (found,), coverage = quoted("lever", "The handles.", bridges=bridges)
    assert coverage == pytest.approx(0.6)
    assert [(m.word, m.credit, m.bridge) for m in found.matches] == [("lever", pytest.approx(0.6), True)]
    assert quoted("lever", "The handles and a lever.", bridges=bridges)[1] == 1.0


def test_a_german_compound_is_what_its_last_part_says() -> None:
    assert quoted("ein Gehäuse", "Das Kunststoffgehäuse ist rund.", language="de")[1] == pytest.approx(0.9)
    (found,), coverage = quoted("ein Kunststoffgehäuse", "Das Gehäuse ist rund.", language="de")
    assert coverage == pytest.approx(0.5)
    assert found.matches[0].bridge
    assert quoted("a house", "A warehouse.", language="en")[1] == 0.0


def test_grades_begin_where_they_are_said_to() -> None:
    assert [grade(least) for least in GRADES.values()] == list(GRADES)
    assert grade(GRADES["mostly"] - 1e-6) == "partly"
    assert list(GRADES.values()) == sorted(GRADES.values(), reverse=True)


def test_places_are_cited_as_they_are_printed_else_counted() -> None:
    patent = Patent(
        "EP1A1",
        title="Lever",
        abstract="A lever.",
        description=(
            Paragraph("FIELD", is_heading=True),
            Paragraph("One.", number="0001"),
            Paragraph("Two."),
            Paragraph("Three.", number="3:45"),
        ),
        claims=(Claim(1, "A lever."), Claim(3, "Its use.")),
        translations=(Translation("de", title="Hebel", claims=(Claim(1, "Ein Hebel."),)),),
        language="en",
    )
    assert [(position.label, text) for position, text in places(patent)] == [
        ("[0001]", "One."),
        ("paragraph 2", "Two."),
        ("3:45", "Three."),
        ("claim 1", "A lever."),
        ("claim 3", "Its use."),
        ("abstract", "A lever."),
        ("title", "Lever"),
        ("claim 1 (de)", "Ein Hebel."),
        ("title (de)", "Hebel"),
    ]
    other = Patent(**{**{name: getattr(patent, name) for name in ("id", "title", "abstract", "claims", "description")}})
    assert text_fingerprint(patent) != text_fingerprint(other)


def rows(*weights: float, claims: tuple[int, ...] = ()) -> list[ChartRow]:
    numbers = claims or (1,) * len(weights)
    return [
        ChartRow(f"{claim}.{position}", claim, "x", "element", (), weight)
        for position, (weight, claim) in enumerate(zip(weights, numbers, strict=True))
    ]


def found_in(
    made: list[ChartRow], ids: list[str], coverage: np.ndarray, regime: Regime = "any", **statuses: Status
) -> tuple[ChartFinding, ...]:
    known: dict[str, Status] = {**dict.fromkeys(ids, "prior art"), **statuses}
    return findings(made, ids, coverage, known, regime)


def test_what_is_after_the_date_does_not_count_and_novelty_only_is_not_combined_everywhere() -> None:
    coverage = np.array([[0.9, 0.8, 0.0], [0.1, 0.2, 0.9]])
    ids = ["A", "B", "C"]
    (late,) = found_in(rows(0.5, 0.5), ids, coverage, A="after the date")
    assert [number for number, _ in late.ranking] == ["B", "C"]
    assert [step.reference for step in late.combination] == ["B", "C"]
    (secret,) = found_in(rows(0.5, 0.5), ids, coverage, "epc", A="novelty only")
    assert secret.ranking[0] == ("A", 0.5)
    assert [step.reference for step in secret.combination] == ["B", "C"]
    (american,) = found_in(rows(0.5, 0.5), ids, coverage, "us", A="novelty only")
    assert [step.reference for step in american.combination] == ["A", "C"]
    (none,) = found_in(rows(1.0), ["A"], np.array([[0.5]]), A="after the date")
    assert none.ranking == (("A", 0.5),)


def test_the_closest_reference_weighs_rows_and_the_next_one_is_what_adds_most() -> None:
    coverage = np.array([[0.9, 0.8, 0.0, 0.2], [0.1, 0.2, 0.9, 0.4], [0.0, 0.0, 0.1, 0.4]])
    (found,) = found_in(rows(0.5, 0.3, 0.2), ["A", "B", "C", "D"], coverage)
    assert found.ranking == (("A", 0.48), ("B", 0.46), ("D", 0.3), ("C", 0.29))
    assert [(step.reference, step.coverage, step.adds) for step in found.combination] == [
        ("A", 0.48, 0.48),
        ("C", 0.74, 0.26),
        ("D", 0.8, 0.06),
    ]
    assert [(rise.row, rise.before, rise.after) for rise in found.combination[1].rises] == [
        ("1.1", 0.1, 0.9),
        ("1.2", 0.0, 0.1),
    ]
    assert found.undisclosed == ("1.2",)


def test_a_reference_that_adds_nothing_is_no_part_of_a_combination_and_equals_are_ordered_by_id() -> None:
    coverage = np.array([[0.5, 0.5], [0.5, 0.5]])
    (found,) = found_in(rows(0.5, 0.5), ["B", "A"], coverage)
    assert [number for number, _ in found.ranking] == ["A", "B"]
    assert [step.reference for step in found.combination] == ["A"]


def test_each_claim_has_findings_of_its_own() -> None:
    coverage = np.array([[0.9, 0.0], [0.0, 0.9]])
    found = found_in(rows(0.5, 0.5, claims=(1, 7)), ["A", "B"], coverage)
    assert [(one.claim, one.ranking[0]) for one in found] == [(0, ("A", 0.45)), (1, ("A", 0.9)), (7, ("B", 0.9))]


def test_places_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Place("title").ordinal = 2  # type: ignore[misc]


def test_separate_quotes_stand_alone_and_do_not_overlap() -> None:
    terms = terms_of("a locking lever", "en", {stem(word, "en"): 1.0 for word in ("locking", "lever")})
    columns = {term.stem: position for position, term in enumerate(terms)}
    words = [term.word for term in terms]
    texts = (f"{FILL} The lever is locked.", "The locking lever turns.", FILL, f"A lever. {FILL}")
    patent = Patent("XX1A", description=tuple(Paragraph(text) for text in texts), language="en")
    windows = Windows(read(patent, ChartVocabulary(list(columns), words, "en", {})))
    found = separate_quotes(Wanted.of(terms, columns), windows, words, 3)
    assert [quote.text for quote in found] == ["The lever is locked.", "The locking lever turns.", "A lever."]
    assert [quote.coverage for quote in found] == [1.0, 1.0, 0.25]
    assert len(separate_quotes(Wanted.of(terms, columns), windows, words, 1)) == 1
