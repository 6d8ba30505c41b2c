"""The paragraphs of a rich-text file (RTF), with accepted changes and without headers, notes, comments and pictures."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from foreart.document.headings import known_heading, unmarked
from foreart.errors import BadFile
from foreart.sources.drafts.file_types.lines import Line

_TOKEN = re.compile(
    rb"\\'([0-9a-fA-F]{2})|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+", re.DOTALL
)
# Each open group keeps its state in memory; word processors nest a few dozen.
_DEEPEST = 10_000
# Groups whose text is not part of the document. Others that begin with \* are skipped as well.
_UNREAD = set(
    b"fonttbl colortbl info header headerl headerr headerf footer footerl footerr footerf footnote annotation atnid"
    b" atnauthor atntime atnicn atnref pict object objdata fldinst listtable listoverridetable revtbl rsidtbl generator"
    b" themedata colorschememapping latentstyles datastore xmlnstbl nonshppict shpinst tc xe bkmkstart bkmkend private"
    b" stylesheet".split()
)
_SHOWN = {b"shppict", b"shptxt", b"pntext"}
_SIGNS = {
    b"tab": " ", b"line": "\n", b"emdash": "—", b"endash": "–", b"bullet": "•", b"lquote": "‘", b"rquote": "’",
    b"ldblquote": "“", b"rdblquote": "”", b"emspace": " ", b"enspace": " ", b"qmspace": " ", b"cell": " ",
    b"nestcell": " ", b"zwj": "", b"zwnj": "",
}  # fmt: skip
_ENDS = {b"par", b"sect", b"page", b"row", b"nestrow", b"column"}
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"-": "", b"\n": "\f", b"\r": "\f", b"\\": "\\", b"{": "{", b"}": "}"}
_CHARSETS = {
    128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 238: "cp1250",
}  # fmt: skip


@dataclass(slots=True)
class _State:
    """What applies inside a group and ends with it."""

    unread: bool = False
    hidden: bool = False
    skip: int = 1
    encoding: str = "cp1252"
    destination: bytes = b""


@dataclass(slots=True)
class _Reader:
    """The open paragraph, and the tables at the head of the file."""

    encoding: str = "cp1252"
    fonts: dict[int, str] = field(default_factory=dict)
    styles: dict[int, str] = field(default_factory=dict)
    font: int = 0
    style: int = 0
    outline: bool = False
    parts: list[str] = field(default_factory=list)
    pending: bytearray = field(default_factory=bytearray)
    skipping: int = 0
    name: list[str] = field(default_factory=list)


def rtf_lines(data: bytes, name: str) -> list[Line]:
    """The paragraphs in the order of the file. List numbers written by a word processor are kept."""
    return [line for line in _lines(data, name) if line.text]


def _lines(data: bytes, name: str) -> Iterator[Line]:
    reader = _Reader()
    state = _State()
    stack: list[_State] = []
    starred = False
    for found in _TOKEN.finditer(data):
        hexed, word, number, symbol, brace, plain = found.groups()
        if brace == b"{":
            if len(stack) == _DEEPEST:
                raise BadFile(f"{name} nests more than {_DEEPEST:,} groups: save it again as DOCX")
            stack.append(replace(state))
        elif brace == b"}":
            _flush(reader, state)
            _named(reader, state)
            state = stack.pop() if stack else _State()
        elif symbol == b"*":
            starred = True
            continue
        elif word and _is_end(word, state):
            _flush(reader, state)
            yield _closed(reader)
        elif word:
            _control(reader, state, word, int(number) if number else None, starred=starred)
        elif symbol == b"'" or not (hexed or symbol or plain):
            continue
        else:
            _put(reader, state, hexed, symbol, plain)
        starred = False
    _flush(reader, state)
    yield _closed(reader)


def _is_end(word: bytes, state: _State) -> bool:
    return word in _ENDS and not state.unread and not state.hidden


def _control(reader: _Reader, state: _State, word: bytes, number: int | None, *, starred: bool) -> None:
    if word == b"u" and number is not None:
        _flush(reader, state)
        _write(reader, state, chr(number % 65536))
        reader.skipping = state.skip
        return
    _flush(reader, state)
    if word in _UNREAD or (starred and word not in _SHOWN):
        state.unread = True
        state.destination = word
    elif word in _SHOWN:
        state.unread = state.unread and word != b"shptxt"
    elif word in _SIGNS:
        _write(reader, state, _SIGNS[word])
    elif word in (b"deleted", b"v"):
        state.hidden = number != 0
    elif word == b"plain":
        state.hidden = False
    else:
        _setting(reader, state, word, number)


def _setting(reader: _Reader, state: _State, word: bytes, number: int | None) -> None:
    if word == b"ansicpg" and number:
        reader.encoding = state.encoding = _codec(f"cp{number}")
    elif word == b"mac":
        reader.encoding = state.encoding = "mac_roman"
    elif word == b"uc":
        state.skip = number or 0
    elif word == b"f" and number is not None:
        reader.font = number
        state.encoding = reader.fonts.get(number, reader.encoding)
    elif word == b"fcharset" and number in _CHARSETS:
        reader.fonts[reader.font] = _CHARSETS[number]
    elif word == b"pard":
        reader.style, reader.outline = 0, False
    elif word == b"s" and number is not None:
        reader.style = number
        if state.destination == b"stylesheet":
            reader.name = []
    elif word == b"outlinelevel":
        reader.outline = state.destination != b"stylesheet"


def _put(reader: _Reader, state: _State, hexed: bytes | None, symbol: bytes | None, plain: bytes | None) -> None:
    if hexed:
        if reader.skipping:
            reader.skipping -= 1
        else:
            reader.pending += bytes.fromhex(hexed.decode())
    elif symbol:
        _flush(reader, state)
        _write(reader, state, _SYMBOLS.get(symbol, ""))
    elif plain:
        _flush(reader, state)
        _write(reader, state, _decoded(plain[reader.skipping :], state.encoding))
        reader.skipping = max(0, reader.skipping - len(plain))


def _flush(reader: _Reader, state: _State) -> None:
    """Single bytes may be parts of one character, so they are decoded together."""
    if reader.pending:
        text = _decoded(bytes(reader.pending), state.encoding)
        reader.pending.clear()
        _write(reader, state, text)


def _write(reader: _Reader, state: _State, text: str) -> None:
    if state.destination == b"stylesheet":
        reader.name.append(text)
    elif not state.unread and not state.hidden:
        reader.parts.append(text)


def _named(reader: _Reader, state: _State) -> None:
    """A group of the style sheet ends: its text is the name of the style."""
    if state.destination == b"stylesheet" and reader.name:
        reader.styles[reader.style] = "".join(reader.name).strip(" ;\f").lower()
        reader.name, reader.style = [], 0


def _closed(reader: _Reader) -> Line:
    whole = "".join(reader.parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\u00ad", "")
    reader.parts.clear()
    text = "\n".join(" ".join(part.split()) for part in whole.replace("\f", "\n").split("\n") if part.strip())
    style = reader.styles.get(reader.style, "")
    heading = style.startswith(("heading", "überschrift")) or reader.outline
    heading = bool(text) and (heading or (len(text) <= 200 and known_heading(text) is not None))
    return Line(unmarked(text) if heading else text, heading, style in ("title", "titel"))


def _decoded(data: bytes, encoding: str) -> str:
    return data.decode(encoding, "replace")


def _codec(name: str) -> str:
    try:
        return codecs.lookup({"cp65001": "utf-8", "cp10000": "mac_roman"}.get(name, name)).name
    except LookupError:
        return "cp1252"
