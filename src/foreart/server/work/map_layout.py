"""The neighbourhood of a draft in two dimensions: PCA of topic rows, or t-SNE started from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from foreart.compiling import compiled
from foreart.document.draft import Draft
from foreart.errors import IndexingError
from foreart.identifiers.cpc_titles import title
from foreart.library import Library
from foreart.search import Hit
from foreart.server.work.search_tasks import request

DOCUMENTS = 500
INDEX = "topics"
_PERPLEXITY = 30.0
_STEPS = 500
_EARLY, _EXAGGERATION = 150, 12.0
_NEIGHBOURS = 10

Progress = Callable[[int, int], None]


def map_task(library: Library, draft: Draft | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The map by PCA, which takes a fraction of a second."""
    return map_record(library, draft, options, layout="pca")


def map_record(
    library: Library, draft: Draft | str, options: Mapping[str, Any], *, layout: str, report: Progress | None = None
) -> dict[str, Any]:
    """The best hits and the draft, with coordinates from -1 to 1, and how far the picture can be trusted."""
    asked = request(library, draft, {**options, "k": DOCUMENTS, "passages": False})
    if INDEX not in library.indexes:
        raise IndexingError("a map needs the index of topics: build the indexes first")
    hits = library.search(asked).hits
    rows = _rows(library, asked.draft, hits)
    places, trusted = pca(rows), None
    if len(rows) > 3 * _NEIGHBOURS:
        trusted = trustworthiness(rows, places)
        if layout == "tsne":
            # Of few documents PCA may be the better picture.
            other = tsne(rows, places, report or (lambda done, total: None))
            places, trusted = max(((places, trusted), (other, trustworthiness(rows, other))), key=lambda item: item[1])
    places = _centred(places)
    points = [_point(hit, place, library) for hit, place in zip(hits, places[1:], strict=True)]
    return {
        "layout": layout,
        "trustworthiness": trusted,
        "neighbours": _NEIGHBOURS,
        "draft": {"x": round(float(places[0, 0]), 4), "y": round(float(places[0, 1]), 4)},
        "points": points,
        "classes": {symbol: title(symbol) for symbol in sorted({point["subclass"] for point in points} - {""})},
    }


def pca(rows: np.ndarray) -> np.ndarray:
    """The two principal components; signs are fixed, so that the same rows give the same picture."""
    centred = rows - rows.mean(axis=0)
    if len(rows) < 3:
        return np.zeros((len(rows), 2))
    # Of the small matrix of topics: thirty times as fast as a decomposition of all rows.
    _, vectors = np.linalg.eigh(centred.T @ centred)
    places = centred @ vectors[:, ::-1][:, :2]
    if places.shape[1] < 2:
        places = np.hstack([places, np.zeros((len(rows), 2 - places.shape[1]))])
    signs = np.sign(places[np.abs(places).argmax(axis=0), [0, 1]])
    found: np.ndarray = places * np.where(signs == 0, 1.0, signs)
    return found


def tsne(rows: np.ndarray, start: np.ndarray, report: Progress) -> np.ndarray:
    """Exact t-SNE (van der Maaten & Hinton 2008), started from PCA; no random numbers, so it is reproducible."""
    squares = _squared_distances(rows)
    shares = _joint_shares(squares, min(_PERPLEXITY, (len(rows) - 1) / 3))
    scale = np.abs(start[:, 0]).max() or 1.0
    places = np.ascontiguousarray(start / scale * 1e-2)
    speed, gains = np.zeros_like(places), np.ones_like(places)
    rate = max(len(rows) / _EXAGGERATION / 4.0, 50.0)
    for step in range(_STEPS):
        early = step < _EARLY
        gradient = _gradient(shares * (_EXAGGERATION if early else 1.0), places)
        gains = np.maximum(np.where(np.sign(gradient) == np.sign(speed), gains * 0.8, gains + 0.2), 0.01)
        speed = (0.5 if early else 0.8) * speed - rate * gains * gradient
        places = places + speed
        places -= places.mean(axis=0)
        report(step + 1, _STEPS)
    return places


