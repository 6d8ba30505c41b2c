"""Exports of Google's BigQuery table patents-public-data.patents.publications: JSON, CSV and Parquet.

Records are nested in JSON and Parquet; in CSV they are JSON texts, or columns named by their path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from foreart.document.claims import split_claims
from foreart.document.paragraphs import plain_paragraphs
from foreart.document.patent import Citation, Claim, Literature, Paragraph, Patent, Position, Symbol, Value
from foreart.errors import BadNumber, BadRecord
from foreart.identifiers.dates import iso_date
from foreart.identifiers.kinds import document_type
from foreart.identifiers.numbers import application_number, docdb_application, normalise, number_key
from foreart.identifiers.symbols import class_symbol
from foreart.sources.formats.bigquery_tables import flat_record, parquet_rows
from foreart.sources.formats.citing import letters_of, merged, merged_literature, phase_of
from foreart.sources.formats.google_html_text import html_claims, html_description
from foreart.sources.formats.languages import in_language, language_code
from foreart.sources.formats.names import owners, people
from foreart.sources.formats.st36 import earliest, unique
from foreart.sources.markup.json_object import first_keys, folded, load, mappings, objects, string, strings
from foreart.sources.opening.raw_record import RawRecord
from foreart.sources.opening.stream import Stream
from foreart.sources.opening.tabular import cells, header, rows
from foreart.sources.reader import Reader

_OWN = {
    "title_localized",
    "abstract_localized",
    "claims_localized",
    "description_localized",
    "application_number_formatted",
    "spif_publication_number",
    "priority_claim",
    "inventor_harmonized",
    "assignee_harmonized",
}
_DOCDB = re.compile(r"^([A-Z]{2})-(.+?)-([A-Z]\d?)$")
_TYPES = {"F": "design", "U": "utility model"}


def _sniff_json(head: bytes, name: str) -> bool:
    keys = first_keys(head)
    return "publication_number" in keys and bool(keys & _OWN)


def _sniff_csv(head: bytes, name: str) -> bool:
    if head[:1] in (b"{", b"[", b"<"):
        return False
    columns = {column.split(".")[0] for column in header(head, ",")}
    return "publication_number" in columns and bool(columns & _OWN)


def _sniff_parquet(head: bytes, name: str) -> bool:
    return head.startswith(b"PAR1")


def _csv_rows(stream: Stream) -> Iterator[RawRecord]:
    return rows(stream, ",")


def parse(data: bytes) -> Iterator[Patent]:
    """The patent of one row as a JSON object."""
    yield _patent(load(data))


def parse_csv(data: bytes) -> Iterator[Patent]:
    """The patent of one row of a CSV export."""
    yield _patent(flat_record(cells(data)))


def _patent(row: dict[str, Any]) -> Patent:
    try:
        identity = normalise(string(row.get("publication_number")))
    except BadNumber:
        raise BadRecord("no publication number") from None
    titles = _localized(row.get("title_localized"))
    abstracts = _localized(row.get("abstract_localized"))
    claims = _claims(row)
    described, description = _description(row)
    language = _main_language(described, claims, abstracts, titles)
    texts = in_language(language, titles, abstracts, claims)
    inventors = people(strings(row.get("inventor")) or _names(row.get("inventor_harmonized")))
    assignees = _names(row.get("assignee_harmonized")) or strings(row.get("assignee"))
    citations, literature = _citations(row, identity)
    own = _application(row)
    return Patent(
        id=identity,
        title=texts.title,
        abstract=texts.abstract,
        claims=texts.claims,
        description=description,
        published=iso_date(row.get("publication_date")),
        filed=iso_date(row.get("filing_date")),
        priority=_priority(row),
        cpc=_symbols(row.get("cpc")),
        ipc=_symbols(row.get("ipc")),
        uspc=_codes(row.get("uspc")),
        locarno=_codes(row.get("locarno")),
        applicants=owners(assignees, inventors),
        inventors=inventors,
        citations=citations,
        literature=literature,
        application_number=own,
        priority_numbers=_priority_numbers(row, own),
        family_id=_family_id(string(row.get("family_id"))),
        family_refs=_relatives(row, identity, own),
        language=language,
        document_type=_TYPES.get(string(row.get("application_kind")), "") or document_type(identity),
        translations=texts.translations,
    )


def _localized(value: object) -> dict[str, str]:
    """Texts by language, the first of each; a plain text has the language `""`."""
    found: dict[str, str] = {}
    for item in mappings(value):
        text = folded(string(item.get("text")))
        if text:
            found.setdefault(language_code(string(item.get("language"))), text)
    return found or ({"": folded(string(value))} if isinstance(value, str) and value.strip() else {})


def _main_language(*texts: object) -> str:
    """The language of the longest available text; English if there are several."""
    for languages in texts:
        known = [languages] if isinstance(languages, str) else list(languages) if isinstance(languages, dict) else []
        known = [language for language in known if language]
        if known:
            return "en" if "en" in known else known[0]
    return ""


def _claims(row: dict[str, Any]) -> dict[str, tuple[Claim, ...]]:
    found = {code: html_claims(text) for code, text in _raw(row.get("claims_localized_html")).items()}
    for code, text in _localized(row.get("claims_localized")).items():
        if not found.get(code):
            found[code] = split_claims(text)
    return {code: claims for code, claims in found.items() if claims}


def _raw(value: object) -> dict[str, str]:
    texts = {language_code(string(item.get("language"))): string(item.get("text")) for item in mappings(value)}
    return {code: text for code, text in texts.items() if text}


def _description(row: dict[str, Any]) -> tuple[str, tuple[Paragraph, ...]]:
    """The description, in English if available, from HTML if exported, because that has the headings."""
    for key in ("description_localized_html", "description_localized"):
        texts = _raw(row.get(key)) or ({"": string(row.get(key))} if isinstance(row.get(key), str) else {})
        code = "en" if "en" in texts else next(iter(texts), "")
        if text := texts.get(code):
            return code, html_description(text) if key.endswith("html") else plain_paragraphs(text)
    return "", ()


def _names(value: object) -> tuple[str, ...]:
    return unique(string(item.get("name")) for item in mappings(value)) or (strings(value) if value else ())


def _priority(row: dict[str, Any]) -> str:
    claimed = earliest(string(item.get("filing_date")) for item in mappings(row.get("priority_claim")))
    return iso_date(row.get("priority_date")) or claimed


def _symbols(value: object) -> tuple[Symbol, ...]:
    items = mappings(value) or [{"code": code} for code in strings(value)]
    marked = any(item.get("first") for item in items)
    valued = any(item.get("inventive") for item in items)
    found: dict[str, Symbol] = {}
    for item in items:
        symbol = class_symbol(string(item.get("code")))
        position: Position = "first" if item.get("first") else "later"
        use: Value = "inventive" if item.get("inventive") else "additional"
        if symbol:
            found.setdefault(symbol, Symbol(symbol, position if marked else None, use if valued else None))
    return tuple(found.values())


def _codes(value: object) -> tuple[str, ...]:
    return unique(string(item.get("code")) for item in mappings(value)) or strings(value if value else None)


def _citations(row: dict[str, Any], identity: str) -> tuple[tuple[Citation, ...], tuple[Literature, ...]]:
    patents: list[Citation] = []
    texts: list[Literature] = []
    for item in mappings(row.get("citation")):
        phase, category = phase_of(string(item.get("category")))
        letters = letters_of((string(item.get("type")),))
        text = string(item.get("npl_text"))
        if text:
            texts.append(Literature(text, category, letters, phase))
        try:
            cited = normalise(string(item.get("publication_number")))
        except BadNumber:
            continue
        if cited != identity:
            patents.append(Citation(cited, category, letters, phase))
    return merged(patents, number_key), merged_literature(texts)


def _application(row: dict[str, Any]) -> str:
    """The number in the format of its office if the row has it, else in DOCDB's, whose US numbers lack the series."""
    formatted = string(row.get("application_number_formatted"))
    if formatted:
        return application_number(formatted, country=string(row.get("country_code")) or formatted[:2])
    return _docdb(string(row.get("application_number")))


