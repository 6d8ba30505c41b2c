"""Questions to a field as searches of OpenSearch: sums of weighted words, and products with dense rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foreart.cluster.opensearch.asking.row_filters import NO_FILTER, RowFilter, named_rows
from foreart.cluster.opensearch.stored_fields import StoredField, stored_words

# The product of a vector and the row of a document, in double precision.
_PRODUCT = """
def bytes = doc[params.field].value; byte[] b = bytes.bytes; int o = bytes.offset; double sum = 0.0;
for (int i = 0; i < params.vector.length; i++) {
  sum += params.vector[i] * Float.intBitsToFloat(
    (b[o] << 24) | ((b[o + 1] & 255) << 16) | ((b[o + 2] & 255) << 8) | (b[o + 3] & 255));
  o += 4;
}
"""
_COSINE = "double length = doc[params.length].value; sum = length > 0 ? sum / length : 0.0;"
# A score must not be negative: nearest ones are above 0 anyway, all others are moved and divided by their bound.
_POSITIVE, _MOVED = "return Math.max(0.0, sum);", "return 1.0 + sum / params.bound;"
# Single precision is exact to this share of a score.
_LEAST = 1e-30


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WeightedWords:
    """Words as they are stored, and what each adds to a score; the largest first."""

    words: tuple[str, ...]
    boosts: np.ndarray

    @classmethod
    def of(cls, words: Sequence[str], weights: np.ndarray, field: StoredField) -> WeightedWords:
        """The words of a query for a field."""
        order = np.argsort(-weights, kind="stable")
        known = stored_words([words[place] for place in order.tolist()])
        return cls(tuple(known), weights[order] / field.scale)

    def __len__(self) -> int:
        return len(self.words)

    def parts(self, size: int) -> list[WeightedWords]:
        """The same words, so many at once."""
        return [
            WeightedWords(self.words[start : start + size], self.boosts[start : start + size])
            for start in range(0, len(self), size)
        ]

    def clauses(self, field: StoredField) -> list[dict[str, Any]]:
        """A clause for each word."""
        pairs = zip(self.words, self.boosts.tolist(), strict=True)
        return [{"term": {field.field: {"value": word, "boost": boost}}} for word, boost in pairs]


def nearest_by_words(field: StoredField, words: WeightedWords, k: int, among: RowFilter) -> dict[str, Any]:
    """The k documents with the largest sums.

    Counting all hits keeps Lucene from pruning, which costs nine times as much for queries of a thousand words.
    """
    query: dict[str, Any] = {"bool": {"should": words.clauses(field)}}
    if among.before:
        query["bool"] |= {"filter": list(among.before), "minimum_should_match": 1}
    body = {"size": k, "track_total_hits": True, "query": query}
    return _plain(body | ({"post_filter": {"bool": {"filter": list(among.after)}}} if among.after else {}))


def sums_of_words(field: StoredField, words: WeightedWords, rows: np.ndarray) -> dict[str, Any]:
    """The sums of some documents; those without any of the words are left out."""
    clauses: dict[str, Any] = {"should": words.clauses(field), "minimum_should_match": 1, "filter": [named_rows(rows)]}
    return _plain({"size": len(rows), "track_total_hits": True, "query": {"bool": clauses}})


def nearest_by_product(
    field: StoredField, vector: np.ndarray, k: int, among: RowFilter, *, cosine: bool
) -> dict[str, Any]:
    """The k documents with the largest products above 0."""
    script = _script(field, vector, _POSITIVE, cosine=cosine)
    return _plain({"size": k, "track_total_hits": True, "min_score": _LEAST, "query": _scripted(script, among)})


def products_of(field: StoredField, vector: np.ndarray, rows: np.ndarray, *, cosine: bool) -> dict[str, Any]:
    """The products of some documents; `product_bound` says by what scores are to be multiplied."""
    script = _script(field, vector, _MOVED, cosine=cosine)
    among = RowFilter(before=(named_rows(rows),))
    return _plain({"size": len(rows), "track_total_hits": True, "query": _scripted(script, among)})


def product_bound(field: StoredField, vector: np.ndarray, *, cosine: bool) -> float:
    """No product is larger than this."""
    return float(np.linalg.norm(vector)) * (1.0 if cosine else field.scale) * 1.000001 or 1.0


def _script(field: StoredField, vector: np.ndarray, result: str, *, cosine: bool) -> dict[str, Any]:
    # `params.vector` is a list of boxed numbers: as an array it is read four times as fast.
    source = _PRODUCT + (_COSINE if cosine else "") + result
    params = {"field": field.field, "vector": vector.tolist(), "bound": product_bound(field, vector, cosine=cosine)}
    return {"source": source, "params": params | ({"length": field.length_field} if cosine else {})}


def _scripted(script: dict[str, Any], among: RowFilter = NO_FILTER) -> dict[str, Any]:
    inner = {"bool": {"filter": list(among.every)}} if among.every else {"match_all": {}}
    return {"script_score": {"query": inner, "script": script}}


def _plain(body: dict[str, Any]) -> dict[str, Any]:
    """Only rows and scores are read of what is found."""
    return body | {"_source": False, "stored_fields": "_none_", "docvalue_fields": ["row"]}
