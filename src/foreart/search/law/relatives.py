"""The applications whose priority or benefit a draft claims, by their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foreart.document.draft import Draft
from foreart.document.mentions import mentions

# English and German. "Related to" and "incorporated by reference" do not establish a family.
_CLAIM = re.compile(
    r"claims?\s+(?:the\s+)?(?:\w+\s+){0,3}?(?:benefit|priority)\b|\bpriority\s+(?:is\s+)?(?:claimed|to|from|of|under)\b"
    r"|\bbenefit\s+(?:is\s+claimed\s+)?(?:of|under)\b|\b(?:continuation(?:[-\s]in[-\s]part)?|division(?:al)?)\s+"
    r"(?:\([A-Z]+\)\s+)?(?:patent\s+)?(?:application\s+)?of\b|\bnational\s+(?:stage|phase)\b"
    r"|\bnon-?provisional\s+(?:application\s+)?of\b"
    r"|beansprucht\s+die\s+priorität|priorität\s+(?:der|aus|von|des)\b|\bteilanmeldung\b|\bnationale\s+phase\b",
    re.IGNORECASE,
)
# Each match of _CLAIM contains one of these: most paragraphs have none, and searching for them is much faster.
_HINTS = ("claim", "priorit", "benefit", "continuation", "division", "national", "provisional", "teilanmeldung")
_STOP = re.compile(r"(?<=\S)\.\s+(?=[A-ZÄÖÜ])")
_ABBREVIATED = re.compile(
    r"(?:U\.?S|U\.?S\.?C|Nos?|Ser|Pat|Appl?|Appln|Publ?|Pubs?|Nr|vom|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Okt|Nov|Dec"
    r"|Dez|Provisional|Prov|Intl|Int|i\.e|e\.g|[A-Z])",
    re.IGNORECASE,
)
# Characters: a priority claim may list many applications, but a description without full stops is not one.
_LONGEST = 3000
_LONGEST_WORD = 24  # longer than any abbreviation


def relatives(draft: Draft) -> tuple[str, ...]:
    """The normalised numbers of applications and patents whose priority or benefit the description claims.

    >>> from foreart.document.patent import Paragraph
    >>> text = "A continuation of U.S. application Ser. No. 12/345,678, now U.S. Pat. No. 8,123,456. See EP 1234567."
    >>> relatives(Draft(description=(Paragraph(text),)))
    ('US12/345678', 'US8123456')
    """
    numbers = (mention.number for sentence in _sentences(draft) for mention in mentions(sentence))
    return tuple(dict.fromkeys(numbers))


def _sentences(draft: Draft) -> Iterator[str]:
    """The text from each priority claim to the end of its sentence."""
    for paragraph in draft.description:
        text, end = paragraph.text, 0
        folded = text.casefold()
        if not any(hint in folded for hint in _HINTS):
            continue
        for claim in _CLAIM.finditer(text):
            if claim.start() >= end:
                end = _end(text, claim.end())
                yield text[claim.start() : end]


def _end(text: str, start: int) -> int:
    for stop in _STOP.finditer(text, start + 1, start + _LONGEST):
        word = text[max(start, stop.start() - _LONGEST_WORD) : stop.start()].split()[-1]
        if not _ABBREVIATED.fullmatch(word.lstrip("([")):
            return stop.end()
    return min(len(text), start + _LONGEST)
