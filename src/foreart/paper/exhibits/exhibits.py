"""The tables and figures by name, as `--only` selects them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from foreart.errors import ForeartError
from foreart.paper.exhibits.exhibit import Exhibit
from foreart.paper.exhibits.measure_tables import t5, t7
from foreart.paper.exhibits.plates import f2, f3, f4, f6, f7, f8, f9, x2
from foreart.paper.exhibits.tables import t1, t2, t3, t4, t6, x1
from foreart.paper.experiments.results import Results

# Figures 1 and 5 of the paper are drawings of the method, not of data. X… go beyond the paper.
EXHIBITS: Mapping[str, Callable[[Results], Exhibit]] = {
    "T1": t1, "T2": t2, "T3": t3, "T4": t4, "T5": t5, "T6": t6, "T7": t7,
    "F2": f2, "F3": f3, "F4": f4, "F6": f6, "F7": f7, "F8": f8, "F9": f9,
    "X1": x1, "X2": x2,
}  # fmt: skip


def chosen(names: Sequence[str]) -> tuple[str, ...]:
    """The exhibits of these names, in upper or lower case, in the order of the table; all if none is named."""
    wanted = {name.strip().upper() for name in names if name.strip()}
    unknown = sorted(wanted - EXHIBITS.keys())
    if unknown:
        raise ForeartError(f"there is no table or figure {unknown[0]!r}; there are {', '.join(EXHIBITS)}")
    return tuple(name for name in EXHIBITS if not wanted or name in wanted)
