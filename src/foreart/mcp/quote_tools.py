"""The tool `verify`: whether quotes stand, character by character, where they are said to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from foreart.errors import BadNumber, NotInCorpus
from foreart.identifiers.numbers import loose_number
from foreart.mcp.tool_arguments import Document
from foreart.mcp.tool_context import ToolContext
from foreart.search.charting import QuotableTexts, Stated

_PLACES = 10


@dataclass(frozen=True, slots=True)
class QuoteToCheck:
    """A quote: the document, the place as tools cite it (`[0012]`, `claim 3`, `abstract`), and the exact text."""

    number: Document
    place: Annotated[str, Field(min_length=1, max_length=100, description="[0012], paragraph 12, claim 3, abstract.")]
    text: Annotated[str, Field(min_length=1, max_length=20_000, description="The quote, exactly as it is cited.")]


@dataclass(frozen=True, slots=True)
class CheckedQuote:
    """Whether a quote holds. `stands_at` are all places of the document that have it, `fault` says what is wrong."""

    number: str
    place: str
    holds: bool
    stands_at: tuple[str, ...]
    fault: str


@dataclass(frozen=True)
class CheckedQuotes:
    """The verdict on each quote, in the order in which they were given."""

    holds: bool
    quotes: list[CheckedQuote]


Quotes = Annotated[tuple[QuoteToCheck, ...], Field(min_length=1, max_length=100, description="The quotes to check.")]


def verify(context: ToolContext, quotes: Quotes) -> CheckedQuotes:
    """Check quotes before they are cited: each is compared, character by character, with the stored document.

    A quote that does not hold must not be cited; `stands_at` says where else the same text stands, if it does.
    """
    texts: dict[str, QuotableTexts] = {}
    checked = [_checked(context, quote, texts) for quote in quotes]
    return CheckedQuotes(all(quote.holds for quote in checked), checked)


def _checked(context: ToolContext, quote: QuoteToCheck, texts: dict[str, QuotableTexts]) -> CheckedQuote:
    library = context.library
    try:
        number = library.corpus.latest(quote.number)
    except (NotInCorpus, BadNumber) as error:
        return CheckedQuote(quote.number, quote.place, False, (), str(error))
    kind = loose_number(quote.number).kind
    if kind and kind != loose_number(number).kind:
        fault = f"{quote.number} is not in the corpus, which has {number}"
        return CheckedQuote(quote.number, quote.place, False, (), fault)
    if not quote.text.strip():
        return CheckedQuote(number, quote.place, False, (), "the quote is empty")
    if number not in texts:
        texts[number] = QuotableTexts(library.corpus[number])
    fault = texts[number].fault(Stated(number, quote.place, quote.text))
    return CheckedQuote(number, quote.place, not fault, tuple(texts[number].labels_of(quote.text)[:_PLACES]), fault)
