"""A rater's way through the pairs."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

from foreart.review import Label, Session, rater_order

PAIRS = [(target, f"D{number}") for target in ("T1", "T2", "T3") for number in range(8)]


def session(labels: dict[tuple[str, str], Label] | None = None) -> tuple[Session, list[Label]]:
    kept: list[Label] = []
    return Session(PAIRS[:4], labels or {}, kept.append, rater="ann", clock=lambda: "noon"), kept


def test_every_judgement_is_kept_at_once() -> None:
    made, kept = session()
    assert made.current == ("T1", "D0")
    made.judge(3)
    assert kept == [Label("ann", "T1", "D0", 3, "", "noon")]
    assert (made.current, made.judged, made.left) == (("T1", "D1"), 1, 3)


def test_a_session_goes_on_where_the_last_one_was() -> None:
    known = {pair: Label("ann", *pair, score) for pair, score in ((PAIRS[0], 1), (PAIRS[1], None), (PAIRS[2], 0))}
    made, _ = session({**known, ("other", "D0"): Label("ann", "other", "D0", 2)})
    assert (made.current, made.judged, made.left) == (PAIRS[1], 2, 2)
    made.judge(5)
    assert made.current == PAIRS[3]
    made.judge(5)
    assert (made.current, made.left) == (None, 0)


def test_back_returns_and_changes_the_judgement() -> None:
    made, kept = session()
    assert not made.back()
    made.judge(3)
    made.judge(4)
    assert made.back()
    assert made.back()
    assert (made.current, made.label(PAIRS[0])) == (PAIRS[0], kept[0])
    made.judge(1)
    assert made.current == PAIRS[2]
    assert [label.score for label in kept] == [3, 4, 1]
    assert made.judged == 2


def test_skipped_pairs_come_again_next_time() -> None:
    made, kept = session()
    made.skip()
    for _ in range(3):
        made.judge(2)
    assert (made.current, made.left) == (None, 1)
    assert made.back()
    again, _ = session({label.pair: label for label in kept})
    assert again.current == PAIRS[0]


def test_a_comment_stays_with_its_pair_before_and_after_the_score() -> None:
    made, kept = session()
    made.comment("see  claim\t1")
    assert kept[-1] == Label("ann", "T1", "D0", None, "see claim 1", "noon")
    assert (made.current, made.judged) == (PAIRS[0], 0)
    made.judge(4)
    assert (kept[-1].score, kept[-1].comment) == (4, "see claim 1")
    made.back()
    made.comment("no, claim 2")
    assert (kept[-1].score, kept[-1].comment) == (4, "no, claim 2")


def test_each_rater_has_an_order_and_keeps_it() -> None:
    ann, bob = rater_order(PAIRS, "ann"), rater_order(PAIRS, "bob")
    assert sorted(ann) == sorted(bob) == PAIRS
    assert ann != bob
    assert ann == rater_order(reversed(PAIRS), "Ann")
    for order in (ann, bob):  # the pairs of a target stay together
        targets = [target for target, _ in order]
        assert sum(one != other for one, other in pairwise(targets)) == 2
    code = f"from foreart.review import rater_order; print(rater_order({PAIRS!r}, 'ann'))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == repr(ann)
