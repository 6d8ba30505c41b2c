"""One published state of all indexes: what searches see while documents are added, replaced, removed and built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import foreart as fa
from foreart.corpus.writer import lock
from foreart.document.patent import Patent
from foreart.errors import IndexingError, NotInCorpus
from foreart.index.published_state import FILE, published_state
from foreart.library import Library
from foreart.sources import read

DRAFT = fa.read_draft(fa.SAMPLE / "drafts" / "insulin-pump.txt")
PATENTS: list[Patent] = list(read(fa.SAMPLE / "patents.jsonl"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of 40 of the 50 patents, built."""
    folder = tmp_path_factory.mktemp("published")
    with Library(folder) as library:
        library.corpus.add(PATENTS[:40])
        library.build()
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    with Library(shutil.copytree(made, tmp_path / "library")) as library:
        yield library


def listed(library: Library, **options: object) -> list[tuple[str, float]]:
    return [(hit.id, hit.score) for hit in library.search(DRAFT, k=20, cutoff="2030-01-01", **options)]  # type: ignore[arg-type]


def test_added_documents_do_not_stop_searches(library: Library) -> None:
    before = listed(library)
    library.corpus.add(PATENTS[40:])
    result = library.search(DRAFT, k=20, cutoff="2030-01-01")
    assert [(hit.id, hit.score) for hit in result] == before
    assert "10 documents were added since and are not searched yet: `foreart build`" in result.notes
    assert library.explain(result, before[0][0]).rank == 1
    assert [reference.id for reference in library.chart(result, [before[0][0]]).references] == [before[0][0]]
    assert fa.diff(library.record(result), library.rerun(library.record(result))).empty
    with pytest.raises(NotInCorpus, match=f"{PATENTS[45].id} was added since the indexes were built: `foreart build`"):
        library.explain(result, PATENTS[45].id)
    library.build()
    after = library.search(DRAFT, k=20, cutoff="2030-01-01")
    assert not any("since" in note for note in after.notes)
    assert {hit.id for hit in after} - {number for number, _ in before}


def test_removed_documents_disappear_at_once(library: Library) -> None:
    (first, _), *rest = listed(library)
    library.corpus.remove([first])
    now = library.search(DRAFT, k=20, cutoff="2030-01-01")
    everywhere = {hit.id for hit in now} | {member.id for hit in now for member in hit.family_members}
    assert first not in everywhere | {item.id for item in (*now.left_out, *now.own_family)}
    assert {hit.id for hit in now} >= {number for number, _ in rest[:3]}
    assert listed(library, index="tfidf")[0][0] != first
    with pytest.raises(NotInCorpus, match="is not in the corpus"):
        library.explain(DRAFT, first)
    library.corpus.add([patent for patent in PATENTS if patent.id == first])
    assert listed(library)[0][0] == first
    assert not any("since" in note for note in library.search(DRAFT).notes)


def test_replaced_documents_are_read_as_they_were_indexed(library: Library) -> None:
    before = library.search(DRAFT, k=20, cutoff="2030-01-01")
    first = before.hits[0]
    (patent,) = (patent for patent in PATENTS if patent.id == first.id)
    words = library.explain(DRAFT, first.id, cutoff="2030-01-01").words
    library.corpus.add(
        [replace(patent, title="Another title", abstract="Nothing of the sort.", claims=(), description=())]
    )
    library.corpus.add([replace(patent, title="A third title")])
    now = library.search(DRAFT, k=20, cutoff="2030-01-01")
    assert "1 document was replaced since and is searched and shown as it was: `foreart build`" in now.notes
    assert now.hits == before.hits
    reasons = library.explain(DRAFT, first.id, cutoff="2030-01-01")
    assert (reasons.title, reasons.words) == (patent.title, words)
    assert "it was replaced since" in reasons.notes[-1]
    assert library.chart(DRAFT, [first.id]).references[0].title == patent.title
    library.build()
    titles = {hit.id: hit.title for hit in library.search(DRAFT, k=20, cutoff="2030-01-01")}
    assert titles[first.id] == "A third title"