def _docdb(text: str) -> str:
    parts = _DOCDB.match(text)
    return docdb_application(parts[2], country=parts[1], kind=parts[3]) if parts else text


def _priority_numbers(row: dict[str, Any], own: str) -> tuple[str, ...]:
    itself = (own, _docdb(string(row.get("application_number"))))
    claimed = unique(_docdb(string(item.get("application_number"))) for item in mappings(row.get("priority_claim")))
    return tuple(number for number in claimed if number not in itself)


def _family_id(text: str) -> str:
    return "" if text == "-1" else text  # Google's value for an unknown family


def _relatives(row: dict[str, Any], identity: str, own: str) -> tuple[str, ...]:
    found: list[str] = []
    for item in (*mappings(row.get("parent")), *mappings(row.get("child"))):
        try:
            found.append(normalise(string(item.get("publication_number"))))
        except BadNumber:
            found.append(_docdb(string(item.get("application_number"))))
    pct = string(row.get("pct_number"))
    found.append(application_number(pct, country="WO") if pct.upper().startswith("PCT") else "")
    return tuple(item for item in unique(found) if item not in (identity, own))


JSON_READER = Reader(
    name="bigquery-json",
    title="Google Patents Public Data, BigQuery export as JSON",
    sniff=_sniff_json,
    split=objects,
    parse=parse,
    seen=False,
)
CSV_READER = Reader(
    name="bigquery-csv",
    title="Google Patents Public Data, BigQuery export as CSV",
    sniff=_sniff_csv,
    split=_csv_rows,
    parse=parse_csv,
    seen=False,
)
PARQUET_READER = Reader(
    name="bigquery-parquet",
    title="Google Patents Public Data, BigQuery export as Parquet",
    sniff=_sniff_parquet,
    split=parquet_rows,
    parse=parse,
    seen=False,
)
