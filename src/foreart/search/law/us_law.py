"""US law: the America Invents Act and the law before it, the grace period, and documents of the same inventor."""

from __future__ import annotations

from foreart.identifiers.date_spans import day, months_later, span
from foreart.identifiers.parties import Agreement
from foreart.search.law.priority import Cutoff, Dated

# Applications with an earlier effective filing date are under the law before the America Invents Act.
AIA = day("2013-03-16")


def published_before(document: Dated, cutoff: Cutoff) -> str:
    """The article under which a document published before the cut-off counts.

    Before the AIA, 102(b) counts one year back from the US filing: a foreign priority does not change that (119(a)), a
    provisional or an earlier US application does (119(e), 120).
    """
    if day(cutoff.date) >= AIA:
        return "35 USC 102(a)(1)"
    last = document.published_span[1]
    if last < _year_before(cutoff.date):
        return "35 USC 102(b) before the AIA"
    if cutoff.filed and last < _year_before(cutoff.filed):
        return (
            f"35 USC 102(b) before the AIA, because more than a year before the filing {cutoff.filed}, unless the "
            "priority is that of a US application (35 USC 119(e), 120)"
        )
    if cutoff.filed:
        return "35 USC 102(a) before the AIA, unless invented earlier"
    return "35 USC 102(a) before the AIA, unless invented earlier, or 102(b) if more than a year before the US filing"


def grace_period(document: Dated, cutoff: Cutoff, people: Agreement) -> str:
    """Whether it may be the inventor's own disclosure within the grace period; `""` if it cannot."""
    after_aia = day(cutoff.date) >= AIA
    if document.published_span[1] < _year_before(cutoff.date if after_aia or not cutoff.filed else cutoff.filed):
        return ""
    article = "35 USC 102(b)(1)" if after_aia else "35 USC 102(a) before the AIA: by others"
    if people == "same":
        return f"same applicant or inventor, within a year: the grace period may exclude it in the US ({article})"
    if people == "other":
        return (
            f"other inventors: the grace period excludes it in the US only if derived from your inventors ({article})"
        )
    return f"within the year before: not prior art in the US if it is the inventor's own ({article})"


def filed_before(document: Dated, cutoff: Cutoff) -> str:
    """The article under which an application published later counts, with its conditions."""
    international = document.office == "WO"
    if day(cutoff.date) >= AIA:
        where = " if it designates the US (35 USC 374)" if international else ""
        return f"35 USC 102(a)(2) with 102(d){where}, against obviousness too"
    filed_late = span(document.filed)[0] >= day(cutoff.date)
    only = ", which is not before the cut-off unless its priority is that of a US application" if filed_late else ""
    where = " if it designates the US, is in English and was filed on or after 2000-11-29" if international else ""
    date = "that filing date" if international else "its US filing date"
    return f"35 USC 102(e) before the AIA{where}, from {date}{only} (no foreign priority: In re Hilmer)"


def same_inventor(cutoff: Cutoff, people: Agreement) -> str:
    """Whether an earlier application of the same people counts; `""` if the people differ."""
    if people == "other":
        return ""
    after_aia = day(cutoff.date) >= AIA
    if people != "same":
        article = "35 USC 102(b)(2)" if after_aia else "35 USC 102(e) before the AIA: by another"
        owned = " or commonly owned" if after_aia else ""
        return f"not prior art in the US if it is the inventor's own{owned} ({article})"
    if after_aia:
        return (
            "same applicant or inventor: not prior art in the US if it names no other inventor (35 USC 102(a)(2)), was "
            "obtained from the inventor or was commonly owned at the effective filing date (102(b)(2))"
        )
    return (
        "same applicant or inventor: not prior art in the US if the inventors are the same (35 USC 102(e): by another)"
    )


def _year_before(date: str) -> int:
    return months_later(day(date), -12)
