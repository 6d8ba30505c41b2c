"""Asks one library in one process, warm: searches, each channel alone, explanations, charts, and the memory they take.

python benchmarks/million_asking.py LIBRARY DRAFT...        prints JSON; million.py runs it
"""

from __future__ import annotations

import cProfile
import json
import pstats
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from foreart.document.draft import Draft
from foreart.library import Library
from foreart.search.ranking.query_forms import query_forms_of
from foreart.search.ranking.text_channels import TEXT_CHANNELS
from foreart.sources import read_draft
from foreart.text import QueryText
from foreart.text.tokens import query_words, tokens

K = 100
_REFERENCES = 3
_ROUNDS = 3
_LINES = 14  # of a profile
Times = tuple[float, float]  # wall time, processor time
Found = TypeVar("Found")


def asked(folder: Path, files: list[Path]) -> dict[str, Any]:
    """All figures of a library."""
    drafts = [read_draft(file) for file in files]
    with Library(folder) as library:
        first, _ = _timed(lambda: library.search(drafts[0], k=K))
        library.explain(drafts[0], next(iter(library.search(drafts[0], k=1))).id)
        times: dict[str, list[Times]] = {}
        channels: dict[str, list[Times]] = {}
        for _ in range(_ROUNDS):
            for draft in drafts:
                _ask(library, draft, times)
                for name, seconds in _channels(library, draft).items():
                    channels.setdefault(name, []).append(seconds)
        alone = {name: _median(each) for name, each in channels.items()}
        return {
            "documents": len(library.corpus),
            "corpus": library.search(drafts[0], k=1).corpus_fingerprint,
            "first_search_ms": _ms(first[0]),
            "ms": {name: _ms(_median(each)[0]) for name, each in times.items()},
            "processor_ms": {name: _ms(_median(each)[1]) for name, each in times.items()},
            "best_ms": {name: _ms(min(each)[0]) for name, each in times.items()},
            "channels_ms": {name: _ms(seconds) for name, (seconds, _) in alone.items()},
            "channels_processor_ms": {name: _ms(seconds) for name, (_, seconds) in alone.items()},
            "channels_sum_ms": _ms(sum(seconds for seconds, _ in alone.values())),
            "channels_sum_processor_ms": _ms(sum(seconds for _, seconds in alone.values())),
            "searches": _ROUNDS * len(drafts),
            "query_words": round(median(_different_words(draft) for draft in drafts)),
            "memory_mb": _memory(),
            "profile_of_a_search": _profile(lambda: library.search(drafts[-1], k=K)),
        }


def _ask(library: Library, draft: Draft, times: dict[str, list[Times]]) -> None:
    """A search, the explanation of its first hit, a chart of the first three."""
    seconds, result = _timed(lambda: library.search(draft, k=K))
    times.setdefault("search", []).append(seconds)
    without = _timed(lambda: library.search(draft, k=K, passages=False))[0]
    times.setdefault("search without passages", []).append(without)
    best = [hit.id for hit in result][:_REFERENCES]
    times.setdefault("explain", []).append(_timed(lambda: library.explain(draft, best[0]))[0])
    times.setdefault("chart", []).append(_timed(lambda: library.chart(draft, best))[0])


def _channels(library: Library, draft: Draft) -> dict[str, Times]:
    """The time that each channel's index takes for its best hundred of an encoded query, all documents allowed."""
    forms = query_forms_of(draft)
    found = {}
    for channel in TEXT_CHANNELS:
        if channel.index in library.indexes:
            index = library.index(channel.index)
            query = index.encode_draft(QueryText(forms.texts[channel.form]))
            found[channel.name] = _timed(lambda index=index, query=query: index.nearest(query, K))[0]  # type: ignore[misc]
    return found


def _different_words(draft: Draft) -> int:
    return len(set(query_words(tokens(query_forms_of(draft).texts["whole"]))))


def _timed(call: Callable[[], Found]) -> tuple[Times, Found]:
    began, before = time.perf_counter(), time.process_time()
    found = call()
    return (time.perf_counter() - began, time.process_time() - before), found


def _median(times: list[Times]) -> Times:
    return median(wall for wall, _ in times), median(processor for _, processor in times)


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


def _memory() -> dict[str, int]:
    """Memory of this process alone; unchanged pages of mapped files are page cache that nobody else has mapped."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return {
        "private": round((kilobytes["Private_Dirty"] + kilobytes["Private_Clean"]) / 1e3),
        "private_without_page_cache": round(kilobytes["Private_Dirty"] / 1e3),
        "anonymous": round(kilobytes["Anonymous"] / 1e3),
    }


def _profile(call: Callable[[], object]) -> list[str]:
    """Where a search spends its time: functions with their calls, own and cumulative milliseconds, slowest first."""
    with cProfile.Profile() as profile:
        call()
    stats: dict[Any, Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    rows = sorted(((own, total, calls, where) for where, (_, calls, own, total, _) in stats.items()), reverse=True)
    return [
        f"{Path(file).name}:{line} {name}: {calls} calls, {_ms(own)} ms, {_ms(total)} with what it calls"
        for own, total, calls, (file, line, name) in rows[:_LINES]
    ]


if __name__ == "__main__":
    print(json.dumps(asked(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]])))
