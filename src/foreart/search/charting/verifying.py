"""Verifies quotes: each is compared, character by character, with the stated place of the stated document."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.errors import NotInCorpus
from foreart.search.charting.places import places, text_fingerprint

# Characters that XML, and so a workbook, a document or a page, cannot represent; line endings become one character.
_UNREPRESENTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Stated:
    """A quote stated in a file: document, place as cited, and text; `where` is its position in the file.

    `fingerprint` is that of the document's text when the quote was made, `""` if the file has none.
    """

    id: str
    place: str
    text: str
    fingerprint: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """The number of quotes and documents checked, and a sentence for each fault."""

    quotes: int
    documents: int
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether there are no faults."""
        return not self.faults


class QuotableTexts:
    """The texts of one stored document by place, with which quotes are compared."""

    def __init__(self, patent: Patent, normalised: Callable[[str], str] = str) -> None:
        self._texts = [(place.label, normalised(text)) for place, text in places(patent)]
        self._by_place: dict[str, list[str]] = {}
        for label, text in self._texts:
            self._by_place.setdefault(label, []).append(text)

    def fault(self, item: Stated) -> str:
        """The fault of a quote in a sentence, `""` if it is valid, or if neither a text nor a place is stated."""
        if not item.text and not item.place:
            return ""
        return _fault(item, self._by_place.get(item.place, []), self._texts)

    def labels_of(self, quote: str) -> list[str]:
        """The places where a text stands, each once, in the order of `places`."""
        return list(dict.fromkeys(label for label, text in self._texts if quote in text))


def holdable(text: str) -> str:
    """A text as a page, a workbook or a document can represent it: other characters become U+FFFD."""
    return _UNREPRESENTABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def verify(stated: Iterable[Stated], corpus: Corpus, *, held: bool = False) -> Checked:
    """Checks every quote. With `held`, characters that the file cannot represent are compared as U+FFFD."""
    normalised: Callable[[str], str] = holdable if held else str
    by_id: dict[str, list[Stated]] = {}
    for item in stated:
        by_id.setdefault(item.id, []).append(item)
    faults: list[str] = []
    count = 0
    for number, items in by_id.items():
        count += sum(bool(item.text) for item in items)
        try:
            patent = _exactly(number, corpus)
        except NotInCorpus as error:
            faults.append(str(error))
            continue
        faults += _changed(patent, items)
        texts = QuotableTexts(patent, normalised)
        faults += filter(None, map(texts.fault, items))
    return Checked(count, len(by_id), tuple(faults))


def _exactly(number: str, corpus: Corpus) -> Patent:
    """The patent with exactly this number, including the kind code."""
    if number not in corpus.find(number):
        raise NotInCorpus(f"{_shortened(number) or 'a document without a number'} is not in the corpus {corpus.path}")
    return corpus[number]


def _changed(patent: Patent, items: Sequence[Stated]) -> list[str]:
    now = text_fingerprint(patent)
    stated = {item.fingerprint for item in items if item.fingerprint} - {now}
    return [
        f"{patent.id}: its text in the corpus ({now}) has changed since it was quoted ({_shortened(fingerprint)})"
        for fingerprint in sorted(stated)
    ]


def _fault(item: Stated, named: Sequence[str], texts: Sequence[tuple[str, str]]) -> str:
    """The fault of a quote in a sentence, `""` if it is valid. `named` are the texts at the stated place."""
    if item.text and any(item.text in text for text in named):
        return ""
    what = f"{item.id} {_shortened(item.place) or '(no place)'}{f' ({_shortened(item.where)})' if item.where else ''}"
    if not item.text:
        return f"{what}: a place is named, but the quote is empty"
    elsewhere = [label for label, text in texts if item.text in text]
    if elsewhere:
        return f"{what}: the quote is in {', '.join(elsewhere[:3])}, not there: {_quoted(item.text)}"
    if not named:
        return f"{what}: the document has no such place, and the quote is nowhere in it: {_quoted(item.text)}"
    return f"{what}: the quote is not in the stored text: {_first_difference(item.text, named)}"


def _first_difference(quote: str, texts: Sequence[str]) -> str:
    """The end of the longest prefix of the quote that is in the text, and how the quote continues."""
    # If a prefix of the quote is in a text, so is every shorter one.
    length = bisect_left(range(len(quote)), True, key=lambda size: not any(quote[: size + 1] in text for text in texts))
    if length < 8:
        return _quoted(quote)
    return f"it differs after “…{quote[max(0, length - 30) : length]}”, where it says “{quote[length : length + 30]}”"


def _quoted(text: str) -> str:
    return f"“{_shortened(text)}”"


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:57]}…"
