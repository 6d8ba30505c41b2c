"""What US law says of a document: the America Invents Act and the law before it, the grace period, one inventor."""

from __future__ import annotations

from foreart.identifiers.date_spans import day, months_later, span
from foreart.identifiers.parties import Agreement
from foreart.search.law.priority import Cutoff, Dated

# Applications whose effective filing date is earlier are judged by the law before the America Invents Act.
AIA = day("2013-03-16")


def published_before(document: Dated, cutoff: Cutoff) -> str:
    """The article under which a document counts that was published before the cut-off.

    Before the AIA, 102(b) looks a year back from the filing in the US: a foreign priority does not help (119(a)), a
    provisional or an earlier US application does (119(e), 120).
    """
    if day(cutoff.date) >= AIA:
        return "35 USC 102(a)(1)"
    last = document.published_span[1]
    if last < _year_before(cutoff.date):
        return "35 USC 102(b) before the AIA"
    if cutoff.filed and last < _year_before(cutoff.filed):
        return (
            f"35 USC 102(b) before the AIA, as more than a year before the filing {cutoff.filed}, unless the priority "
            "is that of a US application (35 USC 119(e), 120)"
        )
    if cutoff.filed:
        return "35 USC 102(a) before the AIA, unless invented earlier"
    return "35 USC 102(a) before the AIA, unless invented earlier, or 102(b) if more than a year before the US filing"


def grace_period(document: Dated, cutoff: Cutoff, people: Agreement) -> str:
    """Whether the inventor's own disclosure within a year before may be meant; `""` if it cannot."""
    new = day(cutoff.date) >= AIA
    if document.published_span[1] < _year_before(cutoff.date if new or not cutoff.filed else cutoff.filed):
        return ""
    article = "35 USC 102(b)(1)" if new else "35 USC 102(a) before the AIA: by others"
    if people == "same":
        return f"same applicant or inventor, within a year: the grace period may take it out in the US ({article})"
    if people == "other":
        return f"other inventors: the grace period takes it out in the US only if it goes back to yours ({article})"
    return f"within the year before: in the US not if it is the inventor's own ({article})"


def filed_before(document: Dated, cutoff: Cutoff) -> str:
    """The article under which an application counts that is published later, with its conditions."""
    world = document.office == "WO"
    if day(cutoff.date) >= AIA:
        where = " if it designates the US (35 USC 374)" if world else ""
        return f"35 USC 102(a)(2) with 102(d){where}, against obviousness too"
    late = span(document.filed)[0] >= day(cutoff.date)
    only = ", which is not before the cut-off unless its priority is that of a US application" if late else ""
    where = " if it designates the US, is in English and was filed on or after 2000-11-29" if world else ""
    date = "that filing date" if world else "its US filing date"
    return f"35 USC 102(e) before the AIA{where}, from {date}{only} (no foreign priority: In re Hilmer)"


def same_inventor(cutoff: Cutoff, people: Agreement) -> str:
    """Whether an earlier application of the same people counts; `""` if they are others."""
    if people == "other":
        return ""
    new = day(cutoff.date) >= AIA
    if people != "same":
        article = "35 USC 102(b)(2)" if new else "35 USC 102(e) before the AIA: by another"
        return f"in the US not if it is the inventor's own{' or commonly owned' if new else ''} ({article})"
    if new:
        return (
            "same applicant or inventor: in the US not if it names no other inventor (35 USC 102(a)(2)), was obtained "
            "from the inventor or was commonly owned at the effective filing date (102(b)(2))"
        )
    return "same applicant or inventor: in the US not if the inventors are the same (35 USC 102(e): by another)"


def _year_before(date: str) -> int:
    return months_later(day(date), -12)
