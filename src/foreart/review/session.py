"""A labelling session: the next pair, one step back, every judgement saved at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from foreart.review.labels import Label, Pair


def rater_order(pairs: Iterable[Pair], rater: str) -> list[Pair]:
    """The pairs in an order of the rater's own, so that fatigue affects different documents for each rater.

    Pairs of a target stay together: it is read once. The order is the same whenever the rater comes back.
    """
    chance = random.Random(f"order {rater.casefold()}")  # noqa: S311
    by_target: dict[str, list[Pair]] = {}
    for pair in sorted(set(pairs)):
        by_target.setdefault(pair[0], []).append(pair)
    groups = list(by_target.values())
    chance.shuffle(groups)
    for group in groups:
        chance.shuffle(group)
    return [pair for group in groups for pair in group]


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Session:
    """The state of one sitting. `save` is called with each label and must have kept it when it returns."""

    def __init__(
        self,
        pairs: Sequence[Pair],
        labels: Mapping[Pair, Label],
        save: Callable[[Label], None],
        *,
        rater: str,
        clock: Callable[[], str] = now,
    ) -> None:
        self.pairs = tuple(pairs)
        self.rater = rater
        self._labels = {pair: label for pair, label in labels.items() if pair in set(self.pairs)}
        self._save = save
        self._clock = clock
        self._place = self._next(0)

    @property
    def current(self) -> Pair | None:
        """The current pair; None after the last one."""
        return self.pairs[self._place] if self._place < len(self.pairs) else None

    @property
    def judged(self) -> int:
        """How many pairs have a score."""
        return sum(label.score is not None for label in self._labels.values())

    @property
    def left(self) -> int:
        """How many have none."""
        return len(self.pairs) - self.judged

    def label(self, pair: Pair) -> Label | None:
        """This rater's earlier judgement of a pair."""
        return self._labels.get(pair)

    def judge(self, score: int) -> None:
        """Keeps a score for the current pair and goes on to the next without one."""
        self._keep(score=score)
        self.skip()

    def comment(self, text: str) -> None:
        """Keeps a comment on the current pair, and stays there."""
        self._keep(comment=" ".join(text.split()))

    def skip(self) -> None:
        """Continues without a judgement; skipped pairs are shown again in the next session."""
        self._place = self._next(self._place + 1)

    def back(self) -> bool:
        """Returns to the pair before this one; False at the first."""
        if not self._place:
            return False
        self._place -= 1
        return True

    def _keep(self, *, score: int | None = None, comment: str | None = None) -> None:
        pair = self.pairs[self._place]
        before = self._labels.get(pair)
        if before is not None:
            score = before.score if score is None else score
            comment = before.comment if comment is None else comment
        label = Label(self.rater, *pair, score, comment or "", self._clock())
        self._save(label)
        self._labels[pair] = label

    def _next(self, place: int) -> int:
        """The first place from here on that has no score."""
        for candidate in range(place, len(self.pairs)):
            label = self._labels.get(self.pairs[candidate])
            if label is None or label.score is None:
                return candidate
        return len(self.pairs)
