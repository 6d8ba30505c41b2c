"""Files come into the corpus whole, whatever the number of processes."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from pathlib import Path

import pytest

from foreart.corpus import Corpus, Summary
from foreart.loading import load


def lines(first: int, count: int, text: str = "word " * 400) -> str:
    records = ({"id": f"US{first + n}B2", "title": f"Thing {n}", "description": f"{n} {text}"} for n in range(count))
    return "".join(json.dumps(record) + "\n" for record in records)


def test_workers_give_the_same_corpus_as_one_process(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    path.write_text(lines(7000000, 2500) + "broken\n" + lines(7000000, 10, "other " * 50))
    stored = []
    for workers in (1, 2):
        with Corpus(tmp_path / f"{workers}.db", create=True) as corpus:
            summary = load([path], corpus, workers=workers)
            assert summary == Summary(read=2511, added=2500, replaced=10, unchanged=0, rejected=1)
            stored.append((corpus.fingerprint, corpus.ids(), list(corpus.rejects())))
    assert stored[0] == stored[1]


def test_folders_archives_and_progress(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "b.jsonl").write_text(lines(2, 1))
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("inner.jsonl", lines(1, 1))
        archive.writestr("drawing.tif", b"II*\0picture")
    seen: list[tuple[str, int]] = []
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        load([folder], corpus, progress=lambda file, summary: seen.append((Path(file).name, summary.read)))
        assert corpus.ids() == ["US1B2", "US2B2"]
        assert corpus["US1"].origins[0].file == f"{folder / 'a.zip'}!inner.jsonl"
    assert seen[0] == ("a.zip", 1)
    assert seen[-1] == ("b.jsonl", 2)


def test_standard_input_is_never_taken_for_an_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        def __init__(self, text: str) -> None:
            self.buffer = io.BytesIO(text.encode())

    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        for first in (1, 2):
            monkeypatch.setattr(sys, "stdin", Input(lines(first, 1)))
            assert load(["-"], corpus).added == 1


def test_a_file_that_cannot_be_opened_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    good, gone = tmp_path / "good.jsonl", tmp_path / "gone.jsonl"
    good.write_text(lines(1, 3))
    with Corpus(tmp_path / "corpus.db", create=True) as corpus:
        summary = load([gone, good], corpus)
        assert (summary.added, summary.rejected) == (3, 1)
        assert [str(item) for item in corpus.rejects()] == [f"{gone}: No such file or directory"]
