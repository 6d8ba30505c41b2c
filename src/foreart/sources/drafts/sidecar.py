"""A small file beside a draft in which a person corrects what was understood of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from foreart.document.draft import Draft
from foreart.document.elements import Kind
from foreart.document.headings import SECTION_NAMES, SectionName
from foreart.durable import replace_text
from foreart.errors import BadFile
from foreart.identifiers.dates import iso_date

SUFFIXES = (".foreart.yaml", ".foreart.yml", ".foreart.json")
_KEYS = ("title", "language", "priority", "filed", "applicants", "inventors", "sections", "claims")
_WORDS = 9  # of a paragraph, enough to find it again


@dataclass(frozen=True, slots=True)
class Border:
    """A section and where it begins: the first words of a paragraph, or its printed number."""

    name: SectionName
    starts: str = ""
    paragraph: str = ""


@dataclass(frozen=True, slots=True)
class ClaimCorrection:
    """What is said of one claim; None where nothing is."""

    parents: tuple[int, ...] | None = None
    elements: tuple[tuple[str, Kind | None], ...] | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """All that a sidecar says; None where it is silent."""

    source: str = ""
    title: str | None = None
    language: str | None = None
    priority: str | None = None
    filed: str | None = None
    applicants: tuple[str, ...] | None = None
    inventors: tuple[str, ...] | None = None
    sections: tuple[Border, ...] | None = None
    claims: Mapping[int, ClaimCorrection] = field(default_factory=dict)


def beside(path: Path) -> Path | None:
    """The sidecar of a draft, if there is one."""
    return next((place for suffix in SUFFIXES if (place := path.with_name(path.name + suffix)).is_file()), None)


def read_sidecar(path: str | Path) -> Correction:
    """The corrections in a file; what cannot be meant is refused with the place, never with the text."""
    place = Path(path)
    try:
        text = place.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise BadFile(f"{place}: the corrections cannot be read") from None
    record = _parsed(text, place)
    if not isinstance(record, dict):
        raise BadFile(f"{place.name}: corrections are keys and values: {', '.join(_KEYS)}")
    for key in record:
        if key not in _KEYS:
            raise BadFile(f"{place.name}: there is no key {str(key)[:20]!r}; there are {', '.join(_KEYS)}")
    return Correction(
        source=place.name,
        title=_text(record, "title"),
        language=_text(record, "language"),
        priority=_date(record, "priority", place.name),
        filed=_date(record, "filed", place.name),
        applicants=_names(record, "applicants", place.name),
        inventors=_names(record, "inventors", place.name),
        sections=_borders(record.get("sections"), place.name),
        claims=dict(_claims(record.get("claims"), place.name)),
    )


def written(draft: Draft) -> dict[str, Any]:
    """What was understood, in the form of a sidecar."""
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
                **_element_texts(draft, claim.number),
            }
            for claim in draft.claims
        ],
    }


def write_sidecar(draft: Draft, path: Path) -> Path:
    """Writes what was understood beside the draft, readable for its owner only."""
    place = path.with_name(path.name + SUFFIXES[0])
    try:
        replace_text(place, _yaml(written(draft)) + "\n", private=True)
    except OSError as error:
        raise BadFile(f"{place}: {error.strerror or 'cannot be written'}") from None
    return place


def _parsed(text: str, place: Path) -> object:
    if place.suffix == ".json":
        try:
            return json.loads(text)
        except ValueError:
            raise BadFile(f"{place.name} is no JSON that can be read") from None
    import yaml  # few drafts have such a file

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise BadFile(f"{place.name} is no YAML that can be read") from None


def _text(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    return None if value is None else " ".join(str(value).split())


def _date(record: Mapping[str, Any], key: str, name: str) -> str | None:
    value = _text(record, key)
    if not value:
        return value
    date = iso_date(value)
    if not date:
        raise BadFile(f"{name}: {key} is no date; write it as 2014-03-10")
    return date


def _names(record: Mapping[str, Any], key: str, name: str) -> tuple[str, ...] | None:
    """A list of names, or one text in which semicolons part them."""
    value = record.get(key)
    if value is None:
        return None
    items = value.split(";") if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise BadFile(f"{name}: {key} is a list of names, or one text with semicolons between them")
    names = (" ".join(item.split()) for item in items)
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
        starts = " ".join(str(item.get("starts") or "").split())
        borders.append(Border(what, starts, str(item.get("paragraph") or "")))
    return tuple(borders)


def _claims(value: object, name: str) -> Iterable[tuple[int, ClaimCorrection]]:
    for place, item in enumerate(_listed(value or [], f"{name}: claims"), start=1):
        if not isinstance(item, dict) or not isinstance(item.get("number"), int):
            raise BadFile(f"{name}: entry {place} of the claims has no number")
        number = item["number"]
        parents, pieces = item.get("parents"), item.get("elements")
        if parents is not None and not all(isinstance(one, int) for one in _listed(parents, f"{name}: claim {number}")):
            raise BadFile(f"{name}: the parents of claim {number} are not numbers of claims")
        found = None
        if pieces is not None:
            found = tuple(_piece(one, f"{name}: claim {number}") for one in _listed(pieces, f"{name}: claim {number}"))
        yield number, ClaimCorrection(None if parents is None else tuple(sorted(set(parents))), found)


def _piece(value: object, where: str) -> tuple[str, Kind | None]:
    kind = value.get("kind") if isinstance(value, dict) else None
    text = value.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str) or not text.strip() or (kind is not None and kind not in get_args(Kind)):
        raise BadFile(
            f"{where}: an element is a piece of the claim, or `text` and `kind` ({', '.join(get_args(Kind))})"
        )
    return text, kind


def _listed(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadFile(f"{where}: a list is expected")
    return value


def _words(text: str) -> str:
    """The first words of the first line: the next one may be a paragraph of its own."""
    return " ".join(text.split("\n")[0].split()[:_WORDS])


def _element_texts(draft: Draft, number: int) -> dict[str, Any]:
    found = [item for item in draft.elements if item.claim == number]
    pieces = [{"text": item.text, "kind": item.kind} if item.kind == "characterising" else item.text for item in found]
    return {"elements": pieces} if pieces else {}


def _yaml(record: Mapping[str, Any]) -> str:
    """Plain YAML, a value a line; every text in quotes, so that none is read as something else."""
    lines = ["# What foreart understood of the draft beside this file. Correct what is wrong; leave out what is right."]
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
                lines += [f"      - {json.dumps(piece, ensure_ascii=False)}" for piece in inner]
    return "\n".join(lines)
