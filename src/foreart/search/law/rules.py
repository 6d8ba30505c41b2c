"""The rule that gives a document its status, as a sentence with the article and the dates."""

from __future__ import annotations

from foreart.identifiers.date_spans import EARLIEST, LATEST, MARGIN, day, months_later, span
from foreart.identifiers.parties import Agreement
from foreart.regimes import Regime
from foreart.search.law import us_law
from foreart.search.law.date_arrays import status_of
from foreart.search.law.kind_codes import earlier_publication
from foreart.search.law.priority import SECRET_PRIOR_ART, Cutoff, Dated, Status

# Contracting states of the EPC, where a national application of earlier date is a prior right (Art. 139(2) EPC).
_STATES = frozenset({
    "AL", "AT", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR", "HR", "HU", "IE", "IS",
    "IT", "LI", "LT", "LU", "LV", "MC", "ME", "MK", "MT", "NL", "NO", "PL", "PT", "RO", "RS", "SE", "SI", "SK", "SM",
    "TR",
})  # fmt: skip
_NEITHER: dict[Regime, str] = {
    "epc": "Art. 54(2), (3) and 89 EPC",
    "us": "35 USC 102(a)",
    "pct": "PCT Rules 33.1 and 64",
    "any": "Art. 54 EPC, 35 USC 102(a), PCT Rule 64",
}
_OTHER_OFFICE: dict[Regime, str] = {
    "epc": "not a European or international application, so its earlier date does not count: Art. 54(3) EPC",
    "us": "not a US or international document, so its earlier date does not count: 35 USC 102(a)(2), (d)",
    "pct": "a design, whose earlier date does not count: PCT Art. 2(i), Rule 33.1(c)",
    "any": "a design of another office, whose earlier date does not count: Art. 54(3) EPC, 35 USC 102(a)(2), "
    "PCT Rule 33.1(c)",
}
_OWN: dict[Status, str] = {
    "prior art": "it still counts",
    "novelty only": "it still counts",
    "mentioned": "it is still mentioned",
    "date unknown": "it may still count",
    "after the date": "it does not count",
}


def rule_of(
    document: Dated,
    status: Status,
    cutoff: Cutoff,
    regime: Regime = "any",
    *,
    people: Agreement = "unknown",
    relation: str = "",
) -> str:
    """Why a document has its status under a law.

    `people` is whether it names the draft's applicants or inventors, `relation` why it is of the draft's own family,
    or why it is not although its text is nearly the same.
    """
    if status == "own family":
        by_date = status_of(document, cutoff, regime)
        text = _explained(document, by_date, cutoff, regime, people)
        counts = by_date == "novelty only" and regime in ("any", "epc") and _counts(document, "epc")
        exempt = "Art. 54(3) EPC makes no exception for the same applicant" if counts else ""
        return _joined(f"own family: {relation}", f"{_OWN[by_date]}: {text}", exempt)
    return _joined(_explained(document, status, cutoff, regime, people), relation)


def _explained(document: Dated, status: Status, cutoff: Cutoff, regime: Regime, people: Agreement) -> str:
    if status == "prior art":
        return _prior(document, cutoff, regime, people)
    if status == "novelty only":
        return _novelty(document, cutoff, regime, people)
    if status == "mentioned":
        return _mentioned(document, cutoff, regime)
    return _after(document, cutoff, regime) if status == "after the date" else _unknown(document, cutoff, regime)


def _prior(document: Dated, cutoff: Cutoff, regime: Regime, people: Agreement) -> str:
    laws = {
        "epc": "Art. 54(2) EPC",
        "us": us_law.published_before(document, cutoff),
        "pct": "PCT Rules 33.1(a) and 64.1",
    }
    text = ", ".join(laws.values()) if regime == "any" else laws[regime]
    grace = us_law.grace_period(document, cutoff, people) if regime in ("any", "us") else ""
    return _joined(f"{_published(document)}, before the cut-off {cutoff.date}: {text}", grace)


def _novelty(document: Dated, cutoff: Cutoff, regime: Regime, people: Agreement) -> str:
    laws = [law for law in SECRET_PRIOR_ART if regime in ("any", law) and _counts(document, law)]
    text = [_european(document) if law == "epc" else us_law.filed_before(document, cutoff) for law in laws]
    if regime == "any" and not document.design:
        text.append("PCT Rules 33.1(c), 64.3 and 70.10: mentioned, not prior art")
    return _joined(
        f"{_effective(document)}, before the cut-off {cutoff.date}, {_published(document)}, not before it: "
        + "; ".join(text),
        "as far as it is entitled to its priority" if span(document.filed)[0] >= day(cutoff.date) else "",
        us_law.same_inventor(cutoff, people) if "us" in laws else "",
        _between(document, cutoff),
        _look(document),
    )


def _counts(document: Dated, law: Regime) -> bool:
    offices, designs = SECRET_PRIOR_ART[law]
    return document.office in offices and (designs or not document.design)


