"""XML as offices really write it, parsed strictly and without danger.

The document type is cut off before parsing: no entity is ever expanded, no DTD and no external file is ever
opened, so entity bombs and external entities stay what they are, text. Names of the published character sets
become characters; any other name stays readable as `&name;`.
"""

from __future__ import annotations

import re

from lxml import etree

from foreart.errors import BadRecord
from foreart.sources.entities import character

Element = etree._Element

_PROLOG = re.compile(rb"^[\s\xef\xbb\xbf]*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_DOCTYPE = re.compile(rb"<!DOCTYPE\b[^\[>]*(?:\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\]\s*)?>")
_AMPERSAND = re.compile(
    rb"&(?!(?:amp|lt|gt|quot|apos);)(?:#(\d{1,7}|[xX][0-9a-fA-F]{1,6});|([A-Za-z][A-Za-z0-9.-]{0,40});)?"
)
_CONTROL = bytes(range(9)) + b"\x0b\x0c" + bytes(range(14, 32))
MAX_TREE_DEPTH = 200


def parse_xml(data: bytes) -> Element:
    """The root element of one document; BadRecord, with the place, for what is not well-formed."""
    try:
        root = etree.fromstring(_clean(data), _parser())
    except etree.XMLSyntaxError as error:
        raise BadRecord(f"not well-formed XML: {error.msg}") from None
    if root is None:
        raise BadRecord("no XML element in it")
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
    """The same text in UTF-8: what it declares if that is true, UTF-8 if it is that, else Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode()
    for encoding in ("utf-8", declared):
        try:
            text = data.decode(encoding or "utf-8")
        except (UnicodeDecodeError, LookupError):
            continue
        return data if encoding == "utf-8" else text.encode("utf-8", "replace")
    return data.decode("cp1252", "replace").encode()


def _clean(data: bytes) -> bytes:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = as_utf8(data)
    prolog = _PROLOG.match(data)
    declared = ""
    if prolog:
        named = _ENCODING.search(prolog[0])
        declared = named[1].decode("ascii") if named else ""
        data = data[prolog.end() :]
    data = as_utf8(data, declared)
    doctype = _DOCTYPE.search(data, 0, 1 << 20)
    if doctype:
        data = data[: doctype.start()] + data[doctype.end() :]
    data = data.translate(None, _CONTROL)
    if b"&" in data:
        data = _AMPERSAND.sub(_ampersand, data)
    return data.strip()


def _ampersand(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return _numbered(match[1])
    if match[2]:
        text = character(match[2].decode())
        return b"&amp;" + match[0][1:] if text is None else _escaped(text)
    return b"&amp;"


def _numbered(reference: bytes) -> bytes:
    code = int(reference[1:], 16) if reference[:1] in b"xX" else int(reference)
    if 0x80 <= code <= 0x9F:  # Windows-1252 positions, meant by everybody who writes them
        return _escaped(bytes([code]).decode("cp1252", "replace"))
    if code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000:
        return _escaped(chr(code))
    return b""


def _escaped(text: str) -> bytes:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").encode()
