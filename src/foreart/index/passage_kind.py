"""The parameters of an index of passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Literal, get_args

from foreart.errors import ForeartError

Aggregate = Literal["best", "mean"]
AGGREGATES: tuple[str, ...] = get_args(Aggregate)


@dataclass(frozen=True, slots=True)
class Passages:
    """Splits documents into passages of at most `words` words; `aggregate` is how a document is scored.

    `best`: the score of the passage most similar to the full query. `mean`: the query is split into passages of at most
    `query` words, and the score is the mean over these of the best passage of the document.
    """

    words: int = 300
    aggregate: Aggregate = "best"
    query: int = 600
    name: ClassVar[str] = "passages"
    stored_as: ClassVar[str] = "passages"

    @classmethod
    def of(cls, parameters: Mapping[str, object]) -> Passages:
        """Passages with these parameters; raises an error for unknown ones."""
        known = [field.name for field in fields(cls)]
        for name in parameters:
            if name not in known:
                raise ForeartError(f"passages have no parameter {name!r}; they have {', '.join(known)}")
        return cls(**parameters)  # type: ignore[arg-type] # checked by `check`

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters by name."""
        return asdict(self)

    @property
    def cutting(self) -> str:
        """The name of this way to split; the last number is the version of the rule in `foreart.text.sentences`."""
        return f"passages-{self.words}-2"

    def check(self) -> None:
        """Raises an error for invalid parameters."""
        if self.aggregate not in AGGREGATES:
            raise ForeartError(f"aggregate is {self.aggregate!r}; it can be {', '.join(AGGREGATES)}")
        for name, value in (("words", self.words), ("query", self.query)):
            if type(value) is not int or value < 1:
                raise ForeartError(f"{name} is {value!r}; a passage has at least one word")
