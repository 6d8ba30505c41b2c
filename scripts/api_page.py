"""The text of docs/api.md, from the signatures and docstrings of all that `foreart` exports."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import foreart

TARGET = Path(__file__).resolve().parents[1] / "docs" / "api.md"
_WIDTH = 110
# The sections of the page: a name is in the first that has it, and whatever is in none comes last.
SECTIONS: Mapping[str, str] = {
    "A library": "Library Corpus Selection Summary Index INDEXES SAMPLE",
    "Reading": "read scan read_draft Draft Patent Paragraph Claim Citation Literature Symbol Reject",
    "Searching": (
        "SearchRequest SearchOptions Filters Emphasis Result Hit Member Passage Part Chance LeftOut Cutoff "
        "REGIMES STATUSES RANKINGS Learned"
    ),
    "Explaining and charting": "Explainer Reasons Chart Cell Quote Reference Checked",
    "Search records": "SearchRecord read_record diff Difference",
    "Matters": (
        "Matter MatterState MatterEntry MatterForm QueuedDocument RaterAgreement Purged PurgedFile JUDGEMENTS Logged "
        "MatterReview MatterSnapshot ReviewQueue QueueItem ReviewChange Stopping ExportOptions "
        "MatterCreated DraftKept SearchKept DocumentJudged CategoryGiven NoteWritten HighlightsSet SeedSet "
        "FamilyIgnored LiteratureKept LiteratureReference CriteriaSet StoppingRuleSet DocumentsShown UndoAsked "
        "RedoAsked ExportMade"
    ),
    "Evaluating": "evaluate EvaluationReport EvaluationOptions Qrels read_qrels",
    "Crawling": "CrawlSpec CrawlConditions Following CrawlAccess CrawlPolicy CrawlStatus CrawlOutcome",
    "Errors": "ForeartError",
}
# What constants without a text of their own are.
_ABOUT = {
    "SAMPLE": "The folder of 50 invented patents (`patents.jsonl`) and three drafts (`drafts/`) to try things with."
}
_TOP = """# Python

Made from the code by `python scripts/make_docs.py`; do not edit. `import foreart as fa` gives everything on this page;
other modules may change without notice. The same verbs over HTTP are in [http.md](http.md). The first result, on 50
invented patents that come with the package:

```python
import foreart as fa

library = fa.Library("sample-library")
library.add([fa.SAMPLE / "patents.jsonl"])
library.build()
print(*library.search(fa.read_draft(fa.SAMPLE / "drafts" / "insulin-pump.txt"), k=5), sep="\\n")
```

And with files of your own:

