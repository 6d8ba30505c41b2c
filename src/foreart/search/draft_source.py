"""The source of a draft: a file or a publication of the corpus, and what a record keeps of it without its text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from foreart.corpus import Corpus
from foreart.document.draft import Draft, draft_of_patent
from foreart.errors import BadFile, BadNumber, NotInCorpus
from foreart.identifiers.numbers import parse_number
from foreart.sources.drafts import corrected_draft, read_draft, sidecar_of


@dataclass(frozen=True, slots=True)
class DraftSource:
    """`name` is that of the file, a publication number, or `standard input`; only a file has a `path`.

    `sidecar` is the name of its corrections file; the SHA-256 hashes are those of the files.
    """

    fingerprint: str
    name: str = ""
    path: str = ""
    sha256: str = ""
    sidecar: str = ""
    sidecar_sha256: str = ""


def source_of(draft: Draft) -> DraftSource:
    """The source of a draft; if its file is gone, only its name and fingerprint."""
    file = Path(draft.path)
    if not draft.path or not file.is_file():
        return DraftSource(draft.fingerprint, draft.source)
    corrections = sidecar_of(file)
    return DraftSource(
        fingerprint=draft.fingerprint,
        name=file.name,
        path=draft.path,
        sha256=_sha256(file),
        sidecar=corrections.name if corrections else "",
        sidecar_sha256=_sha256(corrections) if corrections else "",
    )


def open_draft(source: str, corpus: Corpus | None, *, sidecar: str | None = None) -> Draft:
    """The draft in a file (`-` is standard input), or a patent of the corpus, by its number, as a draft."""
    if source == "-" or Path(source).exists():
        return read_draft(source, sidecar=sidecar)
    try:
        parse_number(source)
    except BadNumber:
        raise BadFile(f"{source}: there is no such file, and it is not a publication number") from None
    if corpus is None:
        raise BadFile(f"{source}: there is no such file, and no corpus in which to look up the number")
    if not corpus.find(source):
        raise NotInCorpus(f"{source} is neither a file nor in the corpus {corpus.path}")
    draft = publication_draft(source, corpus)
    return corrected_draft(draft, sidecar) if sidecar else draft


def publication_draft(number: str, corpus: Corpus) -> Draft:
    """A patent of the corpus as a draft; its number may be written in any spelling that is not ambiguous."""
    matches = corpus.find(number)
    if not matches:
        raise NotInCorpus(f"{number} is not in the corpus {corpus.path}")
    if len(matches) > 1:
        raise NotInCorpus(f"{number} matches {', '.join(matches)}: name one of them")
    return draft_of_patent(corpus[matches[0]])


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or 'cannot be read'}") from None
