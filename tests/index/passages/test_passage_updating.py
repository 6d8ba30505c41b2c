"""Passages follow the corpus, whatever happens to it or to the work."""

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
from foreart.index.storage.manifest import Manifest
from foreart.text import section_text, tokens
from foreart.text.passages import passages
from random_patents import change, held_rows, made

KIND = Passages(words=12)
MOST = 40  # passages of a segment, so that there are several; longer documents than that get longer passages
ROWS = replace(PassageRows.of(KIND, "full"), size=MOST)


def update(folder: Path, corpus: Corpus, rows: PassageRows, **others: Any) -> Manifest:
    """As an index of passages is updated."""
    measure = partial(measured, weightings=[WEIGHTING], recall=False)
    return update_rows(folder, corpus, rows, measure=measure, keys=[WEIGHTING.lengths_key or ""], **others)


def expected(corpus: Corpus) -> dict[str, dict[str, int]]:
    """How often each passage has each word, cut by the definition."""
    found = {}
    for patent in corpus:
        text, words = section_text(patent), KIND.words
        while len(passages(text, words=words)) > MOST:
            words *= 2
        for number, part in enumerate(passages(text, words=words) or [""]):
            found[f"{patent.id}#{number}"] = dict(Counter(tokens(part)))
    return found


def check(folder: Path, corpus: Corpus) -> None:
    """Every passage is there once, those of a document behind one another, and lengths are those of all."""
    snapshot = store.load(folder)
    assert held_rows(snapshot) == expected(corpus)
    index = PassageIndex(snapshot, KIND)
    assert sorted(index.ids) == sorted(corpus.ids())
    rows = list(snapshot.ids)
    for row, number in enumerate(index.ids):
        own = rows[index.starts[row] : index.starts[row + 1]]
        assert own == [f"{number}#{ordinal}" for ordinal in range(len(own))]
    assert max(len(segment) for segment in snapshot.segments) <= MOST
    kept = snapshot.lengths[WEIGHTING.lengths_key or ""]
    assert [list(each) for each in kept] == [list(each) for each in lengths(snapshot, WEIGHTING)]
    assert store.verify(folder) == []


def fingerprint(folder: Path) -> str:
    """Of passages that open; empty if there are none."""
    try:
        manifest = store.load(folder).manifest
    except IndexingError:
        return ""
    assert manifest is not None
    return manifest.fingerprint


@pytest.mark.parametrize("seed", range(3))
def test_after_changes_passages_are_those_of_the_corpus_and_merged_those_of_a_build_from_nothing(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    place = tmp_path / "passages"
    with made(tmp_path / "corpus.db", 40, seed) as corpus:
        for step in range(4):
            update(place, corpus, ROWS)
            check(place, corpus)
            change(corpus, rng, 1000 * step + 100)
        update(place, corpus, ROWS, merge=True)
        check(place, corpus)
        update(tmp_path / "anew", corpus, ROWS)
        assert fingerprint(place) == fingerprint(tmp_path / "anew")


def test_only_new_documents_are_read_and_nothing_is_done_twice(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with made(tmp_path / "corpus.db", 40) as corpus:
        first = update(tmp_path / "p", corpus, ROWS, progress=lambda *pair: told.append(pair))
        assert told == [(number, 40) for number in range(1, 41)]
        told.clear()
        current = store.current(tmp_path / "p")
        assert update(tmp_path / "p", corpus, ROWS, progress=lambda *pair: told.append(pair)) == first
        assert (told, store.current(tmp_path / "p")) == ([], current)
        corpus.add([Patent(id="US1A1", abstract="one more " * 30), Patent(id="US2A1")])
        update(tmp_path / "p", corpus, ROWS, progress=lambda *pair: told.append(pair))
        assert told == [(1, 2), (2, 2)]


class Interrupted(BaseException):
    """As if the process had ended."""


def interrupt(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """At the n-th time something is to last."""
    left, real = [steps], os.fsync

    def fsync(handle: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Interrupted
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)


@pytest.mark.parametrize("merge", [False, True])
def test_interrupted_at_any_step_the_old_hold_or_the_new_and_the_work_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merge: bool
) -> None:
    place, whole = tmp_path / "passages", tmp_path / "whole"
    with made(tmp_path / "corpus.db", 24) as corpus:
        states = [""]
        for seed in (5, 6):
            update(whole, corpus, ROWS, merge=merge)
            states.append(fingerprint(whole))
            for steps in range(1, 80):
                with monkeypatch.context() as patched:
                    interrupt(patched, steps)
                    try:
                        update(place, corpus, ROWS, merge=merge)
                    except Interrupted:
                        assert fingerprint(place) in states[-2:]
                        continue
                break
            assert steps > 5
            check(place, corpus)
            if merge:  # else which segments are merged may hang on what was finished
                assert fingerprint(place) == states[-1]
            states.append(fingerprint(place))
            change(corpus, random.Random(seed), 100 * seed)
    known = {segment.name for segment in store.read_manifest(place).segments}
    assert {path.name for path in (place / "segments").iterdir()} == known
    assert len(list((place / "snapshots").iterdir())) == 1


def test_a_finished_segment_of_an_interrupted_build_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with made(tmp_path / "corpus.db", 60) as corpus:
        update(tmp_path / "whole", corpus, ROWS)
        with monkeypatch.context() as patched:
            interrupt(patched, 16)
            with pytest.raises(Interrupted):
                update(tmp_path / "p", corpus, ROWS)
        assert len(list((tmp_path / "p" / "segments").iterdir())) > 1
        told: list[tuple[int, int]] = []
        update(tmp_path / "p", corpus, ROWS, progress=lambda *pair: told.append(pair))
        assert 0 < told[-1][1] < 60
        assert fingerprint(tmp_path / "p") == fingerprint(tmp_path / "whole")


def test_damage_is_made_good(tmp_path: Path) -> None:
    with made(tmp_path / "corpus.db", 40) as corpus:
        update(tmp_path / "p", corpus, ROWS)
        before = fingerprint(tmp_path / "p")
        next((tmp_path / "p" / "segments").glob("*/arrays")).write_bytes(b"torn")
        update(tmp_path / "p", corpus, ROWS, merge=True)
        check(tmp_path / "p", corpus)
        assert fingerprint(tmp_path / "p") == before


def test_a_corpus_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    with made(tmp_path / "corpus.db", 40) as corpus:

        def meddle(done: int, total: int) -> None:
            if done == 5:
                corpus.add([Patent(id="US1A1", title="Another one")])

        with pytest.raises(StaleIndex, match="changed while it was indexed"):
            update(tmp_path / "p", corpus, ROWS, progress=meddle)
        assert fingerprint(tmp_path / "p") == ""
        update(tmp_path / "p", corpus, ROWS)
        check(tmp_path / "p", corpus)
