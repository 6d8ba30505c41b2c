"""The patents named in the prose of a text, as opposed to a list of citations appended to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from foreart.document.mentions import Mention, mentions
from foreart.identifiers.numbers import number_key

# A number has at least five digits within 12 bytes; the text before it and a list after it are within the margin.
_DIGITS, _WINDOW, _MARGIN = 5, 12, 240
_TITLES = (
    # English
    r"references? cited|(?:patent |family[- ]to[- ]family |non-patent )?citations?|citation list|patents? cited"
    r"|cited (?:by(?: examiner| applicant)?|documents?|patents?|references?)|(?:u\.?s\.? |foreign |cited )?patent"
    r" documents|(?:prior[- ]art|related[- ]art) documents?|patent literature|references"
    r"|list of (?:cited )?(?:references|patents|documents)"
    # German, French, Spanish, Italian
    r"|(?:angeführte|zitierte|entgegengehaltene) (?:patente|(?:patent)?literatur|(?:druck|patent)?schriften|dokumente)"
    r"|(?:für die beurteilung der patentfähigkeit )?in betracht gezogene druckschriften|entgegenhaltungen"
    r"|(?:documents|brevets|références) cité(?:e)?s|(?:documentos|patentes|referencias) citad[oa]s"
    r"|(?:documenti|brevetti) citati"
    # Japanese, Chinese, Korean
    r"|[【\[]?(?:引用文献|先行技術文献|特許文献|参考文献|专利文献|專利文獻|引证文献|특허문헌|선행기술문헌)[】\]]?"
)
# A heading stands alone, with a count, or before a colon; a label such as "Patent Citation 1" is none.
_HEADING = re.compile(rf"\W*(?:{_TITLES})(?:\W*+\d*+\W*+$|\W*\(\d+\)|\s*[:：])", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
# What stands in quotes is a title, whatever its words.
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]{1,200}[\"”“»]")
# Short lines that name one patent each are entries of a list, and so are rows of numbers with kind codes; five or more
# are a list. Authors who name patents in a sentence write neither, nor numbers with kind codes and no words.
_WORDS_PER_ENTRY, _WORDS_PER_NUMBER = 12, 8
_MIN_ENTRIES = 5
# Lines from one entry to the next: the date, owner and title of the first may be on lines of their own.
_MAX_GAP = 4
_KIND = re.compile(r"[A-Z]\d?$")
# What a line of numbers alone may have besides them, and besides names and months, which are capitalised.
_LIST_WORD = re.compile(
    r"(?:pats?|patents?|nos|numbers?|publ?|publications?|appl?n?|applications?|ser|serial|and|und|see|also|generally"
    r"|siehe|auch|issued|granted|filed|dated|published|from|entitled|titled|inventor|assignee|prior|art|related"
    r"|documents?|references?|include|cited|examiner|applicant"
    # particles of names
    r"|van|von|der|den|del|della|dos|ter|zur"
    # the labels of Japanese and Chinese lists
    r"|(?:非?特許|先行技術|引用|参考|非?专利)文献|国際公開|公開|号|号?公報|号?公报)$"
)
# Verbs with which authors say something of a patent.
_SAYS = re.compile(
    r"\b(?:(?:disclose|describe|teache?|propose|suggest|show)s?|relates|reports|known|offenbart|beschreib(?:t|en)"
    r"|zeig(?:t|en)|bekannt|décri(?:t|vent)|divulgue(?:nt)?|connaît|divulgan?|describen?)\b|開示|記載"
)
_SENTENCE_END = re.compile(r"[.!?:;)\]\"”’]\s*$")


def named_numbers(text: str) -> list[str]:
    """Publication numbers named in the prose of a description, without kind codes or duplicates, in order."""
    return list(dict.fromkeys(key for part in _parts(text) for key in part.keys))


def listed_lines(text: str) -> set[int]:
    """Line numbers of lists of citations: heading, entries, and the lines between two entries."""
    return {line for part in _parts(text, lists_only=True) for line in part.listed}


def _parts(text: str, *, lists_only: bool = False) -> Iterator[_ListPart]:
    """Reads the runs of lines with digits; the rest of a text names no number."""
    lines = text.split("\n")
    ends = np.cumsum([len(line.encode("utf-8", "replace")) + 1 for line in lines])
    encoded = np.frombuffer(text.encode("utf-8", "replace"), dtype=np.uint8)
    digits = np.cumsum((encoded >= ord("0")) & (encoded <= ord("9")), dtype=np.int64)
    if len(digits) < _DIGITS or digits[-1] < _DIGITS:
        return
    in_window = digits - np.concatenate([np.zeros(min(_WINDOW, len(digits)), np.int64), digits[:-_WINDOW]])
    near = np.unique(np.searchsorted(ends, np.flatnonzero(in_window >= _DIGITS), side="right"))
    if not len(near):
        return
    for run in np.split(near, np.flatnonzero(np.diff(near) > _MAX_GAP + 1) + 1):
        part, with_digits = _ListPart(lists_only), set(run.tolist())
        # The heading of a list precedes it.
        for number in range(max(0, int(run[0]) - _MAX_GAP), int(run[-1]) + 1):
            part.read(lines, number, has_digits=number in with_digits)
        part.close()
        yield part


@dataclass(slots=True)
class _ListPart:
    """State of reading lines in order: `keys` of numbers in prose (incomplete with `lists_only`), `listed` lines."""

    lists_only: bool
    keys: list[str] = field(default_factory=list)
    listed: list[int] = field(default_factory=list)
    _headed: bool = False
    # The keys of each line of what may be a list; empty for its heading and for lines of numbers alone.
    _entries: dict[int, list[str]] = field(default_factory=dict)

    def read(self, lines: list[str], number: int, *, has_digits: bool) -> None:
        """Reads the next line; `has_digits` says whether it can name a number."""
        line = lines[number]
        heading = _HEADING.match(line)
        if not (has_digits or heading or self._entries):
            return
        words = len(_WORD.findall(line))
        parsed = has_digits and (not self.lists_only or self._headed or words <= _WORDS_PER_ENTRY)
        named = [item for item in _near_digits(line) if item.kind == "publication"] if parsed else []
        last = max(self._entries, default=number)
        said = _is_said(line, named, words)
        if heading and not said:
            self.close()
            self._headed, self._entries = True, {number: []}
        elif not named and self._entries and words <= _WORDS_PER_ENTRY and number - last <= _MAX_GAP:
            return
        elif named and (
            (_is_listing(line, named, words) and not _wrapped(lines, number))
            or (not words and _coded(named) == len(named))
        ):
            self._entries[number] = []
        elif not (self._headed and said) and (
            _is_entry(named, words) or (named and self._headed and number == last + 1)
        ):
            self._entries[number] = _keys(named)
        else:
            self.close()
            self.keys += [] if _is_row(named, words) else _keys(named)

    def close(self) -> None:
        """Classifies the collected entries: a few are prose; many, or any under a heading, are a list."""
        keys = [key for entry in self._entries.values() for key in entry]
        bare = [number for number, entry in self._entries.items() if not entry]
        if self._headed or len(bare) > 1 or len(keys) >= _MIN_ENTRIES:
            lines = list(self._entries)
            # The last entry is followed by as many lines as every other one.
            gap = min(np.diff(lines[1:] if self._headed else lines), default=1)
            self.listed += range(lines[0], lines[-1] + int(gap))
        else:
            self.keys += keys
            self.listed += bare
        self._headed, self._entries = False, {}


def _wrapped(lines: list[str], number: int) -> bool:
    """Whether a line is the middle of a sentence that was broken into lines."""
    before = lines[number - 1] if number else ""
    after = lines[number + 1] if number + 1 < len(lines) else ""
    unfinished = len(_WORD.findall(before)) > _WORDS_PER_NUMBER and not _SENTENCE_END.search(before)
    return unfinished or after[:1].islower()


def _is_said(line: str, named: list[Mention], words: int) -> bool:
    """Whether a line below a heading is prose nevertheless: it has a verb, or is too long for entries."""
    most = _WORDS_PER_ENTRY if line.rstrip().endswith(".") else 2 * _WORDS_PER_ENTRY
    return bool(named) and (words > most * len(named) or _SAYS.search(line) is not None)


def _is_listing(line: str, named: list[Mention], words: int) -> bool:
    """Whether a line has no more than numbers, names and months, or one number with a title and no full stop.

    Authors who have something to say of a patent say it in a sentence.
    """
    titled = len(named) == 1 and words <= _WORDS_PER_NUMBER and not _WORD.search(line[: named[0].start])
    if titled and not _SENTENCE_END.search(line):
        return True
    if len(line) > _MARGIN * len(named):
        return False
    rest: list[str] = []
    end = 0
    for item in named:
        rest.append(line[end : item.start])
        end = item.end
    others = _WORD.findall(_QUOTED.sub(" ", " ".join((*rest, line[end:]))))
    return all(word[0].isupper() or _LIST_WORD.match(word) for word in others)


def _keys(named: list[Mention]) -> list[str]:
    return [number_key(item.number) for item in named]


def _coded(named: list[Mention]) -> int:
    """The count of numbers with a kind code."""
    return sum(bool(_KIND.search(item.printed)) for item in named)


def _is_entry(named: list[Mention], words: int) -> bool:
    """Whether a line may be an entry of a list."""
    return words <= _WORDS_PER_ENTRY and (len(named) == 1 or _coded(named) == len(named) > 0)


def _is_row(named: list[Mention], words: int) -> bool:
    """Whether a line is a table row of numbers, most with a kind code, and few words per number."""
    return len(named) >= _MIN_ENTRIES and 2 * _coded(named) > len(named) and words <= _WORDS_PER_NUMBER * len(named)


def _near_digits(line: str) -> tuple[Mention, ...]:
    """The mentions in a line; of a long one only the text around its digits is read."""
    if len(line) < 4 * _MARGIN:
        return mentions(line)
    spans: list[list[int]] = []
    for found in re.finditer(r"\d{5}|\d[,.'’/\s-]\s?\d{3}", line):
        first, last = max(0, found.start() - _MARGIN), found.end() + _MARGIN
        if spans and first <= spans[-1][1]:
            spans[-1][1] = last
        else:
            spans.append([first, last])
    return tuple(item for first, last in spans for item in mentions(line[first:last]))
