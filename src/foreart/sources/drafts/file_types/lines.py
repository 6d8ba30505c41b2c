"""Joins hard-wrapped lines to paragraphs: words hyphenated at line ends are joined, headings stay separate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from foreart.document.headings import known_heading, unmarked
from foreart.document.paragraphs import looks_like_heading
from foreart.sources.drafts.file_types.printed_lines import TURN, PrintedLine, rows_of, width_of

_NUMBERED = re.compile(r"\s*(\d{1,3})\s?([.)])(?:\s+\S|(?=[A-ZÄÖÜ][a-zäöüß]|A\s))")
_RANGE = re.compile(r"\s*(\d{1,3})\s?\.?\s?[-\u2013\u2014]\s?(\d{1,3})\s?\.?\s*\(")
_FURTHEST = 30
# After these a number at the start of a line is part of the sentence.
_OPEN = re.compile(
    r"(?:\b(?:claims?|of|to|and|or|in|by|figs?\.?|nos?\.?|about|than|anspruch|ansprüchen?|bis|und|von)|[(-])$",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\s*[\[\u3010]\s*\d{1,5}\s*[\]\u3011]")
_BULLET = re.compile(r"\s*(?:[-*•–]|\([a-z0-9]{1,3}\)|[a-z]\))\s+\S")
_FIGURE = re.compile(
    r"\s*(?:FIGS?|Figs?|Figures?|Fig)\.?\s*\d\w*+\b.{0,40}\b(?:is|are|shows?|zeigt|zeigen|depicts?|illustrates?)\b"
)
_RULE = re.compile(r"\s*[=\-_*~]{3,}\s*$")
_SENTENCE_END = re.compile(r"[.:;!?]['\"”)\]]*$")
_ELEMENT_END = re.compile(r"[;:](?:\s+(?:and|or|und|oder|and/or))?$")
_CUT = re.compile(r"(?<!\w)(\w++)[-\u2010]$")
_WORD = re.compile(r"(?<!\w)(?<!\w-)\w++(?:-\w++)*+(?!-)")
_CONJUNCTION = re.compile(r"(?:and|or|und|oder|bzw|to|bis|nor)\b")
_SOFT = "\u00ad"
LABEL = re.compile(
    r"\b(?:priority(?:\s+date)?|date\s+of\s+priority|filing\s+date|filed(?:\s+on)?|date\s+of\s+filing"
    r"|(?:applicant|inventor|assignee)(?:s|\(s\))?(?:\s*/\s*assignee)?"
    r"|(?:attorney|agent)(?:['’]s)?\s+(?:reference|docket)(?:\s+no\.?)?|docket(?:\s+(?:no\.?|number))?"
    r"|our\s+ref\.?"
    r"|prioritätsdatum|prioritätstag|priorität|anmeldetag|anmeldedatum"
    r"|(?:anmelder|erfinder)(?:/?-?in(?:nen)?)?|aktenzeichen"
    r"|title|titel)\s*:",
    re.IGNORECASE,
)
# Lines that are wider are whole paragraphs.
_WIDEST = 160
# A title in capitals may continue over several lines, up to this length.
_LONGEST_HEADING = 500


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph of the file; whether it looks like a heading, has the style of a title, is numbered by Word."""

    text: str
    heading: bool = False
    title: bool = False
    numbered: bool = False


def joined(lines: Sequence[str] | Sequence[PrintedLine]) -> list[Line]:
    """Paragraphs of wrapped lines. One ends at an empty line, and at a line with space left for the next word."""
    rows = [row if isinstance(row, PrintedLine) else None for row in lines]
    known = [row for row in rows if row is not None] or rows_of(str(line) for line in lines)
    return _Joiner(known).paragraphs()


