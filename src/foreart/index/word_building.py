"""Postings are brought to the state of the corpus, and kept with them what each weighting needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from foreart.corpus import Corpus
from foreart.features import Features
from foreart.index.build.corpus_reading import Progress
from foreart.index.build.snapshot_updating import Report, update
from foreart.index.query.recall import measured_recall
from foreart.index.scoring.blocks import lengths
from foreart.index.storage import store
from foreart.index.storage.publishing import Measured
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.index.word_folder import beside, write_words
from foreart.index.word_index import WordIndex, recall_key
from foreart.parallel import cores


def cutting_of(features: Features) -> str:
    """How postings for these features are cut."""
    return "as_published" if features.parameters.get("as_published") else "default"


def postings_path(postings: Path, sections: str, cutting: str) -> Path:
    """Where the postings of a section are, beside those of others."""
    return postings / (sections if cutting == "default" else f"{sections}-{cutting}")


def build_words(
    corpus: Corpus,
    wanted: Mapping[Path, Features],
    *,
    postings: Path,
    sections: str,
    merge: bool = False,
    progress: Progress | None = None,
) -> dict[Path, WordIndex]:
    """Brings postings to the state of the corpus and lets each folder name them, under the weighting given with it."""
    built: dict[Path, WordIndex] = {}
    for cutting in dict.fromkeys(cutting_of(features) for features in wanted.values()):
        chosen = {folder: features for folder, features in wanted.items() if cutting_of(features) == cutting}
        place = postings_path(postings, sections, cutting)
        bring_up(corpus, place, chosen, sections=sections, cutting=cutting, merge=merge, progress=progress)
        snapshot = store.load(place)
        for folder, features in chosen.items():
            write_words(folder, features, place)
            built[folder] = WordIndex(snapshot, features)
    return built


def bring_up(
    corpus: Corpus,
    place: Path,
    wanted: Mapping[Path, Features],
    *,
    sections: str,
    cutting: str,
    merge: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Brings the postings of a folder to the state of the corpus, for all indexes that share them."""
    others = [features for folder in list(wanted)[:1] for features in beside(folder, place)]
    weightings = {
        Weighting.of(features.name, features.parameters) for features in (*others, *wanted.values()) if _words(features)
    }
    return update(
        place,
        corpus,
        sections=sections,
        cutting=cutting,
        merge=merge,
        progress=progress,
        measure=lambda snapshot, last: measured(snapshot, weightings, last=last),
        keys={recall_key(weighting) for weighting in weightings},
    )


def measured(snapshot: Snapshot, weightings: Collection[Weighting], *, last: bool) -> Measured:
    """The lengths of documents under each weighting, and what the fast mode finds; that may wait for the last."""
    found = {}
    recall = {}
    for weighting in sorted(weightings, key=repr):
        key = weighting.lengths_key
        if key is not None and key not in found:
            found[key] = lengths(snapshot, weighting, threads=cores())
        if last:
            recall[recall_key(weighting)] = measured_recall(snapshot, weighting, found.get(key or ""))
    return Measured(found, recall)


def _words(features: Features) -> bool:
    return features.name in ("tfidf", "bm25")
