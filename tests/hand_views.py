"""Views made by hand, of whatever columns a test is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from foreart.corpus.views import ALONE, Coded, CorpusView, Inverted, Ragged, hashed, main_group
from foreart.corpus.views.string_tables import IdTable
from foreart.identifiers.date_spans import iso, span
from foreart.identifiers.numbers import number_key
from foreart.identifiers.parties import folded_name
from foreart.search import Dated

Lists = Mapping[str, Sequence[str]]


def hand_view(
    ids: Sequence[str],
    *,
    dates: Iterable[Dated] = (),
    days: Sequence[int] = (),
    families: Sequence[int] = (),
    types: Sequence[str] = (),
    cited: Lists | None = None,
    named: Lists | None = None,
    classes: Lists | None = None,
    applicants: Lists | None = None,
) -> CorpusView:
    """The view of documents of which only this is known; `days` are those of their priority."""
    count = len(ids)
    known = list(dates) or [Dated(priority=iso(day)) for day in days] or [Dated()] * count
    table = _coded(["", *(text for each in known for text in (each.published, each.filed, each.priority))])
    published, filed, priority = table.codes[1:].reshape(-1, 3).T.astype(np.int32)
    lists = [Ragged.of(hashed(map(number_key, (of or {}).get(item, ()))) for item in ids) for of in (cited, named)]
    own = np.concatenate([hashed([number_key(item)]) for item in ids]) if count else np.empty(0, np.uint64)
    numbers = np.unique(np.concatenate([*(part.values for part in lists), own]))
    return CorpusView.of(
        corpus="by hand",
        ids=IdTable.of(ids),
        serials=np.arange(count),
        contents=np.zeros(count, dtype="V16"),
        dates=table.values,
        spans=np.array([span(text.decode()) for text in table.values], dtype=np.int32),
        published=published,
        filed=filed,
        priority=priority,
        estimated=np.array([each.estimated for each in known], dtype=bool),
        families=np.array(families or [ALONE] * count, dtype=np.int32),
        countries=_coded([each.country for each in known]),
        kinds=_coded([each.kind for each in known]),
        types=_coded(types or ["design" if each.design else "" for each in known]),
        languages=_coded([""] * count),
        depths=_coded(["full"] * count),
        numbers=numbers,
        own=np.searchsorted(numbers, own).astype(np.int32),
        cited=Ragged(lists[0].starts, np.searchsorted(numbers, lists[0].values).astype(np.int32)),
        named=Ragged(lists[1].starts, np.searchsorted(numbers, lists[1].values).astype(np.int32)),
        applicants=_inverted(ids, applicants or {}, folded_name),
        inventors=_inverted(ids, {}, folded_name),
        classes=_inverted(ids, classes or {}, main_group),
        sketches=np.zeros((count, 64), dtype=np.uint8),
    )


def _coded(texts: Sequence[str]) -> Coded:
    table = list(dict.fromkeys(texts))
    return Coded.of(table, np.array([table.index(text) for text in texts], dtype=np.int64))


def _inverted(ids: Sequence[str], lists: Lists, fold: object) -> Inverted:
    pairs = [(row, value) for row, item in enumerate(ids) for value in lists.get(item, ())]
    table = list(dict.fromkeys(value for _, value in pairs))
    codes = np.array([table.index(value) for _, value in pairs], dtype=np.int64)
    return Inverted.of(table, codes, np.array([row for row, _ in pairs], dtype=np.int64), fold)  # type: ignore[arg-type]


def dated_view(documents: Iterable[Dated]) -> CorpusView:
    """The view of documents of which only dates, office and kind are known."""
    # Whether a document is a design is told by its kind, which a test may have drawn apart from it.
    known = [each if each.design else replace(each, kind=each.kind.replace("S", "A")) for each in documents]
    return hand_view([f"N{place}" for place in range(len(known))], dates=known)
