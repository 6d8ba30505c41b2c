"""Whether quotes hold: each is looked up, letter by letter, at the place of the document that it names."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from foreart.corpus import Corpus
from foreart.document.patent import Patent
from foreart.errors import NotInCorpus
from foreart.search.charting.places import places, text_fingerprint

# What XML cannot hold, and so neither a workbook nor a document nor a page; an ending of lines becomes one sign.
_UNHELD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Stated:
    """A quote as a file has it: document, place as it is cited, words; `where` says where in the file it stands.

    `fingerprint` is that of the document's text when the quote was taken, `""` where the file does not say.
    """

    id: str
    place: str
    text: str
    fingerprint: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """How many quotes of how many documents were looked up, and a sentence for everything that does not hold."""

    quotes: int
    documents: int
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything does."""
        return not self.faults


def holdable(text: str) -> str:
    """A text as a page, a workbook or a document can hold it: signs that none of them can become U+FFFD."""
    return _UNHELD.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def verify(stated: Iterable[Stated], corpus: Corpus, *, held: bool = False) -> Checked:
    """Looks every quote up. With `held`, signs that the file cannot hold are compared as what stands for them."""
    spelled: Callable[[str], str] = holdable if held else str
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
        texts = [(place.label, spelled(text)) for place, text in places(patent)]
        by_place: dict[str, list[str]] = {}
        for label, text in texts:
            by_place.setdefault(label, []).append(text)
        for item in items:
            fault = _fault(item, by_place.get(item.place, []), texts) if item.text or item.place else ""
            faults += [fault] if fault else []
    return Checked(count, len(by_id), tuple(faults))


def _exactly(number: str, corpus: Corpus) -> Patent:
    """The patent of that very number, kind code and all."""
    if number not in corpus.find(number):
        raise NotInCorpus(f"{_cut(number) or 'a document without a number'} is not in the corpus {corpus.path}")
    return corpus[number]


def _changed(patent: Patent, items: Sequence[Stated]) -> list[str]:
    now = text_fingerprint(patent)
    told = {item.fingerprint for item in items if item.fingerprint} - {now}
    return [
        f"{patent.id}: its text in the corpus ({now}) is not the one the chart was made of ({_cut(fingerprint)})"
        for fingerprint in sorted(told)
    ]


def _fault(item: Stated, named: Sequence[str], texts: Sequence[tuple[str, str]]) -> str:
    """What is wrong with a quote, in a sentence; `""` if nothing is. `named` are the texts at the place it names."""
    if item.text and any(item.text in text for text in named):
        return ""
    what = f"{item.id} {_cut(item.place) or '(no place)'}{f' ({_cut(item.where)})' if item.where else ''}"
    if not item.text:
        return f"{what}: a place is named, but nothing is quoted"
    elsewhere = [label for label, text in texts if item.text in text]
    if elsewhere:
        return f"{what}: the quote stands in {', '.join(elsewhere[:3])}, not there: {_short(item.text)}"
    if not named:
        return f"{what}: the document has no such place, and the quote stands nowhere in it: {_short(item.text)}"
    return f"{what}: the quote is not in the stored text: {_parting(item.text, named)}"


def _parting(quote: str, texts: Sequence[str]) -> str:
    """The quote up to where it differs from the text, and what it says there."""
    # If a beginning of the quote is in a text, so is every shorter one.
    right = bisect_left(range(len(quote)), True, key=lambda size: not any(quote[: size + 1] in text for text in texts))
    if right < 8:
        return _short(quote)
    return f"it parts from it after “…{quote[max(0, right - 30) : right]}” where it says “{quote[right : right + 30]}”"


def _short(text: str) -> str:
    return f"“{_cut(text)}”"


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:57]}…"
