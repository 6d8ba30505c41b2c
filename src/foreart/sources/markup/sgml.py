"""SGML of the USPTO read as XML: its empty elements have no end, the rest is well-formed."""

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
    """The root element of a document: as XML if it is that, else with its empty elements closed.

    Formulas are the only part that is often broken in these files; rather than the patent, its formulas are lost.
    """
    closed = data
    for repair in (_as_it_is, _with_empty_closed, _without_formulas):
        closed = repair(closed)
        try:
            return parse_xml(closed)
        except BadRecord as error:
            failure = error
    raise failure


def _as_it_is(data: bytes) -> bytes:
    return data


def _with_empty_closed(data: bytes) -> bytes:
    """Ends for empty elements; an element that is closed anywhere in the document is not an empty one there."""
    names = [re.escape(name.encode()) for name in _EMPTY if not re.search(rb"(?i)</%s\s*>" % name.encode(), data)]
    if not names:
        return data
    return re.sub(rb"(?i)<(%s)((?:\s[^<>]*)?)(?<!/)>" % b"|".join(names), rb"<\1\2/>", data)


def _without_formulas(data: bytes) -> bytes:
    kept: list[bytes] = []
    start = 0
    # Not a pattern: a thousand formulas without an end would each be searched to the end of the document.
    while (begin := data.find(_OPEN, start)) >= 0 and (end := data.find(_CLOSE, begin)) >= 0:
        kept.append(data[start:begin])
        start = end + len(_CLOSE)
    return b"".join((*kept, data[start:]))
