"""How results are put into words, the same in every report."""

from __future__ import annotations

import unicodedata

from foreart.search import Hit, Result


def plain(text: str) -> str:
    """A text of unknown origin without control characters, which could steer a terminal or break a page."""
    if text.isprintable():
        return text
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs", "Cf", "Zl", "Zp") else " "
        for char in text
    )


def count(number: int, one: str, many: str = "") -> str:
    """`1 document`, `1,735 documents`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def left_out_sentence(result: Result) -> str:
    """How many documents the dates leave out; `""` if none."""
    number = result.left_out_count
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    return f"{count(number, 'document')} {verb} left out: published and filed after the cut-off."


def cutoff_sentence(result: Result) -> str:
    """The date and where it comes from."""
    return f"{result.cutoff.date} ({result.cutoff.source})"


def published_text(hit: Hit) -> str:
    """The date of publication, marked where it was estimated."""
    if not hit.published:
        return "unknown"
    return f"{hit.published} (estimated)" if hit.published_estimated else hit.published


def earlier_member(hit: Hit) -> str:
    """The id of a family member that is prior art where the hit itself is not; `""` if there is none."""
    if hit.status == "prior art":
        return ""
    return next((member.id for member in hit.family_members if member.status == "prior art"), "")


def shares(hit: Hit, number: int) -> list[tuple[str, float]]:
    """The heaviest words with their share of the score, 0 to 1."""
    return [(word, contribution / hit.score) for word, contribution in hit.words[:number]] if hit.score else []
