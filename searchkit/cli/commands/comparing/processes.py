"""Starts the process of one run, listens to it, and ends it where it does not end by itself."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event

from searchkit.cli.support.child import POLL_SECONDS, Child, Message
from searchkit.comparison.records import CRASHED

WORKER = "searchkit.cli.commands.comparing.worker"
READY_SECONDS = 1800.0
"""So long a process may take to load: pattern databases may have to be built."""
GRACE_SECONDS = 5.0
GRACE_SHARE = 0.25
"""So much more than its time limit a search is given to end by itself before it is killed."""
MAKING_SECONDS = 300.0
"""So long one function may take to be made into machine code in the middle of a search."""


def run(
    job: Message,
    *,
    ready_seconds: float = READY_SECONDS,
    note: Callable[[str], None] = lambda text: None,
    stop: Event | None = None,
) -> Message:
    """The fields of a `Run` that a process of its own gave; its failure is a status, no exception.

    A run in which machine code had to be made is done once more, now that it is on disk: making
    it takes memory. If this is interrupted, or told to `stop` by another thread, the process is
    killed. `note` is given what searchkit warns of there.
    """
    stop = Event() if stop is None else stop
    answer = _run_once(job, ready_seconds, note, stop)
    if answer.pop("code_made", 0):
        answer = _run_once(job, ready_seconds, note, stop)
        answer.pop("code_made", None)
    return answer


def seconds_allowed(limit: float | None) -> float | None:
    """How long a search with that limit of time may take before it is killed; None for ever."""
    return None if limit is None else limit * (1 + GRACE_SHARE) + GRACE_SECONDS


def _run_once(
    job: Message, ready_seconds: float, note: Callable[[str], None], stop: Event
) -> Message:
    child = Child.start(WORKER, job)
    try:
        messages = _messages(child, note)
        first = _next(messages, ready_seconds, stop)
        if first is None or "ready" not in first:
            return _failed(child, first, "it was not ready in time")
        if job["only_ready"]:
            return {"status": "ready", "setup_seconds": first["ready"]}
        allowed = seconds_allowed(job["limits"]["time"])
        last = _next(messages, allowed, stop)
        while last is not None and "making_code" in last:  # no limit of time counts that
            last = _next(messages, None if allowed is None else allowed + MAKING_SECONDS, stop)
        if last is None and child.is_running():
            reason = "it did not stop by itself at the time limit, and was killed"
            return {"status": "limit reached", "limit": "time", "reason": reason}
        if last is None or "status" not in last:
            return _failed(child, last, "it sent nothing")
        last["iterations"] = tuple(last["iterations"])
        return last
    finally:
        child.end()


def _messages(child: Child, note: Callable[[str], None]) -> queue.Queue[Message | None]:
    """What the process tells, as it comes, but for notes; None at the end of it."""
    answer: queue.Queue[Message | None] = queue.Queue()

    def hear(message: Message | None) -> None:
        if message is not None and "note" in message:
            note(message["note"])
        else:
            answer.put(message)

    child.listen(hear)
    return answer


def _next(
    messages: queue.Queue[Message | None], seconds: float | None, stop: Event
) -> Message | None:
    """The next message; None if the process ends, or if it takes more than `seconds`.

    Waits in small portions, between which Ctrl-C is heard on every system.
    """
    until = None if seconds is None else time.monotonic() + seconds
    while until is None or time.monotonic() < until:
        if stop.is_set():
            raise KeyboardInterrupt
        with suppress(queue.Empty):
            return messages.get(timeout=POLL_SECONDS)
    return None


def _failed(child: Child, message: Message | None, silence: str) -> Message:
    """A crash with the reason that is known best."""
    if message is not None and "error" in message:
        return {"status": CRASHED, "reason": message["error"]}
    return {"status": CRASHED, "reason": child.why_it_ended() or silence}
