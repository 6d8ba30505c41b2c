"""Search reports that tests write in every form: one as a firm would have it, and one with hostile texts everywhere."""

from __future__ import annotations

from dataclasses import replace

from foreart.document.patent import Claim, Paragraph, Patent, Symbol
from foreart.report.forms.report_data import (
    CategoryLine,
    Estimated,
    FamilyPublication,
    RemovedCount,
    ReportedDocument,
    ReportedDraft,
    ReportedLiterature,
    ReportedPassage,
    ReportedSearch,
    ReportedVerdict,
    ReportEvent,
    SearchReport,
    StoppingFigures,
)
from foreart.report.forms.report_sources import reported_document
from foreart.search import Cutoff, dated_of, rule_of, status_of
from foreart.search.score_parts import Chance

# What spreadsheets, typst, Jinja, TeX, RIS, XML and bidirectional text would act on.
HOSTILE = (
    '=cmd|"x"!A1 #[typst] #panic("t") {{7*7}} {% raw %} <script>alert(1)</script> & \\input{x} $x^2$ %~_ @misc{a, } '
    "TY  - ER  -  \u202ertl\u202c \u05d0\u05d1 \u6f22\u5b57 "
    + "W" * 120
    + " _x000D_ \u201cq\u201d </blockquote> *b* = h\\ `code`"
)

LEVER = (
    "The locking lever (12) is biased by a leaf spring (14) against the ratchet wheel (10), so that the pawl (16) "
    "drops into the next tooth as soon as the handle is released."
)
SPRING = "A wave spring of stainless steel holds the pawl between two teeth; no further spring is needed."
HOUSING = "Der Sperrhebel ist im Gehäuse drehbar gelagert und wird durch eine Schenkelfeder belastet."

PATENTS = (
    Patent(
        "US7585299B2",
        title="Ratchet mechanism with a biased locking lever",
        abstract="A ratchet wheel, a pawl and a locking lever that is biased by a leaf spring.",
        description=(Paragraph("DESCRIPTION", is_heading=True), Paragraph(LEVER, number="3:27-43")),
        claims=(Claim(1, "A ratchet mechanism comprising a ratchet wheel, a pawl and a locking lever."),),
        published="2009-09-08",
        filed="2007-05-11",
        priority="2006-05-12",
        applicants=("Northfield Tools, Inc.",),
        inventors=("Okafor, Adaeze", "Lindqvist, Per"),
        application_number="US11/803012",
        priority_numbers=("US60/799812",),
        cpc=(Symbol("B25B 13/46"), Symbol("F16D 41/12")),
        ipc=(Symbol("B25B 13/46"),),
        language="en",
    ),
    Patent(
        "EP1962041A1",
        title="Sperrklinkengetriebe",
        description=(Paragraph(HOUSING, number="0021"), Paragraph("Weitere Ausführung.", number="0022")),
        claims=(Claim(1, "Getriebe mit einem Sperrhebel."),),
        published="2008-08-27",
        filed="2008-02-20",
        priority="2007-02-21",
        applicants=("Bergmann Antriebe GmbH", "Ulrich Bergmann"),
        inventors=("Ulrich Bergmann",),
        application_number="EP08101842",
        ipc=(Symbol("F16D 41/12"),),
        language="de",
    ),
    Patent(
        "US20140087291A1",
        title="Pawl held by a wave spring",
        description=(Paragraph(SPRING, number="0045"),),
        claims=(Claim(1, "A pawl held by a wave spring."),),
        published="2014-03-27",
        filed="2013-09-20",
        priority="2012-09-21",
        applicants=("Calloway Instruments LLC",),
        inventors=("Reyes, Marisol",),
        cpc=(Symbol("B25B 13/46"),),
        language="en",
    ),
    Patent(
        "WO2015031337A1",
        title="Reversing ratchet",
        description=(Paragraph("The reversing lever carries two pawls.", number="7:12-15"),),
        published="2015-03-12",
        filed="2014-08-26",
        priority="2013-08-29",
        applicants=("Haldane Marine Ltd",),
        language="en",
    ),
    Patent(
        "JP2009119593A",
        title="Ratchet wrench",
        published="2009-06",
        filed="2007-11-16",
        applicants=("Mizuno Kogu KK",),
        language="ja",
    ),
)

