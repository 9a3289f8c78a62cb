"""Worker processes that never outlive their parent and stay silent on Ctrl-C and SIGTERM."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

from puzzlemill.generators import family_named
from puzzlemill.solvers import kernels

FEW = 64  # groups or rows that a process must have to do before it pays to start one: it takes 1 to 2 seconds of a core
AHEAD = 8  # tasks under way for each process: enough for one that has a long one, and few enough to hold their results
Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerPool:
    """A context manager that gives a pool of spawned processes and leaves none of them behind.

    prepare(*args) runs once in each process before its first task; `prepared` passes what it gives on to tasks. Submit tasks
    under signals_held(): processes start then. Where the block ends with an error, workers leave at once, whatever they
    are doing.
    """

    def __init__(self, workers: int, prepare: Callable[..., Any] | None = None, *args: Any) -> None:
        context = get_context("spawn")
        gone, self._alive = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(workers, context, initializer=_start, initargs=(gone, prepare, args))

    def __enter__(self) -> ProcessPoolExecutor:
        return self._executor

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None:
            self._alive.close()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._alive.close()


def worth(number: int, workers: int) -> int:
    """The processes to start for so many groups or rows, at most `workers`: one for each FEW of them. 1: do them in this process.

    Numbers alone decide, so that the same job runs in the same way everywhere; what comes out does not depend on it.
    """
    return max(1, min(workers, number // FEW))


def warm(families: Iterable[str], workers: int) -> None:
    """Compile the kernels of these families' tables that are not compiled yet, several at a time."""
    returned = [str(type(family_named(name)).table.__annotations__.get("return", "")) for name in families]
    modules = kernels.modules_of(word for kinds in returned for word in re.findall(r"\w+", kinds))
    if wanted := kernels.missing(modules):
        kernels.announce(wanted)
        with WorkerPool(min(workers, len(wanted))) as pool:
            with signals_held():
                under_way = [pool.submit(kernels.warm, module) for module in wanted]
            for future in under_way:
                future.result()


def in_order(
    pool: ProcessPoolExecutor | None, call: Callable[[Task], Result], tasks: Iterable[Task], ahead: int
) -> Iterator[tuple[Task, Result]]:
    """Every task with its result, in their order; without a pool in this process, else with at most `ahead` of them under way.

    Tasks are taken when there is room for them. Those that nobody waits for any more are cancelled.
    """
    waiting: deque[tuple[Task, Future[Result]]] = deque()
    try:
        for task in tasks:
            if pool is None:
                yield task, call(task)
                continue
            with signals_held():
                waiting.append((task, pool.submit(call, task)))
            if len(waiting) >= ahead:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:
        for _, future in waiting:
            future.cancel()


_prepared: list[Any] = []  # what `prepare` gave in this worker process


def prepared(call: Callable[[Any, Task], Result], task: Task) -> Result:
    """Do a task in a worker process. call(what the process was prepared with, task)."""
    return call(_prepared[0], task)


STOPS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals_held() -> Iterator[None]:
    """Processes started meanwhile are deaf to Ctrl-C and SIGTERM from their first moment, before they could say so themselves.

    This process gets at the end what came meanwhile.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(gone: Any, prepare: Callable[..., Any] | None, args: tuple[Any, ...]) -> None:
    """gone: the reading end of a pipe that only the parent writes to; it ends when the parent stops or is killed."""
    for stop in STOPS:  # they reach the parent, which ends the pipe
        signal.signal(stop, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, args=(gone,), daemon=True).start()
    if prepare is not None:
        _prepared.append(prepare(*args))


def _leave_with_parent(gone: Any) -> None:
    try:
        gone.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)  # the main thread may be deep in a kernel; what workers write is renamed whole, so no file is left torn