```python
import foreart as fa

library = fa.Library("data")  # a folder: the corpus and its indexes
library.add(["ipg150106.zip"])  # any known format; what cannot be read is kept and reported
library.build()  # all that the default ranking needs
draft = fa.read_draft("application.docx")
result = library.search(draft, k=100, cutoff="2015-01-15", classes=["A61B"])
for hit in result:
    print(hit.rank, hit.id, hit.score, hit.status, hit.title)
result.save("record.json")  # the search record: `library.rerun` repeats it
library.explain(result, result.hits[0].id)  # exact contributions that sum to the score
library.chart(result, [hit.id for hit in result.hits[:3]])  # claim elements × references, verbatim located quotes
```
"""


def api() -> str:
    """The text of docs/api.md."""
    parts = [_TOP]
    for title, names in sections().items():
        parts.append(f"## {title}\n")
        parts += [_errors(names)] if title == "Errors" else [_entry(name) for name in names]
    return "\n".join(parts)


def sections() -> dict[str, list[str]]:
    """The names of each section; errors are those of the tree."""
    found = {title: names.split() for title, names in SECTIONS.items()}
    placed = {name for names in found.values() for name in names}
    for name in foreart.__all__:
        if name not in placed:
            found["Errors" if _is_error(name) else "Others"].append(name)
    return found


def _is_error(name: str) -> bool:
    held = getattr(foreart, name)
    return isinstance(held, type) and issubclass(held, Exception)


def _errors(names: list[str]) -> str:
    import foreart.errors

    tree = (foreart.errors.__doc__ or "").split("\n\n", 1)[1].rstrip()
    return (
        f"Every error is a `ForeartError`, and its text is a sentence for the person who can act:\n\n```\n{tree}\n```\n"
    )


def _entry(name: str) -> str:
    held = getattr(foreart, name)
    if isinstance(held, type):
        return _class(name, held)
    if callable(held):
        return f"### {name}\n\n{_code(_signature(name, held))}\n{_doc(held)}\n"
    if isinstance(held, Mapping):
        lines = "".join(f"- `{key}`{f': {text}' if isinstance(text, str) else ''}\n" for key, text in held.items())
        return f"### {name}\n\n{lines}"
    if isinstance(held, tuple):
        return f"### {name}\n\n{', '.join(f'`{item}`' for item in held)}\n"
    return f"### {name}\n\n{_ABOUT[name]}\n"


def _class(name: str, held: type) -> str:
    members = [_member(key, value) for key, value in vars(held).items() if not key.startswith("_")]
    properties = "".join(text for text in members if text.startswith("- "))
    methods = "\n".join(text for text in members if text.startswith("```"))
    return "\n".join(
        filter(None, (f"### {name}\n", _code(_constructor(name, held)), _doc(held) + "\n", properties, methods))
    )


def _constructor(name: str, held: type) -> str:
    if typing.is_typeddict(held):
        return f"{name}\n" + "".join(f"    {key}: {_plain(kind)}\n" for key, kind in held.__annotations__.items())
    if is_dataclass(held):
        return _called(name, [_field(item) for item in fields(held) if item.init])
    if inspect.isabstract(held):
        return f"class {name}"
    return _signature(name, held).removesuffix(" -> None")


def _field(item: Field[Any]) -> str:
    required = item.default is MISSING and item.default_factory is MISSING
    return f"{item.name}: {_plain(item.type)}" + ("" if required else f" = {_default(item.default)}")


def _default(value: object) -> str:
    return repr(value) if isinstance(value, str | int | float | tuple | None) else "…"


def _member(name: str, held: object) -> str:
    if isinstance(held, property | cached_property):
        return f"- `.{name}`: {' '.join(_doc(held).split())}\n"
    plain = getattr(held, "__func__", held)
    return f"{_code(_signature(f'.{name}', plain))}\n{_doc(plain)}\n" if inspect.isfunction(plain) else ""


def _signature(name: str, held: Callable[..., Any]) -> str:
    found = inspect.signature(held)
    answer = "" if found.return_annotation is found.empty else f" -> {_plain(found.return_annotation)}"
    return _called(name, list(_arguments(found))) + answer


def _arguments(signature: inspect.Signature) -> Iterator[str]:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    starred = False
    for item in signature.parameters.values():
        if item.kind is item.KEYWORD_ONLY and not starred:
            yield "*"
        starred |= item.kind in (item.KEYWORD_ONLY, item.VAR_POSITIONAL)
        if item.name not in ("self", "cls"):
            default = "" if item.default is item.empty else f" = {_default(item.default)}"
            yield f"{stars.get(item.kind, '')}{item.name}: {_plain(item.annotation)}{default}"


def _called(name: str, arguments: list[str]) -> str:
    line = f"{name}({', '.join(arguments)})"
    return line if len(line) <= _WIDTH else f"{name}(\n" + "".join(f"    {item},\n" for item in arguments) + ")"


def _plain(kind: object) -> str:
    text = getattr(kind, "__forward_arg__", kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind)))
    return str(text)


def _doc(held: object) -> str:
    return inspect.getdoc(held) or ""


def _code(text: str) -> str:
    return f"```\n{text.rstrip()}\n```\n"
