"""What can be said of the documents that are still unread, as numbers and as one sentence."""

from __future__ import annotations

from dataclasses import dataclass

# How many documents ahead are looked at.
NEXT = 20


@dataclass(frozen=True, slots=True)
class Stopping:
    """How many relevant documents are unread, and whether the rule lets reading end.

    `left` is the median with its interval `low` to `high` of the confidence, `recall` the share found so; `ahead` are
    expected among the next 20. `beyond` is the share of what is expected that is behind rank 1,000, where it rests on
    many small chances. The rule has held at the last `held` looks of the ten that it needs. Without an estimate all of
    these are None, and `sentence` says why.
    """

    found: int
    read: int
    target: float
    confidence: float
    sentence: str
    left: int | None = None
    low: int | None = None
    high: int | None = None
    recall: float | None = None
    recall_low: float | None = None
    recall_high: float | None = None
    ahead: float | None = None
    beyond: float | None = None
    held: int = 0
    may_stop: bool = False


def recall_of(found: int, left: int) -> float:
    """The share found."""
    return found / (found + left) if found + left else 0.0


def estimate_sentence(stopping: Stopping, reviews: int) -> str:
    """The estimate as a person says it; `reviews` is how many past patents it was learned from."""
    if stopping.left is None or stopping.recall is None:
        return stopping.sentence
    span = f"{stopping.confidence:.0%}".replace("%", " %")
    recall, low, high = (
        f"{100 * (value or 0.0):.0f}" for value in (stopping.recall, stopping.recall_low, stopping.recall_high)
    )
    parts = [
        f"{_read(stopping)}. Still unread: about {stopping.left:,} ({span}: {stopping.low:,} to {stopping.high:,}), "
        f"so about {recall} % found ({low} to {high} %).",
        f"The next {NEXT} would bring about {_few(stopping.ahead or 0.0)}.",
        f"Learned from {reviews:,} earlier patents of this corpus.",
    ]
    if (stopping.beyond or 0.0) >= 0.2:
        parts.insert(1, f"{stopping.beyond:.0%}".replace("%", " %") + " of these are guessed beyond rank 1,000.")
    return " ".join(parts)


def no_estimate(found: int, read: int, why: str) -> str:
    """What is said where there is too little to say."""
    return f"{found:,} found in {read:,} read. {why}"


def _read(stopping: Stopping) -> str:
    return f"{stopping.found:,} found in {stopping.read:,} read"


def _few(expected: float) -> str:
    """A small expectation in a word or a number."""
    return f"{expected:.0f}" if expected >= 0.95 else "0" if expected < 0.05 else f"{expected:.1f}"