class _Joiner:
    """The finished paragraphs and the lines of the open one."""

    def __init__(self, rows: Sequence[PrintedLine]) -> None:
        self.rows = rows
        self.width = width_of(rows)
        self.words = _whole_words(rows)
        self.usual = Counter(row.indent for row in rows).most_common(1)[0][0] if rows else 0
        self.done: list[Line] = []
        self.open: list[PrintedLine] = []
        self.counts = [1]
        self.following: PrintedLine | None = None
        self.sections = 0  # headings among the finished paragraphs of sections other than the title

    def paragraphs(self) -> list[Line]:
        for place, row in enumerate(self.rows):
            self.following = self.rows[place + 1] if place + 1 < len(self.rows) else None
            if _RULE.match(row.text):
                self._close()
            elif not self._takes_heading(row):
                if self._begins(row):
                    self._close()
                self.open.append(row)
        self._close()
        return self.done

    def _close(self) -> None:
        if self.open:
            self.done.append(Line(_paragraph([row.text for row in self.open], self.words)))
            self.open = []

    def _begins(self, row: PrintedLine) -> bool:
        """Whether a paragraph begins with this row."""
        if self._is_counted(row):
            return True
        if not self.open:
            return False
        return row.gap > 0 or _starts(row.text) or self._ended(self.open[-1], row)

    def _is_counted(self, row: PrintedLine) -> bool:
        """Whether the row begins with the next number of a count, as claims do; some numbers may be missing."""
        several = _RANGE.match(row.text)
        numbered = _NUMBERED.match(row.text)
        if not (several or numbered) or (not self._is_free(row) and _OPEN.search(self.open[-1].text)):
            return False
        if several:
            self.counts[-1] = int(several[2]) + 1
            return self._is_free(row)
        number = int(numbered[1]) if numbered else 0
        capital = not row.text[numbered.end(2) :].lstrip()[:1].islower() if numbered else False
        if not self._is_free(row) and not (capital and number > 1 and number in self.counts):
            return False
        return self._counts(number, capital=capital)

    def _counts(self, number: int, *, capital: bool) -> bool:
        """Whether the number continues one of the open counts: a list within a claim has its own."""
        for depth in reversed(range(len(self.counts))):
            if number == self.counts[depth]:
                self.counts[depth:] = [number + 1]
                return True
        if number == 1:
            self.counts = [*self.counts[-2:], 2]
            return True
        if capital and self.counts[-1] < number <= self.counts[-1] + _FURTHEST:
            self.counts[-1] = number + 1
            return True
        return False

    def _ended(self, last: PrintedLine, row: PrintedLine) -> bool:
        """Whether a paragraph ends between two lines without an empty line between them."""
        if self.width > _WIDEST or LABEL.search(last.text) or LABEL.search(row.text):
            return True
        first = row.text.split(maxsplit=1)[0]
        had_space = last.indent + len(last.text) + 1 + len(first) < 0.95 * self.width
        indented = row.indent >= last.indent + 3
        if _ELEMENT_END.search(last.text) and (had_space or indented):
            return True
        if _SENTENCE_END.search(last.text) is None or first[0].islower():
            return False
        return had_space or (indented and row.indent > self.usual + 1)

    def _is_free(self, row: PrintedLine) -> bool:
        """Whether a number at the start of this row can begin a paragraph: the previous one has ended."""
        if not self.open or row.gap > 0:
            return True
        last = self.open[-1]
        return bool(_SENTENCE_END.search(last.text)) or last.indent + len(last.text) < 0.8 * self.width

    def _takes_heading(self, row: PrintedLine) -> bool:
        """Adds a heading as a paragraph of its own, or to the heading in the line above."""
        if self._continues_heading(row):
            above = self.done.pop().text
            self.sections -= _opens_section(above)
            self._add_heading(f"{above} {unmarked(row.text)}")
            return True
        if not self._is_heading(row):
            return False
        self._close()
        self._add_heading(unmarked(row.text))
        return True

    def _add_heading(self, text: str) -> None:
        self.done.append(Line(text, heading=True))
        self.sections += _opens_section(text)

    def _is_heading(self, row: PrintedLine) -> bool:
        if row.text.startswith("#"):
            return True
        free = self._is_free(row) or row.gap == TURN
        if self._runs_on(row):
            return False
        if known_heading(row.text) and (free or row.text.isupper()):
            return True
        after_sentence = not self.open or row.gap > 0 or _SENTENCE_END.search(self.open[-1].text) is not None
        return after_sentence and looks_like_heading(unmarked(row.text))

    def _runs_on(self, row: PrintedLine) -> bool:
        """Whether a line that reads like a heading is not one, because its sentence continues in the next line."""
        after = self.following
        return after is not None and after.gap == 0 and after.text[0].islower() and not row.text.isupper()

    def _continues_heading(self, row: PrintedLine) -> bool:
        """BACKGROUND OF / THE INVENTION is one heading; TITLE / BACKGROUND is two. A title in capitals may continue."""
        if self.open or not self.done or not self.done[-1].heading or row.gap > 0:
            return False
        above, here = self.done[-1].text, unmarked(row.text)
        if len(above) > _LONGEST_HEADING or known_heading(here) or row.text.startswith("#"):
            return False
        capitals = _is_capital(here) and _is_capital(above)
        whole = known_heading(f"{above} {here}")
        if whole and not whole.rest and (capitals or here[0].islower()) and len(here.split()) <= 8:
            return True
        capitals = capitals and here[-1] not in ".;:"
        return capitals and not known_heading(above) and not self.sections


def _opens_section(heading: str) -> bool:
    known = known_heading(heading)
    return known is not None and known.section != "title"


def _is_capital(text: str) -> bool:
    """Whether all but a few letters are capitals: a title may name miRNA."""
    letters = [sign for sign in text if sign.isalpha()]
    return len(letters) > 1 and sum(map(str.isupper, letters)) >= 0.8 * len(letters)


def _starts(line: str) -> bool:
    return bool(_BRACKETED.match(line) or _BULLET.match(line) or _FIGURE.match(line) or LABEL.match(line))


def _whole_words(rows: Sequence[PrintedLine]) -> frozenset[str]:
    """The words that are not hyphenated at a line end: they show which hyphens are part of a word."""
    return frozenset(word.lower() for row in rows for word in _WORD.findall(row.text))


def _paragraph(lines: Sequence[str], words: frozenset[str]) -> str:
    parts = [" ".join(lines[0].split())]
    for line in (" ".join(item.split()) for item in lines[1:]):
        last = parts[-1]
        cut = _CUT.search(last)
        if last.endswith(_SOFT):
            parts[-1] = last[:-1]
        elif cut and line[0].islower() and not _CONJUNCTION.match(line):
            parts[-1] = _joined_word(last, cut[1], line, words)
        elif not (cut and line[0].isupper() and not line[:2].isupper() and cut[1][0].isupper()):
            parts.append(" ")
        parts.append(line)
    return "".join(parts).replace(_SOFT, "")


def _joined_word(text: str, head: str, line: str, words: frozenset[str]) -> str:
    """A text without the hyphen of its last word, unless the word is written with it elsewhere."""
    tail = re.match(r"\w+", line)
    with_hyphen = f"{head}-{tail[0] if tail else ''}".lower()
    whole = with_hyphen.replace("-", "")
    meant = with_hyphen in words and whole not in words
    return text if meant else text[:-1]
