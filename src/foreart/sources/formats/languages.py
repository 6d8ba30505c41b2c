"""Documents in several languages: selects the main text and its translations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from foreart.document.patent import Claim, Translation

T = TypeVar("T")
Claims = tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class TextsByLanguage:
    """The main texts of a document and its translations."""

    title: str
    abstract: str
    claims: Claims
    translations: tuple[Translation, ...]


def language_code(text: str | None) -> str:
    """Two lower-case letters; `""` for `XX`, `OL` and other codes for unknown."""
    code = (text or "").strip().lower()[:2]
    return "" if code in ("xx", "ol", "un", "zz") or not code.isalpha() or len(code) < 2 else code


def in_language(
    language: str, titles: Mapping[str, str], abstracts: Mapping[str, str], claims: Mapping[str, Claims]
) -> TextsByLanguage:
    """The texts in a language, else in English, else in the first available one; all others are translations."""
    title, abstract, claim = (_chosen(language, texts) for texts in (titles, abstracts, claims))
    translations = [
        Translation(
            code,
            title=titles.get(code, "") if code != title else "",
            abstract=abstracts.get(code, "") if code != abstract else "",
            claims=claims.get(code, ()) if code != claim else (),
        )
        for code in dict.fromkeys((*titles, *abstracts, *claims))
    ]
    return TextsByLanguage(
        titles.get(title, ""),
        abstracts.get(abstract, ""),
        claims.get(claim, ()),
        tuple(item for item in translations if item.title or item.abstract or item.claims),
    )


def _chosen(language: str, texts: Mapping[str, T]) -> str:
    if language in texts or not texts:
        return language
    return "en" if "en" in texts else next(iter(texts))
