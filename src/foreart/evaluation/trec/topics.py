"""Topics with human judgements: a short query, and two lists of numbers, relevant and not relevant.

q1.xml            <query><title>…</title><description>…</description></query>
q1-qrels+ve.txt   numbers judged relevant, one per line
q1-qrels-ve.txt   numbers judged not relevant (may be absent)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foreart.document.draft import Draft
from foreart.errors import BadFile, BadRecord
from foreart.evaluation.trec.qrels import Qrels, qrels_of
from foreart.evaluation.trec.queries import QueryDocument
from foreart.evaluation.trec.trec_files import lines, spelled
from foreart.identifiers.numbers import number_key
from foreart.sources.markup.xml import parse_xml

_LISTS = {"+ve": 1, "-ve": 0}
_MAX_BYTES = 1 << 20  # of a topic; longer files are patents


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics as drafts without dates, and their judgements."""

    queries: tuple[QueryDocument, ...]
    qrels: Qrels


def read_topics(folder: str | Path) -> Topics:
    """The topics of a folder, in order of name; other files are ignored."""
    path = Path(folder)
    queries: list[QueryDocument] = []
    judgements: list[tuple[str, str, int]] = []
    for file in sorted(path.glob("*.xml")):
        draft = _draft(file)
        if draft is not None:
            queries.append(QueryDocument(spelled(file.stem), draft))
            judgements += [(file.stem, number, grade) for number, grade in _judged(file)]
    if not queries:
        raise BadFile(f"{path} has no topics: files like q1.xml with q1-qrels+ve.txt and q1-qrels-ve.txt next to them")
    return Topics(tuple(queries), qrels_of(judgements))


def _draft(file: Path) -> Draft | None:
    """The topic of a file as a draft; None for other XML."""
    try:
        if file.stat().st_size > _MAX_BYTES:
            return None
        root = parse_xml(file.read_bytes())
    except OSError as error:
        raise BadFile(f"{file}: {error.strerror or error}") from None
    except BadRecord as error:
        raise BadFile(f"{file}: {error}") from None
    if root.tag != "query":
        return None
    title, description = (" ".join((root.findtext(name) or "").split()) for name in ("title", "description"))
    if not title and not description:
        raise BadFile(f"{file}: the topic has neither a title nor a description")
    # As an abstract it is part of both full text and abstract, the only texts of such collections.
    return Draft(title=title, abstract=description, source=file.name)


def _judged(file: Path) -> Iterator[tuple[str, int]]:
    """The numbers of both lists with their grades."""
    seen: dict[str, int] = {}
    for name, grade in _LISTS.items():
        listed = file.with_name(f"{file.stem}-qrels{name}.txt")
        if grade == 0 and not listed.exists():
            continue
        for line in lines(listed, fields=1, form="one number per line"):
            number = line.fields[0]
            if seen.setdefault(number_key(number), grade) != grade:
                raise line.bad(f"{number} was judged relevant before")
            yield number, grade
