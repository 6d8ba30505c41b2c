"""Updates of passages after changes of the corpus, interruptions and damage."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.errors import IndexingError, StaleIndex
from foreart.index.build.passage_rows import PassageRows
from foreart.index.build.snapshot_updating import update as update_rows
from foreart.index.building import measured
from foreart.index.passage_index import WEIGHTING, PassageIndex
from foreart.index.passage_kind import Passages
from foreart.index.scoring.blocks import lengths
from foreart.index.storage import store
from foreart.index.storage.current_name import current_name
from foreart.index.storage.manifest import Manifest
from foreart.text import section_text, tokens
from foreart.text.passages import passages
from random_patents import change, held_rows, made

KIND = Passages(words=12)
MAX_PASSAGES = 40  # per segment, so that there are several; documents with more get longer passages
ROWS = replace(PassageRows.of(KIND, "full"), size=MAX_PASSAGES)


def update(folder: Path, corpus: Corpus, rows: PassageRows, **others: Any) -> Manifest:
    """Updates postings as an index of passages does."""
    measure = partial(measured, weightings=[WEIGHTING], recall=False)
    return update_rows(folder, corpus, rows, measure=measure, keys=[WEIGHTING.lengths_key or ""], **others)


def expected(corpus: Corpus) -> dict[str, dict[str, int]]:
    """The word counts of each passage, from the texts."""
    found = {}
    for patent in corpus:
        text, words = section_text(patent), KIND.words
        while len(passages(text, words=words)) > MAX_PASSAGES:
            words *= 2
        for number, part in enumerate(passages(text, words=words) or [""]):
            found[f"{patent.id}#{number}"] = dict(Counter(tokens(part)))
    return found


def check(folder: Path, corpus: Corpus) -> None:
    """Checks that every passage has one row, those of a document are consecutive, and lengths are complete."""
    snapshot = store.load(folder)
    assert held_rows(snapshot) == expected(corpus)
    index = PassageIndex(snapshot, KIND)
    assert sorted(index.ids) == sorted(corpus.ids())
    rows = list(snapshot.ids)
    for row, number in enumerate(index.ids):
        own = rows[index.starts[row] : index.starts[row + 1]]
        assert own == [f"{number}#{ordinal}" for ordinal in range(len(own))]
    assert max(len(segment) for segment in snapshot.segments) <= MAX_PASSAGES
    kept = snapshot.lengths[WEIGHTING.lengths_key or ""]
    assert [list(each) for each in kept] == [list(each) for each in lengths(snapshot, WEIGHTING)]
    assert store.verify(folder) == []


def fingerprint(folder: Path) -> str:
    """The fingerprint of the postings; empty if there are none."""
    try:
        manifest = store.load(folder).manifest
    except IndexingError:
        return ""
    assert manifest is not None
    return manifest.fingerprint


@pytest.mark.parametrize("seed", range(3))
def test_passages_after_changes_and_merging_equal_a_rebuild(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    location = tmp_path / "passages"
    with made(tmp_path / "corpus.db", 40, seed) as corpus:
        for step in range(4):
            update(location, corpus, ROWS)
            check(location, corpus)
            change(corpus, rng, 1000 * step + 100)
        update(location, corpus, ROWS, merge=True)
        check(location, corpus)
        update(tmp_path / "rebuilt", corpus, ROWS)
        assert fingerprint(location) == fingerprint(tmp_path / "rebuilt")


def test_only_new_documents_are_read(tmp_path: Path) -> None:
    reported: list[tuple[int, int]] = []
    with made(tmp_path / "corpus.db", 40) as corpus:
        first = update(tmp_path / "p", corpus, ROWS, progress=lambda *pair: reported.append(pair))
        assert reported == [(number, 40) for number in range(1, 41)]
        reported.clear()
        current = current_name(tmp_path / "p")
        assert update(tmp_path / "p", corpus, ROWS, progress=lambda *pair: reported.append(pair)) == first
        assert (reported, current_name(tmp_path / "p")) == ([], current)
        corpus.add([Patent(id="US1A1", abstract="one more " * 30), Patent(id="US2A1")])
        update(tmp_path / "p", corpus, ROWS, progress=lambda *pair: reported.append(pair))
        assert reported == [(1, 2), (2, 2)]


class Interrupted(BaseException):
    """Simulates the end of the process."""


def interrupt(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Interrupts at the n-th fsync."""
    left, real = [steps], os.fsync

    def fsync(handle: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Interrupted
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)


@pytest.mark.parametrize("merge", [False, True])
def test_interrupted_update_keeps_old_or_new_and_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merge: bool
) -> None:
    location, whole = tmp_path / "passages", tmp_path / "whole"
    with made(tmp_path / "corpus.db", 24) as corpus:
        states = [""]
        for seed in (5, 6):
            update(whole, corpus, ROWS, merge=merge)
            states.append(fingerprint(whole))
            for steps in range(1, 80):
                with monkeypatch.context() as patched:
                    interrupt(patched, steps)
                    try:
                        update(location, corpus, ROWS, merge=merge)
                    except Interrupted:
                        assert fingerprint(location) in states[-2:]
                        continue
                break
            assert steps > 5
            check(location, corpus)
            if merge:  # else the choice of segments to merge may depend on what was finished
                assert fingerprint(location) == states[-1]
            states.append(fingerprint(location))
            change(corpus, random.Random(seed), 100 * seed)
    known = {segment.name for segment in store.read_manifest(location).segments}
    assert {path.name for path in (location / "segments").iterdir()} == known
    assert len(list((location / "snapshots").iterdir())) == 1


def test_finished_segment_of_an_interrupted_build_is_reused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with made(tmp_path / "corpus.db", 60) as corpus:
        update(tmp_path / "whole", corpus, ROWS)
        with monkeypatch.context() as patched:
            interrupt(patched, 16)
            with pytest.raises(Interrupted):
                update(tmp_path / "p", corpus, ROWS)
        assert len(list((tmp_path / "p" / "segments").iterdir())) > 1
        reported: list[tuple[int, int]] = []
        update(tmp_path / "p", corpus, ROWS, progress=lambda *pair: reported.append(pair))
        assert 0 < reported[-1][1] < 60
        assert fingerprint(tmp_path / "p") == fingerprint(tmp_path / "whole")


def test_damage_is_repaired(tmp_path: Path) -> None:
    with made(tmp_path / "corpus.db", 40) as corpus:
        update(tmp_path / "p", corpus, ROWS)
        before = fingerprint(tmp_path / "p")
        next((tmp_path / "p" / "segments").glob("*/arrays")).write_bytes(b"torn")
        update(tmp_path / "p", corpus, ROWS, merge=True)
        check(tmp_path / "p", corpus)
        assert fingerprint(tmp_path / "p") == before


def test_corpus_that_changes_during_the_build_is_refused(tmp_path: Path) -> None:
    with made(tmp_path / "corpus.db", 40) as corpus:

        def meddle(done: int, total: int) -> None:
            if done == 5:
                corpus.add([Patent(id="US1A1", title="Another one")])

        with pytest.raises(StaleIndex, match="changed while it was indexed"):
            update(tmp_path / "p", corpus, ROWS, progress=meddle)
        assert fingerprint(tmp_path / "p") == ""
        update(tmp_path / "p", corpus, ROWS)
        check(tmp_path / "p", corpus)
