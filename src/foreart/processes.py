"""Worker processes for CPU-bound Python code; they end with the process that started them, even if it is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from threading import Thread, current_thread, main_thread
from types import TracebackType
from typing import Any

# One end of the pipe between a child process and the process that started it.
Channel = Connection
# Read by BLAS libraries when they are loaded.
_BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


class WorkerProcesses(ProcessPoolExecutor):
    """A pool of processes that leave Ctrl-C to the parent and end when it is killed.

    Where the platform has a fork server, workers are forks of a process that has imported the modules of `preload`.
    """

    def __init__(self, workers: int, *, preload: Sequence[str] = (), prepare: Callable[[], None] | None = None) -> None:
        """`prepare` runs in each process before its first task."""
        context = _context()
        if context.get_start_method() == "forkserver":
            _start_fork_server(context, preload)
        super().__init__(workers, mp_context=context, initializer=_begin, initargs=(prepare,))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401 as the base
        """Submits a task; processes are started here, and inherit the blocked interrupts."""
        with _interrupts_deferred():
            return super().submit(fn, *args, **kwargs)

    def kill(self) -> None:
        """Ends all processes at once; what they do is lost."""
        running = list((self._processes or {}).values())
        self.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.kill()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(cancel_futures=kind is not None)


class ChildProcess:
    """One process that runs `target(channel, *arguments)`; the other end of its channel is here.

    It starts quickly, as a fork, or it is `independent`: it may start processes and uses all cores. An independent one
    has to call `end_with_parent`.
    """

    def __init__(self, target: Callable[..., None], *arguments: Any, independent: bool = False) -> None:  # noqa: ANN401
        context: Any = multiprocessing.get_context("spawn") if independent else _context()
        self.channel, theirs = context.Pipe()
        self._process = context.Process(target=target, args=(theirs, *arguments), daemon=not independent)
        self._process.start()
        theirs.close()

    def terminate(self) -> None:
        """Asks it to end."""
        self._process.terminate()

    def kill(self, *, after: float = 0.0) -> None:
        """Ends it, if it has not ended by itself after these seconds."""
        self._process.join(after)
        self._process.kill()
        self._process.join()


def _begin(prepare: Callable[[], None] | None) -> None:
    """Runs in a new process of a pool."""
    end_with_parent()
    if prepare is not None:
        prepare()


def _context() -> Any:  # noqa: ANN401 the start methods have no common type with these attributes
    forks = "forkserver" in multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("forkserver" if forks else "spawn")


def _start_fork_server(context: Any, preload: Sequence[str]) -> None:  # noqa: ANN401 as above
    """Starts the process whose forks the workers are. BLAS has one thread there: workers share the cores already."""
    from multiprocessing import resource_tracker
    from multiprocessing.forkserver import ensure_running

    # Starting the tracker unblocks Ctrl-C, which must stay blocked while the fork server is started.
    resource_tracker.ensure_running()
    before = {name: os.environ.get(name) for name in _BLAS_THREADS}
    context.set_forkserver_preload(list(preload))
    try:
        os.environ.update(dict.fromkeys(_BLAS_THREADS, "1"))
        with _interrupts_deferred():
            ensure_running()
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Defers Ctrl-C until the block ends; processes started meanwhile never receive it."""
    if current_thread() is not main_thread():
        yield
        return
    seen: list[int] = []
    # Both are needed: a mask is inherited but applies to one thread; a handler runs whichever thread gets the signal.
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
        if seen:
            signal.raise_signal(signal.SIGINT)


def end_with_parent() -> None:
    """Ends this process when its parent is killed; otherwise it would wait for work forever."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
