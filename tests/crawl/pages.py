"""Pages of invented patents in the layouts of Google Patents: today's, and the one of 2012 to 2017."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass, field
from datetime import date
from html import escape

# The markup is that of the site (test_crawl_layouts.py compares it with ../shared/data/raw); all texts are invented.
_WORDS = (
    "anchor bracket clamp dowel elbow flange gasket hinge insert joint knob lever mandrel nozzle orifice piston quill "
    "rivet sleeve tether upright valve washer yoke zipper probe lumen stent graft needle catheter membrane polymer "
    "vertebra plate screw rod tissue suture implant sensor signal filter housing channel spring bearing coupling"
)
WORDS = _WORDS.split()


@dataclass(frozen=True)
class Invented:
    """One document of the test site."""

    number: str
    cites: tuple[str, ...] = ()
    published: str = "2005-03-08"
    classes: tuple[str, ...] = ("A61B17/70",)
    examiner: bool = True
    family: tuple[str, ...] = ()
    family_id: str = ""
    priority: str = ""
    cited_by: tuple[str, ...] = ()
    title: str = ""
    words: int = 60
    old: bool = False
    extra: dict[str, str] = field(default_factory=dict)

    def text(self, part: str, count: int) -> str:
        """Words that are unique to this document and part."""
        rng = random.Random(f"{self.number} {part}")
        return " ".join(rng.choices(WORDS, k=count))


def page(document: Invented) -> bytes:
    """The page of a document, in its layout."""
    return (_old(document) if document.old else _new(document)).encode()


def _title(document: Invented) -> str:
    return document.title or f"{document.text('title', 2)} {document.number[-5:]}"


def _application(document: Invented) -> str:
    serial = f"{zlib.crc32(document.number.encode()) % 1_000_000:06d}"
    return f"US10/{serial[:3]},{serial[3:]}"


def _reference(kind: str, number: str, *, star: bool) -> str:
    mark = '<span itemprop="examinerCited">*</span>' if star else ""
    return f"""<tr itemprop="{kind}" itemscope repeat>
      <td><a href="/patent/{escape(number)}/en"><span itemprop="publicationNumber">{escape(number)}</span>
        (<span itemprop="primaryLanguage">en</span>)</a> {mark}</td>
      <td itemprop="priorityDate">1999-01-01</td><td itemprop="publicationDate">2001-01-01</td>
      <td><span itemprop="assigneeOriginal">Anvil Works</span></td><td itemprop="title">Cited thing</td></tr>"""


def _class(symbol: str, place: int) -> str:
    first = '<meta itemprop="FirstCode" content="true">' if place == 0 else ""
    return f"""<ul itemprop="classifications" itemscope repeat><li itemprop="classifications" itemscope repeat>
      <span itemprop="Code">{symbol[:4]}</span><meta itemprop="IsCPC" content="true"></li>
      <li itemprop="classifications" itemscope repeat><span itemprop="Code">{symbol}</span>&mdash;
      <span itemprop="Description">Things</span><meta itemprop="Leaf" content="true">{first}
      <meta itemprop="IsCPC" content="true"></li></ul>"""


def _new(document: Invented) -> str:
    cited = "\n".join(_reference("backwardReferencesOrig", number, star=document.examiner) for number in document.cites)
    citing = "\n".join(_reference("forwardReferencesOrig", number, star=True) for number in document.cited_by)
    family = "\n".join(
        f'<tr itemprop="docdbFamily" itemscope repeat><td><span itemprop="publicationNumber">{number}</span></td></tr>'
        for number in document.family
    )
    priority = (
        f'<tr itemprop="appsClaimingPriority" itemscope repeat><td><span itemprop="applicationNumber">'
        f'{document.priority}</span></td><td itemprop="filingDate">1998-01-02</td></tr>'
        if document.priority
        else ""
    )
    classes = "".join(_class(symbol, place) for place, symbol in enumerate(document.classes))
    identity = f"<h2>ID={document.family_id}</h2>" if document.family_id else ""
    claims = "\n".join(
        f'<li class="{"claim" if number == 1 else "claim-dependent"}"><div id="CLM-{number:05d}" num="{number:05d}" '
        f'class="claim"><div class="claim-text">{number}. A device'
        f"{'' if number == 1 else ' of claim 1'} with {document.text(f'claim {number}', 12)}.</div></div></li>"
        for number in (1, 2)
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><title>{document.number} - {_title(document)} - Google Patents</title>
<meta charset="UTF-8"><link rel="canonical" href="https://patents.google.com/patent/{document.number}/en">
<meta name="DC.type" content="patent"><script>var claims = "stolen by a script";</script></head>
<body unresolved><article class="result" itemscope itemtype="http://schema.org/ScholarlyArticle">
<h1 itemprop="pageTitle">{document.number} - {_title(document)} - Google Patents</h1>
<span itemprop="title">{_title(document)}</span>
<dl><dt>Publication number</dt><dd itemprop="publicationNumber">{document.number}</dd>
<dt>Application number</dt><dd itemprop="applicationNumber">{_application(document)}</dd>
<dt>Inventor</dt><dd itemprop="inventor" repeat>Ida Invented</dd>
<dt>Original Assignee</dt><dd itemprop="assigneeOriginal" repeat>Anvil Works</dd>
<dt>Filing date</dt><dd><time itemprop="filingDate" datetime="1999-02-22">1999-02-22</time></dd>
<dt>Publication date</dt><dd><time itemprop="publicationDate" datetime="{document.published}"></time></dd></dl>
<section itemprop="family" itemscope>{identity}<table>{family}{priority}</table></section>
<section><h2>Classifications</h2>{classes}</section>
<section itemprop="abstract" itemscope><h2>Abstract</h2><div itemprop="content" html><abstract lang="EN">
<div class="abstract">{document.text("abstract", 20)}.</div></abstract></div></section>
<section itemprop="description" itemscope><h2>Description</h2><div itemprop="content" html>
<ul lang="EN" class="description"><heading>FIELD</heading>
<li><para-num num="[0001]"> </para-num><div class="description-line">{document.text("description", document.words)}.
{document.extra.get("description", "")}</div></li></ul></div></section>
<section itemprop="claims" itemscope><h2>Claims (<span itemprop="count">2</span>)</h2><div itemprop="content" html>
<ol lang="EN" class="claims">{claims}</ol></div></section>
<h2>Cited By</h2><table><tbody>{citing}</tbody></table>
<h2>Citations</h2><table><caption>* Cited by examiner</caption><tbody>{cited}</tbody></table>
</article></body></html>
"""


