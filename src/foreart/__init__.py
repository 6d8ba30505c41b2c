"""Finds a patent application's prior art: compares its full text with the full text of every patent in a corpus."""

from __future__ import annotations

TYPE_CHECKING = False  # not imported from typing, which would take longer than this whole module
if TYPE_CHECKING:
    from foreart.corpus import Corpus, Selection, Summary
    from foreart.crawl import CrawlAccess, CrawlConditions, CrawlOutcome, CrawlPolicy, CrawlSpec, CrawlStatus, Following
    from foreart.document.draft import Draft
    from foreart.document.patent import Citation, Claim, Literature, Paragraph, Patent, Symbol
    from foreart.document.reference import LiteratureReference
    from foreart.document.reject import Reject
    from foreart.errors import (
        BadFile,
        BadNumber,
        BadRecord,
        BadRequest,
        ClusterError,
        CorpusBusy,
        CorpusError,
        CrawlError,
        DamagedMatter,
        ForeartError,
        IndexingError,
        MatterError,
        MissingExtra,
        NotFitted,
        NotInCorpus,
        Refused,
        StaleIndex,
        UnknownFormat,
        UnknownMatter,
        Unreachable,
        WrongPassphrase,
        WrongVersion,
    )
    from foreart.evaluation import EvaluationOptions, EvaluationReport, Qrels, evaluate, read_qrels
    from foreart.index import Index
    from foreart.index_store import INDEXES
    from foreart.library import SAMPLE, Library
    from foreart.rankings import RANKINGS
    from foreart.records import Difference, SearchRecord, diff, read_record
    from foreart.review.casework import MatterReview, MatterSnapshot, QueueItem, ReviewChange, ReviewQueue
    from foreart.review.matters import (
        JUDGEMENTS,
        Matter,
        MatterEntry,
        MatterForm,
        MatterState,
        Purged,
        PurgedFile,
        QueuedDocument,
        RaterAgreement,
    )
    from foreart.review.matters.export_options import ExportOptions
    from foreart.review.matters.matter_events import (
        CategoryGiven,
        CriteriaSet,
        DocumentJudged,
        DocumentsShown,
        DraftKept,
        ExportMade,
        FamilyIgnored,
        HighlightsSet,
        LiteratureKept,
        Logged,
        MatterCreated,
        NoteWritten,
        RedoAsked,
        SearchKept,
        SeedSet,
        StoppingRuleSet,
        UndoAsked,
    )
    from foreart.review.stopping import Stopping
    from foreart.search import (
        REGIMES,
        STATUSES,
        Chance,
        Cutoff,
        Emphasis,
        Filters,
        Hit,
        LeftOut,
        Member,
        Part,
        Passage,
        Result,
        SearchOptions,
        SearchRequest,
    )
    from foreart.search.charting import Cell, Chart, Checked, Quote, Reference
    from foreart.search.explaining import Explainer, Reasons
    from foreart.search.ranking import Learned
    from foreart.sources import read, read_draft, scan

