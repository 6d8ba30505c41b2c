"""In which forms a matter is exported, and what a person adds: the head of a form, and what to leave out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from foreart.errors import BadRequest

_Exported = TypeVar("_Exported")
# The parts of a report that can be left out.
PARTS = ("passages", "notes", "families", "searches", "estimate", "log", "open points")
_LONGEST, _MOST_ITEMS = 200, 100_000


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Facts for the head of a report that a draft does not have, and whose estimate it carries.

    `items_before` counts the items of earlier information disclosure statements. `rater` is whose reading is estimated;
    without one it is who has read most. `leave_out` are parts such as notes, which may be privileged.
    """

    docket: str = ""
    application_number: str = ""
    examiner: str = ""
    art_unit: str = ""
    items_before: int = 0
    searcher: str = ""
    place: str = ""
    rater: str = ""
    abstracts: bool = False
    leave_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("docket", "application_number", "examiner", "art_unit", "searcher", "place"):
            if len(getattr(self, name)) > _LONGEST:
                raise BadRequest(f"{name} has more than {_LONGEST} characters: shorten it")
        if not 0 <= self.items_before <= _MOST_ITEMS:
            raise BadRequest(f"items_before is {self.items_before}; it can be from 0 to {_MOST_ITEMS:,}")
        unknown = [part for part in self.leave_out if part not in PARTS]
        if unknown:
            raise BadRequest(f"a report has no part {unknown[0]!r} to leave out; there are {', '.join(PARTS)}")


@dataclass(frozen=True, slots=True)
class MatterForm(Generic[_Exported]):
    """A form in which a matter is exported: what it is, the ending and type of its files, and what writes them.

    A report needs the corpus and takes long; the other forms need the matter alone.
    """

    about: str
    suffix: str
    media_type: str
    write: Callable[[_Exported, ExportOptions], bytes]
    is_report: bool = False


NO_OPTIONS = ExportOptions()
