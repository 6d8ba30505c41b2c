"""Expert sets and evaluations of a library, as JSON; raters see neither scores nor citations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foreart.errors import BadRequest, NotInCorpus
from foreart.evaluation import evaluate, qrels_of
from foreart.evaluation.pairs.pairs import PairSettings
from foreart.evaluation.pairs.pairs_making import make_pairs
from foreart.library import Library
from foreart.review import Session, append_label, rater_order, read_labels
from foreart.review.agreement import agreement_record
from foreart.review.expert_folder import labels_folder, raters_of, read_sheet
from foreart.review.expert_sampling import sample_expert_set
from foreart.review.labels import label_file, latest, rater_name, scores
from foreart.review.sheet import SCALE
from foreart.server.work.jobs import Report
from foreart.server.work.search_tasks import require_corpus

SETS = "expert-sets"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_INDEX = "tfidf"


def sets_task(library: Library) -> dict[str, Any]:
    """The expert sets of a library, with how many pairs each has and who has judged them."""
    found = []
    for folder in sorted((library.folder / SETS).glob("*/")):
        if _NAME.fullmatch(folder.name):
            judged = {path.stem: len(latest(read_labels(path))) for path in sorted((folder / "labels").glob("*.jsonl"))}
            found.append({"name": folder.name, "pairs": len(read_sheet(folder)), "raters": judged})
    return {"sets": found}


def next_pair_task(library: Library, name: str, rater: str) -> dict[str, Any]:
    """The next pair that a rater has not judged, with the texts to judge by, and nothing of score or citation."""
    folder = _folder(library, name)
    session = _session(folder, rater)
    pair = session.current
    shown = None
    if pair is not None:
        target, document = (_texts(library, number) for number in pair)
        shown = {"target": target, "document": document}
    return {
        "set": name,
        "rater": session.rater,
        "judged": session.judged,
        "left": session.left,
        "scale": {str(score): text for score, text in SCALE.items()},
        "pair": shown,
    }


def judge_task(
    library: Library, name: str, rater: str, target: str, document: str, score: int | None, comment: str
) -> dict[str, Any]:
    """Keeps a judgement; it is on the disk when this returns."""
    folder = _folder(library, name)
    session = _session(folder, rater)
    pair = (target, document)
    if pair not in session.pairs:
        raise NotInCorpus("the set has no such pair")
    while session.current != pair and session.back():
        pass
    while session.current != pair:
        session.skip()
    if comment:
        session.comment(comment)
    if score is not None:
        session.judge(score)
    return {"judged": session.judged, "left": session.left}


def agreement_task(library: Library, name: str) -> dict[str, Any]:
    """The agreement of every two raters on what both have judged."""
    folder = _folder(library, name)
    return agreement_record({rater: scores(labels) for rater, labels in raters_of(folder).items()})


def sample_set_job(
    library: Library, report: Report, name: str, number: int, each: int, random: int, min_cited: int, seed: int
) -> dict[str, Any]:
    """Draws a new expert set."""
    report("drawing", 0, 0)
    require_corpus(library)
    if not _NAME.fullmatch(name):
        raise BadRequest("the name of a set has letters, digits, - and _")
    pairs = make_pairs(library.corpus, PairSettings(random=random, seed=seed))
    folder, index = library.folder / SETS / name, library.index(_INDEX)
    items, _ = sample_expert_set(
        folder, library.corpus, index, pairs, number=number, each=each, min_cited=min_cited, seed=seed
    )
    return {"set": name, "pairs": len(items), "targets": len({item.target for item in items})}


def evaluate_job(library: Library, report: Report, judgements: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The metrics of the default ranking against judgements, as `foreart evaluate --json` prints them."""
    require_corpus(library)
    qrels = qrels_of((query, document, grade) for query, held in judgements.items() for document, grade in held.items())
    found = evaluate(library, qrels, progress=lambda system, done, total: report(system, done, total))
    return {"values": dict(found.values), "queries": len(judgements)}


def _folder(library: Library, name: str) -> Path:
    folder = library.folder / SETS / name
    if not _NAME.fullmatch(name) or not folder.is_dir():
        raise NotInCorpus("there is no expert set of that name")
    return folder


def _session(folder: Path, rater: str) -> Session:
    name = rater_name(rater)
    file = label_file(labels_folder(folder), name)
    pairs = [(row.target, row.document) for row in read_sheet(folder)]
    return Session(
        rater_order(pairs, name), latest(read_labels(file)), lambda label: append_label(file, label), rater=name
    )


def _texts(library: Library, number: str) -> dict[str, Any]:
    patent = library.corpus[number]
    return {
        "id": patent.id,
        "title": patent.title,
        "abstract": patent.abstract,
        "claims": [{"number": claim.number, "text": claim.text} for claim in patent.claims],
        "language": patent.language,
    }
