"""Work grows with the size of the input: four times the text takes at most 2.5² times as long, whatever it repeats."""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

import hostile
from foreart.document import claims, elements, figures, headings, mentions, named_numbers, numerals, outline, paragraphs
from foreart.document.draft import Draft, analysed
from foreart.document.draft_record import draft_record
from foreart.document.patent import Claim, Paragraph
from foreart.errors import ForeartError
from foreart.search.law.relatives import relatives
from foreart.sources import read_draft
from foreart.sources.drafts import claimset, dating, people
from foreart.sources.drafts.file_types.lines import Line
from foreart.sources.markup.running_text import joined_lines
from foreart.sources.patent_files import MALFORMED, Document, raw_records
from foreart.sources.readers import READERS
from foreart.text.passages import passages
from foreart.text.sentences import sentences
from sources.test_fuzz import formats

SIZE, TIMES = 1_600, 4
BOUND = 2.5**2
# Seconds below which the clock and the garbage collector say more than the work.
FLOOR = 0.03
HANGS = 30


def split_lines(text: str) -> list[Line]:
    return [Line(line) for line in text.split("\n") if line.strip()]


def described(text: str) -> Draft:
    return Draft(description=tuple(Paragraph(line) for line in text.split("\n")), claims=(Claim(1, text),))


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "references": lambda text: claims.references(text, 5),
    "split_claims": claims.split_claims,
    "numbered_claims": lambda text: claims.numbered_claims(text.split("\n")),
    "independent_claims": lambda text: claims.independent_claims([Claim(1, text), Claim(2, text, (1,))]),
    "elements": elements.elements,
    "known_heading": headings.known_heading,
    "mentions": mentions.mentions,
    "named_numbers": named_numbers.named_numbers,
    "numerals": numerals.numerals,
    "figures": figures.figures,
    "paragraphs": paragraphs.plain_paragraphs,
    "sections": lambda text: outline.sections_of([Paragraph(line, is_heading=True) for line in text.split("\n")]),
    "sentences": lambda text: sentences(text, clauses=True),
    "passages": passages,
    "priority": dating.priority_of,
    "filing": dating.filing_of,
    "people": lambda text: people.people_of(split_lines(text)),
    "claims_of": lambda text: claimset.claims_of(split_lines(text)),
    "unheaded_claims": lambda text: claimset.unheaded_claims(text.split("\n")),
    "relatives": lambda text: relatives(described(text)),
    "draft_record": lambda text: draft_record(analysed(described(text))),
    "joined_lines": lambda text: list(joined_lines(text.split("\n"))),
}


@contextmanager
def clock() -> Iterator[Callable[[], float]]:
    """The seconds of processor time since it began; without the garbage collector, which runs when it likes."""

    def too_slow(signum: int, frame: object) -> None:
        raise AssertionError("hangs")

    previous = signal.signal(signal.SIGALRM, too_slow)
    signal.alarm(HANGS)
    gc.disable()
    began = time.process_time()
    try:
        yield lambda: time.process_time() - began
    finally:
        gc.enable()
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def seconds(work: Callable[[], object]) -> float:
    with clock() as passed:
        with suppress(ForeartError):  # refused: only the time counts
            work()
        return passed()


def assert_grows_with_size(name: str, prepared: Callable[[int], Callable[[], object]]) -> None:
    """Measured once if that is good enough; a suspicion is confirmed at larger sizes, where noise matters less."""
    size, told = SIZE, ""
    for _ in range(3):
        small, large = prepared(size), prepared(TIMES * size)
        least = [seconds(small), seconds(large)]
        if least[1] > max(FLOOR, BOUND * least[0]):
            least = [min(before, seconds(work)) for before, work in zip(least, (small, large), strict=True)]
        if least[1] <= max(FLOOR, BOUND * least[0]):
            return
        told = f"{name}: {size:,} characters {least[0]:.4f} s, {TIMES} times as many {least[1]:.4f} s"
        size *= 2
    pytest.fail(told)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_of_text_grow_with_its_size(function: str) -> None:
    work = FUNCTIONS[function]
    work("Warm up. FIG. 1 shows a lever 12. US 5,123,456. 1. A claim, filed 10 March 2014.")
    for name, make in hostile.texts():
        assert_grows_with_size(f"{function} of {name}", lambda size, make=make: partial(work, make(size)))


def test_sentences_grow_with_the_number_of_distinct_characters() -> None:
    rare = [chr(code) for code in range(0x10000, 0x10000 + 64 * SIZE)]
    assert_grows_with_size("sentences", lambda size: partial(sentences, "".join(rare[: 4 * size])))


@pytest.mark.parametrize("suffix", hostile.DRAFT_FORMATS)
def test_drafts_of_every_format_grow_with_their_size(suffix: str, tmp_path: Path) -> None:
    write = hostile.DRAFT_FORMATS[suffix]

    def prepared(size: int, make: hostile.Make) -> Callable[[], object]:
        path = tmp_path / f"{size}{suffix}"
        path.write_bytes(write(make(size // 2)))
        return lambda: read_draft(path)

    # After paragraphs are found every format takes the same path; plain text goes through it with all patterns.
    for name, make in hostile.texts() if suffix == ".txt" else hostile.repeats():
        assert_grows_with_size(f"{suffix} of {name}", lambda size, make=make: prepared(size, make))


@pytest.mark.parametrize("name", formats())
def test_records_of_every_format_grow_with_their_size(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(formats()[name]()[0])
    found = next((item for item in raw_records(tmp_path / "file") if isinstance(item, Document)), None)
    if found is None:
        pytest.skip("an archive, whose members are tried by themselves")
    parse = READERS[found.format].parse

    def work(data: bytes) -> None:
        with suppress(*MALFORMED):
            list(parse(data))

    for what, make in hostile.records(found.record.data):
        assert_grows_with_size(f"{name}: {what}", lambda size, make=make: partial(work, make(size)))
