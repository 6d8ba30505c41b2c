"""How the figures of a report were computed, in sentences for its page."""

from __future__ import annotations

from importlib.metadata import version

from foreart.evaluation.pairs.pairs import RULES
from foreart.features import make
from foreart.paper.exhibits.paper_json import machine, seconds
from foreart.paper.experiments.representations import REPRESENTATIONS
from foreart.paper.experiments.results import SECTION_NAMES, Results
from foreart.paper.experiments.scoring import parameters


def facts(results: Results, made: str) -> list[tuple[str, str, str]]:
    """Name, value and remark of the boxes at the top of the page."""
    study = results.study
    counts = study.pairs.counts
    return [
        ("Corpus", f"{len(study.ids):,} documents", f"fingerprint {study.statistics.fingerprint[:12]}"),
        ("Targets", f"{counts['targets']:,}", f"{counts['citing']:,} of them cite documents of the corpus"),
        (
            "Pairs",
            f"{counts['cited']:,} cited, {counts['random']:,} random",
            f"{counts['duplicate']:,} duplicate; fingerprint {study.pairs.fingerprint[:12]}",
        ),
        ("Expert labels", f"{len(study.judged):,} pairs" if study.judged else "none", "the paper had 450"),
        ("Made", made.partition("T")[0], f"foreart {version('foreart')}"),
    ]


def method(results: Results) -> list[str]:
    """How words, features, pairs and metrics were computed, one or two sentences each."""
    study = results.study
    published = study.settings.as_published
    words = "tokenized as by the authors' scripts" if published else "runs of letters and digits, in lower case"
    settings = study.pairs.settings
    rule = RULES.get(settings.get("rule", ""), "")
    sentences = [
        f"Words: {words}; no stop words, no stemming, no minimum frequency.",
        "Bag-of-words: tf × ln(N / df), rows of length 1. N and df are those of the full corpus, targets included; "
        "LSA, KPCA and word or document vectors are fitted without the targets, whose rows are projected or inferred.",
        f"Random documents: {len(study.pairs.random):,}, shared by all targets, {rule} (seed {settings.get('seed')}).",
        "AUC and AP are pooled over all cited and random pairs of all targets; equal scores share their rank; "
        "duplicates are excluded.",
    ]
    sentences += [_parameters(name, results) for name in study.settings.representations if _shown(name, results)]
    sentences += [f"Pairs: {note}." for note in study.pairs.notes]
    times = seconds(results)
    if times:
        slow = sorted(times.items(), key=lambda item: -item[1])[:8]
        listed = ", ".join(f"{name} {took:,.0f} s" for name, took in slow)
        sentences.append(f"Computed in {sum(times.values()):,.0f} s; longest: {listed}.")
    sentences.append(
        "Machine: " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in machine().items()) + "."
    )
    return sentences


def foot(made: str) -> str:
    """The last line of the page."""
    return f"foreart {version('foreart')} · {made} · all numbers are in results.json next to this page"


def _shown(name: str, results: Results) -> bool:
    return any(step.startswith(f"{name}:") for step in results.done)


def _parameters(name: str, results: Results) -> str:
    kind = REPRESENTATIONS[name]
    given = make(kind.kind, parameters(name, results.study)).parameters
    learns = f"; for every section, learned from the {SECTION_NAMES[kind.learns]}" if kind.learns else ""
    return f"{kind.label}: {', '.join(f'{parameter} {value}' for parameter, value in given.items())}{learns}."
