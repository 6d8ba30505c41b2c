"""The crawl loop: fetch the next number, decide on its documents, follow their links."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager

from foreart.corpus import Corpus, Writer
from foreart.corpus.frontier import Frontier, Waiting
from foreart.crawl.candidate import Answer, Candidate
from foreart.crawl.crawl_spec import CrawlSpec, seed_numbers
from foreart.crawl.fetching.fetcher import Disallowed
from foreart.crawl.following import MALFORMED, normalised, targets
from foreart.crawl.sites.source import Judge, Source
from foreart.crawl.status import UNREADABLE, CrawlOutcome, CrawlStatus, Ended, status_of
from foreart.errors import CrawlError, Refused, Unreachable

NO_ANSWER, NOT_ALLOWED = "no answer", "not allowed by robots.txt"
# The crawl stops after this many consecutive failures or unreadable pages.
MAX_FAILURES = 5
MAX_UNREADABLE = 20
_COMMIT_SECONDS = 0.5
_SHOW_SECONDS = 0.1
_RECENT_SECONDS = 20.0
_NUMBER_LENGTH = 80  # the characters of a malformed number that are stored

Progress = Callable[[CrawlStatus], None]


class _EarlyEnd(CrawlError):
    """The crawl ends early."""

    def __init__(self, ended: Ended, message: str) -> None:
        super().__init__(message)
        self.ended = ended


def crawl(
    corpus: Corpus,
    source: Source,
    seeds: Iterable[str],
    spec: CrawlSpec | None = None,
    *,
    depth: int | None = None,
    limit: int | None = None,
    again: bool = False,
    progress: Progress | None = None,
) -> CrawlOutcome:
    """Grows the corpus from seeds, breadth-first, until no number within `depth` steps of a seed waits.

    At most `limit` patents are kept. Killed at any moment, the same call continues and ends with the same corpus:
    decisions are made in breadth-first order, whatever the order of answers. `again` fetches again what could not be
    read; failures are always retried.
    """
    spec = spec or CrawlSpec()
    if spec.following.citing and not source.knows_citing:
        raise CrawlError(f"the source {source.name} does not know which documents cite another one")
    numbers = seed_numbers(seeds, source)
    frontier = Frontier(corpus.connection, spec.identity(source))
    with Writer(corpus.connection, corpus.path) as writer:
        run = _Run(writer, frontier, source, spec, depth, limit, progress)
        frontier.begin(numbers, again=(UNREADABLE,) if again else ())
        writer.commit()
        try:
            run.show()
            run.walk()
        except KeyboardInterrupt:
            # A decision may be incomplete: those of the last half second are made again next time.
            frontier.undo()
            run.ended, run.message = "stopped", "interrupted by the keyboard"
        except _EarlyEnd as end:
            run.ended, run.message = end.ended, str(end)
        writer.commit()
    run.show()
    return CrawlOutcome(run.ended, run.status(), run.message)


class _Run:
    def __init__(
        self,
        writer: Writer,
        frontier: Frontier,
        source: Source,
        spec: CrawlSpec,
        depth: int | None,
        limit: int | None,
        progress: Progress | None,
    ) -> None:
        self.ended: Ended = "finished"
        self.message = ""
        self._writer = writer
        self._frontier = frontier
        self._source = source
        self._spec = spec
        self._depth = depth
        self._limit = limit
        self._progress = progress
        self._decided = 0
        self._failed = 0
        self._unreadable = 0
        self._began = self._committed = self._shown = time.monotonic()
        self._marks = deque([(self._began, 0)])

    def walk(self) -> None:
        """Decides on all numbers in order."""
        self._enough()
        with _answers(self._source, self._judge_of) as fetch:
            # The next request runs while this answer is processed.
            for waiting, future in self._in_flight(fetch, max(1, 2 * self._source.connections)):
                self._decide(waiting, future)
                self._decided += 1
                self._tick()

    def status(self) -> CrawlStatus:
        """The progress so far."""
        return status_of(
            self._frontier.counts,
            self._frontier.waiting(self._depth),
            decided=self._decided,
            seconds=time.monotonic() - self._began,
            rate=self._rate(),
            note=self._source.note,
        )

    def _rate(self) -> float:
        """Recent decisions per second, so that a long wait or cached pages do not distort it."""
        now = time.monotonic()
        self._marks.append((now, self._decided))
        while len(self._marks) > 2 and now - self._marks[1][0] > _RECENT_SECONDS:
            self._marks.popleft()
        start, decided = self._marks[0]
        return (self._decided - decided) / (now - start) if now > start else 0.0

    def show(self) -> None:
        """Reports the progress."""
        if self._progress is not None:
            self._progress(self.status())

    def _judge_of(self, waiting: Waiting) -> Judge:
        """The function by which the source learns why a document would not be kept."""
        return _keep_all if self._is_exempt(waiting.depth) else self._spec.conditions.refuse

    def _is_exempt(self, depth: int) -> bool:
        return self._spec.keep_seeds and depth == 0

    def _in_flight(
        self, fetch: Callable[[Waiting], Future[Answer]], ahead: int
    ) -> Iterator[tuple[Waiting, Future[Answer]]]:
        """Answers in the order of requests, with `ahead` requests in flight."""
        pending: deque[tuple[Waiting, Future[Answer]]] = deque()
        while True:
            while len(pending) < ahead and (waiting := self._frontier.take(self._depth)):
                pending.append((waiting, fetch(waiting)))
            if not pending:
                return
            yield pending.popleft()

    def _decide(self, waiting: Waiting, future: Future[Answer]) -> None:
        try:
            answer = self._result(future)
        except Refused as error:
            raise _EarlyEnd("refused", str(error)) from error
        except Unreachable as error:
            self._fail(waiting.number, error)
        else:
            self._failed = 0
            self._apply(waiting.number, answer)
        self._frontier.release(waiting.number)

    def _result(self, future: Future[Answer]) -> Answer:
        while True:
            try:
                return future.result(timeout=_COMMIT_SECONDS)
            except NotYet:
                if future.done():  # a TimeoutError of the request itself
                    raise
                self._tick()

    def _fail(self, number: str, error: Unreachable) -> None:
        disallowed = isinstance(error, Disallowed)
        self._frontier.decide(number, "failed", NOT_ALLOWED if disallowed else NO_ANSWER, str(error))
        self._failed += not disallowed
        if self._failed >= MAX_FAILURES:
            raise _EarlyEnd("refused", f"{MAX_FAILURES} documents in a row could not be fetched; the last: {error}")

    def _apply(self, number: str, answer: Answer) -> None:
        if self._frontier.state(number) != "waiting":
            return  # decided under another spelling meanwhile
        if answer.reject is not None:
            self._writer.add(answer.reject)
            self._frontier.decide(number, "rejected", UNREADABLE, answer.reject.reason)
            self._unreadable += 1
            if self._unreadable >= MAX_UNREADABLE:
                problem = f"{MAX_UNREADABLE} answers in a row could not be read; the last: {answer.reject.reason}"
                raise _EarlyEnd("refused", f"{problem}; once that is fixed, --again fetches them again")
            return
        self._unreadable = 0
        if not answer.candidates:
            self._frontier.decide(number, "missing")
            return
        ids = [document.id for document in answer.candidates]
        if number not in ids:
            self._frontier.alias(number, ids)
        for document in answer.candidates:
            if document.id == number or self._frontier.state(document.id) == "waiting":
                self._judge(document)

    def _judge(self, document: Candidate) -> None:
        exempt = self._spec.keep_seeds and self._is_exempt(self._frontier.depth(document.id))
        reason = "" if exempt else self._spec.conditions.refuse(document)
        if reason:
            self._frontier.decide(document.id, "rejected", reason)
            return
        self._enough()
        self._writer.add(document.pack())
        self._frontier.decide(document.id, "kept")
        self._follow(document)

    def _follow(self, document: Candidate) -> None:
        valid: list[str] = []
        malformed: list[str] = []
        for number in targets(document, self._spec.following):
            target = normalised(number) if self._source.connections else number
            if target:
                valid.append(target)
            else:
                malformed.append(" ".join(number.split())[:_NUMBER_LENGTH])
        self._frontier.follow(document.id, valid)
        self._frontier.refuse(document.id, malformed, MALFORMED)

    def _enough(self) -> None:
        if self._limit is not None and self._frontier.counts["kept", ""] >= self._limit:
            raise _EarlyEnd("enough", f"{self._limit:,} patents are kept, which is the limit")

    def _tick(self) -> None:
        """Commits and reports the progress at intervals."""
        now = time.monotonic()
        if now - self._committed >= _COMMIT_SECONDS:
            self._writer.commit()
            self._committed = now
        if now - self._shown >= _SHOW_SECONDS:
            self.show()
            self._shown = now


def _keep_all(document: Candidate) -> str:
    return ""


@contextmanager
def _answers(source: Source, judge: Callable[[Waiting], Judge]) -> Iterator[Callable[[Waiting], Future[Answer]]]:
    """A function that fetches and returns a future: in a thread, or directly for a local source."""
    if not source.connections:
        yield lambda waiting: _done(lambda: source.fetch(waiting.number, judge(waiting)))
        return
    pool = ThreadPoolExecutor(source.connections, thread_name_prefix="foreart-crawl")
    try:
        yield lambda waiting: pool.submit(source.fetch, waiting.number, judge(waiting))
    finally:
        source.stop()
        pool.shutdown(wait=True, cancel_futures=True)


def _done(call: Callable[[], Answer]) -> Future[Answer]:
    future: Future[Answer] = Future()
    future.set_result(call())
    return future
