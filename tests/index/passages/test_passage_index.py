"""An index of passages: scores, explanations, and its folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from foreart import index
from foreart.cli.app import app
from foreart.errors import ForeartError, IndexingError, NotInCorpus
from foreart.index.building import build_all
from foreart.index.passage_index import PassageIndex
from foreart.index.passage_kind import AGGREGATES, Passages
from foreart.index.word_folder import WORDS
from foreart.library import Library
from foreart.sources import read
from foreart.text import query_words, section_text, tokens
from foreart.text.passages import passages
from index.few_patents import corpus_of, numbers, row_index, word_index
from index.passages.plain_passages import Plain

SAMPLE = Path(__file__).resolve().parents[3] / "src" / "foreart" / "sample" / "patents.jsonl"
# Passages of four words; two documents are equal, one has no text.
TEXTS = {
    "US2B1": "Bone screw with thread. Ultrasound probe for bones. Hammer and anvil.",
    "US4B1": "Hammer of steel beats. Ultrasound probe with gel. Ultrasound probe again 4711.",
    "US1B1": "Bone screw with thread. Ultrasound probe for bones. Hammer and anvil.",
    "US3B1": "",
}


def passage_index(folder: Path, kind: Passages, texts: Mapping[str, str] = TEXTS) -> PassageIndex:
    """An index in the folder layout of a library."""
    location = folder / "indexes" / "passages"
    with corpus_of(folder / "corpus.db", texts) as corpus:
        made = build_all(corpus, {location: kind}, postings=folder / "postings")[location]
    assert isinstance(made, PassageIndex)
    return made


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(tmp_path_factory.mktemp("library")) as made:
        made.add([SAMPLE])
        yield made


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {patent.id: section_text(patent) for patent in read(SAMPLE)}


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_scores_equal_the_reference(library: Library, texts: dict[str, str], aggregate: str) -> None:
    parameters = {"words": 60, "aggregate": aggregate, "query": 90}
    made = library.build("passages", name=f"sample-{aggregate}", parameters=parameters)[f"sample-{aggregate}"]
    plain = Plain.of({number: texts[number] for number in made.ids}, 60)
    assert len(plain.rows) > 10 * len(texts)
    for number in list(texts)[::5]:
        expected = plain.best(texts[number]) if aggregate == "best" else plain.mean(texts[number], 90)
        query = made.encode(texts[number])
        assert made.scores(query) == pytest.approx(expected, rel=2e-6, abs=1e-12)
        found = made.top(query, 7)
        order = sorted(range(len(expected)), key=lambda row: (-round(expected[row], 12), made.ids[row]))
        assert numbers(found) == [made.ids[row] for row in order[:7]]
        assert [score for _, score in found] == pytest.approx(sorted(expected, reverse=True)[:7], rel=1e-12)


def test_best_passage_by_hand(tmp_path: Path) -> None:
    """Ten passages, one of them empty; `gel` is in one, `probe` in four, and 4711 is not a query word."""
    made = passage_index(tmp_path, Passages(words=4))
    assert len(made.snapshot) == 10
    idf = {word: np.log(10 / number) for word, number in {"probe": 4, "gel": 1, "ultrasound": 4, "with": 3}.items()}
    passage = np.array([idf["ultrasound"], idf["probe"], idf["with"], idf["gel"]])
    row = np.array([idf["probe"], idf["gel"]])
    expected = row @ row / np.linalg.norm(passage) / np.linalg.norm(row)
    assert made.top(made.encode("a probe, 4711 gel"), 1) == [("US4B1", pytest.approx(expected, rel=1e-12))]


def test_mean_over_the_passages_of_the_query(tmp_path: Path) -> None:
    made = passage_index(tmp_path, Passages(words=4, aggregate="mean", query=4))
    query = made.encode("Ultrasound probe with gel. Hammer of steel beats. Unknown unheard unseen 12.")
    assert query.spans == ((0, 26), (27, 49))
    best = PassageIndex(made.snapshot, Passages(words=4))
    first, second = (best.scores(best.encode(text)) for text in ("Ultrasound probe with gel", "Hammer of steel beats"))
    assert first[made.row_of("US4B1")] == pytest.approx(1.0, abs=1e-6)
    # `of` is not a query word: its passage is then not equal to the query.
    assert 0.7 < second[made.row_of("US4B1")] < 0.95
    assert made.scores(query) == pytest.approx((first + second) / 2, rel=1e-12)


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_equal_scores_are_in_order_of_id(tmp_path: Path, aggregate: str) -> None:
    made = passage_index(tmp_path, Passages(words=4, aggregate=aggregate))  # type: ignore[arg-type]
    found = made.top(made.encode("bone screw with a hammer and an anvil"), 2)
    assert numbers(found) == ["US1B1", "US2B1"]
    assert found[0][1] == found[1][1]
    assert numbers(made.top(made.encode("bone screw with a hammer and an anvil"), 1)) == ["US1B1"]


def test_documents_without_shared_words_are_no_hits_but_have_rows(tmp_path: Path) -> None:
    made = passage_index(tmp_path, Passages(words=4))
    assert made.top(made.encode("zebra"), 3) == made.top(made.encode("bone"), 0) == []
    assert made.scores(made.encode("")).tolist() == made.scores(made.encode("4711 of")).tolist() == [0.0] * 4
    assert sorted(made.ids) == sorted(TEXTS)
    assert [made.row_of(number) for number in made.ids] == [0, 1, 2, 3]
    assert made.scores(made.encode("bone"))[made.row_of("US3B1")] == 0
    with pytest.raises(NotInCorpus, match="US9B1 is not in the index"):
        made.row_of("US9B1")


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_contributions_sum_to_the_score_and_name_passages(
    library: Library, texts: dict[str, str], aggregate: str
) -> None:
    kind = {"words": 60, "aggregate": aggregate, "query": 200}
    made = library.build("passages", name=f"why-{aggregate}", parameters=kind)[f"why-{aggregate}"]
    assert isinstance(made, PassageIndex)
    text = texts["XX20090748218A1"]
    why = made.explanation(text)
    idf = Plain.of(texts, 60).idf
    for number, score in made.top(made.encode(text), 5):
        words = why.of(number)
        assert sum(share for _, share in words) == pytest.approx(score, rel=1e-9)
        assert [share for _, share in words] == sorted((share for _, share in words), reverse=True)
        pairs = why.pairs(number)
        assert np.mean([pair.score for pair in pairs]) == pytest.approx(score, rel=1e-9)
        there = passages(texts[number], words=60)
        shared = {
            word
            for pair in pairs
            for word in {*tokens(there[pair.passage])} & {*query_words(tokens(text[slice(*pair.span)]))}
        }
        assert {word for word, _ in words} == {word for word in shared if idf[word]}


def test_only_allowed_documents_are_ranked(tmp_path: Path) -> None:
    made = passage_index(tmp_path, Passages(words=4))
    query = made.encode("ultrasound probe for bones and a hammer")
    allowed = np.array([number in ("US4B1", "US3B1") for number in made.ids])
    assert numbers(made.top(query, 4, allowed=allowed)) == ["US4B1"]


def test_description_and_shared_postings(tmp_path: Path) -> None:
    passage_index(tmp_path, Passages(words=4))
    location = tmp_path / "indexes" / "mean"
    with corpus_of(tmp_path / "corpus.db", {}) as corpus:
        made = build_all(corpus, {location: Passages(4, "mean")}, postings=tmp_path / "postings")[location]
        assert made.description.corpus == corpus.fingerprint
    said = made.description
    assert (said.documents, said.sections, said.features) == (4, "full", "passages")
    assert said.statistics["documents"] == 10
    assert said.parameters == asdict(Passages(4, "mean"))
    assert str(said) == "passages of full text"
    assert {index.stored_at(tmp_path / "indexes" / name) for name in ("mean", "passages")} == {
        tmp_path / "postings" / "passages-4-full"
    }
    assert index.load(location).description == said
    assert index.verify(location) == []


def test_library_can_be_moved_and_kinds_replaced(tmp_path: Path) -> None:
    passage_index(tmp_path / "here", Passages(words=4))
    (tmp_path / "here").rename(tmp_path / "there")
    location = tmp_path / "there" / "indexes" / "passages"
    made = index.load(location)
    assert numbers(made.top(made.encode("gel"), 1)) == ["US4B1"]
    row_index(location, TEXTS)
    assert index.load(location).description.features == "lsa"
    passage_index(tmp_path / "there", Passages(words=4))
    assert index.load(location).description.features == "passages"
    assert [path.name for path in location.iterdir()] == [WORDS]
    # An index of words does not use the postings of an index of passages.
    assert word_index(tmp_path / "there", texts=TEXTS).description.features == "tfidf"


def test_damage_and_unknown_parameters_are_reported(tmp_path: Path) -> None:
    passage_index(tmp_path, Passages(words=4))
    location = tmp_path / "indexes" / "passages"
    arrays = next((tmp_path / "postings").rglob("segments/*/arrays"))
    whole = arrays.read_bytes()
    arrays.write_bytes(whole[:-70] + bytes([whole[-70] ^ 1]) + whole[-69:])
    assert "foreart build" in index.verify(location)[0]
    (location / WORDS).write_text((location / WORDS).read_text().replace('"aggregate"', '"aggregates"'))
    with pytest.raises(IndexingError, match=r"words.json does not match its checksum\); .*foreart build"):
        index.load(location)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"aggregate": "sum"}, "aggregate is 'sum'; it can be best, mean"),
        ({"words": 0}, "words is 0; a passage has at least one word"),
        ({"query": 2.5}, "query is 2.5; a passage has at least one word"),
        ({"tf": "log"}, "passages have no parameter 'tf'; they have words, aggregate, query"),
    ],
)
def test_invalid_parameters_are_refused(library: Library, parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ForeartError, match=message):
        library.build("passages", parameters=parameters)
    assert "passages" not in library.indexes


def test_library_builds_ranks_and_rebuilds(tmp_path: Path, texts: dict[str, str]) -> None:
    with Library(tmp_path) as made:
        made.add([SAMPLE])
        reported: list[tuple[int, int]] = []
        built = made.build("passages", "log-tfidf", progress=lambda done, total: reported.append((done, total)))
        assert list(built) == made.indexes[::-1] == ["passages", "log-tfidf"]
        assert reported.count((50, 50)) == 3
        ranker = made.ranker("passages")
        assert set(ranker.ids) == set(texts)
        made.corpus.remove([next(iter(texts))])
        made.build("passages")
        assert len(made.ranker("passages").ids) == 49
        reported.clear()
        made.build("passages", progress=lambda done, total: reported.append((done, total)))
        assert reported == []


def test_command_line_builds_and_searches(tmp_path: Path) -> None:
    with Library(tmp_path) as made:
        made.add([SAMPLE])

    def run(*words: str) -> str:
        result = CliRunner().invoke(app, [*words, "--library", str(tmp_path)])
        assert result.exit_code == 0, result.output
        return result.stdout

    (built,) = json.loads(run("build", "passages", "--set", "aggregate=mean", "--json"))
    assert (built["index"], built["documents"]) == ("passages", 50)
    assert built["parameters"] == {"words": 300, "aggregate": "mean", "query": 600}
    draft = SAMPLE.parent / "drafts"
    found = json.loads(run("search", str(next(iter(sorted(draft.iterdir())))), "--index", "passages", "--json"))
    assert found["hits"][0]["words"]
    assert "up to date with the corpus; all checksums match" in " ".join(run("doctor").split())
