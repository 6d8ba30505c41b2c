"""Parses claims from text: where each starts, its number, and the claims it refers to.

Every pattern runs in linear time: runs of spaces are matched possessively and from their start only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from foreart.document.patent import Claim
from foreart.errors import BadRecord

# No published document has as many claims. Each costs memory for the claims it refers to.
MAX_CLAIMS = 10_000
# Limit for "any of claims 1 to 9999" and "the preceding claims".
_MAX_PARENTS = 500

# "1. ", "1 . ", "1) ", "12.A" (scanned texts lose the space), "What is claimed is: 1."
_PRINTED = re.compile(r"\s*(?:claim\s+)?(\d{1,4})\s?(?:[.)]|\s-)\s*(?=\D)", re.IGNORECASE)
_SPACED = re.compile(r"\s*(\d{1,4})\s+(?=[A-Z(\u201c\"])")
# "1.-38. (canceled)", "1 .- 15 . (canceled)": one entry for many claims, kept as printed
_RANGE = re.compile(r"\s*(\d{1,4})\s?\.?\s?[-\u2013\u2014]\s?(\d{1,4})\s?\.?\s*\(", re.IGNORECASE)
_INLINE = re.compile(r"(?:(?<=[.;:])\s++|(?<!\s)[^\S\n]*+\n\s*+|(?<=\n)|^\s*+)(\d{1,4})\s?[.)]\s++(?=\S)")
_LEAD = re.compile(
    r"^\s*+(?:(?:what|that\s+which)\s+(?:is|we|i)\s+claim(?:ed)?(?:\s*+is)?|(?:we|i)\s+claim"
    r"|the\s+invention\s+claimed\s+is|claims?)"
    r"(?:\s*+[:.])?(?=\s*+(?:\d|$)|[^\S\n]*+\n)",
    re.IGNORECASE,
)

_BETWEEN = (
    r"(?:,|;|/|-|\u2013|\u2014|&|\band/or\b|\band\b|\bor\b|\bto\b|\bthrough\b|\bbis\b|\bund\b|\boder\b"
    r"|\b\u00e0\b|\bet\b|\bou\b|\bany\b|\bone\b|\bof\b|\bclaims?\b)"
)
# "claim 1, 5 mm long" names one claim.
_NO_UNIT = r"(?!\d|\.\d|\s*(?:%|°|(?:[nmckµ]?m|percent|degrees?|prozent|grad)\b))"
_NUMBERS = rf"\d{{1,4}}(?:(?:\s*+{_BETWEEN})++\s*+\d{{1,4}}{_NO_UNIT})*"
# Matched against lower-case text. The English one starts with a literal, which makes the search fast.
_ENGLISH = re.compile(rf"claims?\s*(?:nos?\.?\s*)?\(?({_NUMBERS})")
_OTHERS = re.compile(rf"(?:anspruch(?:s|es)?|anspr\u00fcchen?|revendications?)\s*(?:nos?\.?\s*)?({_NUMBERS})")
_ALL_BEFORE = re.compile(
    r"\b(?:(?:preceding|previous|foregoing|above|prior|above[-\s]mentioned|aforementioned)\s+(?:patent\s+|method\s+"
    r"|device\s+)?claims?"
    r"|claims?\s+above|(?:(?:vorstehend|oben|vorher)\s?genannt|vorhergehend|vorangehend|vorangegangen|vorhergegangen"
    r"|vorausgehend|voranstehend|vorstehend|vorherig|vorgenannt|obig)e[nrs]?"
    r"\s+(?:patent)?anspr(?:\u00fcchen?|uchs?)"
    r"|revendications?\s+(?:pr\u00e9c\u00e9dentes?|ant\u00e9rieures?|ci-dessus))",
    re.IGNORECASE,
)
_BEFORE_WORDS = (
    "ceding",
    "previous",
    "foregoing",
    "above",
    "prior",
    "aforem",
    "vor",
    "oben",
    "obig",
    "précéd",
    "antérieur",
    "ci-dessus",
)
_ITEM = re.compile(r"\d{1,4}|-|\u2013|\u2014|\bto\b|\bthrough\b|\bbis\b|\b\u00e0\b", re.IGNORECASE)
_CATEGORY = re.compile(
    r"\s*(?:an?\s+|the\s+|in\s+an?\s+|ein\s+|das\s+|die\s+)?(?:(?!(?:for|of|to|by|with|using|made|zu[rm]|nach|mit"
    r"|aus)\b)[\w-]+\s+){0,4}?\b(methods?|process(?:es)?|procedure|use|\w*verfahren|verwendung)\b"
    r"(?=\s|,)",
    re.IGNORECASE,
)


def references(text: str, number: int) -> tuple[int, ...]:
    """The numbers of the claims that claim `number` refers to, in ascending order.

    >>> references("The screw according to any one of claims 1 to 3 or 5", 7)
    (1, 2, 3, 5)
    """
    lower = text.lower()
    if "claim" not in lower and "anspr" not in lower and "revendication" not in lower:
        return ()
    found: set[int] = set()
    for pattern in (_ENGLISH,) if "claim" in lower else (_OTHERS,):
        for match in pattern.finditer(lower):
            found.update(_expand(match[1]))
    if any(word in lower for word in _BEFORE_WORDS) and _ALL_BEFORE.search(lower):
        found.update(range(max(1, number - _MAX_PARENTS), number))
    found.discard(number)
    return tuple(sorted(claim for claim in found if 0 < claim < number + _MAX_PARENTS))


def _expand(numbers: str) -> Iterable[int]:
    """The numbers of a list such as `1 to 3, 5`."""
    span_from = 0
    last = 0
    for item in _ITEM.findall(numbers):
        if not item.isdigit():
            span_from = last
            continue
        last = int(item)
        if span_from and span_from < last <= span_from + _MAX_PARENTS:
            yield from range(span_from + 1, last)
        span_from = 0
        yield last


def independent_claims(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims that refer to no other claim, and those of another category than every claim they refer to.

    "A method of using the screw of claim 1" is independent of claim 1.
    """
    categories: dict[int, str] = {}
    found: list[Claim] = []
    for claim in claims:
        own = _category(claim)
        parents = [categories[number] for number in claim.depends_on if number in categories]
        if not claim.depends_on or (parents and own not in parents):
            found.append(claim)
        categories[claim.number] = own
    return tuple(found)


