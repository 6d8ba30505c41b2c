"""Responses of the EPO's OPS, XML and JSON: biblio, abstract, full text, full cycle, family, search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lxml import etree

from foreart.document.patent import Patent
from foreart.errors import BadRecord
from foreart.sources.formats import st36
from foreart.sources.formats.ops_documents import exchange_patent, fulltext_patent, listed_patent, publication
from foreart.sources.markup.json_object import load, objects
from foreart.sources.markup.xml import MAX_TREE_DEPTH, Element, parse_xml
from foreart.sources.opening.record_splitting import xml_documents
from foreart.sources.reader import Reader

_ROOT = "world-patent-data"
_XML = re.compile(rb"<(?:[\w-]{1,20}:)?world-patent-data[\s>]")
_JSON = re.compile(rb'^[\s\xef\xbb\xbf\[]*\{\s*"(?:[\w-]{1,20}:)?world-patent-data"\s*:')
# The largest families have hundreds of members, each of which lists all others.
_MAX_FAMILY = 2000
_TAG = re.compile(r"^[A-Za-z_][\w.-]*$")
_CONTROL = {code: None for code in (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF)}


def _sniff_xml(head: bytes, name: str) -> bool:
    return _XML.search(head, 0, 4096) is not None


def _sniff_json(head: bytes, name: str) -> bool:
    return _JSON.match(head) is not None


def parse_response(data: bytes) -> Iterator[Patent]:
    """The documents of an XML response; a part of a document gives a patent with only that part."""
    root = parse_xml(data)
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = etree.QName(element).localname
    return _documents(root)


def parse_json_response(data: bytes) -> Iterator[Patent]:
    """The documents of a JSON response, which is the XML with `@` before attributes and `$` for text."""
    answer = load(data)
    if len(answer) != 1:
        raise BadRecord("not an OPS response: an object with one key is expected")
    [(key, value)] = answer.items()
    root = etree.Element(_local(key))
    _fill(root, value, 0)
    return _documents(root)


def _local(key: str) -> str:
    name = key.rpartition(":")[2]
    if not _TAG.match(name):
        raise BadRecord(f"{key[:40]!r} is not the name of an element")
    return name


def _fill(element: Element, value: object, depth: int) -> None:
    if depth > MAX_TREE_DEPTH:
        raise BadRecord("nested too deeply")
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "$":
                element.text = str(item).translate(_CONTROL)
            elif key.startswith("@"):
                if isinstance(item, (str, int)):  # @xmlns is an object
                    element.set(_local(key[1:]), str(item).translate(_CONTROL))
            else:
                for one in item if isinstance(item, list) else [item]:
                    _fill(etree.SubElement(element, _local(key)), one, depth + 1)
    elif value is not None:
        element.text = str(value).translate(_CONTROL)


def _documents(root: Element) -> Iterator[Patent]:
    if root.tag != _ROOT:
        raise BadRecord(f"a <{root.tag}> instead of <{_ROOT}>")
    found = list(_found(root))
    if not found:
        raise BadRecord("an OPS response without published documents (fault, register, images or legal events)")
    yield from found


def _found(root: Element) -> Iterator[Patent]:
    families = list(root.iter("patent-family", "equivalents-inquiry"))
    for family in families:
        yield from _family(family)
    holders = set(families)
    for document in root.iter("exchange-document"):
        if document.get("status") != "not found" and not _inside(document, holders):
            yield exchange_patent(document)
    for document in root.iter("fulltext-document"):
        yield fulltext_patent(document)
    for result in root.iter("search-result"):
        for reference in result.iterfind("publication-reference"):
            identity = publication(reference)
            if identity:
                yield Patent(id=identity, family_id=reference.get("family-id", ""))


def _inside(document: Element, holders: set[Element]) -> bool:
    return any(ancestor in holders for ancestor in document.iterancestors()) if holders else False


def _family(family: Element) -> Iterator[Patent]:
    """Each member, with the others as its relatives; a member with bibliographic data is read as a document."""
    members: list[Patent] = []
    for member in family.iter("family-member", "inquiry-result"):
        documents = [exchange_patent(item) for item in member.iter("exchange-document")]
        known = {item.id for item in documents}
        references = (*member.iterfind("publication-reference"), *member.iterfind("equivalent/publication-reference"))
        listed = (listed_patent(member, reference) for reference in references)
        members.extend((*documents, *(item for item in listed if item.id and item.id not in known)))
    found = {member.id: member for member in members}
    queried = dict.fromkeys(publication(reference) for reference in family.iterfind("publication-reference"))
    first = {identity: Patent(id=identity) for identity in reversed(queried) if identity and identity not in found}
    family_members = {**first, **found}
    if len(family_members) > _MAX_FAMILY:
        raise BadRecord(f"a family of more than {_MAX_FAMILY:,} documents")
    for patent in family_members.values():
        others = st36.unique((*patent.family_refs, *(identity for identity in family_members if identity != patent.id)))
        yield replace(patent, family_refs=others)


XML_READER = Reader(
    name="epo-ops-xml",
    title="EPO Open Patent Services answers, XML: biblio, abstract, claims, description, full cycle, family, search",
    sniff=_sniff_xml,
    split=xml_documents(f"ops:{_ROOT}", _ROOT),
    parse=parse_response,
)
JSON_READER = Reader(
    name="epo-ops-json",
    title="EPO Open Patent Services answers, JSON",
    sniff=_sniff_json,
    split=objects,
    parse=parse_json_response,
    seen=False,
)