def test_former_records_are_dropped_after_the_next_state(library: Library) -> None:
    def kept() -> int:
        return int(library.corpus.connection.execute("SELECT count(*) FROM superseded").fetchone()[0])

    library.corpus.add([replace(PATENTS[0], title="Second")])
    assert kept() == 1
    library.build()
    assert kept() == 1  # for searches that have begun
    library.corpus.add([replace(PATENTS[1], title="Second")])
    library.build()
    assert kept() == 1
    library.corpus.add([PATENTS[41]])
    library.build()
    assert kept() == 0


def test_a_search_that_has_begun_keeps_its_state(library: Library) -> None:
    """Its rows, view and records, though another state was published, and what it opens only later."""
    from foreart.search import request_of, search

    request, state = request_of(DRAFT, cutoff="2030-01-01", k=20), library._store.state
    ranker = library.ranker()
    before = search(request, ranker, library.corpus)
    library.corpus.add([*PATENTS[40:], replace(PATENTS[3], title="New", abstract="New")])
    library.build()
    assert published_state(library.folder).view_name != state.view_name
    assert search(request, ranker, library.corpus).hits == before.hits
    lazy = published_state(library.folder)
    object.__setattr__(lazy, "indexes", state.indexes)
    assert len(lazy.index("topics")) == len(lazy.index("bm25")) == 40


def test_a_build_with_nothing_new_writes_nothing(library: Library) -> None:
    library.build()  # removes what the state before had
    before = {path: path.stat().st_mtime_ns for path in library.folder.rglob("*") if path.is_file()}
    library.build()
    ours = {path: when for path, when in before.items() if "corpus.db" not in path.name and "writer" not in path.name}
    assert {path: path.stat().st_mtime_ns for path in ours} == ours
    assert {path for path in library.folder.rglob("*") if path.is_file()} == set(before)


def test_word_scores_of_an_update_are_those_of_a_build_from_nothing(library: Library, tmp_path: Path) -> None:
    library.corpus.remove([PATENTS[5].id])
    library.corpus.add([*PATENTS[40:], replace(PATENTS[3], title="New")])
    library.build()
    with Library(tmp_path / "fresh") as fresh:
        fresh.corpus.add(library.corpus[number] for number in library.corpus.ids())
        fresh.build()
        for index in ("log-tfidf", "tfidf", "bm25", "log-tfidf-claims", "log-tfidf-abstract"):
            assert listed(library, index=index) == listed(fresh, index=index)


def test_topics_keep_their_model_and_encode_new_rows(library: Library) -> None:
    before = library.index("topics")
    library.corpus.add([*PATENTS[40:], replace(PATENTS[3], abstract="Another pump.")])
    library.build()
    after = library.index("topics")
    assert after.model == before.model
    rows, old = after.row_table, before.row_table
    assert rows is not None and old is not None
    changed = PATENTS[3].id
    for number in before.ids:
        same = np.array_equal(rows[after.row_of(number)], old[before.row_of(number)])
        assert same == (number != changed)
    texts = [fa_text(library.corpus[number]) for number in after.ids]
    np.testing.assert_allclose(rows, before.features.encode(texts), atol=1e-6)  # type: ignore[attr-defined]
    drift = after.description.drift
    assert (drift["learned_from"], drift["encoded"]) == (40, 11)
    assert 0 < drift["unknown"] < 1
    assert 0 < drift["recall"] <= 1
    assert library.build(refresh=True)["topics"].model != before.model
    assert library.index("topics").description.drift["encoded"] == 0


def fa_text(patent: Patent) -> str:
    from foreart.text import section_text

    return section_text(patent)


def test_a_learned_ranking_stays_valid_after_an_update(library: Library) -> None:
    library.learn()
    library.corpus.add(PATENTS[40:])
    library.build()
    assert not any("learned topics" in note for note in library.search(DRAFT).notes)
    library.build(refresh=True)
    assert any("ranked without learned topics" in note for note in library.search(DRAFT).notes)


