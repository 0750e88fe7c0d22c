"""What is compared, and what one run gave: plain values, as JSON has them."""

from __future__ import annotations

from typing import Any

import attrs

CRASHED = "crashed"
"""The outcome of a run whose process failed, was killed, or reported an error."""


@attrs.frozen(kw_only=True)
class Board:
    """A start to be solved; `text` is None where there are several at once.

    `is_own` says that it is the start of the problem itself, which need not be read from the text.
    `known_cost` is the cost of its optimal solutions, where that is known beforehand.
    """

    number: int
    name: str
    text: str | None
    known_cost: int | None = None
    is_own: bool = False


@attrs.frozen(kw_only=True)
class Contestant:
    """An algorithm with a heuristic, the latter as it was named by the caller.

    `label` is how it is called, and no other is called so. `ready_seconds` is how long it took to
    load the program and to make it ready for the first time, machine code included.
    """

    label: str
    algorithm: str
    heuristic: str | None
    optimal: bool
    ready_seconds: float | None = None


@attrs.frozen(kw_only=True)
class Run:
    """One search in a process of its own.

    `status` is one of `searchkit.result.Status`, or "crashed"; `reason` says more where there
    is more to say, and `engine_reason` why there was no machine code for what lasted.
    `seconds`, `expanded`, `generated`, `stored`, `stored_bytes` are those of
    `searchkit.result.Statistics`. `call_seconds` is all the time that `solve` took, and
    `cpu_seconds` the processor's time for that, of all threads; `setup_seconds` is the time
    from the start of the process until it could begin. `peak_bytes` is the most memory that was
    resident during the search, above the `loaded_bytes` that were just before it.
    """

    board: int
    contestant: str
    repeat: int
    status: str
    limit: str | None = None
    reason: str | None = None
    engine: str | None = None
    cost: int | None = None
    moves: int | None = None
    optimal: bool = False
    lower_bound: float | None = None
    within: float | None = None
    seconds: float | None = None
    call_seconds: float | None = None
    cpu_seconds: float | None = None
    setup_seconds: float | None = None
    loaded_bytes: int | None = None
    peak_bytes: int | None = None
    memory_method: str | None = None
    expanded: int | None = None
    generated: int | None = None
    reopened: int | None = None
    max_frontier: int | None = None
    stored: int | None = None
    stored_bytes: int | None = None
    iterations: tuple[dict[str, Any], ...] = ()
    engine_reason: str | None = None

    @property
    def solved(self) -> bool:
        """Whether it ended with a solution that counts: not one that an interrupted run had."""
        return self.status == "solved"

    @property
    def failed(self) -> bool:
        """Whether it ended without an answer."""
        return self.status not in ("solved", "unsolvable")

    @property
    def outcome(self) -> str:
        """How it ended, in words that are counted apart: a limit is named."""
        return f"{self.limit} limit" if self.limit is not None else self.status
