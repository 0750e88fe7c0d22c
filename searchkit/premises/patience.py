"""For how long a problem is asked before an answer is given."""

from __future__ import annotations

import time

WAITING = 10
"""How much longer the clock may run than the processor: a problem may wait for others."""


class Patience:
    """Ends after `seconds` of processor time, or `WAITING` times as many on the clock."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._worked = time.thread_time()
        self._began = time.monotonic()

    def is_over(self) -> bool:
        """Whether the time is over."""
        return (
            time.thread_time() - self._worked > self._seconds
            or time.monotonic() - self._began > self._seconds * WAITING
        )
