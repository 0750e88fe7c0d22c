"""For how long a problem is asked before an answer is given."""

from __future__ import annotations

import time

WAITING = 10
"""How much longer the clock may run than the processor: a problem may wait for others."""


class Patience:
    """Ends after `seconds` of processor time, or `WAITING` times as many on the clock."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._worked: float | None = None
        self._began = time.monotonic()

    def again(self) -> Patience:
        """For as long, from now on."""
        return Patience(self._seconds)

    def is_over(self) -> bool:
        """Whether the time is over.

        The processor's time, which some systems are slow to tell, is asked once the clock has run
        for half as long, and what it was before is not counted.
        """
        waited = time.monotonic() - self._began
        if waited > self._seconds * WAITING:
            return True
        if waited > self._seconds / 2 and self._worked is None:
            self._worked = _processor_time()
        if waited <= self._seconds or self._worked is None:
            return False
        return _processor_time() - self._worked > self._seconds


def _processor_time() -> float:
    """That of this thread; where Python has no threads, as in a browser, that of the process."""
    return time.thread_time() if hasattr(time, "thread_time") else time.process_time()
