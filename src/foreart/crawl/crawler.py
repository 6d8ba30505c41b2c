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
from foreart.crawl.following import MALFORMED, spelled, targets
from foreart.crawl.sites.source import Judge, Source
from foreart.crawl.status import UNREADABLE, CrawlOutcome, CrawlStatus, Ended, status_of
from foreart.errors import CrawlError, Refused, Unreachable

NO_ANSWER, NOT_ALLOWED = "no answer", "not allowed by robots.txt"
# The crawl stops after so many failures, or unreadable pages, in a row.
IN_A_ROW = 5
UNREADABLE_IN_A_ROW = 20
_COMMIT_SECONDS = 0.5
_SHOW_SECONDS = 0.1
_RECENT_SECONDS = 20.0
_LISTED = 80  # characters of a malformed number

Progress = Callable[[CrawlStatus], None]


class _Over(CrawlError):
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
    """Grows the corpus from seeds, breadth-first, until nothing waits that is at most `depth` steps from a seed.

    At most `limit` patents are kept. Killed at any moment, the same call continues and ends with the same corpus:
    decisions are made in breadth-first order, whatever the order of answers. `again` fetches again what could not be
    read; failures are always retried.
    """
    spec = spec or CrawlSpec()
    if spec.following.citing and not source.tells_citing:
        raise CrawlError(f"the source {source.name} does not tell which documents cite another one")
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
            # It may have come within a decision: the last half second is decided again next time.
            frontier.undo()
            run.ended, run.message = "stopped", "stopped by the keyboard"
        except _Over as over:
            run.ended, run.message = over.ended, str(over)
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
        with _answers(self._source, self._judge_of) as ask:
            # The next request runs while this answer is processed.
            for waiting, future in self._asking(ask, max(1, 2 * self._source.connections)):
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
        """Decisions a second over the last seconds, so that a long wait or cached pages do not distort it."""
        now = time.monotonic()
        self._marks.append((now, self._decided))
        while len(self._marks) > 2 and now - self._marks[1][0] > _RECENT_SECONDS:
            self._marks.popleft()
        then, decided = self._marks[0]
        return (self._decided - decided) / (now - then) if now > then else 0.0

    def show(self) -> None:
        """Reports the progress."""
        if self._progress is not None:
            self._progress(self.status())

    def _judge_of(self, waiting: Waiting) -> Judge:
        """Why the document found would not be kept, for the source."""
        return _keep_all if self._spared(waiting.depth) else self._spec.conditions.refuse

    def _spared(self, depth: int) -> bool:
        return self._spec.keep_seeds and depth == 0

    def _asking(self, ask: Callable[[Waiting], Future[Answer]], ahead: int) -> Iterator[tuple[Waiting, Future[Answer]]]:
        """Answers in the order of requests, with `ahead` requests under way."""
        flying: deque[tuple[Waiting, Future[Answer]]] = deque()
        while True:
            while len(flying) < ahead and (waiting := self._frontier.take(self._depth)):
                flying.append((waiting, ask(waiting)))
            if not flying:
                return
            yield flying.popleft()

    def _decide(self, waiting: Waiting, future: Future[Answer]) -> None:
        try:
            answer = self._result(future)
        except Refused as error:
            raise _Over("refused", str(error)) from error
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
        if self._failed >= IN_A_ROW:
            raise _Over("refused", f"{IN_A_ROW} documents in a row could not be fetched; the last: {error}")

    def _apply(self, number: str, answer: Answer) -> None:
        if self._frontier.state(number) != "waiting":
            return  # decided under another spelling in the meantime
        if answer.reject is not None:
            self._writer.add(answer.reject)
            self._frontier.decide(number, "rejected", UNREADABLE, answer.reject.reason)
            self._unreadable += 1
            if self._unreadable >= UNREADABLE_IN_A_ROW:
                told = f"{UNREADABLE_IN_A_ROW} answers in a row could not be read; the last: {answer.reject.reason}"
                raise _Over("refused", f"{told}; once that is mended, --again asks for them again")
            return
        self._unreadable = 0
        if not answer.candidates:
            self._frontier.decide(number, "missing")
            return
        ids = [found.id for found in answer.candidates]
        if number not in ids:
            self._frontier.alias(number, ids)
        for found in answer.candidates:
            if found.id == number or self._frontier.state(found.id) == "waiting":
                self._judge(found)

    def _judge(self, found: Candidate) -> None:
        spared = self._spec.keep_seeds and self._spared(self._frontier.depth(found.id))
        reason = "" if spared else self._spec.conditions.refuse(found)
        if reason:
            self._frontier.decide(found.id, "rejected", reason)
            return
        self._enough()
        self._writer.add(found.pack())
        self._frontier.decide(found.id, "kept")
        self._follow(found)

    def _follow(self, found: Candidate) -> None:
        good: list[str] = []
        bad: list[str] = []
        for number in targets(found, self._spec.following):
            known = spelled(number) if self._source.connections else number
            if known:
                good.append(known)
            else:
                bad.append(" ".join(number.split())[:_LISTED])
        self._frontier.follow(found.id, good)
        self._frontier.refuse(found.id, bad, MALFORMED)

    def _enough(self) -> None:
        if self._limit is not None and self._frontier.counts["kept", ""] >= self._limit:
            raise _Over("enough", f"{self._limit:,} patents are kept, as many as were asked for")

    def _tick(self) -> None:
        """Commits and reports the progress now and then."""
        now = time.monotonic()
        if now - self._committed >= _COMMIT_SECONDS:
            self._writer.commit()
            self._committed = now
        if now - self._shown >= _SHOW_SECONDS:
            self.show()
            self._shown = now


def _keep_all(found: Candidate) -> str:
    return ""


@contextmanager
def _answers(source: Source, judge: Callable[[Waiting], Judge]) -> Iterator[Callable[[Waiting], Future[Answer]]]:
    """A function that fetches and returns a future: in a thread, or at once for a local source."""
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
