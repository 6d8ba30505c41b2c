"""One battery for every home: on Dask the results of one machine bit for bit, on OpenSearch scores to a millionth."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from cluster.conftest import RunningCluster, needs_dask
from cluster.same_records import ROUNDED, differences
from extras import needs
from foreart.cluster.cluster_settings import HERE, ClusterSettings, keep_settings
from foreart.cluster.spread.shard_plan import FILE, kept_plan
from foreart.document.draft import Draft
from foreart.document.patent import Paragraph
from foreart.evaluation import EvaluationOptions, evaluate
from foreart.library import SAMPLE, Library
from foreart.report.exports.chart_json import chart_record
from foreart.report.exports.explain_json import reasons_record
from foreart.report.exports.result_json import result_record

OPENSEARCH = pytest.param("opensearch", marks=[pytest.mark.cluster, needs("opensearchpy")])
DASK = [pytest.param(shards, id=f"dask-{shards}", marks=needs("distributed")) for shards in (1, 2, 3, 7)]
SEARCHES: dict[str, dict[str, Any]] = {
    "default": {},
    "many": {"k": 500},
    "a hundred": {"k": 100},
    "one": {"k": 1, "passages": False},
    "early": {"cutoff": "2001-05-03"},
    "before everything": {"cutoff": "1900-01-01"},
    "exact": {"exact": True},
    "rrf": {"ranking": "rrf"},
    "default weights": {"ranking": "default-weights"},
    "law of the EPO": {"regime": "epc"},
    "words": {"index": "log-tfidf"},
    "counts": {"index": "tfidf"},
    "bm25": {"index": "bm25"},
    "claims": {"index": "log-tfidf-claims"},
    "topics": {"index": "topics"},
    "vectors": {"index": "ppmi"},
    "passages": {"index": "passages"},
    "from 1995": {"published_from": "1995"},
    "of a class": {"classes": ("A61B",), "countries": ("XX",)},
    "of two decades": {"published_from": "1990", "published_to": "2009-12-31", "k": 100},
    "emphasised": {"emphasise": ("pump", "spring")},
    "must": {"must": ("pump*",), "without": ("spine",)},
    "nothing is left": {"must": ("zyzzyva",)},
}


@dataclass(frozen=True)
class Homes:
    """The same library here and there; `tolerance` is what scores may be off there."""

    here: Library
    there: Library
    tolerance: float = 0.0


@pytest.fixture(scope="module", params=[*DASK, OPENSEARCH])
def homes(request: pytest.FixtureRequest, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Homes]:
    """One home after the other."""
    folder = Path(shutil.copytree(built, tmp_path_factory.mktemp("home") / "library"))
    if request.param == "opensearch":
        nodes = request.getfixturevalue("opensearch")
        keep_settings(folder, ClusterSettings(nodes.address(), name=f"contract-{token_hex(4)}"))
        with Library(folder, on=HERE) as here, Library(folder) as there:
            there.build()
            yield Homes(here, there, ROUNDED)
        return
    cluster = request.getfixturevalue("cluster")
    keep_settings(folder, ClusterSettings(cluster.address, shards=request.param))
    with Library(folder, on=HERE) as here, Library(folder) as there:
        yield Homes(here, there)
        plan = kept_plan(folder)
        assert plan is not None and len(plan.shards) == request.param


def same(homes: Homes, record: Callable[..., Any], *given: Any, **options: Any) -> None:
    here, there = (record(library, *given, **options) for library in (homes.here, homes.there))
    assert differences(here, there, tolerance=homes.tolerance) == []
    assert homes.tolerance or json.dumps(there) == json.dumps(here)


def searched(library: Library, draft: Draft, **options: Any) -> Any:
    return result_record(library.search(draft, **options))


def explained(library: Library, draft: Draft, ids: Sequence[str], **options: Any) -> Any:
    return reasons_record([library.explain(draft, number, **options) for number in ids])


def charted(library: Library, draft: Draft, **options: Any) -> Any:
    return chart_record(library.chart(draft, **options))


def near(library: Library, name: str) -> Any:
    return list(library.index(name).near(0.2))


def evaluated(library: Library, qrels: Path, **options: Any) -> Any:
    return evaluate(library, qrels, **options).to_record(per_query=True)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_has_the_same_result(homes: Homes, name: str) -> None:
    for draft in _drafts(homes.here):
        same(homes, searched, draft, **SEARCHES[name])


def test_explanations_are_the_same(homes: Homes) -> None:
    draft = _drafts(homes.here)[0]
    ids = [hit.id for hit in homes.here.search(draft, k=4)] + list(homes.here.index().ids)[:3]
    for options in ({}, {"index": "passages"}, {"index": "log-tfidf"}, {"exact": True}):
        same(homes, explained, draft, ids, **options)


def test_charts_are_the_same(homes: Homes) -> None:
    draft = _drafts(homes.here)[1]
    for bridges in (False, True):
        same(homes, charted, draft, top=4, bridges=bridges)


def test_near_pairs_are_the_same(homes: Homes) -> None:
    for name in ("log-tfidf", "tfidf"):
        same(homes, near, name)


def test_evaluations_are_the_same(homes: Homes, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels"
    ids = list(homes.here.index().ids)
    qrels.write_text("".join(f"{ids[40 - n]} 0 {ids[n]} 1\n" for n in range(8)), "utf-8")
    conditions = EvaluationOptions(random=20)
    for index in ("", "bm25"):
        same(homes, evaluated, qrels, index=index, conditions=conditions, samples=20)


def _drafts(library: Library) -> list[Draft]:
    read = [library.draft(path) for path in sorted((SAMPLE / "drafts").iterdir())]
    nothing = replace(read[0], title="", abstract="", description=(), claims=())
    return [*read, nothing, _huge(library, read[0]), library.draft(library.index().ids[7])]


def _huge(library: Library, draft: Draft) -> Draft:
    """All words of the corpus, more than a query of OpenSearch may have by default, and some that nothing has."""
    texts = [paragraph for number in library.index().ids for paragraph in library.draft(number).description]
    unknown = Paragraph(" ".join(f"zzq{number:x}" for number in range(2_000)) + " " + "y" * 9_000)
    return replace(draft, description=(*texts, unknown))


@needs_dask
def test_a_library_that_is_published_again_gets_a_new_plan(folder: Path, cluster: RunningCluster) -> None:
    with Library(folder, on=cluster.address) as library:
        draft = _drafts(library)[0]
        library.search(draft)
        before = kept_plan(folder)
        library.corpus.remove([library.index().ids[3]])
        library.build()
        same(Homes(Library(folder, on=HERE), library), searched, draft)
        after = kept_plan(folder)
    assert before is not None and after is not None
    assert (before.fingerprint != after.fingerprint, before.asked) == (True, after.asked)
    assert json.loads((folder / FILE).read_text())["files"]


@needs_dask
def test_a_library_that_cannot_be_written_is_searched(folder: Path, cluster: RunningCluster) -> None:
    (folder / FILE).unlink(missing_ok=True)
    (folder / FILE).mkdir()  # a plan cannot be kept here
    with Library(folder, on=cluster.address) as there, Library(folder, on=HERE) as here:
        same(Homes(here, there), searched, _drafts(here)[0])