def trustworthiness(rows: np.ndarray, places: np.ndarray, neighbours: int = _NEIGHBOURS) -> float:
    """How many of the neighbours in the picture are neighbours by topics (Venna & Kaski 2001); 1 is all of them."""
    count = len(rows)
    true = _squared_distances(rows)
    np.fill_diagonal(true, np.inf)
    ranks = np.empty((count, count), dtype=np.int64)
    np.put_along_axis(ranks, true.argsort(axis=1, kind="stable"), np.arange(1, count + 1)[None, :], axis=1)
    shown = _squared_distances(places)
    np.fill_diagonal(shown, np.inf)
    nearest = shown.argsort(axis=1, kind="stable")[:, :neighbours]
    excess = np.maximum(np.take_along_axis(ranks, nearest, axis=1) - neighbours, 0).sum()
    return round(float(1.0 - 2.0 / (count * neighbours * (2 * count - 3 * neighbours - 1)) * excess), 3)


def _squared_distances(rows: np.ndarray) -> np.ndarray:
    norms = np.square(rows).sum(axis=1)
    found: np.ndarray = np.maximum(norms[:, None] + norms[None, :] - 2.0 * rows @ rows.T, 0.0)
    return found


def _joint_shares(squares: np.ndarray, perplexity: float) -> np.ndarray:
    """Symmetric probabilities of neighbours, each row with the same perplexity."""
    shares = _conditional(squares, np.log(perplexity))
    joint: np.ndarray = np.maximum((shares + shares.T) / (2.0 * len(squares)), 1e-12)
    return joint


@compiled
def _conditional(squares: np.ndarray, entropy: float) -> np.ndarray:
    """For each row the Gaussian whose entropy is given, by bisection of its precision."""
    count = len(squares)
    shares = np.zeros((count, count))
    for row in range(count):
        precision, low, high = 1.0, 0.0, np.inf
        for _ in range(60):
            total, weighted = 0.0, 0.0
            for other in range(count):
                if other != row:
                    weight = np.exp(-squares[row, other] * precision)
                    shares[row, other] = weight
                    total += weight
                    weighted += squares[row, other] * weight
            total = max(total, 1e-300)
            difference = np.log(total) + precision * weighted / total - entropy
            if abs(difference) < 1e-5:
                break
            if difference > 0:
                low = precision
                precision = precision * 2.0 if high == np.inf else (low + high) / 2.0
            else:
                high = precision
                precision = (low + high) / 2.0
        for other in range(count):
            shares[row, other] /= total
    return shares


@compiled
def _gradient(shares: np.ndarray, places: np.ndarray) -> np.ndarray:
    count = len(places)
    weights = np.zeros((count, count))
    total = 0.0
    for row in range(count):
        for other in range(row):
            across, down = places[row, 0] - places[other, 0], places[row, 1] - places[other, 1]
            weight = 1.0 / (1.0 + across * across + down * down)
            weights[row, other] = weight
            total += 2.0 * weight
    gradient = np.zeros((count, 2))
    for row in range(count):
        for other in range(row):
            weight = weights[row, other]
            force = 4.0 * (shares[row, other] - weight / total) * weight
            for axis in range(2):
                pull = force * (places[row, axis] - places[other, axis])
                gradient[row, axis] += pull
                gradient[other, axis] -= pull
    return gradient


def _rows(library: Library, draft: Draft, hits: tuple[Hit, ...]) -> np.ndarray:
    """The unit rows of the draft, first, and of the hits."""
    index = library.index(INDEX)
    table = index.row_table
    if table is None:
        raise IndexingError("the index of topics has no rows: build the indexes again")
    text = "\n".join((draft.title, draft.abstract, draft.description_text, draft.claims_text))
    query = np.asarray(index.encode(text), dtype=np.float64).reshape(1, -1)
    found = np.asarray([table[index.row_of(hit.id)] for hit in hits], dtype=np.float64).reshape(len(hits), -1)
    rows = np.vstack([query, found]) if len(hits) else query
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: np.ndarray = rows / np.where(norms == 0, 1.0, norms)
    return unit


def _centred(places: np.ndarray) -> np.ndarray:
    """The picture with the draft in the middle, from -1 to 1."""
    moved = places - places[0]
    largest = float(np.abs(moved).max(initial=0.0)) or 1.0
    found: np.ndarray = moved / largest
    return found


def _point(hit: Hit, place: np.ndarray, library: Library) -> dict[str, Any]:
    patent = library.corpus[hit.id]
    symbols = patent.cpc or patent.ipc
    return {
        "id": hit.id,
        "x": round(float(place[0]), 4),
        "y": round(float(place[1]), 4),
        "rank": hit.rank,
        "score": hit.score,
        "title": hit.title,
        "status": hit.status,
        "published": hit.published,
        "applicants": list(hit.applicants),
        "subclass": symbols[0].symbol[:4] if symbols else "",
    }
