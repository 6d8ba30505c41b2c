"""Small corpora by a seed, and what their postings must hold, counted word by word."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from foreart.corpus import Corpus
from foreart.document.patent import Claim, Patent, Symbol
from foreart.index.storage.snapshot import Snapshot
from foreart.text import section_text, tokens

VOCABULARY = (
    [f"w{number}" for number in range(150)]
    + ["schraube", "knochenschraube", "müller", "éclair", "数据", "μm"]
    + [letter * length for letter in "xy" for length in (7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 90)]
)
WEIGHTS = [1 / (place + 1) for place in range(len(VOCABULARY))]
CLASSES = ["A61B 17/70", "A61B 17/86", "A61B 5/00", "A61F 2/00", "A61F 2/44", "H04L 9/32", "H04L", "Y02E 10/50"]
APPLICANTS = ["Anchor Works Ltd", "Müller & Söhne", "100% Bone_Corp", "ANCHOR OF ENGLAND", "数据公司", "Bone\\Screw"]
DATES = ["", "1999", "1999-12", "1999-12-31", "2000-01-01", "2004", "2004-02", "2004-02-29", "2004-12-31", "2005-01"]


def patent(number: int, rng: random.Random) -> Patent:
    """One with that number; some have no text at all, some a word hundreds of times."""
    words = rng.choices(VOCABULARY, WEIGHTS, k=rng.choice([0, 1, 5, 40, 80]))
    if rng.random() < 0.1:
        words += ["often"] * rng.choice([254, 255, 256, 700])
    country = rng.choice(["US", "US", "EP", "DE"])
    return Patent(
        id=f"{country}{7000000 + number}{rng.choice(['A1', 'B1', 'B2'])}",
        title=" ".join(rng.choices(VOCABULARY, k=rng.choice([0, 2]))),
        abstract=" ".join(words),
        claims=(Claim(1, "A " + rng.choice(VOCABULARY)),) if rng.random() < 0.3 else (),
        published=rng.choice(DATES),
        language=rng.choice(["", "en", "de"]),
        cpc=tuple(Symbol(symbol) for symbol in rng.sample(CLASSES, rng.choice([0, 1, 3]))),
        ipc=tuple(Symbol(symbol) for symbol in rng.sample(CLASSES, rng.choice([0, 2]))),
        applicants=tuple(rng.sample(APPLICANTS, rng.choice([0, 1, 2]))),
    )


def fill(corpus: Corpus, numbers: Iterable[int], seed: int) -> None:
    """Adds a patent for each number; the same seed gives the same ones."""
    corpus.add([patent(number, random.Random(seed * 1_000_003 + number)) for number in numbers])


def made(path: Path, documents: int, seed: int = 1) -> Corpus:
    """A new corpus."""
    corpus = Corpus(path, create=True)
    fill(corpus, range(documents), seed)
    return corpus


def change(corpus: Corpus, rng: random.Random, first: int) -> None:
    """Removes some patents, replaces some by a longer text, adds some."""
    ids = corpus.ids()
    some = rng.sample(ids, len(ids) // 4)
    cut = len(some) // 2
    corpus.remove(some[:cut])
    corpus.add(
        [Patent(id=number, abstract=" ".join(rng.choices(VOCABULARY, k=30)), language="fr") for number in some[cut:]]
    )
    fill(corpus, range(first, first + rng.randrange(12)), seed=rng.randrange(1000))


def expected_rows(corpus: Corpus, sections: str = "full") -> dict[str, dict[str, int]]:
    """How often each patent has each word."""
    return {each.id: dict(Counter(tokens(section_text(each, sections)))) for each in corpus}


def held_rows(snapshot: Snapshot) -> dict[str, dict[str, int]]:
    """The same from postings, by the rows of documents."""
    found = {}
    for row, number in enumerate(snapshot.ids):
        part, document = snapshot.locate(row)
        terms, counts = snapshot.segments[part].row(document)
        names = [snapshot.segments[part].terms[term] for term in terms.tolist()]
        found[number] = dict(zip(names, counts.tolist(), strict=True))
    return found


def expected_df(rows: dict[str, dict[str, int]]) -> Counter[str]:
    """In how many documents each word stands."""
    return Counter(word for row in rows.values() for word in row)


def check(snapshot: Snapshot, corpus: Corpus, sections: str = "full") -> None:
    """Everything a snapshot says is what the texts of the corpus say."""
    rows = expected_rows(corpus, sections)
    assert held_rows(snapshot) == rows
    assert len(snapshot) == len(corpus)
    assert snapshot.words == sum(sum(row.values()) for row in rows.values())
    df = expected_df(rows)
    for segment, frequencies in zip(snapshot.segments, snapshot.df, strict=True):
        assert {term: int(number) for term, number in zip(segment.terms, frequencies, strict=True)} == {
            term: df[term] for term in segment.terms
        }
