"""A matter reviewed with re-ranking: its order, sums, estimate, rule, changes, and the explanation of a score."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from foreart import Library
from foreart.document.draft import outlined
from foreart.errors import BadRequest, MatterError
from foreart.review.casework import DEFAULT_RULE, MatterReview, snapshot_of
from foreart.review.casework.judged_reasons import PLACE, explained
from foreart.review.casework.review_cache import opened_review
from foreart.review.casework.review_json import stopping_record
from foreart.review.casework.searched_matter import searched_request
from foreart.review.feedback import JudgedDocument
from foreart.review.matters import Matter
from foreart.review.queue import CHANNEL, open_reviewing
from matter_world import PASSPHRASE
from ranking_world import citing, library_of, town

PATENTS = town("words")
DRAFT = 55


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reviews") / "library"
    with library_of(folder, PATENTS) as library:
        library.learn()
    return folder


@pytest.fixture
def library(built: Path, tmp_path: Path) -> Iterator[Library]:
    with Library(shutil.copytree(built, tmp_path / "library")) as found:
        yield found


@pytest.fixture
def matter(library: Library) -> Iterator[Matter]:
    with library.matter("town", create=True) as found:
        found.search(_draft(library), k=10, rater="ann")
        yield found


def _draft(library: Library):
    return outlined(library.corpus[PATENTS[DRAFT].id])


def _review(matter: Matter, rater: str = "ann") -> MatterReview:
    return MatterReview(snapshot_of(matter), matter.library, rater=rater)


def _ids(matter: Matter, rater: str = "ann", **options: float) -> list[str]:
    return [item.queued.id for item in _review(matter, rater).queue(**options).items]


def test_the_order_is_that_of_the_review_of_the_last_search(matter: Matter, library: Library) -> None:
    before = _ids(matter)
    assert before[:10] == [hit.id for hit in matter.state.search.hits]  # type: ignore[union-attr]
    matter.judge(before[0], "relevant", rater="ann")
    matter.judge(before[1], "no", rater="ann")
    matter.seed(before[5], rater="ann")
    review = _review(matter)
    queue = review.queue()
    judged = [
        JudgedDocument(before[5], "relevant"),
        JudgedDocument(before[0], "relevant"),
        JudgedDocument(before[1], "no"),
    ]
    assert list(review.judged) == judged
    request = searched_request(matter.state)
    fresh = library.answer(request, lambda state, ranker: open_reviewing(ranker, request, library.corpus, state=state))
    wanted = fresh.order(judged)
    assert [(item.queued.id, item.queued.score, item.chance, item.elsewhere) for item in queue.items] == [
        (item.id, item.score, item.chance, item.elsewhere) for item in wanted
    ]
    assert queue.left == len(before) - 3
    assert [item.queued.place for item in queue.items] == list(range(1, queue.left + 1))
    for item in queue.items:
        assert sum(part.contribution for part in item.parts) == pytest.approx(item.contribution, abs=1e-12)
    assert any(item.contribution for item in queue.items)
    assert [item.queued.id for item in queue.items] != [number for number in before if number in _ids(matter)]
    assert review.queue(limit=4).items == queue.items[:4]
    # A document that the record does not list is described from the library.
    other = next(item.queued for item in queue.items if item.queued.id in before[10:])
    assert other.hit is not None
    found = next(hit for hit in library.search(_draft(library), k=40) if hit.id == other.id)
    assert (other.hit.rank, other.hit.status, other.hit.rule) == (found.rank, found.status, found.rule)
    assert _ids(matter, elsewhere=1.0) != _ids(matter)
    with pytest.raises(BadRequest, match="elsewhere is 3"):
        review.queue(elsewhere=3)


def test_undo_brings_the_old_order_back_and_raters_have_their_own(matter: Matter) -> None:
    before = _ids(matter)
    matter.judge(before[0], "relevant", rater="ann")
    once = _ids(matter)
    matter.judge(before[3], "no", rater="ann")
    assert _ids(matter) != once
    matter.undo(rater="ann")
    assert _ids(matter) == once
    matter.undo(rater="ann")
    assert _ids(matter) == before == _ids(matter, "bob")
    matter.judge(before[2], "relevant", rater="bob")
    assert _ids(matter) == before
    assert before[2] not in _ids(matter, "bob")
    matter.judge(before[0], "later", rater="ann")
    later = _review(matter).queue().items
    assert (later[-1].queued.id, later[-1].queued.postponed) == (before[0], True)


def test_an_order_after_a_judgement_does_not_compare_again(matter: Matter, library: Library) -> None:
    request = searched_request(matter.state)
    first = opened_review(library, request)
    matter.judge(_ids(matter)[0], "relevant", rater="ann")
    assert opened_review(library, searched_request(matter.state)) is first
    matter.search(k=5, cutoff="2003-01-01", rater="ann")
    assert opened_review(library, searched_request(matter.state)) is not first
    assert opened_review(library, request) is first
    assert searched_request(matter.state).cutoff == "2003-01-01"
    library.corpus.remove([PATENTS[0].id])
    assert opened_review(library, request) is not first


def test_explanations_sum_to_the_score_of_the_queue(matter: Matter) -> None:
    before = _ids(matter)
    matter.judge(before[0], "relevant", rater="ann")
    matter.judge(before[1], "no", rater="ann")
    review = _review(matter)
    items = {item.queued.id: item for item in review.queue().items}
    for reasons in explained(review, [before[2], before[7]]):
        item = items[reasons.id]
        last = reasons.channels[-1]
        assert (last.channel, last.contribution) == (CHANNEL, pytest.approx(item.contribution, abs=1e-12))
        assert [cause.name for cause in last.causes] == [part.words for part in item.parts]
        assert reasons.score == pytest.approx(item.queued.score, abs=1e-9)
        assert reasons.added == pytest.approx(reasons.score, abs=1e-9)
    (own,) = explained(review, [before[0]])
    assert own.channels[-1].channel == CHANNEL  # a judged document is explained too


def test_a_ranking_that_is_not_learned_is_explained_by_places(matter: Matter) -> None:
    matter.search(k=5, ranking="rrf", rater="ann")
    number = _ids(matter)[0]
    matter.judge(number, "relevant", rater="ann")
    review = _review(matter)
    (item, *_) = review.queue().items
    (reasons,) = explained(review, [item.queued.id])
    assert [channel.channel for channel in reasons.channels[-2:]] == [PLACE, CHANNEL]
    assert reasons.added == pytest.approx(item.queued.score, abs=1e-9)
    assert "a different ranking" in review.notes[0]


def test_the_estimate_is_that_of_python_and_the_rule_of_the_log(matter: Matter) -> None:
    read = _ids(matter)[:30]
    matter.set_stopping(0.7, 0.8, rater="ann")
    for place, number in enumerate(read):
        matter.show([number], rater="ann")
        matter.judge(number, "relevant" if place % 4 == 0 else "no", rater="ann")
    review = _review(matter)
    opened = opened_review(matter.library, searched_request(matter.state)).reviewing
    expected = opened.stopping(review.judged, read, target=0.7, confidence=0.8)
    assert expected.left is not None
    record = stopping_record(review)
    assert {name: record[name] for name in asdict(expected)} == asdict(expected)
    assert record["curve"][-1] == {"read": 30, "found": 8}
    assert record["curve"][5] == {"read": 5, "found": 2}
    assert record["rule"]["fixed_before_reading"] is True
    assert record["rule"]["sentence"] == "stop at 70 % of the relevant documents, 80 % sure (fixed before reading)"
    matter.set_stopping(0.9, 0.8, rater="ann")
    rule = stopping_record(_review(matter))["rule"]
    assert (rule["target"], rule["fixed_before_reading"], len(rule["log"])) == (0.9, False, 2)
    assert rule["sentence"].endswith("(changed after 30 documents had been read: it was 70 % at 80 %)")
    matter.undo(rater="ann")
    assert _review(matter).snapshot.fixed_before_reading
    other = _review(matter, "bob").stopping()
    assert (other.found, other.read, other.left) == (0, 0, None)


def test_without_a_rule_the_default_is_told(matter: Matter) -> None:
    snapshot = snapshot_of(matter)
    assert (snapshot.rule, snapshot.rules) == (DEFAULT_RULE, ())
    assert "(the default: no rule is in the log)" in snapshot.rule_sentence
    matter.show(_ids(matter)[:2], rater="ann")
    matter.set_stopping(0.8, 0.9, rater="ann")
    assert snapshot_of(matter).rule_sentence.endswith("(set after 2 documents had been read)")


def test_what_has_changed_is_told_and_judgements_stay(matter: Matter, library: Library) -> None:
    first = _ids(matter)[0]
    matter.judge(first, "relevant", rater="ann")
    assert _review(matter).changes == ()
    matter.keep_draft(outlined(library.corpus[PATENTS[DRAFT + 1].id]))
    assert [change.kind for change in _review(matter).changes] == ["draft"]
    library.corpus.remove([PATENTS[0].id])
    library.build()
    review = _review(matter)
    changed = {change.kind: change for change in review.changes}
    assert {"draft", "corpus"} <= changed.keys()
    assert changed["corpus"].sentence.endswith(f"{len(PATENTS)} documents then, {len(PATENTS) - 1} now")
    assert review.judged == (JudgedDocument(first, "relevant"),)
    assert first not in [item.queued.id for item in review.queue().items]
    matter.search(k=10, rater="ann")
    kinds = {(change.kind, change.since) for change in _review(matter).changes}
    assert {("draft", "search before"), ("corpus", "search before")} <= kinds


def test_a_library_that_cannot_rank_keeps_the_order_of_the_record(matter: Matter, library: Library) -> None:
    hits = [hit.id for hit in matter.state.search.hits]  # type: ignore[union-attr]
    matter.judge(hits[0], "relevant", rater="ann")
    shutil.rmtree(library.folder / "indexes")
    library.close()
    with Library(library.folder) as broken, broken.matter("town") as found:
        review = _review(found)
        assert [item.queued.id for item in review.queue().items] == hits[1:]
        assert [item.chance for item in review.queue().items] == [None] * 9
        assert review.notes[0].startswith("judgements do not change the order: ")
        stopping = review.stopping()
        assert (stopping.found, stopping.left) == (1, None)
        assert stopping.sentence.startswith("1 found in 1 read. How many are still unread cannot be estimated")


def test_a_corpus_without_citations_re_ranks_and_says_why_it_cannot_estimate(tmp_path: Path) -> None:
    bare = [citing(patent, ()) for patent in PATENTS]
    with library_of(tmp_path / "bare", bare) as library, library.matter("town", create=True) as matter:
        matter.search(_draft(library), k=10)
        before = _ids(matter, "")
        matter.judge(before[0], "relevant")
        matter.judge(before[1], "no")
        assert _ids(matter, "") != before[2:]
        assert "no citations to learn from" in _review(matter, "").stopping().sentence


def test_a_sealed_matter_reviews_alike_and_a_snapshot_can_be_sent(matter: Matter, library: Library) -> None:
    with library.matter("sealed", create=True, passphrase=PASSPHRASE) as sealed:
        sealed.search(_draft(library), k=10, rater="ann")
        for each in (matter, sealed):
            each.judge(_ids(each)[0], "relevant", rater="ann")
        assert _ids(sealed) == _ids(matter)
        sent = pickle.loads(pickle.dumps(snapshot_of(sealed).for_review()))
        review = MatterReview(sent, library, rater="ann")
        assert [item.queued.id for item in review.queue().items] == _ids(matter)


def test_a_matter_without_a_search_says_so(library: Library) -> None:
    with library.matter("empty", create=True) as matter:
        review = _review(matter)
        assert review.changes == ()
        with pytest.raises(MatterError, match="this matter has no search yet"):
            review.queue()
