"""A review of a small corpus from end to end: the queue, its sums, families, the slider, and what is left."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from foreart.corpus.views import ALONE
from foreart.doctor import examine
from foreart.document.draft import outlined
from foreart.errors import BadRequest, IndexingError
from foreart.library import Library
from foreart.review.feedback import JudgedDocument, Verdict
from foreart.review.queue import (
    CITATIONS,
    FILE,
    PLACES,
    TEXTS,
    Queued,
    Reviewing,
    default_review,
    load_review,
    open_reviewing,
    write_review,
)
from foreart.review.stopping import ChanceCurve, GammaPrior, Levels, StoppingModel
from foreart.search import SearchRequest
from ranking_world import TOPICS, citing, library_of, town

DRAFT = 55  # of the topic 1
MODEL = StoppingModel(ChanceCurve(-2.0, 0.2), ChanceCurve(-2.0, 0.2), GammaPrior(2.0, 2.0), 1.0, (Levels(),) * 5, 30)


def _relevant(number: str) -> bool:
    """Documents of the draft's topic, by the rule that makes ids."""
    return (int(number[2:9]) - 7_000_101) // 13 % TOPICS == DRAFT % TOPICS


def _judged(queue: Sequence[Queued]) -> list[JudgedDocument]:
    return [JudgedDocument(item.id, "relevant" if _relevant(item.id) else "no") for item in queue]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with library_of(tmp_path_factory.mktemp("review"), town("words")) as made:
        made.learn()
        yield made


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The same without citations."""
    patents = [citing(patent, ()) for patent in town("words")]
    with library_of(tmp_path_factory.mktemp("bare"), patents) as made:
        yield made


def _open(library: Library, **options: object) -> Reviewing:
    draft = outlined(library.corpus[town("words")[DRAFT].id])
    request = SearchRequest.of(draft, **options)  # type: ignore[arg-type]
    return library.answer(request, lambda state, ranker: open_reviewing(ranker, request, library.corpus, state=state))


def test_the_queue_begins_as_the_search_and_leaves_out_what_was_judged(library: Library) -> None:
    review = _open(library)
    draft = outlined(library.corpus[town("words")[DRAFT].id])
    queue = review.order([])
    assert [item.id for item in queue[:10]] == [hit.id for hit in library.search(draft, k=10)]
    assert [item.score for item in queue[:10]] == pytest.approx([hit.score for hit in library.search(draft, k=10)])
    assert not any(item.contribution or item.parts or item.elsewhere for item in queue)
    assert [item.rank for item in queue] == list(range(1, len(queue) + 1))
    judged = _judged(queue[:5])
    after = review.order(judged)
    assert {item.id for item in after} == {item.id for item in queue[5:]}
    assert review.order([]) == queue  # an undone judgement leaves nothing behind
    assert review.order(judged, limit=3) == after[:3]


def test_contributions_sum_and_the_order_of_judging_does_not_matter(library: Library) -> None:
    review = _open(library)
    queue = review.order([])
    priors = {item.id: item.score for item in queue}
    judged = _judged(queue[::4])
    after = review.order(judged)
    for item in after:
        assert sum(part.contribution for part in item.parts) == pytest.approx(item.contribution, abs=1e-12)
        assert item.score == pytest.approx(priors[item.id] + item.contribution, abs=1e-12)
        assert 0 <= item.chance <= 1
    assert any(item.contribution for item in after)
    assert review.order(judged[::-1]) == after == _open(library).order(judged)
    plain = [item for item in after if not item.elsewhere]
    assert all(first.score >= second.score for first, second in pairwise(plain))


def test_one_in_ten_is_from_elsewhere_and_marked(library: Library) -> None:
    review = _open(library)
    judged = _judged(review.order([])[:3])
    after = review.order(judged)
    assert [item.rank for item in after if item.elsewhere] == [
        rank for rank in range(1, len(after) + 1) if rank % 10 == 7
    ]
    far = review.order(judged, elsewhere=1.0)
    assert {item.id for item in far} == {item.id for item in after}
    assert [item.id for item in far] != [item.id for item in after]
    with pytest.raises(BadRequest, match="from 0"):
        review.order([], elsewhere=2.0)


@pytest.mark.parametrize("ranking", ["learned", "default-weights", "rrf"])
def test_judgements_help_under_every_ranking(library: Library, ranking: str) -> None:
    review = _open(library, ranking=ranking)
    queue = review.order([])
    found = sum(_relevant(item.id) for item in queue[:9])
    relevant = [JudgedDocument(item.id, "relevant") for item in queue if _relevant(item.id)][:2]
    no = [JudgedDocument(item.id, "no") for item in queue if not _relevant(item.id)][:2]
    after = review.order([*relevant, *no])
    assert sum(_relevant(item.id) for item in after[:7]) >= min(7, found) - 2
    ranks = {item.id: item.rank for item in after}
    before = {item.id: item.rank for item in queue}
    moved = [before[number] - rank for number, rank in ranks.items() if _relevant(number)]
    assert sum(moved) > 0


def test_a_family_is_read_once_and_unknown_documents_do_nothing(library: Library) -> None:
    review = _open(library)
    queue = review.order([])
    view = library.ranker().view
    rows = [view.ids.row(item.id) for item in queue]
    names = [int(view.families[row]) for row in rows if row is not None and view.families[row] != ALONE]
    assert len(set(names)) == len(names)
    assert review.order([JudgedDocument("US1B1", "relevant")]) == queue


def test_documents_after_the_date_teach_and_are_not_shown(library: Library) -> None:
    review = _open(library)
    later = town("words")[DRAFT + 3].id
    shown = {item.id for item in review.order([JudgedDocument(later, "relevant")])}
    assert later not in shown
    assert any(item.contribution for item in review.order([JudgedDocument(later, "relevant")]))


def _stopping(library: Library, count: int, **options: object):
    review = _open(library)
    queue = review.order([])
    judged = _judged(queue[:count])
    return review.stopping(judged, [item.id for item in judged], **options)  # type: ignore[arg-type]


def test_what_is_left_is_said_or_why_not(library: Library, bare: Library) -> None:
    few = _stopping(library, 2)
    assert few.left is None
    assert few.sentence.endswith("Fewer than 3 are too few to estimate how many are still unread.")
    said = _stopping(library, 30)
    assert said.left is not None
    assert said.low is not None
    assert said.high is not None
    assert said.low <= said.left <= said.high
    assert said.read == 30
    assert said.found == sum(_relevant(item.id) for item in _open(library).order([])[:30])
    assert said.sentence.startswith(
        f"{said.found} found in 30 read. Still unread: about {said.left} (90 %: {said.low} to "
    )
    assert "earlier patents of this corpus" in said.sentence
    bare_review = _open(bare)
    judged = _judged(bare_review.order([])[:20])
    none = bare_review.stopping(judged, [item.id for item in judged])
    assert none.left is None
    assert "no citations to learn from" in none.sentence
    assert bare_review.notes == (none.sentence.partition("read. ")[2],)


def test_the_rule_looks_back_and_an_undone_judgement_is_forgotten(library: Library) -> None:
    review = _open(library)
    queue = review.order([])
    judged = _judged(queue)
    read = [item.id for item in judged]
    everything = review.stopping(judged, read)
    assert (everything.left, everything.may_stop, everything.held) == (0, True, 10)
    early = review.stopping(judged[:15], read[:15])
    assert early == review.stopping(judged[:15], read[:15])
    assert early.held <= 10
    assert _open(library).stopping(judged[:15], read[:15]) == early
    # An unread relevant document that is known already counts as found, in front.
    seeded = review.stopping(judged[:15], read[1:15])
    assert (seeded.found, seeded.read) == (early.found, 15)
    with pytest.raises(BadRequest, match="target"):
        review.stopping([], [], target=2.0)


def test_maybe_counts_if_asked(library: Library) -> None:
    review = _open(library)
    verdicts: list[Verdict] = ["relevant", "maybe", "no", "maybe", "relevant", "relevant"]
    judged = [JudgedDocument(item.id, word) for item, word in zip(review.order([]), verdicts, strict=False)]
    read = [item.id for item in judged]
    assert review.stopping(judged, read).found == 3
    assert review.stopping(judged, read, maybe=True).found == 5


def test_without_citations_the_words_of_judged_documents_help(bare: Library) -> None:
    review = _open(bare)
    queue = review.order([])
    judged = _judged([item for item in queue if item.rank % 3 == 0])
    after = review.order(judged)
    left = [item for item in queue if item.id not in {one.id for one in judged}]
    positions = (sum(place for place, item in enumerate(items) if _relevant(item.id)) for items in (after, left))
    assert next(positions) <= next(positions)
    assert all("topics" in part.words for item in after for part in item.parts)


def test_default_weights_are_complete_and_have_no_chances() -> None:
    for kind in (CITATIONS, TEXTS, PLACES):
        found = default_review(kind)
        assert found.stopping is None
        assert found.weights.ranking > 0
        assert found.training["without"] == "the 179 targets"


def test_what_was_learned_is_kept_and_damage_is_found(library: Library, tmp_path: Path) -> None:
    path = library.folder / "ranking" / FILE
    learned = load_review(path)
    assert load_review(write_review(learned, tmp_path)) == learned
    with_model = replace(learned, stopping=MODEL)
    assert load_review(write_review(with_model, tmp_path)) == with_model
    text = (tmp_path / FILE).read_text("utf-8")
    (tmp_path / FILE).write_text(text.replace('"reviews": 30', '"reviews": 31'), "utf-8")
    with pytest.raises(IndexingError, match="foreart learn"):
        load_review(tmp_path / FILE)
    (tmp_path / FILE).write_text("{", "utf-8")
    with pytest.raises(IndexingError, match="foreart learn"):
        load_review(tmp_path / FILE)


def test_the_doctor_reads_it(library: Library) -> None:
    path = library.folder / "ranking" / FILE
    whole = path.read_text("utf-8")

    def state() -> tuple[str, str]:
        (check,) = [check for check in examine(library.folder) if check.subject == "review"]
        return check.state, check.sentence

    assert state()[0] == "ok"
    assert "simulated reviews of this ranking" in state()[1]
    record = json.loads(whole)
    learned = load_review(path)
    try:
        write_review(replace(learned, ranking="another"), path.parent)
        assert state()[0] == "note"
        assert "of another ranking: `foreart learn` again" in state()[1]
        assert "learned for a different ranking" in _open(library).notes[0]
        write_review(replace(learned, stopping=None), path.parent)
        assert "too few to estimate" in state()[1]
        assert "too few documents" in _open(library).notes[0]
        path.write_text(json.dumps({**record, "corpus": "x"}), "utf-8")
        assert state()[0] == "bad"
        path.unlink()
        assert state() == ("note", "default weights, and no estimate of what is unread: `foreart learn` learns both")
        assert "before `foreart learn`" in _open(library).notes[0]
    finally:
        path.write_text(whole, "utf-8")
