"""A search request: one frozen object for the command line, Python and records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from importlib.metadata import version
from typing import Any, TypedDict, Unpack, cast, get_type_hints

from foreart.corpus import EVERYTHING, Selection
from foreart.corpus.selection import checked
from foreart.document.draft import Draft
from foreart.document.patent import Depth, Paragraph
from foreart.errors import BadRequest
from foreart.identifiers.symbols import class_symbol
from foreart.rankings import RANKINGS, RENAMED
from foreart.regimes import HIT_STATUSES, Regime
from foreart.search.draft_source import source_of
from foreart.search.law.priority import Status, cutoff_of, regime_of
from foreart.search.term_filters import terms_of
from foreart.typed_json import TypeMismatch, from_json, to_json


class SearchOptions(TypedDict, total=False):
    """Every option of a search by its keyword: in Python, in records and in JSON.

    `selection` is the full selection; `published_from` to `depths` are its single conditions. `must` and `without` are
    terms of the full text, `statuses` those on the cut-off date, `ignore` and `only_new` publication numbers,
    or files with numbers.
    """

    k: int
    cutoff: str
    index: str
    ranking: str
    emphasise: Sequence[str]
    emphasise_paragraphs: Sequence[str]
    emphasise_classes: Sequence[str]
    selection: Selection
    published_from: str
    published_to: str
    classes: Sequence[str]
    countries: Sequence[str]
    kinds: Sequence[str]
    languages: Sequence[str]
    applicants: Sequence[str]
    depths: Sequence[Depth]
    regime: str
    must: Sequence[str]
    without: Sequence[str]
    statuses: Sequence[Status]
    ignore: Sequence[str]
    only_new: Sequence[str]
    exact: bool
    passages: bool


def _strings(values: Iterable[str]) -> tuple[str, ...]:
    """A tuple of strings; a single string is one value."""
    return (values,) if isinstance(values, str) else tuple(map(str, values))


def _value(value: str | Sequence[str]) -> str | tuple[str, ...]:
    return value if isinstance(value, str) else tuple(value)


def _plain(number_text: str) -> str:
    """The number of a paragraph without brackets and leading zeros."""
    return number_text.strip().strip("[]()").lstrip("0") or number_text


def _set(frozen: object, **values: object) -> None:
    """Sets fields of a frozen instance during its construction."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of the documents to compare. `ignore` and `only_new` are publication numbers, or files with numbers."""

    selection: Selection = EVERYTHING
    must: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ()
    ignore: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _set(self, selection=checked(self.selection))
        for name in ("must", "without", "statuses", "ignore", "only_new"):
            _set(self, **{name: _strings(getattr(self, name))})
        for status in self.statuses:
            if status not in HIT_STATUSES:
                raise BadRequest(f"{status!r} is not a status of hits; there are {', '.join(HIT_STATUSES)}")
        for terms in (self.must, self.without):
            list(terms_of(terms))


@dataclass(frozen=True, slots=True)
class Emphasis:
    """The parts of a draft to emphasise: terms, printed numbers of paragraphs, class symbols."""

    terms: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _set(self, terms=_strings(self.terms), paragraphs=_strings(self.paragraphs), classes=_strings(self.classes))
        for symbol, group in zip(self.classes, self.main_groups, strict=True):
            if " " not in group:
                raise BadRequest(f"{symbol!r} has no main group to emphasise; write it like 'A61B 8'")

    @property
    def main_groups(self) -> tuple[str, ...]:
        """The main group of each class: `A61B 8` of `a61b8/12`."""
        return tuple(class_symbol(symbol.upper()).partition("/")[0] for symbol in self.classes)

    def paragraphs_of(self, draft: Draft) -> list[Paragraph]:
        """The emphasised paragraphs of a draft; BadRequest if it lacks one."""
        numbers = [_plain(paragraph.number) for paragraph in draft.description]
        wanted = {_plain(number): number for number in self.paragraphs}
        missing = sorted(number_text for number, number_text in wanted.items() if number not in numbers)
        if missing:
            raise BadRequest(f"the draft has no paragraph numbered {', '.join(missing)}")
        return [part for part, number in zip(draft.description, numbers, strict=True) if number in wanted]