DRAFT = ReportedDraft(
    title="Ratchet with a single spring that biases lever and pawl",
    source="ratchet.docx",
    fingerprint="5f2c91d07be84a16a0c3d1f09a2b7e44",
    docket="NF-2201-EP",
    application_number="EP14759821",
    applicants=("Sample & Sons Tools AG",),
    inventors=("Meier, Johanna", "Tanaka, Kei"),
    priority="2014-03-10",
    filed="2015-03-09",
    priority_numbers=("US61/950412",),
    classes=("B25B 13/46", "F16D 41/12"),
    cited=("US7585299B2", "EP1234567"),
    claims=12,
    independent=(1, 9),
    art_unit="3723",
)
SEARCH = ReportedSearch(
    time="2026-11-18T09:14:03+00:00",
    cutoff="2014-03-10",
    cutoff_source="priority date named in the draft",
    regime="epc",
    ranking="all channels, weights learned from the citations of this corpus",
    corpus_fingerprint="9e1f0c2a77d34b18",
    documents=9015,
    compared=7412,
    hits=100,
    filters=(RemovedCount("classes B25B, F16D", 1544, 12), RemovedCount("published from 1980", 59, 3)),
    left_out=803,
    own_family=2,
    fingerprints=(("index", "c03b17"), ("ranking", "77aa41")),
    versions=(("foreart", "0.2.0"), ("python", "3.13.1")),
    draft_fingerprint="5f2c91d0",
)
ESTIMATE = StoppingFigures(
    sentence=(
        "14 found in 120 read. Still unread: about 3 (90 %: 0 to 9), so about 82 % found (61 to 100 %). The next 20 "
        "would bring about 1."
    ),
    found=14,
    read=120,
    unread=Estimated(3.1, 0.0, 9.0),
    share=Estimated(0.82, 0.61, 1.0),
    next_count=20,
    next_finds=1.04,
    target=0.8,
    confidence=0.95,
    may_stop=True,
    basis="Learned from 235 earlier patents of this corpus.",
)


CUTOFF = Cutoff("2014-03-10", "priority date named in the draft", "2015-03-09")


def _by_law(patent: Patent) -> dict[str, str]:
    dated = dated_of(patent)
    status = status_of(dated, CUTOFF, "epc")
    return {"status": status, "rule": rule_of(dated, status, CUTOFF, "epc")}


def _documents() -> tuple[ReportedDocument, ...]:
    us, ep, later, conflicting, japanese = PATENTS
    return (
        reported_document(
            us,
            **_by_law(us),
            rank=1,
            chance=Chance(0.41, 0.33, 0.49, 61, 149),
            family_id="F1",
            family=(FamilyPublication("US20070261515A1", "2007-11-15"), FamilyPublication("DE102007022344A1")),
            categories=(
                CategoryLine("X", (1, 2, 3, 9), rater="J. Meier"),
                CategoryLine("Y", (4, 5), rater="J. Meier"),
            ),
            verdicts=(ReportedVerdict("relevant", "J. Meier", "Closest: only the second spring is missing."),),
            passages=(
                ReportedPassage("3:27-43", LEVER, "1.2", (1,)),
                ReportedPassage("claim 1", "a locking lever", "", (4, 5)),
            ),
        ),
        reported_document(
            ep,
            **_by_law(ep),
            rank=4,
            categories=(CategoryLine("Y", (4, 5), rater="J. Meier"),),
            verdicts=(ReportedVerdict("relevant", "J. Meier"), ReportedVerdict("maybe", "K. Tanaka")),
            passages=(ReportedPassage("[0021]", HOUSING, "4.1", (4,)),),
        ),
        reported_document(
            later,
            **_by_law(later),
            rank=9,
            categories=(CategoryLine("X", (1,), rater="J. Meier"),),
            verdicts=(ReportedVerdict("relevant", "J. Meier", "Check the priority."),),
            passages=(ReportedPassage("[0045]", SPRING, "1.3", (1,)),),
        ),
        reported_document(
            conflicting,
            **_by_law(conflicting),
            rank=17,
            categories=(CategoryLine("A", (1, 9)),),
            verdicts=(ReportedVerdict("maybe", "J. Meier"),),
        ),
        reported_document(japanese, **_by_law(japanese), rank=31, verdicts=(ReportedVerdict("relevant", "K. Tanaka"),)),
    )


