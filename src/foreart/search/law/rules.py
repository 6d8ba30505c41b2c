"""The rule that gave a document its status, as a sentence with the article and the dates."""

from __future__ import annotations

from foreart.identifiers.date_spans import EARLIEST, LATEST, MARGIN, day, span, year_before
from foreart.search.law.priority import SECRET, Cutoff, Dated, Regime, Status, counts_secretly, published_span

# Applications whose effective filing date is earlier are judged by the law before the America Invents Act.
AIA = day("2013-03-16")
# Contracting states of the EPC: there a national application of earlier date is a prior right (Art. 139(2) EPC).
_STATES = frozenset({
    "AL", "AT", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR", "HR", "HU", "IE", "IS",
    "IT", "LI", "LT", "LU", "LV", "MC", "ME", "MK", "MT", "NL", "NO", "PL", "PT", "RO", "RS", "SE", "SI", "SK", "SM",
    "TR",
})  # fmt: skip
_NEITHER: dict[Regime, str] = {
    "epc": "Art. 54(2), (3) and 89 EPC",
    "us": "35 USC 102(a)",
    "pct": "PCT Rules 33.1 and 64",
    "any": "Art. 54 EPC, 35 USC 102(a), PCT Rules 33.1 and 64",
}
_OTHER_OFFICE: dict[Regime, str] = {
    "epc": "no European or international application, so that its earlier date does not count: Art. 54(3) EPC",
    "us": "no US and no international document, so that its earlier date does not count: 35 USC 102(a)(2), (d)",
    "pct": "a design, whose earlier date does not count: PCT Art. 2(i), Rule 33.1(c)",
    "any": "a design of another office, whose earlier date does not count: Art. 54(3) EPC, 35 USC 102(a)(2), "
    "PCT Rule 33.1(c)",
}


def rule_of(
    document: Dated, status: Status, cutoff: Cutoff, regime: Regime = "any", *, own: bool | None = None, alike: str = ""
) -> str:
    """Why a document has its status under a law.

    `own` tells whether it is of the draft's applicant or inventor, None if that is not known; `alike` why it is of the
    draft's own family.
    """
    if status == "prior art":
        return _prior(document, cutoff, regime, own)
    if status == "novelty only":
        return _novelty(document, cutoff, regime, own)
    if status == "own family":
        return _family(document, cutoff, alike)
    return _after(document, cutoff, regime) if status == "after the date" else _unknown(document, cutoff)


def _prior(document: Dated, cutoff: Cutoff, regime: Regime, own: bool | None) -> str:
    limit = day(cutoff.date)
    laws = {"epc": "Art. 54(2) EPC", "us": _us_published(document, limit), "pct": "PCT Rules 33.1(a) and 64.1"}
    told = ", ".join(laws.values()) if regime == "any" else laws[regime]
    within = published_span(document)[1] >= year_before(limit)
    grace = _grace(limit, own) if within and regime in ("any", "us") else ""
    return f"{_published(document)}, before the cut-off {cutoff.date}: {told}{grace}"


def _us_published(document: Dated, limit: int) -> str:
    if limit >= AIA:
        return "35 USC 102(a)(1)"
    before = published_span(document)[1] < year_before(limit)
    return "35 USC 102(b) before the AIA" if before else "35 USC 102(a) before the AIA, unless invented earlier"


def _grace(limit: int, own: bool | None) -> str:
    if own is False:
        return ""
    article = "35 USC 102(b)(1)" if limit >= AIA else "35 USC 102(a) before the AIA: by others"
    if own:
        return f"; same applicant or inventor, within a year: the grace period may take it out in the US ({article})"
    return f"; within the year before: in the US not if it is the inventor's own ({article})"


def _novelty(document: Dated, cutoff: Cutoff, regime: Regime, own: bool | None) -> str:
    limit = day(cutoff.date)
    asked: tuple[Regime, ...] = tuple(SECRET) if regime == "any" else (regime,)
    told = "; ".join(_secret(document, law, limit) for law in asked if counts_secretly(document, law))
    same = own and limit >= AIA and regime in ("any", "us") and counts_secretly(document, "us")
    parts = (
        f"{_effective(document)}, before the cut-off {cutoff.date}, {_published(document)}, not before it: {told}",
        "as far as it is entitled to its priority" if span(document.filed)[0] >= limit else "",
        "same applicant or inventor: 35 USC 102(b)(2) may take it out in the US" if same else "",
        _between(document, cutoff),
        _look(document),
    )
    return "; ".join(part for part in parts if part)


