"""Makes pairs from a corpus: targets, the documents they cite, and a shared random sample."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from foreart.corpus import EVERYTHING, Corpus, Selection
from foreart.corpus.fronts import Front, fronts
from foreart.corpus.relations.citation_links import Link, citation_links
from foreart.corpus.relations.family_names import family_of
from foreart.errors import ForeartError
from foreart.evaluation.pairs.pairs import RULES, Pairs, PairSettings, Rule, check
from foreart.evaluation.pairs.pairs_file import read_targets
from foreart.evaluation.trec.qrels import Qrels, read_qrels

Links = Mapping[str, tuple[str, ...]]


def make_pairs(
    corpus: Corpus,
    settings: PairSettings | None = None,
    *,
    targets: Iterable[str] | Path | None = None,
    qrels: Qrels | Path | None = None,
) -> Pairs:
    """The cited, random and duplicate pairs of a corpus.

    Targets are those published in the period of the selection, by default in the last full year with citations; or the
    given `targets`, or those of a file; or the queries of `qrels`, or of a qrels file, whose relevant documents are
    then the cited ones, unchanged.
    """
    settings = settings or PairSettings()
    targets = read_targets(targets) if isinstance(targets, Path) else targets
    qrels = read_qrels(qrels) if isinstance(qrels, Path) else qrels
    if qrels is None and targets is None:
        settings = _with_period(corpus, settings)
    eligible = _Eligible(corpus, settings)
    notes: list[str] = []
    if qrels is not None:
        cited = eligible.judged(qrels, notes)
        chosen = tuple(cited)
    else:
        chosen = eligible.named(targets, notes) if targets is not None else eligible.of_period()
        cited = eligible.citing(chosen)
    chosen = tuple(target for target in chosen if len(cited.get(target, ())) >= settings.min_cited)
    cited = {target: cited[target] for target in chosen if target in cited}
    source = "qrels" if qrels is not None else "named" if targets is not None else "period"
    rule = _rule(settings, named=source != "period")
    pairs = Pairs(
        targets=chosen,
        random=(),
        cited=cited,
        duplicates=eligible.duplicates(chosen, cited),
        settings={"targets": source, **replace(settings, rule=rule).to_record()},
        corpus=corpus.fingerprint,
        notes=tuple(notes),
    )
    check(pairs)
    return replace(pairs, random=_drawn(eligible.pool(pairs, rule), settings, rule))


def _drawn(pool: list[str], settings: PairSettings, rule: Rule) -> tuple[str, ...]:
    if len(pool) < settings.random:
        raise ForeartError(
            f"there are only {len(pool):,} documents {RULES[rule]}, fewer than the {settings.random:,} random ones "
            "requested: request fewer (--random), allow other dates (--random-rule unrelated), or add documents"
        )
    # As in the baselines of ../shared/data; the order of the corpus is that of insertion.
    return tuple(random.Random(settings.seed).sample(pool, settings.random))  # noqa: S311


class _Eligible:
    """The documents eligible for pairs, with dates and families."""

    def __init__(self, corpus: Corpus, settings: PairSettings) -> None:
        self.corpus = corpus
        self.settings = settings
        everywhere = replace(settings.selection, published_from="", published_to="")
        known = fronts(corpus)
        self.fronts: dict[str, Front] = (
            known if everywhere == EVERYTHING else {number: known[number] for number in corpus.ids(everywhere)}
        )
        self.family = family_of(corpus)
        self._links: dict[str, list[Link]] = {}

    def of_period(self) -> tuple[str, ...]:
        """The patents published in the target period, in order of insertion."""
        return tuple(self.corpus.ids(self.settings.selection))

    def named(self, numbers: Iterable[str], notes: list[str]) -> tuple[str, ...]:
        """The ids of some numbers, each once; a number without kind code means its latest publication."""
        matches: dict[str, None] = {}
        missing: list[str] = []
        for number in numbers:
            match = self._match(number)
            if match:
                matches[match] = None
            else:
                missing.append(number)
        if missing:
            notes.append(f"{len(missing):,} targets are not among the documents, the first is {missing[0]}")
        return tuple(matches)

    def judged(self, qrels: Qrels, notes: list[str]) -> dict[str, tuple[str, ...]]:
        """The judgements of qrels as ids of the corpus; missing queries and documents are skipped and noted."""
        self.named(qrels.queries, notes)
        links: dict[str, tuple[str, ...]] = {}
        lost = 0
        for query in qrels.queries:
            target = self._match(query)
            if not target:
                continue
            given = qrels.relevant(query)
            matches = dict.fromkeys(match for match in map(self._match, given) if match and match != target)
            lost += len(given) - len(matches)
            links[target] = tuple(document for document in matches if self._counts(target, document))
        if lost:
            notes.append(f"{lost:,} judgements of the qrels have no other document in the corpus")
        return links

    def citing(self, targets: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The documents each target cites, without its own family."""
        cited: dict[str, dict[str, None]] = defaultdict(dict)
        for link in self._citations(targets):
            if self.settings.categories and link.category not in self.settings.categories:
                continue
            if not self._same_family(link.citing, link.cited) and self._counts(link.citing, link.cited):
                cited[link.citing][link.cited] = None
        return {target: tuple(documents) for target, documents in cited.items()}

    def duplicates(self, targets: Iterable[str], cited: Links) -> dict[str, tuple[str, ...]]:
        """The other members of each target's family, in order of insertion, without those in cited pairs."""
        members: dict[str, list[str]] = defaultdict(list)
        for number in self.fronts:
            if number in self.family:
                members[self.family[number]].append(number)
        by_target: dict[str, tuple[str, ...]] = {}
        for target in targets:
            left_out = {target, *cited.get(target, ())}
            others = tuple(number for number in members[self.family.get(target, "")] if number not in left_out)
            if others:
                by_target[target] = others
        return by_target

    def pool(self, pairs: Pairs, rule: Rule) -> list[str]:
        """The documents from which the random ones are drawn, in order of insertion."""
        excluded = set(pairs.targets).union(*pairs.cited.values())
        if rule == "uncited":
            return [number for number in self.fronts if number not in excluded]
        # All citations of targets: documents that the settings exclude from the cited pairs are not random either.
        excluded.update(link.cited for link in self._citations(pairs.targets))
        families = {self.family[target] for target in pairs.targets if target in self.family}
        pool = [n for n in self.fronts if n not in excluded and self.family.get(n) not in families]
        if rule == "unrelated":
            return pool
        period_start = self.settings.selection.published_from or min(
            (self.fronts[target].published for target in pairs.targets if self.fronts[target].published), default=""
        )
        return [number for number in pool if known_earlier(self.fronts[number].published, period_start)]

    def _citations(self, targets: Iterable[str]) -> Iterator[Link]:
        for target in targets:
            if target not in self._links:
                self._links[target] = list(citation_links(self.corpus, [target]))
            yield from self._links[target]

    def _match(self, number: str) -> str:
        """The id of a number among the documents, the latest of several; `""` if there is none."""
        if number in self.fronts:
            return number
        return next((match for match in reversed(self.corpus.find(number)) if match in self.fronts), "")

    def _same_family(self, left: str, right: str) -> bool:
        return left in self.family and self.family[left] == self.family.get(right)

    def _counts(self, target: str, document: str) -> bool:
        if document not in self.fronts:
            return False
        return not self.settings.earlier_only or known_earlier(
            _effective(self.fronts[document]), _effective(self.fronts[target])
        )


