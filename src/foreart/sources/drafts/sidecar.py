"""The sidecar of a draft: a small file next to it in which the user corrects how it was parsed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from foreart.document.draft import Draft
from foreart.document.elements import Element, Kind, by_claim
from foreart.document.headings import SECTION_NAMES, SectionName
from foreart.durable import replace_text
from foreart.errors import BadFile
from foreart.identifiers.dates import iso_date

SUFFIXES = (".foreart.yaml", ".foreart.yml", ".foreart.json")
KEYS = ("title", "language", "priority", "filed", "applicants", "inventors", "sections", "claims")
_WORDS = 9  # of a paragraph, enough to find it again
# The claims of a long draft, each cut into elements, have some hundred kilobytes.
_MAX_BYTES = 2 << 20
_MAX_DIGITS = 9  # of a number; Python refuses to print very long ones
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Border:
    """A section and where it begins: the first words of a paragraph, or its printed number."""

    name: SectionName
    starts: str = ""
    paragraph: str = ""


@dataclass(frozen=True, slots=True)
class ClaimCorrection:
    """The corrections of one claim; None for what is not corrected."""

    parents: tuple[int, ...] | None = None
    elements: tuple[tuple[str, Kind | None], ...] | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """The corrections of a sidecar; None for what it does not correct."""

    source: str = ""
    title: str | None = None
    language: str | None = None
    priority: str | None = None
    filed: str | None = None
    applicants: tuple[str, ...] | None = None
    inventors: tuple[str, ...] | None = None
    sections: tuple[Border, ...] | None = None
    claims: Mapping[int, ClaimCorrection] = field(default_factory=dict)


def sidecar_of(path: Path) -> Path | None:
    """The sidecar of a draft, if there is one."""
    return next((place for suffix in SUFFIXES if (place := path.with_name(path.name + suffix)).is_file()), None)


def read_sidecar(path: str | Path) -> Correction:
    """The corrections in a file; errors name the place in the file and never quote it."""
    place = Path(path)
    try:
        with place.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise BadFile(f"{place}: the corrections cannot be read") from None
    if len(data) > _MAX_BYTES:
        raise BadFile(f"{place}: corrections have at most {_MAX_BYTES >> 20} MB")
    return correction_of(_parsed(text, place), place.name)


def correction_of(record: object, name: str) -> Correction:
    """The corrections of a parsed sidecar; `name` is that of the file, for messages."""
    if not isinstance(record, dict):
        raise BadFile(f"{name}: corrections are keys and values: {', '.join(KEYS)}")
    for key in record:
        if key not in KEYS:
            shown = f" {_clean(key)[:20]!r}" if isinstance(key, str) else ""
            raise BadFile(f"{name}: there is no key{shown}; there are {', '.join(KEYS)}")
    return Correction(
        source=name,
        title=_text(record, "title", name),
        language=_text(record, "language", name),
        priority=_date(record, "priority", name),
        filed=_date(record, "filed", name),
        applicants=_names(record, "applicants", name),
        inventors=_names(record, "inventors", name),
        sections=_borders(record.get("sections"), name),
        claims=dict(_claims(record.get("claims"), name)),
    )


def written(draft: Draft) -> dict[str, Any]:
    """How a draft was parsed, as a sidecar."""
    cut = by_claim(draft.elements)
    starts = [{"name": item.name, "starts": _words(draft.description[item.start].text)} for item in draft.sections]
    if draft.claims:
        starts.append({"name": "claims", "starts": _words(draft.claims[0].text)})
    if draft.abstract:
        starts.append({"name": "abstract", "starts": _words(draft.abstract)})
    return {
        "title": draft.title,
        "language": draft.language,
        "priority": draft.priority,
        "filed": draft.filed,
        "applicants": list(draft.applicants),
        "inventors": list(draft.inventors),
        "sections": starts,
        "claims": [
            {
                "number": claim.number,
                "parents": list(claim.depends_on),
                **_element_texts(cut.get(claim.number, ())),
            }
            for claim in draft.claims
        ],
    }


def write_sidecar(draft: Draft, path: Path) -> Path:
    """Writes how a draft was parsed next to it, readable only by its owner."""
    place = path.with_name(path.name + SUFFIXES[0])
    try:
        replace_text(place, _yaml(written(draft)) + "\n", private=True)
    except OSError as error:
        raise BadFile(f"{place}: {error.strerror or 'cannot be written'}") from None
    return place


def _parsed(text: str, place: Path) -> object:
    kind = "JSON" if place.suffix == ".json" else "YAML"
    try:
        return json.loads(text) if kind == "JSON" else _parsed_yaml(text)
    except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError, RecursionError):
        raise BadFile(f"{place.name} is not readable {kind}") from None


def _parsed_yaml(text: str) -> object:
    import yaml  # few drafts have such a file

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        """Without aliases: a few lines of them can expand to more text than fits in memory."""

        def compose_node(self, parent: object, index: object) -> object:
            if self.check_event(yaml.AliasEvent):
                raise ValueError
            return super().compose_node(parent, index)

    try:
        return yaml.load(text, Loader)  # noqa: S506 a SafeLoader
    except yaml.YAMLError:
        raise ValueError from None


def _clean(text: str) -> str:
    """Escapes of JSON and YAML can write lone surrogates, which cannot be encoded."""
    return _SURROGATE.sub("\ufffd", text)


def _text(record: Mapping[str, Any], key: str, where: str) -> str | None:
    value = record.get(key)
    if isinstance(value, list | dict | tuple | set | bytes) or (isinstance(value, int) and not _is_number(value)):
        raise BadFile(f"{where}: {key} must be a text")
    return None if value is None else " ".join(_clean(str(value)).split())


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**_MAX_DIGITS


def _date(record: Mapping[str, Any], key: str, name: str) -> str | None:
    value = _text(record, key, name)
    if not value:
        return value
    date = iso_date(value)
    if not date:
        raise BadFile(f"{name}: {key} is not a date; write it as 2014-03-10")
    return date


def _names(record: Mapping[str, Any], key: str, name: str) -> tuple[str, ...] | None:
    """A list of names, or one text with semicolons between them."""
    value = record.get(key)
    if value is None:
        return None
    items = value.split(";") if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise BadFile(f"{name}: {key} must be a list of names, or one text with semicolons between them")
    names = (" ".join(_clean(item).split()) for item in items)
    return tuple(dict.fromkeys(item for item in names if item))


def _borders(value: object, name: str) -> tuple[Border, ...] | None:
    if value is None:
        return None
    borders = []
    for number, item in enumerate(_listed(value, f"{name}: sections"), start=1):
        what = item.get("name") if isinstance(item, dict) else None
        if not isinstance(item, dict) or what not in SECTION_NAMES or not (item.get("starts") or item.get("paragraph")):
            raise BadFile(
                f"{name}: section {number} needs a name ({', '.join(SECTION_NAMES)}) and where it starts: "
                "`starts` with the first words of a paragraph, or `paragraph` with its number"
            )
        where = f"{name}: section {number}"
        borders.append(Border(what, _text(item, "starts", where) or "", _text(item, "paragraph", where) or ""))
    return tuple(borders)


def _claims(value: object, name: str) -> Iterable[tuple[int, ClaimCorrection]]:
    for place, item in enumerate(_listed(value or [], f"{name}: claims"), start=1):
        if not isinstance(item, dict) or not _is_number(item.get("number")):
            raise BadFile(f"{name}: entry {place} of the claims has no number")
        number = item["number"]
        parents, parts = item.get("parents"), item.get("elements")
        if parents is not None and not all(_is_number(one) for one in _listed(parents, f"{name}: claim {number}")):
            raise BadFile(f"{name}: the parents of claim {number} are not numbers of claims")
        found = None
        if parts is not None:
            found = tuple(_element(one, f"{name}: claim {number}") for one in _listed(parts, f"{name}: claim {number}"))
        yield number, ClaimCorrection(None if parents is None else tuple(sorted(set(parents))), found)


def _element(value: object, where: str) -> tuple[str, Kind | None]:
    kind = value.get("kind") if isinstance(value, dict) else None
    text = value.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str) or not text.strip() or (kind is not None and kind not in get_args(Kind)):
        raise BadFile(
            f"{where}: an element must be a part of the claim, or have `text` and `kind` ({', '.join(get_args(Kind))})"
        )
    return _clean(text), kind


def _listed(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadFile(f"{where}: a list is expected")
    return value


def _words(text: str) -> str:
    """The first words of the first line: the next one may be a paragraph of its own."""
    return " ".join(text.split("\n")[0].split()[:_WORDS])


def _element_texts(items: Iterable[Element]) -> dict[str, Any]:
    texts = [{"text": item.text, "kind": item.kind} if item.kind == "characterising" else item.text for item in items]
    return {"elements": texts} if texts else {}


def _yaml(record: Mapping[str, Any]) -> str:
    """Plain YAML, one value per line; all texts are quoted so that none is parsed as another type."""
    lines = ["# How foreart parsed the draft next to this file. Correct what is wrong; remove what is right."]
    for key, value in record.items():
        if not (isinstance(value, list) and value and isinstance(value[0], dict)):
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
            continue
        lines.append(f"{key}:")
        for item in value:
            for place, (name, inner) in enumerate(item.items()):
                lead = "  - " if place == 0 else "    "
                if name != "elements":
                    lines.append(f"{lead}{name}: {json.dumps(inner, ensure_ascii=False)}")
                    continue
                lines.append(f"{lead}{name}:")
                lines += [f"      - {json.dumps(element, ensure_ascii=False)}" for element in inner]
    return "\n".join(lines)
