"""How well drawn documents fit the real ones: properties of two corpora of the same size, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from foreart.corpus import Corpus
from foreart.corpus.relations.families import families
from foreart.corpus.views import ALONE, CorpusView, read_view
from foreart.document.patent import Patent
from foreart.features import count
from foreart.text import section_text, tokens
from foreart.text.tokens import query_words
from search_shape import traits

Figures = dict[str, float]
_EVERY = 7  # one in so many documents is read word by word
_WINDOW = 100


def table(real: Path, drawn: Path) -> list[dict[str, Any]]:
    """Each property of both corpora."""
    left, right = properties(real), properties(drawn)
    rows = []
    for name in left:
        ratio = right[name] / left[name] if left[name] else None
        rows.append({"property": name, "real": left[name], "drawn": right[name]} | _ratio(ratio))
    return rows


def _ratio(ratio: float | None) -> dict[str, float]:
    return {} if ratio is None else {"drawn / real": round(ratio, 2)}


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """How many properties are near, and which are far."""
    ratios = {row["property"]: row["drawn / real"] for row in rows if "drawn / real" in row}
    far = {name: ratio for name, ratio in ratios.items() if not 0.67 <= ratio <= 1.5}
    near = sum(0.8 <= ratio <= 1.25 for ratio in ratios.values())
    return {"properties": len(ratios), "within a quarter": near, "more than half as much off": far}


def printed(rows: list[dict[str, Any]]) -> str:
    """The table for a terminal."""
    lines = [f"{'':56}{'real':>12}{'drawn':>12}{'ratio':>8}"]
    lines += [
        f"{row['property']:56}{row['real']:12,.6g}{row['drawn']:12,.6g}{row.get('drawn / real', ''):>8}" for row in rows
    ]
    return "\n".join(lines)


def properties(path: Path) -> Figures:
    """Texts, citations, families, people, classes, dates of a corpus."""
    with Corpus(path) as corpus:
        view = read_view(corpus)
        found = {**_words(corpus), **_sections(corpus), **_links(view), **_groups(corpus, view), **_days(view)}
        found["bytes stored of a document"] = path.stat().st_size / len(corpus)
    return {name: round(float(value), 4) for name, value in found.items()}


def _words(corpus: Corpus) -> Figures:
    def texts() -> Iterator[str]:
        for patent in corpus:
            yield section_text(patent, "full")

    rows = count(texts(), tokens).rows
    found = traits(rows)
    grown = found["terms_of_so_many_documents"]
    sizes = [int(size) for size in grown]
    lengths = np.asarray(rows.sum(axis=1)).ravel()
    return {
        "words of a document, mean": lengths.mean(),
        **_levels("words of a document", lengths),
        "distinct words of a document, mean": found["terms_a_document"]["mean"],
        **_levels("distinct words of a document", np.diff(rows.indptr)),
        **{
            f"vocabulary of {size} documents" if size < len(corpus) else "vocabulary": grown[str(size)]
            for size in sizes
        },
        "growth of the vocabulary, last exponent": np.log(grown[str(sizes[-1])] / grown[str(sizes[-2])])
        / np.log(max(2.0, sizes[-1] / sizes[-2])),
        "words of one document only": found["terms_of_one_document"],
        **{
            f"documents with the word of rank {rank}": number
            for rank, number in found["documents_with_term_of_rank"].items()
            if int(rank) in (30, 300, 3_000, 30_000)
        },
        "mean count of a word in a document that has it": found["mean_count"],
        **{f"share of counts {name}": found["count_histogram"][name] for name in ("1", "5-9", "20-99")},
        "shared words of two documents": found["shared_terms_of_pairs"]["mean"],
        **{f"cosine at rank {rank}, median": found[f"cosine_at_rank_{rank}"]["50 %"] for rank in (1, 10, 100, 1_000)},
        "cosine of two documents, median": found["cosine_of_pairs"]["50 %"],
    }


def _levels(name: str, values: np.ndarray, levels: tuple[int, ...] = (5, 50, 95)) -> Figures:
    return {f"{name}, {level} %": float(np.quantile(values, level / 100)) for level in levels}


def _sections(corpus: Corpus) -> Figures:
    sampled = [_section(patent) for place, patent in enumerate(corpus) if place % _EVERY == 0]
    columns = {name: np.array([each[name] for each in sampled if name in each]) for name in sampled[0]}
    found = {f"{name}, mean": values.mean() for name, values in columns.items()}
    return found | {f"{name}, median": np.median(columns[name]) for name in ("claims", "words of claims")}


def _section(patent: Patent) -> Figures:
    words = tokens(section_text(patent, "full"))
    claims, abstract = (tokens(section_text(patent, name)) for name in ("claims", "abstract"))
    found: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        found.setdefault(word, []).append(place // _WINDOW)
    some = [len(set(places)) / len(places) for places in found.values() if 5 <= len(places) <= 9]
    return {
        "characters of a word": sum(map(len, words)) / max(1, len(words)),
        "share of words that queries keep": len(query_words(words)) / max(1, len(words)),
        "windows of a hundred words by count, counts 5 to 9": float(np.mean(some)) if some else 1.0,
        "words of title and abstract": len(abstract),
        "distinct words of title and abstract": len(set(abstract)),
        "claims": len(patent.claims),
        "words of claims": len(claims),
        "distinct words of claims": len(set(claims)),
        "paragraphs": len(patent.description),
    }


def _links(view: CorpusView) -> Figures:
    cited, named = np.diff(view.cited.starts), np.diff(view.named.starts)
    inside = np.zeros(len(view.numbers), bool)
    inside[view.own] = True
    times = np.bincount(view.cited.values, minlength=len(view.numbers))
    within, outside = times[view.own], times[~inside & (times > 0)]
    return {
        "citations of a document, mean": cited.mean(),
        "documents without citations": (cited == 0).mean(),
        **_levels("citations of a document", cited, (50, 75, 95, 99)),
        "share of citations within the corpus": inside[view.cited.values].mean(),
        "documents that the corpus never cites": (within == 0).mean(),
        "cited by documents of the corpus, 95 %": np.quantile(within, 0.95),
        "cited by documents of the corpus, 99 %": np.quantile(within, 0.99),
        "cited by documents of the corpus, most": within.max(),
        "share of numbers outside cited once": (outside == 1).mean(),
        "numbers outside, cited by most": outside.max(initial=0),
        "numbers named in a text, mean": named.mean(),
        "texts that name no number": (named == 0).mean(),
        "share of named numbers within the corpus": inside[view.named.values].mean(),
    }


def _groups(corpus: Corpus, view: CorpusView) -> Figures:
    reasons: Counter[str] = Counter()
    sizes = []
    for family in families(corpus):
        sizes.append(len(family.members))
        reasons.update(member.reason.split("(")[0].split(" ")[0] for member in family.members)
    found: Figures = {
        "share of documents in families": (view.families != ALONE).mean(),
        "members of a family, mean": float(np.mean(sizes)) if sizes else 0.0,
        "members of families by text, share": reasons["near-identical"] / max(1, sum(sizes)),
    }
    for name in ("applicants", "inventors", "classes"):
        column = getattr(view, name)
        each = np.bincount(column.rows, minlength=len(view))
        frequencies = np.diff(column.starts)
        found |= {
            f"{name} of a document, mean": each.mean(),
            f"documents without {name}": (each == 0).mean(),
            f"different {name}": len(frequencies),
            f"share of {name} of one document": (frequencies == 1).mean() if len(frequencies) else 0.0,
            f"documents of the most frequent of {name}": frequencies.max(initial=0),
        }
    return found


def _days(view: CorpusView) -> Figures:
    columns = [
        np.array([_day(view.date(column, row)) for row in range(len(view))])
        for column in (view.published, view.filed, view.priority)
    ]
    published, filed, _ = columns
    found = {
        f"documents without a date of {name}": np.isnan(column).mean()
        for name, column in zip(("publication", "filing", "priority"), columns, strict=True)
    }
    years = np.nanquantile(published, [0.05, 0.5, 0.95]) / 365.2425
    found |= {f"year of publication, {level} %": year for level, year in zip((5, 50, 95), years, strict=True)}
    return found | {"days from filing to publication, median": float(np.nanmedian(published - filed))}


def _day(text: str) -> float:
    return date.fromisoformat(text).toordinal() if len(text) == 10 else np.nan