@pytest.mark.parametrize("kind", ["ppmi", "passages", "kpca"])
def test_every_index_is_brought_up_to_date(library: Library, kind: str) -> None:
    library.build(kind)
    before = library.index(kind)
    library.corpus.add(PATENTS[40:])
    library.build()
    after = library.index(kind)
    assert (len(before), len(after)) == (40, 50)
    assert after.model == before.model
    assert after.description.corpus == library.corpus.fingerprint


def test_a_library_of_the_layout_before_opens_or_says_what_to_run(library: Library) -> None:
    """As foreart 0.2 left it: no published state, the view beside the corpus, nothing kept of replaced records."""
    folder, before = library.folder, listed(library)
    shutil.copy(published_state(folder).view_folder / "corpus.view", folder)
    shutil.rmtree(folder / "views")
    (folder / FILE).unlink()
    library.corpus.connection.execute("DELETE FROM meta WHERE key = 'published'")
    with Library(folder) as old:
        assert listed(old) == before
        old.corpus.add([PATENTS[41]])
        with pytest.raises(fa.StaleIndex, match="run `foreart build`"):
            old.search(DRAFT)
        old.build()
        old.corpus.add([PATENTS[42]])
        assert len(listed(old)) >= len(before)
        old.build()
    assert not (folder / "corpus.view").exists()


def test_a_second_build_is_refused_in_one_sentence(library: Library) -> None:
    held = lock(library.folder / "build.writer", library.folder, IndexingError)
    try:
        with pytest.raises(IndexingError, match="is being written by another foreart process: wait"):
            library.build()
        assert listed(library)
    finally:
        held.close()
    library.build()


def test_a_full_disk_leaves_the_state_before(library: Library) -> None:
    """At every size at which a file no longer fits."""
    before, text = listed(library), (library.folder / FILE).read_text()
    library.corpus.add(PATENTS[40:])
    for limit in (2_000, 20_000, 60_000):
        code = (
            "import resource, sys; from foreart.library import Library\n"
            f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
            "library = Library(sys.argv[1])\n"
            "try: library.build()\nexcept Exception as error: print(type(error).__name__, error)"
        )
        told = subprocess.run(
            [sys.executable, "-c", code, str(library.folder)], capture_output=True, text=True, check=False
        )
        assert "IndexingError" in told.stdout and "the disk is full" in told.stdout, told
        assert (library.folder / FILE).read_text() == text
        assert listed(library) == before
    library.build()
    assert len(library.index()) == 50


_SEARCH = """
import sys, time
from pathlib import Path
from foreart.library import Library
from test_published_state import DRAFT
done = Path(sys.argv[2])
library, found = Library(sys.argv[1]), {}
while not done.exists():
    for fresh in (library, Library(sys.argv[1])):
        result = fresh.search(DRAFT, k=5)
        seen = [(hit.id, hit.title, hit.score) for hit in result.hits]
        assert len(seen) == 5
        before = found.setdefault((result.index.corpus, result.corpus_fingerprint), seen)
        assert before == seen, (before, seen)
print(len(found))
"""


@pytest.mark.slow
def test_searches_while_updates_are_published(library: Library, tmp_path: Path) -> None:
    done = tmp_path / "done"
    folders = (str(Path(__file__).parent), os.environ.get("PYTHONPATH", ""))
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
    arguments = [sys.executable, "-c", _SEARCH, str(library.folder), str(done)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=here) as searching:
        time.sleep(2)
        for patent in PATENTS[40:46]:
            library.corpus.add([patent, replace(PATENTS[7], title=f"Changed with {patent.id}")])
            library.build()
        library.corpus.remove([PATENTS[2].id])
        library.build()
        done.touch()
        told, errors = searching.communicate(timeout=60)
    assert searching.returncode == 0, errors
    assert int(told) > 2
