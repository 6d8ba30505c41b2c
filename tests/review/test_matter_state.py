"""The state of a matter is a fold of its log: laws of undo and redo, families, raters, and the bytes of each event."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreart.errors import BadRequest
from foreart.review.matters import MatterState, fold, reviewed
from foreart.review.matters.matter_events import (
    KINDS,
    UNDOABLE,
    CategoryGiven,
    CriteriaSet,
    DocumentJudged,
    DocumentsShown,
    HighlightsSet,
    Logged,
    MatterCreated,
    NoteWritten,
    RedoAsked,
    StoppingRuleSet,
    UndoAsked,
    kind_of,
)
from foreart.review.matters.payloads import UnreadablePayload, from_payload, to_payload
from matter_world import SCRIPT, TIME, decisions, histories, raters, then


def content(state: MatterState) -> MatterState:
    """What a person sees of a matter: without the numbers of the log."""
    return replace(state, last=0, undo={}, redo={}, raters=())


@given(histories(), raters(), decisions())
def test_undo_takes_back_exactly_the_last_decision(history, rater, event) -> None:
    after = then(then(history, rater, event), rater, UndoAsked())
    assert content(fold(after)) == content(fold(history))
    assert fold(after).undo == fold(history).undo


@given(histories(), raters())
def test_redo_restores_exactly_what_undo_took_back(history, rater) -> None:
    before = fold(history)
    if rater in before.undo:
        restored = fold(then(then(history, rater, UndoAsked()), rater, RedoAsked()))
        assert content(restored) == content(before)
        assert (restored.undo, restored.redo) == (before.undo, before.redo)


@given(histories(), raters(), decisions())
def test_a_new_decision_forgets_what_was_undone(history, rater, event) -> None:
    decided = then(history, rater, event)
    assert content(fold(then(decided, rater, RedoAsked()))) == content(fold(decided))


@given(histories(), raters())
def test_undoing_everything_leaves_nothing_of_the_rater_and_all_of_the_others(history, rater) -> None:
    undone = history
    for _ in history:
        undone = then(undone, rater, UndoAsked())
    others = tuple(
        item for item in history if item.rater != rater or not isinstance(item.event, (*UNDOABLE, UndoAsked, RedoAsked))
    )
    assert content(fold(undone)) == content(fold(others))


@given(histories(), st.data())
def test_later_events_never_change_the_state_of_a_prefix(history, data) -> None:
    """Folding is pure: the same prefix gives the same state, whatever was folded before."""
    cut = data.draw(st.integers(0, len(history)))
    before = fold(history[:cut])
    fold(history)
    assert fold(history[:cut]) == before
    assert before.last == cut


@given(histories())
def test_a_rater_has_one_judgement_for_each_family(history) -> None:
    state = fold(history)
    for rater in {item.rater for item in state.judgements}:
        mine = [item.event for item in state.judgements if item.rater == rater]
        numbers = [number for event in mine for number in (event.document, *event.family)]
        assert len(numbers) == len(set(numbers))


@given(histories())
def test_every_event_is_the_same_after_its_bytes(history) -> None:
    for item in history:
        payload = to_payload(item.event, time=item.time, rater=item.rater)
        assert from_payload(item.n, payload) == item


def test_every_kind_is_in_the_script_or_made_elsewhere() -> None:
    assert {kind_of(event) for event in SCRIPT} == set(KINDS) - {"created", "search"}


def log(*events, rater: str = "ann"):
    return tuple(Logged(n, TIME, rater, event) for n, event in enumerate(events, start=1))


def test_a_family_is_judged_once_whichever_member_is_named() -> None:
    first = DocumentJudged("XX1A", "relevant", ("XX2A",))
    other = DocumentJudged("XX2A", "no", ("XX1A", "XX3A"))
    state = fold(log(first, other))
    assert [(item.event.document, item.event.judgement) for item in state.judgements] == [("XX2A", "no")]
    assert {number: state.judgement(number, "ann") for number in ("XX1A", "XX2A", "XX3A", "XX9A")} == {
        "XX1A": "no", "XX2A": "no", "XX3A": "no", "XX9A": "unjudged"
    }  # fmt: skip
    assert state.judgement("XX1A", "bob") == "unjudged"
    # Families that the corpus no longer joins stay judged.
    later = fold(log(first, other, DocumentJudged("XX3A", "maybe")))
    assert later.judgement("XX1A", "ann") == "maybe"
    assert fold(log(first, DocumentJudged("XX1A", "unjudged"))).judgements == ()


def test_a_judgement_over_one_that_the_rater_had_not_seen_is_told() -> None:
    events = (MatterCreated("t"), DocumentJudged("XX1A", "relevant"))
    assert fold(log(*events, DocumentJudged("XX1A", "no", seen=1))).unseen == {3: 2}
    assert fold(log(*events, DocumentJudged("XX1A", "no", seen=2))).unseen == {}
    assert fold(log(*events, DocumentJudged("XX1A", "no"))).unseen == {}


def test_notes_keep_their_place_when_they_are_replaced() -> None:
    state = fold(log(NoteWritten("one"), NoteWritten("two"), NoteWritten("ONE", replaces=1)))
    assert [(note.n, note.event.text) for note in state.notes] == [(1, "ONE"), (2, "two")]
    assert [note.event.text for note in fold(log(NoteWritten("one"), NoteWritten("", replaces=1))).notes] == []


def test_groups_categories_criteria_and_the_rule_are_those_set_last() -> None:
    state = fold(
        log(
            HighlightsSet("a", ("pawl",), "red"),
            HighlightsSet("b", ("bar",)),
            HighlightsSet("b"),
            CategoryGiven("XX1A", "X", (1,)),
            CategoryGiven("XX1A", "X", (2, 3)),
            CategoryGiven("XX1A", "A"),
            CategoryGiven("XX1A", "A", withdrawn=True),
            CriteriaSet("first"),
            CriteriaSet("second"),
            StoppingRuleSet(0.8, 0.95),
        )
    )
    assert [group.event.name for group in state.highlights] == ["a"]
    assert [(line.event.category, line.event.claims) for line in state.categories] == [("X", (2, 3))]
    assert state.criteria == "second"
    assert state.stopping is not None
    assert (state.stopping.event.target, state.stopping.n) == (0.8, 10)


def test_documents_read_are_those_shown_or_judged_and_a_family_counts_once() -> None:
    state = fold(
        log(DocumentsShown(("XX2A", "XX3A")), DocumentJudged("XX1A", "relevant", ("XX2A",)), DocumentsShown(("XX3A",)))
    )
    assert reviewed(state, "ann") == ("XX1A", "XX3A")
    assert reviewed(state, "bob") == ()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: DocumentJudged("", "no"), "a document is empty"),
        (lambda: DocumentJudged("XX1A", "perhaps"), "'perhaps' is not a judgement; there are relevant, maybe, no"),
        (lambda: CategoryGiven("XX1A", "Z"), "'Z' is not a category: write one or more of X Y A D P E O T L &"),
        (lambda: CategoryGiven("XX1A", "X,X"), "'X,X' is not a category"),
        (lambda: CategoryGiven("XX1A", "X", (0,)), "claims are numbered from 1"),
        (lambda: NoteWritten(" "), "a note is empty"),
        (lambda: NoteWritten("x" * 100_001), "a note has 100,001 characters; there may be 100,000"),
        (lambda: HighlightsSet(""), "the name of a highlight group is empty"),
        (lambda: StoppingRuleSet(1.0, 0.9), "the target of a stopping rule is a share from 0.5 to below 1, not 1.0"),
        (lambda: StoppingRuleSet(0.8, 0.1), "the confidence of a stopping rule"),
    ],
)
def test_what_cannot_be_an_event_is_refused(make, sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence.replace("(", r"\(")):
        make()


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b'{"kind":"dance","event":{}}', b'{"kind":"note","event":{"text":3},"time":"","rater":""}',
     b"\x28\xb5\x2f\xfdxx",
     b'{"kind":"stopping","event":{"target":4.8,"confidence":0.9},"time":"","rater":""}'],
)  # fmt: skip
def test_bytes_that_are_no_event_are_refused(payload: bytes) -> None:
    with pytest.raises(UnreadablePayload):
        from_payload(1, payload)
