"""A search report as frozen data: what every form is written from, independent of matters, files and databases."""

from __future__ import annotations

from dataclasses import dataclass, field

from foreart.document.reference import LiteratureReference
from foreart.regimes import Regime
from foreart.search.law.priority import Cutoff, Dated, Status, is_design
from foreart.search.score_parts import Chance

NOTICE = "Search aid made with foreart; not a report of any office"


@dataclass(frozen=True, slots=True)
class ReportedDraft:
    """The application that was searched for: what the head of a form needs, and nothing of its text but the title.

    `cited` are the publication numbers that its text names, `claims` the number of claims, `independent` those that
    stand alone. Dates are ISO strings, `""` if unknown.
    """

    title: str = ""
    source: str = ""
    fingerprint: str = ""
    docket: str = ""
    application_number: str = ""
    applicants: tuple[str, ...] = ()
    inventors: tuple[str, ...] = ()
    priority: str = ""
    filed: str = ""
    priority_numbers: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    claims: int = 0
    independent: tuple[int, ...] = ()
    art_unit: str = ""
    examiner: str = ""


@dataclass(frozen=True, slots=True)
class CategoryLine:
    """Letters that a person gave, `X` or `P,X`, with the claims they are for; `places` are cited beside them.

    Without `places`, the places of the passages for these claims are cited.
    """

    letters: str
    claims: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    rater: str = ""


@dataclass(frozen=True, slots=True)
class ReportedVerdict:
    """What one person judged of a document, and their note."""

    verdict: str
    rater: str = ""
    note: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class ReportedPassage:
    """A verbatim quote with its place as `foreart verify` reads it; `element` is that of a claim chart, `1.2`.

    `claims` are those it is cited for; without any it is for all.
    """

    place: str
    text: str
    element: str = ""
    claims: tuple[int, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class FamilyPublication:
    """Another publication of the family of a document."""

    id: str
    published: str = ""


@dataclass(frozen=True, slots=True)
class ReportedDocument:
    """A patent document of the report. Categories are the person's; status and rule follow from its dates.

    `text_fingerprint` is that of its text when the passages were quoted, `translated` whether a translation is
    attached, `family_id` the family by which publications of one invention are recognised.
    """

    id: str
    title: str = ""
    applicants: tuple[str, ...] = ()
    inventors: tuple[str, ...] = ()
    country: str = ""
    kind: str = ""
    published: str = ""
    published_estimated: bool = False
    filed: str = ""
    priority: str = ""
    application_number: str = ""
    priority_numbers: tuple[str, ...] = ()
    ipc: tuple[str, ...] = ()
    cpc: tuple[str, ...] = ()
    language: str = ""
    abstract: str = ""
    document_type: str = ""
    status: Status = "date unknown"
    rule: str = ""
    rank: int = 0
    chance: Chance | None = None
    family_id: str = ""
    family: tuple[FamilyPublication, ...] = ()
    categories: tuple[CategoryLine, ...] = ()
    verdicts: tuple[ReportedVerdict, ...] = ()
    passages: tuple[ReportedPassage, ...] = ()
    text_fingerprint: str = ""
    translated: bool = False

    @property
    def dated(self) -> Dated:
        """The facts that decide its status under a law."""
        return Dated(
            self.published,
            self.filed,
            self.priority,
            self.country,
            self.kind,
            self.published_estimated,
            is_design(self.kind, self.document_type),
        )


@dataclass(frozen=True, slots=True)
class ReportedLiterature:
    """A document that is no patent: `text` is the whole citation, `reference` its parts, if a person entered them."""

    text: str
    categories: tuple[CategoryLine, ...] = ()
    places: tuple[str, ...] = ()
    translated: bool = False
    note: str = ""
    reference: LiteratureReference | None = None
    verdicts: tuple[ReportedVerdict, ...] = ()

    @property
    def published(self) -> str:
        """Its date as far as it is known."""
        return self.reference.published if self.reference else ""


@dataclass(frozen=True, slots=True)
class RemovedCount:
    """A filter with what it removed; of those, `unknown` lack the field that it tests."""

    filter: str
    removed: int
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class ReportedSearch:
    """One search of the report: with what, where, and how many documents. `time` is in UTC.

    `ranking` describes in words how documents were ordered, `fingerprints` name the index and the ranking.
    """

    time: str
    cutoff: str
    cutoff_source: str
    regime: Regime
    ranking: str
    corpus_fingerprint: str
    documents: int
    compared: int
    hits: int
    filters: tuple[RemovedCount, ...] = ()
    left_out: int = 0
    own_family: int = 0
    fingerprints: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    draft_fingerprint: str = ""
    query: str = "the full text of the draft"


@dataclass(frozen=True, slots=True)
class Estimated:
    """An estimate with the lower and upper bound of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class StoppingFigures:
    """How much is still unread: `sentence` says it, or why it cannot be said; then the figures are None.

    `level` is the level of the intervals; `next_finds` is what the next `next_count` documents are expected to bring.
    `target` and `confidence` are those of the stopping rule, `rule` says when it was set, `may_stop` whether it held.
    """

    sentence: str
    found: int = 0
    read: int = 0
    unread: Estimated | None = None
    share: Estimated | None = None
    level: float = 0.9
    next_count: int = 0
    next_finds: float | None = None
    target: float | None = None
    confidence: float | None = None
    may_stop: bool | None = None
    basis: str = ""
    rule: str = "fixed before reading"


@dataclass(frozen=True, slots=True)
class ReportEvent:
    """One line of the log, such as an earlier export."""

    time: str
    what: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class ReportContents:
    """Which optional parts a report has."""

    passages: bool = True
    notes: bool = True
    abstracts: bool = False
    families: bool = True
    searches: bool = True
    estimate: bool = True
    log: bool = True
    open_points: bool = True


@dataclass(frozen=True, slots=True)
class SearchReport:
    """A whole report. `documents` are in the order in which they are cited: the first is D1.

    `fields` are the technical fields searched as class symbols, `claims_searched` the claims it is drawn up for (none:
    all), `items_before` the items of earlier information disclosure statements, `made` the day or time it was made.
    """

    draft: ReportedDraft
    cutoff: Cutoff
    documents: tuple[ReportedDocument, ...] = ()
    literature: tuple[ReportedLiterature, ...] = ()
    searches: tuple[ReportedSearch, ...] = ()
    fields: tuple[str, ...] = ()
    estimate: StoppingFigures | None = None
    log: tuple[ReportEvent, ...] = ()
    regime: Regime = "any"
    matter: str = ""
    notes: tuple[str, ...] = ()
    searcher: str = ""
    place: str = ""
    completed: str = ""
    claims_searched: tuple[int, ...] = ()
    items_before: int = 0
    agreement: str = ""
    made: str = ""
    foreart: str = ""
    contents: ReportContents = field(default_factory=ReportContents)

    @property
    def title(self) -> str:
        """The title of the draft, or the name of its file."""
        return self.draft.title or self.draft.source or "draft"