def known_earlier(date: str, other: str) -> bool:
    """Whether a date is certainly before another; a date with only a year is undecided within that year.

    >>> known_earlier("2004", "2004-05-17"), known_earlier("2003", "2004-05-17"), known_earlier("", "2004")
    (False, True, False)
    """
    length = min(len(date), len(other))
    return date[:length] < other[:length]


def _effective(front: Front) -> str:
    return front.priority or front.filed or front.published


def _rule(settings: PairSettings, *, named: bool) -> Rule:
    rule = settings.rule or ("unrelated" if named else "earlier")
    if rule not in RULES:
        raise ForeartError(f"there is no rule {rule!r}; there are {', '.join(RULES)}")
    return rule


def _with_period(corpus: Corpus, settings: PairSettings) -> PairSettings:
    """The settings with a target period, if none is given."""
    chosen = settings.selection
    if chosen.published_from or chosen.published_to:
        return settings
    year = last_whole_year(corpus, chosen)
    return replace(settings, selection=replace(chosen, published_from=year, published_to=year))


def last_whole_year(corpus: Corpus, selection: Selection = EVERYTHING) -> str:
    """The last complete year in which a patent cites a document of the corpus; else the last year in which one does.

    A year is complete if the corpus has a publication of its December or later.
    """
    dates = sorted({published for _, published, _, _ in corpus.overview(selection) if published})
    years = sorted({date[:4] for date in dates}, reverse=True)
    for year in sorted(years, key=lambda year: dates[-1] < f"{year}-12"):
        of_year = replace(selection, published_from=year, published_to=year)
        if any(citation_links(corpus, corpus.ids(of_year))):
            return year
    raise ForeartError(f"no document of {corpus.path} with a date cites another: name targets with --qrels")
