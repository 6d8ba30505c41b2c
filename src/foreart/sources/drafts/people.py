"""Applicants and inventors of a draft, as labelled on its cover page; never from its prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from foreart.document.headings import known_heading
from foreart.sources.drafts.file_types.lines import LABEL, Line

# A cover page has short lines: it ends at the first longer one, or at the first heading other than the title's.
_LONGEST = 200
_LABELS = {
    "applicants": r"(?:name\s+of\s+(?:the\s+)?)?applicant(?:s|\(s\))?(?:\s*/\s*assignee)?|anmelder(?:/?-?in(?:nen)?)?",
    "inventors": r"(?:name\s+of\s+(?:the\s+)?)?inventor(?:s|\(s\))?|erfinder(?:/?-?in(?:nen)?)?",
    "assignees": r"assignee(?:s|\(s\))?",
}
# Covers like those of published documents have the INID code in front: (71) Applicant.
_LABELLED = {
    what: re.compile(rf"\s*(?:\(\d\d\)\s*)?(?:{label})\s*:\s*", re.IGNORECASE) for what, label in _LABELS.items()
}
_ASIDE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_NOBODY = re.compile(
    r"(?:n\.?\s?n\.?|n/?a|t\.?b\.?[dan]\.?|none|unknown|to\s+be\s+(?:determined|named|added|confirmed)"
    r"|unbekannt|wird\s+nach\w+|folgt|[\W_]*)",
    re.IGNORECASE,
)
_FORM = (
    r"(?:gmbh|mbh|ag|se|kg|kgaa|ohg|ug|e\.\s?v\.|inc\.?|incorporated|corp\.?|corporation|co\.|company|ltd\.?|limited"
    r"|llc|l\.l\.c\.|llp|lp|plc|b\.?v\.?|n\.?v\.?|s\.?a\.?(?:s|r\.?l)?\.?|s\.?p\.?a\.?|s\.?r\.?l\.?|a/s|ab|oy|oyj|k\.k\.)"
)
_COMPANY = re.compile(rf"(?:^|.*[\s,]){_FORM}$", re.IGNORECASE)
_AFTER_FORM = re.compile(rf"(?<=\S)((?:\s|,\s){_FORM})(?:,\s*+|\s+(?:and|und)\s++)(?!{_FORM}(?:\W|$))", re.IGNORECASE)
_FULL_STOP = re.compile(r"(?<!\b(?:inc|ltd))(?<!\bcorp)(?<!\b(?:co|jr|sr))(?<!\b\w)\.$", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+|und\s+)?|\s+(?:and|und|&)\s+")
_HOME = re.compile(r"\s+(?:of|aus)\s+[A-ZÄÖÜ].*$")
_WORD = r"[^\W\d_][\w.'’-]*"
_FULL_NAME = re.compile(rf"{_WORD}(?:\s+{_WORD}){{1,5}}")


def people_of(lines: Sequence[Line]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Applicants (assignees if there is no label for applicants) and inventors, in the order of the cover page."""
    found: dict[str, dict[str, None]] = {what: {} for what in _LABELS}
    for row in _cover(lines):
        for part in _labelled_parts(row):
            for what, label in _LABELLED.items():
                begun = label.match(part)
                if begun:
                    names = inventors_in if what == "inventors" else applicants_in
                    found[what] |= dict.fromkeys(names(part[begun.end() :]))
    return tuple(found["applicants"] or found["assignees"]), tuple(found["inventors"])


def applicants_in(text: str) -> tuple[str, ...]:
    """The names in a line, separated by semicolons or ended by legal forms; addresses after a legal form are dropped.

    >>> applicants_in("Acme GmbH & Co. KG, Hauptstr. 1, Berlin; Beta, Inc. (US)")
    ('Acme GmbH & Co. KG', 'Beta, Inc.')
    """
    names: list[str] = []
    for part in _parts(text):
        first, *others = _AFTER_FORM.sub(r"\1\0", part).split("\0")
        names += [first, *(other for other in others if _COMPANY.match(other))]
    return tuple(names)


def inventors_in(text: str) -> tuple[str, ...]:
    """The names in a line, separated by semicolons, or by commas if all are full names; places after them are dropped.

    >>> inventors_in("Ann Lee, Dr. Max Ott and Jo Ray"), inventors_in("Lee, Ann; Max Ott, Ulm")
    (('Ann Lee', 'Dr. Max Ott', 'Jo Ray'), ('Lee, Ann', 'Max Ott'))
    """
    names: list[str] = []
    for part in _parts(text):
        person = _HOME.sub("", part)
        listed = _BETWEEN.split(person)
        full = [name for name in listed if _FULL_NAME.fullmatch(name)]
        if len(full) == len(listed):
            names += listed
        elif full and listed[0] == full[0]:
            names.append(listed[0])
        else:
            names.append(person)
    return tuple(names)


def _cover(lines: Sequence[Line]) -> Iterator[str]:
    for line in lines:
        known = None if LABEL.search(line.text) else known_heading(line.text)
        if len(line.text) >= _LONGEST or (known is not None and known.section != "title"):
            return
        yield from line.text.split("\n")


def _labelled_parts(row: str) -> list[str]:
    """A row split before each of its labels."""
    starts = [found.start() for found in LABEL.finditer(row)]
    return (
        [row] if len(starts) < 2 else [row[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    )


def _parts(text: str) -> list[str]:
    """The parts between semicolons, without countries in brackets and without placeholders such as N.N."""
    plain = _ASIDE.sub("", text)
    parts = (_FULL_STOP.sub("", " ".join(part.split()).strip(" ,")) for part in plain.split(";"))
    return [part for part in parts if not _NOBODY.fullmatch(part)]