def _category(claim: Claim) -> str:
    """`method`, `use` or `thing`, by the first words of a claim."""
    head = _CATEGORY.match(claim.text)
    word = head[1].lower() if head else ""
    if word.startswith(("use", "verwendung")):
        return "use"
    return "method" if word else "thing"


def numbered_claim(number: int, text: str, *, parents: Iterable[int] = ()) -> Claim:
    """A claim whose number is known, removed from the text if printed there; `parents` come from markup."""
    body = text.strip()
    if _RANGE.match(body):
        return Claim(number, body)
    for printed in (f"{number}.", f"{number} .", f"{number} -", f"{number})"):
        if body.startswith(printed):
            body = body[len(printed) :].strip()
            break
    named = {parent for parent in parents if parent != number}
    return Claim(number, body, tuple(sorted(named.union(references(body, number)))))


def numbered_claims(texts: Iterable[str]) -> tuple[Claim, ...]:
    """One claim per text; the printed number is removed from the text, and numbers not printed are counted."""
    claims: list[Claim] = []
    expected = 1
    for text in texts:
        stripped = text.strip()
        if not stripped:
            continue
        cancelled = _RANGE.match(stripped)
        if cancelled and expected == int(cancelled[1]) < int(cancelled[2]):
            claims.append(Claim(expected, stripped))
            expected = int(cancelled[2]) + 1
            continue
        printed = _PRINTED.match(stripped) or _SPACED.match(stripped)
        number = int(printed[1]) if printed else expected
        # A claim may start with a number of its own: "2. 5 mm screws" is not claim 2 after claim 7.
        if printed and (number >= expected or not claims) and number < expected + 200:
            body = stripped[printed.end() :]
        else:
            number, body = expected, stripped
        if len(claims) == MAX_CLAIMS:
            raise BadRecord(f"more than {MAX_CLAIMS:,} claims")
        claims.append(Claim(number, body.strip(), references(body, number)))
        expected = number + 1
    return tuple(claims)


def split_claims(text: str) -> tuple[Claim, ...]:
    """Splits running text into claims: a new one starts where the next number in sequence is printed."""
    body = _LEAD.sub("", text, count=1)
    starts: list[tuple[int, int]] = []
    expected = 1
    for match in _INLINE.finditer(body):
        number = int(match[1])
        if number == expected or (not starts and number < 3):
            starts.append((match.start(), number))
            expected = number + 1
    if not starts:
        return numbered_claims([body])
    ends = [start for start, _ in starts[1:]] + [len(body)]
    head = body[: starts[0][0]].strip()
    texts = [body[start:end] for (start, _), end in zip(starts, ends, strict=True)]
    if head and starts[0][1] == 2:  # the first claim has no printed number
        texts.insert(0, head)
    return numbered_claims(texts)
