"""Parses XML as offices write it, strictly and safely.

The document type is removed before parsing: no entity is expanded, no DTD and no external file is opened, so entity
bombs and external entities are only text. Names of the published character sets become characters; any other name
stays readable as `&name;`.
"""

from __future__ import annotations

import codecs
import re

from lxml import etree

from foreart.errors import BadRecord
from foreart.sources.markup.entities import character
from foreart.sources.opening.stream import utf16

Element = etree._Element

_PROLOG = re.compile(rb"^[\s\xef\xbb\xbf]*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_AMPERSAND = re.compile(
    # Excluded is what XML itself defines: its five names, and numbers from A0 to CFFF, the most frequent ones.
    rb"&(?!(?:amp|lt|gt|quot|apos|#x(?:[1-9a-cA-C][0-9a-fA-F]{3}|[1-9a-fA-F][0-9a-fA-F]{2}|[a-fA-F][0-9a-fA-F]));)(?:#(0*\d{1,7}|[xX]0*[0-9a-fA-F]{1,6});|([A-Za-z][A-Za-z0-9.-]{0,40});)?"
)
_CONTROL = bytes(range(9)) + b"\x0b\x0c" + bytes(range(14, 32))
# Characters that UTF-8 can encode and XML forbids: U+FFFE and U+FFFF.
_FORBIDDEN = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_BEFORE_ROOT = re.compile(rb"(?:\s+|<!--(?:[^-]|-(?!->))*+-->|<\?(?:[^?]|\?(?!>))*+\?>)*+")
_DOCTYPE_PART = re.compile(rb"[\"'\[\]>]|<!--|<\?")
_CLOSING = {b'"': b'"', b"'": b"'", b"<!--": b"-->", b"<?": b"?>"}
# Python also has codecs that are not text encodings, and some that can be made to run for hours.
_CODECS = ("iso8859", "iso2022", "cp", "windows", "shift", "euc", "gb", "big5", "koi8", "mac", "johab", "tis")
_FALLBACK = "foreart-windows-1252"
MAX_TREE_DEPTH = 200


def parse_xml(data: bytes) -> Element:
    """The root element of one document; BadRecord, with the position, if it is not well-formed."""
    try:
        root = etree.fromstring(_clean(data), _parser())
    except etree.XMLSyntaxError as error:
        raise BadRecord(f"not well-formed XML: {error.msg}") from None
    if root is None:
        raise BadRecord("it has no XML element")
    return root


def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,  # sequence listings exceed the usual text limit; the size of a record is limited elsewhere
        remove_comments=True,
        remove_pis=True,
    )


def as_utf8(data: bytes, declared: str = "") -> bytes:
    """The text in UTF-8: unchanged if valid, else from the declared encoding, else invalid bytes as Windows-1252."""
    encoding = utf16(data)
    if encoding:
        return data.decode(encoding, "replace").encode("utf-8", "replace")
    codec = _codec(declared)
    for name in (codec, "utf-8") if codec.startswith("iso2022") else ("utf-8", codec):
        try:
            text = data.decode(name or "utf-8")
        except UnicodeDecodeError:
            continue
        return data if name == "utf-8" else text.encode("utf-8", "replace")
    return data.decode("utf-8", _FALLBACK).encode("utf-8", "replace")


def _codec(declared: str) -> str:
    """Python's codec for a declared text encoding; Latin-1 is read as Windows-1252, which is usually meant."""
    try:
        name = codecs.lookup(declared).name if declared else ""
    except LookupError:
        return ""
    if name in ("iso8859-1", "ascii"):
        return "cp1252"
    return name if name.startswith(_CODECS) else ""


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_FALLBACK, _as_windows)


def _clean(data: bytes) -> bytes:
    if utf16(data):
        data = as_utf8(data)
    prolog = _PROLOG.match(data)
    declared = ""
    if prolog:
        encoding = _ENCODING.search(prolog[0])
        declared = encoding[1].decode("ascii") if encoding else ""
        data = data[prolog.end() :]
    data = as_utf8(data, declared).removeprefix(codecs.BOM_UTF8)
    data = _without_doctype(data).translate(None, _CONTROL)
    if b"\xef\xbf" in data:
        for forbidden in _FORBIDDEN:
            data = data.replace(forbidden, b"")
    if b"<![CDATA[" in data:
        data = _without_cdata(data)
    if b"&" in data:
        data = _AMPERSAND.sub(_ampersand, data)
    return data.strip()


def _without_doctype(data: bytes) -> bytes:
    """The document without its document type, which may contain `>` in quotes and comments."""
    begin = _BEFORE_ROOT.match(data).end()  # type: ignore[union-attr]
    if data[begin : begin + 9].upper() != b"<!DOCTYPE":
        return data
    position = begin + 9
    in_subset = False
    while match := _DOCTYPE_PART.search(data, position):
        part, position = match[0], match.end()
        if part == b">" and not in_subset:
            return data[:begin] + data[position:]
        if part in _CLOSING:
            position = data.find(_CLOSING[part], position) + len(_CLOSING[part])
            if position < len(_CLOSING[part]):
                break
        elif part != b">":
            in_subset = part == b"["
    raise BadRecord("not well-formed XML: the document type does not end")


def _without_cdata(data: bytes) -> bytes:
    """Replaces CDATA sections by escaped text, in which an ampersand is literal."""
    parts = data.split(b"<![CDATA[")
    for position, part in enumerate(parts[1:], start=1):
        text, end, rest = part.partition(b"]]>")
        if not end:
            raise BadRecord("not well-formed XML: a CDATA section does not end")
        parts[position] = text.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;") + rest
    return b"".join(parts)


def _ampersand(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return _numbered(match[1])
    if match[2]:
        text = character(match[2].decode())
        return b"&amp;" + match[0][1:] if text is None else _escaped(text)
    return b"&amp;"


def _numbered(reference: bytes) -> bytes:
    code = int(reference[1:], 16) if reference[:1] in b"xX" else int(reference)
    if 0x80 <= code <= 0x9F:  # written by sources that mean Windows-1252
        return _escaped(bytes([code]).decode("cp1252", "replace"))
    if code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000:
        return _escaped(chr(code))
    return b""


def _escaped(text: str) -> bytes:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode()
