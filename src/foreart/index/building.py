"""Builds indexes of a corpus; words are counted once for all indexes that share them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from foreart.corpus import Corpus
from foreart.errors import ForeartError, IndexingError
from foreart.features import Tfidf
from foreart.index.build.corpus_scan import Progress, Scan
from foreart.index.build.row_reader import RowReader
from foreart.index.build.snapshot_updating import update
from foreart.index.index import Index
from foreart.index.index_kinds import BuildInputs, Kind
from foreart.index.query.recall import measured_recall, recall_key, still_holds
from foreart.index.registry import form_of, named_kind
from foreart.index.scoring.blocks import lengths
from foreart.index.storage import store
from foreart.index.storage.current_name import current_name
from foreart.index.storage.publishing import Measured
from foreart.index.storage.snapshot import Snapshot
from foreart.index.storage.weighting import Weighting
from foreart.index.word_folder import sharing
from foreart.parallel import cores
from foreart.part_files import PartFolder


def build(
    corpus: Corpus,
    folder: str | Path,
    *,
    sections: str = "full",
    features: Kind | None = None,
    progress: Progress | None = None,
) -> Index:
    """Builds the index of a corpus in a folder, tf-idf by default; its postings are in the parent folder."""
    kinds: dict[Path, Kind] = {Path(folder): features if features is not None else Tfidf()}
    return build_all(corpus, kinds, sections=sections, progress=progress)[Path(folder)]


def build_all(
    corpus: Corpus,
    kinds: Mapping[Path, Kind],
    *,
    sections: str = "full",
    postings: Path | None = None,
    merge: bool = False,
    refresh: bool = False,
    keep: Mapping[Path, Collection[str]] | None = None,
    parts: PartFolder | None = None,
    scanned: Scan | None = None,
    progress: Progress | None = None,
) -> dict[Path, Index]:
    """Builds an index of each given kind in its folder.

    Postings are updated once for all kinds that share them, and only new documents are read. `merge` rewrites them as
    a new build would; `refresh` learns topics and word vectors again, which are kept otherwise. Generations in `keep`
    (by folder of an index or of postings) stay, for searches that open them by name. With `parts`, a pool counts,
    inverts and encodes, with the same bytes. `scanned` is a scan of the corpus made before, for other indexes.
    """
    kept = keep or {}
    if not len(corpus):
        raise IndexingError(f"the corpus {corpus.path} is empty: load files with `foreart add FILE...`")
    for kind in kinds.values():
        kind.check()
    shared = postings or next(iter(kinds)).parent / "postings"
    forms = {folder: form_of(kind) for folder, kind in kinds.items()}
    sources = {folder: form.source(sections) for folder, form in forms.items()}
    opened: dict[RowReader, Snapshot] = {}
    for source in dict.fromkeys(source for source in sources.values() if source is not None):
        location = shared / source.folder_name
        used = [forms[folder].weighting() for folder in kinds if sources[folder] == source]
        used += [weighting for folder in kinds for weighting in _weightings(folder.parent, location)]
        weightings = {weighting for weighting in used if weighting is not None}
        opened[source] = _updated(
            corpus,
            location,
            source,
            weightings,
            keep=kept.get(location, ()),
            merge=merge,
            parts=parts,
            scanned=scanned,
            progress=progress,
        )
    built: dict[Path, Index] = {}
    for folder, form in forms.items():
        inputs = BuildInputs(
            corpus, folder, sections, progress, keep=kept.get(folder, ()), refresh=refresh, parts=parts
        )
        if (own := sources[folder]) is not None:
            inputs = replace(inputs, postings=shared / own.folder_name, snapshot=opened[own])
        built[folder] = form.build(inputs)
    return built


def _weightings(indexes: Path, postings: Path) -> list[Weighting | None]:
    """The weightings of the indexes in a folder that share these postings."""
    found = []
    for folder in sharing(indexes, postings):
        try:
            found.append(form_of(named_kind(folder)[0]).weighting())
        except ForeartError:  # reported when that index is opened
            continue
    return found


def _updated(
    corpus: Corpus,
    postings: Path,
    source: RowReader,
    weightings: Collection[Weighting],
    *,
    keep: Collection[str],
    merge: bool,
    parts: PartFolder | None,
    scanned: Scan | None,
    progress: Progress | None,
) -> Snapshot:
    """Updates postings to the state of the corpus, and loads their snapshot."""
    known = {} if merge else _known_recall(postings)
    update(
        postings,
        corpus,
        source,
        measure=lambda snapshot: measured(snapshot, weightings, recall=source.two_stage, known=known),
        keys={recall_key(weighting) if source.two_stage else weighting.lengths_key or "" for weighting in weightings},
        keep=keep,
        merge=merge,
        parts=parts,
        scanned=scanned,
        progress=progress,
    )
    return store.load(postings)


def _known_recall(postings: Path) -> Mapping[str, Any]:
    """The recall of two-stage search by weighting, as it was measured before."""
    try:
        return store.read_manifest(postings, current_name(postings)).recall
    except (IndexingError, OSError):
        return {}


def measured(
    snapshot: Snapshot,
    weightings: Collection[Weighting],
    *,
    recall: bool = True,
    known: Mapping[str, Any] | None = None,
) -> Measured:
    """The lengths of documents under each weighting, and the recall of two-stage search where it is not `known`."""
    lengths_by_key: dict[str, Sequence[np.ndarray]] = {}
    recalls = {}
    for weighting in sorted(weightings, key=repr):
        key = weighting.lengths_key
        if key is not None and key not in lengths_by_key:
            lengths_by_key[key] = lengths(snapshot, weighting, threads=cores())
        if not recall:
            continue
        name = recall_key(weighting)
        before = (known or {}).get(name, {})
        if still_holds(before.get("documents", 0), len(snapshot)):
            recalls[name] = before
        else:
            recalls[name] = measured_recall(snapshot, weighting, lengths_by_key.get(key or ""))
    return Measured(lengths_by_key, recalls)
