"""Which documents an index has, with the hashes of their contents: for continuing, and before an alias moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from foreart.cluster.opensearch.opensearch_door import OpenSearchDoor
from foreart.corpus.views import CorpusView
from foreart.errors import ClusterError

_PAGE = 10_000


def refresh(door: OpenSearchDoor, index: str) -> None:
    """Makes everything that was stored visible to searches."""
    answer = door.call("POST", f"/{index}/_refresh")
    shards = answer.get("_shards", {})
    if shards.get("failed"):
        raise ClusterError(f"{shards['failed']} shards of {index} could not be refreshed: is {door.home} healthy?")


def missing_rows(door: OpenSearchDoor, index: str, view: CorpusView) -> np.ndarray:
    """The rows of the view that an index lacks; ClusterError if it has others, or with other contents."""
    missing = np.ones(len(view), dtype=bool)
    for row, content in _documents(door, index):
        if row >= len(view) or content != view.contents[row].tobytes().hex():
            raise ClusterError(
                f"the index {index} has a document that is not of this state: delete it, and run the same command again"
            )
        if not missing[row]:
            raise ClusterError(f"the index {index} has row {row} twice: delete it, and run the same command again")
        missing[row] = False
    return np.flatnonzero(missing)


def _documents(door: OpenSearchDoor, index: str) -> Iterator[tuple[int, str]]:
    """The row and the content hash of every document, in pages ordered by row."""
    last = -1
    while True:
        body = {
            "size": _PAGE,
            "_source": False,
            "stored_fields": "_none_",
            "docvalue_fields": ["row", "content"],
            "query": {"range": {"row": {"gt": last}}},
            "sort": [{"row": "asc"}],
            "track_total_hits": False,
        }
        answer = door.call("POST", f"/{index}/_search", body, allow_partial_search_results="false")
        check_complete(answer, index)
        hits = answer["hits"]["hits"]
        for hit in hits:
            yield int(hit["fields"]["row"][0]), str(hit["fields"]["content"][0])
        if len(hits) < _PAGE:
            return
        last = int(hits[-1]["fields"]["row"][0])


def check_complete(answer: dict[str, object], index: str) -> None:
    """ClusterError if a shard has not answered: `failed` alone hides one that has no copy left."""
    shards = answer.get("_shards")
    counted = shards if isinstance(shards, dict) else {}
    total, successful = int(counted.get("total", 0)), int(counted.get("successful", 0))
    if successful != total or not total or answer.get("timed_out"):
        raise ClusterError(
            f"{total - successful} of {total} shards of {index} did not answer: try again when it is healthy"
        )