REPORT = SearchReport(
    draft=DRAFT,
    cutoff=CUTOFF,
    documents=_documents(),
    literature=(
        ReportedLiterature(
            "HARTWELL, R., Springs in hand tools, Journal of Small Mechanisms, vol. 12-3, June 2003, pages 101-117, "
            "Foundry Press, Leeds, GB",
            categories=(CategoryLine("A", (6, 7)),),
            places=("page 104",),
        ),
    ),
    searches=(SEARCH,),
    fields=("B25B", "F16D"),
    estimate=ESTIMATE,
    log=(
        ReportEvent("2026-11-18T10:02:11+00:00", "exported as csv", "J. Meier"),
        ReportEvent("2026-11-18T11:40:57+00:00", "exported as epo-docx", "J. Meier"),
    ),
    regime="epc",
    matter="NF-2201",
    searcher="J. Meier",
    place="Munich",
    completed="2026-11-18",
    items_before=47,
    agreement="J. Meier and K. Tanaka both judged 40 documents: Cohen's kappa 0.71 (95 % interval 0.48 to 0.89).",
    made="2026-11-18T12:00:00+00:00",
    foreart="0.2.0",
)


def hostile(value: str) -> str:
    """A value with all that readers of files could act on."""
    return f"{HOSTILE} {value}"


HOSTILE_QUOTE = f"{HOSTILE} =quoted\ttext\nof two lines \x00\u00ad\u00a0end"
HOSTILE_PATENT = Patent(
    "US9999999B2",
    title=hostile("title"),
    abstract=hostile("abstract"),
    description=(Paragraph(HOSTILE_QUOTE, number="0001"), Paragraph("-2 volts", number="0002")),
    published="2010-01-05",
    applicants=(hostile("applicant and Co, Ltd, X"),),
    inventors=(hostile("inventor"), "-Minus, Ana"),
    application_number=hostile("number"),
    priority_numbers=(hostile("priority"),),
    ipc=(Symbol(hostile("ipc")),),
    cpc=(Symbol(hostile("cpc")),),
    language="en",
)


def hostile_report() -> SearchReport:
    """The report with hostile texts in every field that holds free text."""
    worst = reported_document(
        HOSTILE_PATENT,
        status="prior art",
        rule=hostile("rule"),
        verdicts=(ReportedVerdict("relevant", hostile("rater"), hostile("note\nline\x0btwo")),),
        passages=(ReportedPassage("[0001]", HOSTILE_QUOTE, "1.1", (1,)), ReportedPassage("[0002]", "-2 volts")),
        categories=(CategoryLine("X", (1,), rater=hostile("rater")),),
    )
    return replace(
        REPORT,
        draft=replace(
            DRAFT,
            title=hostile("draft"),
            docket=hostile("docket"),
            applicants=(hostile("firm"),),
            inventors=(hostile("maker"),),
            classes=(hostile("class"),),
            application_number=hostile("application"),
        ),
        documents=(worst, *REPORT.documents[1:]),
        literature=(ReportedLiterature(hostile("literature"), note=hostile("note")),),
        searches=(replace(SEARCH, ranking=hostile("ranking"), filters=(RemovedCount(hostile("filter"), 3, 1),)),),
        fields=(hostile("field"),),
        estimate=replace(ESTIMATE, sentence=hostile("estimate")),
        log=(ReportEvent("2026-11-18", hostile("export"), hostile("by")),),
        notes=(hostile("warning"),),
        searcher=hostile("searcher"),
        agreement=hostile("agreement"),
    )