__all__ = [
    "INDEXES",
    "JUDGEMENTS",
    "RANKINGS",
    "REGIMES",
    "SAMPLE",
    "STATUSES",
    "BadFile",
    "BadNumber",
    "BadRecord",
    "BadRequest",
    "CategoryGiven",
    "Cell",
    "Chance",
    "Chart",
    "Checked",
    "Citation",
    "Claim",
    "ClusterError",
    "Corpus",
    "CorpusBusy",
    "CorpusError",
    "CrawlAccess",
    "CrawlConditions",
    "CrawlError",
    "CrawlOutcome",
    "CrawlPolicy",
    "CrawlSpec",
    "CrawlStatus",
    "CriteriaSet",
    "Cutoff",
    "DamagedMatter",
    "Difference",
    "DocumentJudged",
    "DocumentsShown",
    "Draft",
    "DraftKept",
    "Emphasis",
    "EvaluationOptions",
    "EvaluationReport",
    "Explainer",
    "ExportMade",
    "ExportOptions",
    "FamilyIgnored",
    "Filters",
    "Following",
    "ForeartError",
    "HighlightsSet",
    "Hit",
    "Index",
    "IndexingError",
    "Learned",
    "LeftOut",
    "Library",
    "Literature",
    "LiteratureKept",
    "LiteratureReference",
    "Logged",
    "Matter",
    "MatterCreated",
    "MatterEntry",
    "MatterError",
    "MatterForm",
    "MatterReview",
    "MatterSnapshot",
    "MatterState",
    "Member",
    "MissingExtra",
    "NotFitted",
    "NotInCorpus",
    "NoteWritten",
    "Paragraph",
    "Part",
    "Passage",
    "Patent",
    "Purged",
    "PurgedFile",
    "Qrels",
    "QueueItem",
    "QueuedDocument",
    "Quote",
    "RaterAgreement",
    "Reasons",
    "RedoAsked",
    "Reference",
    "Refused",
    "Reject",
    "Result",
    "ReviewChange",
    "ReviewQueue",
    "SearchKept",
    "SearchOptions",
    "SearchRecord",
    "SearchRequest",
    "SeedSet",
    "Selection",
    "StaleIndex",
    "Stopping",
    "StoppingRuleSet",
    "Summary",
    "Symbol",
    "UndoAsked",
    "UnknownFormat",
    "UnknownMatter",
    "Unreachable",
    "WrongPassphrase",
    "WrongVersion",
    "diff",
    "evaluate",
    "read",
    "read_draft",
    "read_qrels",
    "read_record",
    "scan",
]

# The modules of the public names; imported on first use, so that `import foreart` stays light.
_MODULES = {
    "corpus": "Corpus Selection Summary",
    "crawl": "CrawlAccess CrawlConditions CrawlOutcome CrawlPolicy CrawlSpec CrawlStatus Following",
    "document.draft": "Draft",
    "document.patent": "Citation Claim Literature Paragraph Patent Symbol",
    "document.reference": "LiteratureReference",
    "document.reject": "Reject",
    "errors": (
        "BadFile BadNumber BadRecord BadRequest ClusterError CorpusBusy CorpusError CrawlError DamagedMatter "
        "ForeartError IndexingError MatterError MissingExtra NotFitted NotInCorpus Refused StaleIndex UnknownFormat "
        "UnknownMatter Unreachable WrongPassphrase WrongVersion"
    ),
    "evaluation": "EvaluationOptions EvaluationReport Qrels evaluate read_qrels",
    "index": "Index",
    "index_store": "INDEXES",
    "library": "SAMPLE Library",
    "rankings": "RANKINGS",
    "records": "Difference SearchRecord diff read_record",
    "review.matters": (
        "JUDGEMENTS Matter MatterEntry MatterForm MatterState Purged PurgedFile QueuedDocument RaterAgreement"
    ),
    "review.matters.matter_events": (
        "CategoryGiven CriteriaSet DocumentJudged DocumentsShown DraftKept ExportMade FamilyIgnored HighlightsSet "
        "LiteratureKept Logged MatterCreated NoteWritten RedoAsked SearchKept SeedSet StoppingRuleSet UndoAsked"
    ),
    "search": (
        "REGIMES STATUSES Chance Cutoff Emphasis Filters Hit LeftOut Member Part Passage Result SearchOptions "
        "SearchRequest"
    ),
    "review.casework": "MatterReview MatterSnapshot QueueItem ReviewChange ReviewQueue",
    "review.matters.export_options": "ExportOptions",
    "review.stopping": "Stopping",
    "search.charting": "Cell Chart Checked Quote Reference",
    "search.explaining": "Explainer Reasons",
    "search.ranking": "Learned",
    "sources": "read read_draft scan",
}


def __getattr__(name: str) -> object:
    module = next((module for module, names in _MODULES.items() if name in names.split()), None)
    if module is None:
        raise AttributeError(f"module 'foreart' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"foreart.{module}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