def _european(document: Dated) -> str:
    entered = ", if it entered the European phase (Art. 153(5), Rule 165 EPC)" if document.office == "WO" else ""
    return "Art. 54(3) EPC" + entered


def _mentioned(document: Dated, cutoff: Cutoff, regime: Regime) -> str:
    until = cutoff.search_limit(regime)
    if document.published_span[1] < until:
        return (
            f"{_published(document)}, not before the cut-off {cutoff.date} but before the filing {cutoff.filed}: PCT "
            "Rule 33.1(a), category P; prior art if the draft's priority is not valid (Rule 64.1(b))"
        )
    early = document.effective_span[1] < day(cutoff.date)
    before = f"the cut-off {cutoff.date}" if early else f"the filing {cutoff.filed} (cut-off {cutoff.date})"
    rules = "PCT Rules 33.1(c), 64.3 and 70.10" if early else "PCT Rule 33.1(c)"
    return _joined(
        f"{_effective(document)}, before {before}, {_published(document)}, not before it: {rules}, category E, not "
        "prior art in the international phase",
        _national_right(document) if early and regime == "any" else "",
        _look(document),
    )


def _after(document: Dated, cutoff: Cutoff, regime: Regime) -> str:
    limit = day(cutoff.date)
    if document.effective_span[0] >= limit:
        published = f" and {_published(document)}, neither" if document.published else ", not"
        text = f"{_effective(document)}{published} before the cut-off {cutoff.date}: {_NEITHER[regime]}"
    else:
        text = f"{_published(document)}, not before the cut-off {cutoff.date}; {_other_office(document, regime)}"
    # An application whose priority is missing in the corpus may have one in the year before.
    open_priority = not document.priority and limit <= span(document.filed)[0] <= months_later(limit, 12)
    return _joined(
        text, "no priority is known: check whether it claims one" if open_priority else "", _between(document, cutoff)
    )


def _other_office(document: Dated, regime: Regime) -> str:
    if regime == "epc" and document.design:
        return "a design, whose earlier date does not count: Art. 54(3) EPC"
    national = _national_right(document) if regime == "epc" and document.effective_span[0] != EARLIEST else ""
    return _OTHER_OFFICE[regime] + (f" ({national})" if national else "")


def _national_right(document: Dated) -> str:
    """The state in which a national application of earlier date is a prior right against a European patent."""
    if document.country not in _STATES or document.design:
        return ""
    articles = "Art. 139(2), 140 EPC" if document.kind.startswith(("U", "Y")) else "Art. 139(2) EPC"
    return f"a prior right in {document.country}: {articles}"


def _unknown(document: Dated, cutoff: Cutoff, regime: Regime) -> str:
    limit, effective, first = day(cutoff.date), document.effective_span, document.published_span[0]
    late = f"{_published(document)}, not before the cut-off {cutoff.date}"
    outcome = "mentioned" if regime == "pct" else "novelty only"
    if not document.published and first < limit:
        known = f"; {_effective(document)}" if effective[0] != EARLIEST else ", and no other date"
        text = f"date of publication unknown{known}: prior art if published before the cut-off {cutoff.date}"
    elif first < limit or (document.design and regime == "pct"):
        reason = f"within {MARGIN} days of it" if document.estimated else "exact day unknown"
        text = f"{_published(document)}, {reason}: not decided against the cut-off {cutoff.date}"
    elif effective[1] == LATEST:
        text = f"{late}; priority and filing unknown: {outcome} if one of them is earlier"
    elif effective[1] >= limit:
        text = f"{late}; {_effective(document)}, exact day unknown: {outcome} if it is earlier"
    else:
        text = f"{late}; {_effective(document)}: {outcome} if its office counts, which is not known"
    return _joined(text, _look(document))


def _between(document: Dated, cutoff: Cutoff) -> str:
    """Published between the draft's priority and its filing: category P of a search report."""
    if cutoff.filed and document.published_span[1] < day(cutoff.filed):
        return f"prior art if the draft's priority is not valid, because published before its filing {cutoff.filed}"
    return ""


def _look(document: Dated) -> str:
    """Where the same content may have been published earlier."""
    effective, published = document.effective_span[1], document.published_span[0]
    late = effective != LATEST and published > EARLIEST and months_later(effective, 24) < published
    return earlier_publication(document.country, document.kind, published=document.published, late=late)


def _published(document: Dated) -> str:
    if not document.published:
        first, last = document.published_span
        return "published later" if first != EARLIEST and last == LATEST else "date of publication unknown"
    if document.estimated:
        return f"published about {document.published} (estimated, ± 3 weeks)"
    return f"published {document.published}"


def _effective(document: Dated) -> str:
    priority, filed = span(document.priority), span(document.filed)
    if not document.priority or not document.filed:
        if document.priority:
            return f"priority {document.priority}"
        return f"filed {document.filed}" if document.filed else "priority and filing unknown"
    if filed[1] < priority[0]:
        return f"filed {document.filed}, before its priority {document.priority}"
    bounded = f", not after its filing {document.filed}" if filed[1] < priority[1] else ""
    return f"priority {document.priority}{bounded}"


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
