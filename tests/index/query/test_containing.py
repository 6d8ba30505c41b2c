"""The rows that contain a word, from postings."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from foreart.index.build.document_rows import DocumentRows
from foreart.index.build.snapshot_updating import update
from foreart.index.query.containing import rows_with
from foreart.index.storage import store
from foreart.text import section_text, tokens
from random_patents import VOCABULARY, fill, made


@pytest.mark.parametrize("beginning", [False, True])
def test_rows_with_a_word_or_prefix(tmp_path: Path, beginning: bool) -> None:
    with made(tmp_path / "corpus.db", 90, seed=5) as corpus:
        update(tmp_path / "full", corpus, DocumentRows(size=64))
        corpus.remove(random.Random(5).sample(corpus.ids(), 10))
        fill(corpus, range(500, 520), seed=6)
        update(tmp_path / "full", corpus, DocumentRows(size=64))
        snapshot = store.load(tmp_path / "full")
        words = {patent.id: set(tokens(section_text(patent))) for patent in corpus}
        cuts = (1, 2, 4) if beginning else (99,)
        some = {word[:cut].lower() for word in [*VOCABULARY[:30], "zebra"] for cut in cuts}
        assert len(snapshot.segments) > 1
        for word in sorted(some):
            found = rows_with(snapshot, word, beginning=beginning)
            expected = [
                any(known.startswith(word) for known in words[number]) if beginning else word in words[number]
                for number in snapshot.ids
            ]
            assert found.tolist() == expected, word