def _old_reference(number: str, *, star: bool) -> str:
    mark = "<span class='patent-tooltip-anchor' data-tooltip-text=\"Cited by examiner\"> *</span>" if star else ""
    return (
        f'<tr><td class="patent-data-table-td citation-patent"><a href="/patents/{escape(number)}">{escape(number)}</a>'
        f'{mark}</td><td class="patent-data-table-td patent-date-value">Jan 4, 1999</td>'
        '<td class="patent-data-table-td patent-date-value">Feb 6, 2001</td>'
        '<td class="patent-data-table-td ">Anvil Works</td><td class="patent-data-table-td ">Cited thing</td></tr>'
    )


def _old_table(anchor: str, title: str, head: str, rows: str) -> str:
    return (
        f'<div class="patent-section patent-tabular-section"><a id="{anchor}"></a><div class="patent-section-header">'
        f'<span class="patent-section-title">{title}</span></div><table class="patent-data-table"><thead><tr>'
        f'<th class="patent-data-table-th">{head}</th></tr></thead>{rows}</table></div>'
    )


def _old_fact(label: str, value: str) -> str:
    heading = f'<td class="patent-bibdata-heading">{label}</td>'
    return f'<tr class="">{heading}<td class="single-patent-bibdata">{value}</td></tr>'