def _secret(document: Dated, law: Regime, limit: int) -> str:
    """What makes an earlier application that is published later count."""
    world = document.office == "WO"
    if law == "epc":
        return "Art. 54(3) EPC" + (", if it entered the European phase (Art. 153(5), Rule 165 EPC)" if world else "")
    if law == "pct":
        return "PCT Rules 33.1(c) and 64.3, mentioned there without being prior art"
    if limit >= AIA:
        where = " if it designates the US (35 USC 374)" if world else ""
        return f"35 USC 102(a)(2) with 102(d){where}, against obviousness too"
    where = " if it designates the US and is in English" if world else ""
    return f"35 USC 102(e) before the AIA{where}, from its US filing date"


def _after(document: Dated, cutoff: Cutoff, regime: Regime) -> str:
    if span(document.effective)[0] >= day(cutoff.date):
        published = f" and {_published(document)}, neither" if document.published else ", not"
        told = f"{_effective(document)}{published} before the cut-off {cutoff.date}: {_NEITHER[regime]}"
    else:
        told = f"{_published(document)}, not before the cut-off {cutoff.date}; {_other_office(document, regime)}"
    return "; ".join(part for part in (told, _between(document, cutoff)) if part)


def _other_office(document: Dated, regime: Regime) -> str:
    if regime == "epc" and document.design:
        return "a design, whose earlier date does not count: Art. 54(3) EPC"
    national = regime == "epc" and document.country in _STATES and span(document.effective)[0] != EARLIEST
    return _OTHER_OFFICE[regime] + (f" (a prior right in {document.country}: Art. 139(2) EPC)" if national else "")


def _unknown(document: Dated, cutoff: Cutoff) -> str:
    limit = day(cutoff.date)
    if published_span(document)[0] >= limit:
        told = f"{_published(document)}, not before the cut-off {cutoff.date}"
        effective = _effective(document)
        if not document.effective:
            told += "; priority and filing unknown: novelty only if one of them is earlier"
        elif span(document.effective)[1] >= limit:
            told += f"; {effective}, of which the day is not known: novelty only if it is earlier"
        else:
            told += f"; {effective}: novelty only if the office is one that counts, which is not known"
    elif not document.published:
        known = f"; {_effective(document)}" if document.effective else ", and no other date"
        told = f"date of publication unknown{known}: prior art if published before the cut-off {cutoff.date}"
    else:
        reason = f"within {MARGIN} days of it" if document.estimated else "of which the day is not known"
        told = f"{_published(document)}, {reason}: not decided against the cut-off {cutoff.date}"
    return "; ".join(part for part in (told, _look(document)) if part)


def _family(document: Dated, cutoff: Cutoff, alike: str) -> str:
    told = f"own family: {alike}"
    if published_span(document)[1] < day(cutoff.date):
        told += (
            f"; {_published(document)}, before the cut-off {cutoff.date}: counts all the same (Art. 54(2) EPC), in the "
            "US if more than a year before or not your own (35 USC 102(b)(1))"
        )
    return told


def _between(document: Dated, cutoff: Cutoff) -> str:
    """Published between the draft's priority and its filing: category P of a search report."""
    if cutoff.filed and published_span(document)[1] < day(cutoff.filed):
        return f"prior art if the draft's priority is not valid, as published before its filing {cutoff.filed}"
    return ""


def _look(document: Dated) -> str:
    """Where the same content may have been published earlier, by the kind code."""
    country, letter = document.country, document.kind[:1]
    if (country, document.kind) == ("US", "B2"):
        return "its application was published before (A1): look for it"
    if country == "US" and letter in ("E", "C"):
        return "the original patent was published before: look for it"
    if (country, document.kind) == ("US", "A2") or document.kind in ("A8", "A9"):
        return "a repeated or corrected publication: the first one is earlier"
    if country in ("EP", "WO") and document.kind in ("A3", "A4"):
        return "a search report: the application was published before (A2): look for it"
    if letter == "T" and country != "US":
        return "a translation: the European or international publication is earlier: look for it"
    if letter in ("B", "C") and country not in ("", "US"):
        return "a granted patent: its application was published before (A): look for it"
    return ""


def _published(document: Dated) -> str:
    if not document.published:
        first, last = published_span(document)
        return "published later" if first != EARLIEST and last == LATEST else "date of publication unknown"
    if document.estimated:
        return f"published about {document.published} (estimated, ± 3 weeks)"
    return f"published {document.published}"


def _effective(document: Dated) -> str:
    if document.priority:
        return f"priority {document.priority}"
    return f"filed {document.filed}" if document.filed else "priority and filing unknown"
