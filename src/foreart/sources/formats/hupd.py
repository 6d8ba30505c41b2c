"""Harvard USPTO Patent Dataset (HUPD): one JSON file per US application, as filed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from foreart.document.claims import numbered_claims, split_claims
from foreart.document.paragraphs import plain_paragraphs
from foreart.document.patent import Claim, Paragraph, Patent, Symbol
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.numbers import application_number, parse_number
from foreart.identifiers.symbols import joined_symbol
from foreart.sources.markup.json_object import first_keys, folded, load, mappings, objects, string, strings
from foreart.sources.reader import Reader

_MARKS = {"decision", "date_produced", "main_ipcr_label", "main_cpc_label", "ipcr_labels", "examiner_id"}
# US20130296823A1-20131107: the publication date follows the number
_DATED = re.compile(r"^(.*?)(?:-(\d{8}))?$")
_FIRST = ("inventor_name_first", "name_first", "first_name")
_LAST = ("inventor_name_last", "name_last", "last_name")


def _sniff(head: bytes, name: str) -> bool:
    keys = first_keys(head)
    return {"application_number", "publication_number"} <= keys and bool(keys & _MARKS)


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one file; a file without a publication number must be of a granted application."""
    record = load(data)
    identity, dated = _identity(record)
    granted = _granted(record)
    yield Patent(
        id=identity,
        title=" ".join(string(record.get("title")).split()),
        abstract=folded(string(record.get("abstract"))),
        claims=_claims(record.get("claims")),
        description=_description(record),
        published=iso_date(record.get("date_published")) or dated or _issue_date(record, identity, granted),
        filed=iso_date(record.get("filing_date")),
        cpc=_symbols(string(record.get("main_cpc_label")), strings(record.get("cpc_labels"))),
        ipc=_symbols(string(record.get("main_ipcr_label")), strings(record.get("ipcr_labels"))),
        uspc=_uspc(record),
        inventors=_inventors(record.get("inventor_list")),
        application_number=_application(record),
        family_refs=tuple(number for number in (granted,) if number and number != identity),
        language="en",
        document_type="utility",
    )


def _identity(record: dict[str, Any]) -> tuple[str, str]:
    """Publication number and its date; the number of the grant if the application was never published."""
    match = _DATED.match(string(record.get("publication_number")))
    number, dated = (match[1], match[2]) if match else ("", "")
    if not number:
        number, dated = _granted(record), ""
    if not number:
        raise BadRecord("no publication number")
    return str(parse_number(number, country="US")), iso_date(dated)


def _granted(record: dict[str, Any]) -> str:
    """The number of the granted patent; empty for the "None", "NaN" and 0 of tables."""
    number = re.sub(r"\.0$", "", string(record.get("patent_number")))
    try:
        return str(parse_number(number, country="US")) if number.strip("0") else ""
    except BadNumber:
        return ""


def _issue_date(record: dict[str, Any], identity: str, granted: str) -> str:
    return iso_date(record.get("patent_issue_date")) if identity == granted else ""


def _application(record: dict[str, Any]) -> str:
    """The application number in eight digits; tables that store it as a number drop leading zeros."""
    number = re.sub(r"\.0$", "", string(record.get("application_number")))
    return application_number(number.zfill(8) if number.isdigit() else number, country="US") if number else ""


def _claims(value: object) -> tuple[Claim, ...]:
    return split_claims(value) if isinstance(value, str) else numbered_claims(strings(value))


def _description(record: dict[str, Any]) -> tuple[Paragraph, ...]:
    """The full description; background and summary are parts of it and are used only if it is missing."""
    whole = string(record.get("full_description"))
    parts = (whole,) if whole else (string(record.get("background")), string(record.get("summary")))
    return plain_paragraphs("\n".join(parts))


def _symbols(main: str, labels: Iterable[str]) -> tuple[Symbol, ...]:
    """The classes, the main label first; the position of the slash in `G06F1730` is guessed."""
    first = joined_symbol(main)
    found = dict.fromkeys((first, *(joined_symbol(label) for label in labels)))
    return tuple(Symbol(symbol, "first" if symbol == first else None) for symbol in found if symbol)


def _uspc(record: dict[str, Any]) -> tuple[str, ...]:
    """The USPC class from class 604 and subclass 503000: three digits and three decimals."""
    main = string(record.get("uspc_class")).lstrip("0")
    if not main or not re.match(r"^[A-Z]{0,3}\d", main):
        return ()
    group = string(record.get("uspc_subclass"))
    match = re.match(r"^(\d{3})(\d{3})$", group)
    if match:
        decimals = match[2].rstrip("0")
        group = (match[1].lstrip("0") or "0") + (f".{decimals}" if decimals else "")
    return (f"{main}/{group}" if group else main,)


def _inventors(value: object) -> tuple[str, ...]:
    names: list[str] = []
    for item in mappings(value):
        first = next((string(item[key]) for key in _FIRST if item.get(key)), "")
        last = next((string(item[key]) for key in _LAST if item.get(key)), "")
        names.append(" ".join(f"{first} {last}".split()))
    return tuple(dict.fromkeys(name for name in names if name))


READER = Reader(
    name="hupd-json",
    title="Harvard USPTO Patent Dataset (HUPD), one JSON file per application",
    sniff=_sniff,
    split=objects,
    parse=parse,
    seen=False,
)
