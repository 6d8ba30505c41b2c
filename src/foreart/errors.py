"""The errors that a user can act on, in one tree.

ForeartError
├── BadNumber          a text that is not a publication number
├── BadRecord          one record of a file cannot become a patent
├── BadRequest         an option of a search cannot be met
├── BadFile            a file cannot be read at all
│   └── UnknownFormat  no reader recognises it
├── MissingExtra       an optional library is needed and not installed
├── NotFitted          features are used before they are fitted
├── CorpusError        an operation on the corpus failed
│   ├── NotInCorpus    no patent with that number is stored
│   ├── CorpusBusy     another process is writing
│   └── WrongVersion   made by an incompatible version of foreart
├── ClusterError       a cluster cannot be reached, or cannot answer
├── CrawlError         an operation of a crawl failed
│   ├── Refused        a server refuses further requests
│   └── Unreachable    a server gives no complete or acceptable response
├── MatterError        an operation on a matter failed
│   ├── UnknownMatter  no matter has that name
│   ├── WrongPassphrase  a sealed matter does not open with it
│   └── DamagedMatter  a matter is not as it was written
└── IndexingError      an operation on an index failed
    └── StaleIndex     it was built from another state of the corpus
"""

from __future__ import annotations


class ForeartError(Exception):
    """The base class: its text is a sentence for the user."""


class BadNumber(ForeartError):
    """A text that is not a publication number."""


class BadRecord(ForeartError):
    """One record cannot become a patent; the rest of the file can."""


class BadRequest(ForeartError):
    """An option of a search cannot be met: the sentence names it."""


class BadFile(ForeartError):
    """A file cannot be read at all."""


class UnknownFormat(BadFile):
    """No reader recognises the file."""


class MissingExtra(ForeartError):
    """An optional library is needed that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional library: pip install 'foreart[{extra}]'")


class NotFitted(ForeartError, AttributeError):
    """Features are used before they are fitted; an AttributeError because fitted values are attributes."""


class CorpusError(ForeartError):
    """An operation on the corpus failed."""


class NotInCorpus(CorpusError):
    """No patent with that number is stored."""


class CorpusBusy(CorpusError):
    """Another process is writing to the corpus."""


class WrongVersion(CorpusError):
    """The corpus was made by a version of foreart that this one cannot read."""


class ClusterError(ForeartError):
    """A cluster cannot be reached, or cannot answer."""


class CrawlError(ForeartError):
    """An operation of a crawl failed."""


class Refused(CrawlError):
    """A server refuses further requests: the crawl stops, and can continue later."""


class Unreachable(CrawlError):
    """A server gives no complete or acceptable response; another attempt may succeed."""


class MatterError(ForeartError):
    """An operation on a matter failed."""


class UnknownMatter(MatterError):
    """No matter has that name."""


class WrongPassphrase(MatterError):
    """A sealed matter does not open with this passphrase."""


class DamagedMatter(MatterError):
    """A matter is not as it was written: lines are damaged, changed, moved or missing."""


class IndexingError(ForeartError):
    """An operation on an index failed."""


class StaleIndex(IndexingError):
    """The index was built from another state of the corpus."""
