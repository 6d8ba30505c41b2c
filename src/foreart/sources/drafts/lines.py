"""Hard-wrapped lines become paragraphs again: words cut at line ends are joined, headings stand alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foreart.paragraphs import looks_like_heading
from foreart.sources.drafts.headings import known_heading, unmarked

_NUMBERED = re.compile(r"\s*(\d{1,3})\s?[.)]\s+\S")
_BRACKETED = re.compile(r"\s*[\[\u3010]\s*\d{1,5}\s*[\]\u3011]")
_BULLET = re.compile(r"\s*(?:[-*•–]|\([a-z0-9]{1,3}\)|[a-z]\))\s+\S")
_FIGURE = re.compile(
    r"\s*(?:FIGS?|Figs?|Figures?|Fig)\.?\s*\d+\w*\b.{0,40}\b(?:is|are|shows?|zeigt|zeigen|depicts?|illustrates?)\b"
)
_RULE = re.compile(r"\s*[=\-_*~]{3,}\s*$")
_SENTENCE_END = re.compile(r"[.:;!?]['\"”)\]]*$")
_CUT = re.compile(r"(\w+)[-\u2010]$")
_SOFT = "\u00ad"
LABEL = re.compile(
    r"\b(?:priority(?:\s+date)?|date\s+of\s+priority|filing\s+date|filed(?:\s+on)?|date\s+of\s+filing|applicants?|inventors?"
    r"|assignee|(?:attorney|agent)(?:['’]s)?\s+(?:reference|docket)(?:\s+no\.?)?|docket(?:\s+(?:no\.?|number))?|our\s+ref\.?"
    r"|prioritätsdatum|prioritätstag|priorität|anmeldetag|anmeldedatum|anmelder(?:in)?|erfinder(?:in)?|aktenzeichen|title|titel)\s*:",
    re.IGNORECASE,
)
# Beyond this a line is not a line of a typewriter's or typesetter's width but a whole paragraph.
_WIDEST = 160


@dataclass(frozen=True, slots=True)
class Line:
    """A paragraph as it stands in the file: is it a heading by its looks, the title by its style, numbered by Word?"""

    text: str
    heading: bool = False
    title: bool = False
    numbered: bool = False


def joined(lines: Sequence[str]) -> list[Line]:
    """Paragraphs of wrapped lines. An empty line ends one, and so does a line that had room for the next word."""
    width = _width(lines)
    words = _whole_words(lines)
    done: list[Line] = []
    open_lines: list[str] = []
    expected = 1

    def close() -> None:
        if open_lines:
            done.append(Line(_paragraph(open_lines, words)))
            open_lines.clear()

    for line in lines:
        if not line.strip() or _RULE.match(line):
            close()
            continue
        numbered = _NUMBERED.match(line)
        if numbered and int(numbered[1]) in (1, expected):
            expected = int(numbered[1]) + 1
            close()
        elif _is_heading(line, open_lines):
            if not _continues_capitals(line, open_lines, done):
                close()
                done.append(Line(unmarked(line), heading=True))
                continue
            done[-1] = Line(f"{done[-1].text} {unmarked(line)}", heading=True)
            continue
        elif _starts(line) or (open_lines and _ended(open_lines[-1], line, width)):
            close()
        open_lines.append(line.strip())
    close()
    return done


def _width(lines: Sequence[str]) -> int:
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    return lengths[int(len(lengths) * 0.95)] if lengths else 0


def _starts(line: str) -> bool:
    return bool(_BRACKETED.match(line) or _BULLET.match(line) or _FIGURE.match(line) or LABEL.match(line.strip()))


def _is_heading(line: str, open_lines: list[str]) -> bool:
    if line.lstrip().startswith("#") or known_heading(line):
        return True
    after_sentence = not open_lines or _SENTENCE_END.search(open_lines[-1]) is not None
    return after_sentence and looks_like_heading(unmarked(line))


def _continues_capitals(line: str, open_lines: list[str], done: list[Line]) -> bool:
    """A title in capitals may run over two lines; `TITLE` and `BACKGROUND` under it may not."""
    if open_lines or len(done) != 1 or not done[0].heading:
        return False
    return line.isupper() and done[0].text.isupper() and not known_heading(line) and not known_heading(done[0].text)


def _ended(last: str, line: str, width: int) -> bool:
    """Whether a paragraph ends between two lines that no empty line parts."""
    if width > _WIDEST or len(LABEL.findall(last)) > 0 or LABEL.search(line):
        return True
    first = line.split(maxsplit=1)[0]
    had_room = len(last) + 1 + len(first) < 0.95 * width
    return had_room and _SENTENCE_END.search(last) is not None and not first[0].islower()


def _whole_words(lines: Sequence[str]) -> frozenset[str]:
    """The words of the text that are not cut at a line end: they tell which hyphens are meant."""
    return frozenset(word.lower() for line in lines for word in re.findall(r"\w+(?:-\w+)*(?![\w-])", line))


def _paragraph(lines: Sequence[str], words: frozenset[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        cut = _CUT.search(text)
        if text.endswith(_SOFT):
            text = text[:-1] + line
        elif cut and line[0].islower():
            text = _mended(text, cut[1], line, words)
        else:
            text = f"{text} {line}"
    return text.replace(_SOFT, "")


def _mended(text: str, head: str, line: str, words: frozenset[str]) -> str:
    """A cut word in one piece; its hyphen stays where the text writes the word so elsewhere."""
    tail = re.match(r"\w+", line)
    with_hyphen = f"{head}-{tail[0] if tail else ''}".lower()
    whole = with_hyphen.replace("-", "")
    meant = with_hyphen in words and whole not in words
    return (text if meant else text[:-1]) + line
