"""Parses the USPTO's SGML as XML: its empty elements have no end tags, the rest is well-formed."""

from __future__ import annotations

import re

from foreart.errors import BadRecord
from foreart.sources.markup.xml import Element, parse_xml

_EMPTY = (
    *("B221US", "B473US", "B597US", "CITED-BY-EXAMINER", "CITED-BY-OTHER", "CITED-BY-APPLICANT"),
    *("EMI", "EMR", "CRF", "CHEMCDX", "CHEMMOL", "CUSTOM-CHARACTER", "MATHEMATICA", "FOR"),
    *("CLREF", "DFREF", "FGREF", "LSTREF", "PAREF", "TBLREF", "SEQREF", "DEL-S", "DEL-E", "INS-S", "INS-E"),
    *("COLSPEC", "SPANSPEC", "mspace", "mprescripts", "none", "malignmark", "maligngroup", "sep"),
)
_OPEN, _CLOSE = b"<MATHML>", b"</MATHML>"


def parse_sgml(data: bytes) -> Element:
    """The root element of a document: parsed as XML if possible, else with its empty elements closed.

    Formulas are the only part that is often malformed in these files; they are dropped if nothing else helps.
    """
    closed = data
    for repair in (_unchanged, _with_empty_closed, _without_formulas):
        closed = repair(closed)
        try:
            return parse_xml(closed)
        except BadRecord as error:
            failure = error
    raise failure


def _unchanged(data: bytes) -> bytes:
    return data


def _with_empty_closed(data: bytes) -> bytes:
    """Closes empty elements; an element that has an end tag anywhere in the document is not treated as empty."""
    names = [re.escape(name.encode()) for name in _EMPTY if not re.search(rb"(?i)</%s\s*>" % name.encode(), data)]
    if not names:
        return data
    return re.sub(rb"(?i)<(%s)((?:\s[^<>]*)?)(?<!/)>" % b"|".join(names), rb"<\1\2/>", data)


def _without_formulas(data: bytes) -> bytes:
    kept: list[bytes] = []
    start = 0
    # Not a regular expression: it would search to the end of the document for each of a thousand unclosed formulas.
    while (begin := data.find(_OPEN, start)) >= 0 and (end := data.find(_CLOSE, begin)) >= 0:
        kept.append(data[start:begin])
        start = end + len(_CLOSE)
    return b"".join((*kept, data[start:]))