NO_FILTERS, NO_EMPHASIS = Filters(), Emphasis()
_SELECTION = {item.name for item in fields(Selection)}
_FILTERS = {item.name for item in fields(Filters)} - {"selection"}
_EMPHASIS: Mapping[str, str] = {
    "emphasise": "terms",
    "emphasise_paragraphs": "paragraphs",
    "emphasise_classes": "classes",
}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search: a draft and all options. Validated on construction; BadRequest says what is wrong.

    `cutoff` is a day, `""` for the date that the draft names, else today. `ranking` fuses all channels
    (`foreart.RANKINGS`) unless one `index` ranks alone; `regime` is the law that defines prior art
    (`foreart.REGIMES`); `exact` compares every document in full, without choosing candidates first; `passages` quotes
    the closest paragraph of each hit.
    """

    draft: Draft
    k: int = 20
    cutoff: str = ""
    regime: Regime = "any"
    filters: Filters = NO_FILTERS
    emphasis: Emphasis = NO_EMPHASIS
    ranking: str = "auto"
    index: str = ""
    exact: bool = False
    passages: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.draft, Draft):
            raise BadRequest(f"a search needs a Draft, not a {type(self.draft).__name__}: foreart.read_draft reads one")
        if not isinstance(self.k, int) or self.k < 1:
            raise BadRequest(f"k is {self.k!r}: it must be a whole number of at least 1")
        _set(self, ranking=RENAMED.get(self.ranking, self.ranking))
        if self.ranking not in RANKINGS:
            raise BadRequest(f"{self.ranking!r} is not a ranking; there are {', '.join(RANKINGS)}")
        _set(self, regime=regime_of(self.regime), cutoff=self.cutoff and cutoff_of(self.draft, self.cutoff).date)
        self.emphasis.paragraphs_of(self.draft)

    @classmethod
    def of(cls, draft: Draft, **options: Unpack[SearchOptions]) -> SearchRequest:
        """A request from keyword options."""
        unknown = sorted(options.keys() - SearchOptions.__annotations__.keys())
        if unknown:
            raise BadRequest(
                f"a search has no option {unknown[0]!r}; it has {', '.join(SearchOptions.__annotations__)}"
            )
        given: dict[str, Any] = {**options}
        chosen = {name: given.pop(name) for name in _SELECTION & given.keys()}
        selection = replace(
            given.pop("selection", EVERYTHING), **{name: _value(value) for name, value in chosen.items()}
        )
        filters = Filters(selection, **{name: given.pop(name) for name in _FILTERS & given.keys()})
        emphasis = Emphasis(**{part: given.pop(name) for name, part in _EMPHASIS.items() if name in given})
        return cls(draft, filters=filters, emphasis=emphasis, **given)

    def options(self) -> SearchOptions:
        """All options by keyword; `SearchRequest.of` makes the same request from them."""
        return {
            "k": self.k,
            "cutoff": self.cutoff,
            "index": self.index,
            "ranking": self.ranking,
            "emphasise": self.emphasis.terms,
            "emphasise_paragraphs": self.emphasis.paragraphs,
            "emphasise_classes": self.emphasis.classes,
            "selection": self.filters.selection,
            "regime": self.regime,
            "must": self.filters.must,
            "without": self.filters.without,
            "statuses": self.filters.statuses,
            "ignore": self.filters.ignore,
            "only_new": self.filters.only_new,
            "exact": self.exact,
            "passages": self.passages,
        }

    def to_record(self) -> dict[str, Any]:
        """The request as JSON: all options, and the fingerprint and source of the draft instead of its text."""
        return {"draft": to_json(source_of(self.draft)), **to_json(self.options())}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], draft: Draft) -> SearchRequest:
        """The request that `to_record` wrote, for a draft."""
        return cls.of(draft, **options_of(record))


def options_of(record: Mapping[str, Any]) -> SearchOptions:
    """The typed options of a request's JSON form; BadRequest for an option that this version does not know."""
    types = get_type_hints(SearchOptions)
    options: dict[str, Any] = {}
    for name, value in record.items():
        if name != "draft":
            try:
                options[name] = from_json(types[name], value, name)
            except (KeyError, TypeMismatch):
                known = f"which foreart {version('foreart')} does not know"
                raise BadRequest(f"the search has the option {name}={value!r}, {known}") from None
    return cast(SearchOptions, options)


def request_of(asked: Draft | SearchRequest, **options: Unpack[SearchOptions]) -> SearchRequest:
    """The request of a draft, or a request with some options changed."""
    if not isinstance(asked, SearchRequest):
        return SearchRequest.of(asked, **options)
    return SearchRequest.of(asked.draft, **(asked.options() | options)) if options else asked
