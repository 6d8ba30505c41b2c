"""An OpenSearch cluster in memory: what the door of foreart asks of one, answered by plain sums in double precision.

For what needs no real node: order of requests, what is sent again, faults by type.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from opensearchpy.exceptions import NotFoundError, RequestError

GONE = {"error": {"type": "index_not_found_exception", "reason": "no such index"}}


class FakeOpenSearch:
    """Indexes by name: their bodies and documents. `fault` may answer, change or raise anything before it is done."""

    def __init__(self) -> None:
        self.indexes: dict[str, dict[str, Any]] = {}
        self.version = {"number": "2.19.1", "distribution": "opensearch"}
        self.calls: list[tuple[str, str]] = []
        self.searches: list[dict[str, Any]] = []
        self.most_clauses = 100_000
        # What the replica of a shard shows at each look, before it has all 9 documents of its primary.
        self.copies: list[int] = []
        self.settings_allowed = True
        self.shards = {"total": 3, "successful": 3}
        self.fault: Callable[[str, str, Any], Any] = lambda method, path, body: None

    def perform(self, method: str, path: str, params: Mapping[str, str], body: Any) -> Any:
        """One request."""
        self.calls.append((method, path))
        told = self.fault(method, path, body)
        if told is not None:
            return told
        names = path.strip("/").split("/")
        if path == "/":
            return {"cluster_name": "fake", "version": self.version}
        if path == "/_aliases":
            return self._change(body["actions"])
        if path == "/_msearch":
            asked = [json.loads(line) for line in body.splitlines()]
            return {
                "responses": [self._answered(head, each) for head, each in zip(asked[::2], asked[1::2], strict=True)]
            }
        if path == "/_cluster/settings" and not self.settings_allowed:
            raise RequestError(400, "illegal", {"error": {"type": "illegal_argument_exception"}})
        if names[0].startswith("_"):
            return {"status": "green", "number_of_data_nodes": 3, "number_of_nodes": 3, "nodes": {}}
        return self._of_index(method, names, params, body)

    def _of_index(self, method: str, names: list[str], params: Mapping[str, str], body: Any) -> Any:
        if method == "PUT":
            self.indexes[names[0]] = {"body": body, "aliases": dict(body["aliases"]), "documents": {}}
            return {"acknowledged": True}
        found = self._named(names[0])
        if not found:
            raise NotFoundError(404, "index_not_found_exception", GONE)
        if method == "DELETE":
            del self.indexes[names[0]]
            return {"acknowledged": True}
        what = names[1]
        if what == "_mapping":
            return {name: {"mappings": self.indexes[name]["body"]["mappings"]} for name in found}
        if what == "_alias":
            return {name: {"aliases": self.indexes[name]["aliases"]} for name in found}
        if what == "_bulk":
            assert params["require_alias"] == "true" and names[0] not in self.indexes
            return {"items": self._created(self.indexes[found[0]]["documents"], body.splitlines())}
        if what == "_search":
            return self._paged(self.indexes[found[0]]["documents"], body)
        if what == "_stats":
            counts = [self.copies.pop(0) if self.copies else 9, 9]
            copies = [{"routing": {"state": "STARTED"}, "docs": {"count": count}} for count in counts]
            known = {"indices": {found[0]: {"shards": {"0": copies}}}, "_shards": {"total": 6}}
            return known | {"_all": {"total": {"store": {"size_in_bytes": 1_000_000}}}}
        return {"_shards": {"total": 6, "successful": 6, "failed": 0}}

    def _named(self, name: str) -> list[str]:
        pattern = re.compile(name.replace("*", ".*"))
        return [
            index
            for index, about in self.indexes.items()
            if pattern.fullmatch(index) or any(pattern.fullmatch(alias) for alias in about["aliases"])
        ]

    def _change(self, actions: list[dict[str, Any]]) -> Any:
        for action in actions:
            ((verb, about),) = action.items()
            aliases = self.indexes[about["index"]]["aliases"]
            if verb == "add":
                aliases[about["alias"]] = {}
            else:
                aliases.pop(about["alias"], None)
        return {"acknowledged": True}

    def _created(self, documents: dict[str, Any], lines: list[str]) -> list[Any]:
        items = []
        for action, document in zip(lines[::2], lines[1::2], strict=True):
            number = json.loads(action)["create"]["_id"]
            if number in documents:
                items.append({"create": {"status": 409, "error": {"type": "version_conflict_engine_exception"}}})
                continue
            documents[number] = json.loads(document)
            items.append({"create": {"status": 201}})
        return items

    def _paged(self, documents: dict[str, Any], body: Any) -> Any:
        last = body.get("query", {}).get("range", {}).get("row", {}).get("gt", -1)
        rows = sorted(
            (document for document in documents.values() if document["row"] > last), key=lambda one: one["row"]
        )
        hits = [{"fields": {"row": [one["row"]], "content": [one["content"]]}} for one in rows[: body["size"]]]
        return {"_shards": self.shards, "hits": {"total": {"value": len(documents)}, "hits": hits}}

    def _answered(self, head: Any, body: Any) -> Any:
        self.searches.append(body)
        if head["index"] not in self.indexes:
            return {"status": 404, **GONE}
        documents = list(self.indexes[head["index"]]["documents"].values())
        assert body["track_total_hits"] is True and head["allow_partial_search_results"] is False
        query = body["query"]
        if "bool" in query:
            if len(query["bool"]["should"]) > self.most_clauses:
                return {"status": 400, "error": {"type": "too_many_clauses", "reason": "maxClauseCount is set"}}
            scored = _summed(documents, query["bool"])
        else:
            scored = _products(documents, query["script_score"])
        after = body.get("post_filter", {}).get("bool", {}).get("filter", [])
        least = body.get("min_score", -np.inf)
        kept = [(score, one) for score, one in scored if score >= least and all(passes(one, each) for each in after)]
        kept.sort(key=lambda pair: -pair[0])
        hits = [
            {"_score": float(np.float32(score)), "fields": {"row": [one["row"]]}} for score, one in kept[: body["size"]]
        ]
        return {"_shards": self.shards, "timed_out": False, "status": 200, "hits": {"hits": hits}}


def _summed(documents: list[Any], clauses: Any) -> list[tuple[float, Any]]:
    """The sums of the documents with at least one of the words."""
    terms = [next(iter(clause["term"].items())) for clause in clauses["should"]]
    field = terms[0][0]
    boosts = {about["value"]: about["boost"] for _, about in terms}
    found = []
    for one in documents:
        pairs = (pair.split("|") for pair in one[field].split())
        shared = [boosts[word] * int(number) for word, number in pairs if word in boosts]
        if shared and all(passes(one, each) for each in clauses.get("filter", [])):
            found.append((float(np.sum(shared)), one))
    return found


def _products(documents: list[Any], about: Any) -> list[tuple[float, Any]]:
    params, source = about["script"]["params"], about["script"]["source"]
    filters = about["query"].get("bool", {}).get("filter", [])
    found = []
    for one in documents:
        if all(passes(one, each) for each in filters):
            row = np.frombuffer(base64.b64decode(one[params["field"]]), dtype=">f4").astype(np.float64)
            product = float(row @ np.array(params["vector"]))
            if "length" in params:
                length = one[params["length"]]
                product = product / length if length > 0 else 0.0
            found.append((1.0 + product / params["bound"] if "1.0 +" in source else max(0.0, product), one))
    return found


def passes(one: Any, clause: Any) -> bool:
    """Whether a document passes a filter."""
    ((kind, about),) = clause.items()
    if kind == "terms":
        return one["row"] in about["row"]
    if kind == "range":
        ((name, span),) = about.items()
        return span.get("gte", -np.inf) <= one[name] <= span.get("lte", np.inf)
    if kind == "script":
        bits = about["script"]["params"]["bits"]
        return bool(bits[one["row"] // 64] >> one["row"] % 64 & 1)
    unwanted = any(passes(one, each) for each in about.get("must_not", []))
    return not unwanted and all(passes(one, each) for each in about.get("filter", []))
