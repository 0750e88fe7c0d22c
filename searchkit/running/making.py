"""Making machine code: its time is not the search's, and Ctrl-C waits until it is made.

A Python exception in one of the callbacks by which LLVM calls numba is lost, and one in the middle
of what numba frees may free it twice. So that Ctrl-C does neither, it is noted while a function is
made, or loaded, and heard right after that.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from types import FrameType
from typing import Any

from searchkit.running.collecting import collecting_seldom


class Spent(threading.local):
    """What each thread has spent on something that is no search, and who listens there."""

    depth = 0
    began = 0.0
    seconds = 0.0
    listener: Callable[..., None] | None = None

    @contextmanager
    def telling(self, listener: Callable[..., None]) -> Iterator[None]:
        """Call `listener`, after those around, whenever this thread has something to tell."""
        before = self.listener

        def all_listeners(*told: Any) -> None:
            if before is not None:
                before(*told)
            listener(*told)

        self.listener = all_listeners
        try:
            yield
        finally:
            self.listener = before


_here = Spent()


def search_clock() -> float:
    """Seconds on a clock that stands still while this thread makes or loads machine code.

    Only differences mean anything, and only within one thread.
    """
    return (_here.began if _here.depth else monotonic()) - _here.seconds


def clock_of_this_thread() -> Callable[[], float]:
    """What gives another thread the `search_clock` of this one."""
    mine = vars(_here)

    def now() -> float:
        since: float = mine["began"] if mine.get("depth") else monotonic()
        return since - float(mine.get("seconds", 0.0))

    return now


@contextmanager
def making_code() -> Iterator[None]:
    """To be put around whatever makes or loads machine code; may be nested."""
    if _here.depth:
        yield
        return
    if _here.listener is not None:
        _here.listener()
    with ctrl_c_waits(), collecting_seldom():
        _here.began = monotonic()
        _here.depth = 1
        try:
            yield
        finally:
            _here.depth = 0
            _here.seconds += monotonic() - _here.began


def telling_of_code(listener: Callable[[], None]) -> AbstractContextManager[None]:
    """Call `listener`, after those around, whenever this thread begins to make machine code."""
    return _here.telling(listener)


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Note Ctrl-C, and hear it at the end. In a thread that does not hear it, nothing is done."""
    handler = None
    if threading.current_thread() is threading.main_thread():
        handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):  # ignored, or not heard by Python
        yield
        return
    heard: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if heard:
            handler(*heard[0])
