"""Everything that can go wrong and that a person can act on, in one tree.

ForeartError
├── BadNumber          a text that is no publication number
├── BadRecord          one record of a file cannot become a patent
├── BadRequest         a search is asked for what it cannot give
├── BadFile            a file cannot be read at all
│   └── UnknownFormat  no reader knows it
├── MissingExtra       an optional library is asked for and not installed
├── NotFitted          features are asked for rows before they have learned
├── CorpusError        the corpus cannot do what was asked
│   ├── NotInCorpus    no patent of that number is stored
│   ├── CorpusBusy     another process is writing
│   └── WrongVersion   made by a version of foreart that this one cannot serve
├── CrawlError         a crawl cannot do what was asked
│   ├── Refused        a server does not want to be asked
│   └── Unreachable    a server gives no whole answer, or none that may be taken
└── IndexingError      the index cannot do what was asked
    └── StaleIndex     it was built from another state of the corpus
"""

from __future__ import annotations


class ForeartError(Exception):
    """The root: its text is a sentence for the person at the keyboard."""


class BadNumber(ForeartError):
    """A text that is no publication number."""


class BadRecord(ForeartError):
    """One record cannot become a patent; the rest of the file can."""


class BadRequest(ForeartError):
    """A search is asked for something that it cannot give: the sentence names the option."""


class BadFile(ForeartError):
    """A file cannot be read at all."""


class UnknownFormat(BadFile):
    """No reader recognises the file."""


class MissingExtra(ForeartError):
    """An optional library is needed that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional library: pip install 'foreart[{extra}]'")


class NotFitted(ForeartError, AttributeError):
    """Features are asked for what they learn before they have learned; what they learned would be an attribute."""


class CorpusError(ForeartError):
    """The corpus cannot do what was asked."""


class NotInCorpus(CorpusError):
    """No patent of that number is stored."""


class CorpusBusy(CorpusError):
    """Another process is writing to the corpus."""


class WrongVersion(CorpusError):
    """The corpus was made by a version of foreart that this one cannot serve."""


class CrawlError(ForeartError):
    """A crawl cannot do what was asked."""


class Refused(CrawlError):
    """A server does not want to be asked: the crawl stops, and can go on later."""


class Unreachable(CrawlError):
    """A server gives no whole answer, or none that may be taken; another attempt may succeed."""


class IndexingError(ForeartError):
    """The index cannot do what was asked."""


class StaleIndex(IndexingError):
    """The index was built from another state of the corpus."""
