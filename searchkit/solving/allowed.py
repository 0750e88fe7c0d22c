"""How long a search may take that is a task of an executor, until its process is ended."""

from __future__ import annotations

LOADING_SECONDS = 1800.0
"""How long a task may take to load: pattern databases may have to be built."""
GRACE_SECONDS = 5.0
GRACE_SHARE = 0.25
"""How much longer than its time limit a search is given to end by itself before it is killed."""
MAKING_SECONDS = 300.0
"""So long one function may take to be made into machine code in the middle of a search."""
LATE = "it did not stop by itself at the time limit, and was killed"


def seconds_allowed(limit: float | None) -> float | None:
    """How long a search with that limit of time may take before it is killed; None for ever."""
    return None if limit is None else limit * (1 + GRACE_SHARE) + GRACE_SECONDS