def _old_list(label: str, values: tuple[str, ...]) -> str:
    inner = ", ".join(
        f'<span class="patent-bibdata-value"><a href="/patents/{value}">{value}</a></span>' for value in values
    )
    return (
        f'<tr class="patent-bibdata-list-row "><td class="patent-bibdata-heading">{label}</td>'
        f'<td><span class="patent-bibdata-value-list">{inner}</span></td></tr>'
    )


def _old(document: Invented) -> str:
    kind = document.number[-2:]
    bare = document.number.removesuffix(kind)
    published = date.fromisoformat(document.published).strftime("%b %-d, %Y")
    cited = "".join(_old_reference(number, star=document.examiner) for number in document.cites)
    citing = "".join(_old_reference(number, star=True) for number in document.cited_by)
    symbols = ", ".join(
        f'<span class="nested-value"><a href="/u?q=x">{symbol}</a></span>' for symbol in document.classes
    )
    claims = "".join(
        f'<div class="{"claim" if number == 1 else "claim-dependent"}"> <div id="CLM-{number:05d}" num="{number:05d}" '
        f'class="claim"><div class="claim-text">{number}. A device{"" if number == 1 else " of claim 1"} with '
        f"{document.text(f'claim {number}', 12)}.</div></div></div>"
        for number in (1, 2)
    )
    return f"""<!DOCTYPE html><html><head><title>Patent {bare} - {_title(document)} - Google Patents</title>
<meta name="DC.type" content="patent"><meta name="DC.title" content="{_title(document)}">
<meta name="citation_patent_number" content="{bare[:2]}:{bare[2:]}"></head><body>
<span class="patent-number">{bare} {kind}</span><div class="patent-title"><span class="patent-title">
<invention-title>{_title(document)}</invention-title></span></div>
<table class="patent-bibdata patent-drawings-missing">{_old_fact("Publication number", f"{bare} {kind}")}
{_old_fact("Publication type", "Grant")}{_old_fact("Application number", _application(document))}
{_old_fact("Publication date", published)}{_old_fact("Filing date", "Feb 22, 1999")}
{_old_fact("Priority date", "Feb 23, 1998")}{_old_list("Also published as", document.family)}
{_old_list("Inventors", ("Ida Invented",))}{_old_list("Original Assignee", ("Anvil Works",))}</table>
<div class="patent-section patent-abstract-section"><div class="patent-section-header"><span
 class="patent-section-title"> Abstract</span></div><div class="patent-text"><abstract lang="EN"><div class="abstract">
{document.text("abstract", 20)}.</div></abstract></div></div>
<div class="patent-section patent-claims-section"><div class="patent-section-header"><span
 class="patent-section-title"> Claims(<span class="patent-section-count">2</span>)</span></div><div class="patent-text">
<div lang="EN" class="claims"><claim-statement>What is claimed is:</claim-statement>{claims}</div></div></div>
<div class="patent-section patent-description-section"><div class="patent-section-header"><span
 class="patent-section-title"> Description</span></div><div class="patent-text"><div lang="EN" class="description">
<heading>FIELD</heading><p num="p-0002">{document.text("description", document.words)}.</p></div></div></div>
{_old_table("backward-citations", "Patent Citations", "Cited Patent", cited)}
{
        _old_table(
            "npl-citations",
            "Non-Patent Citations",
            "Reference",
            '<tr><td class="patent-data-table-td ">1</td><td class="patent-data-table-td "><span> *</span></td>'
            '<td class="patent-data-table-td ">Smith, On anvils, 1999.</td></tr>',
        )
    }
{_old_table("forward-citations", "Referenced by", "Citing Patent", citing)}
{
        _old_table(
            "classifications",
            "Classifications",
            "",
            '<tr><td class="patent-data-table-td ">U.S. Classification</td><td class="patent-data-table-td ">'
            '<span class="nested-value"><a>606/246</a></span></td></tr>'
            '<tr><td class="patent-data-table-td ">Cooperative Classification</td><td class="patent-data-table-td ">'
            f"{symbols}</td></tr>",
        )
    }
</body></html>
"""
