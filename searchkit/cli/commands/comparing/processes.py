"""Starts the process of one run, listens to it, and ends it where it does not end by itself."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from searchkit.comparison.records import CRASHED

BOOTSTRAP = (
    "import time; began = time.perf_counter()\n"
    "import json, sys; job = json.loads(sys.stdin.buffer.readline()); sys.path[:] = job['path']\n"
    "from searchkit.cli.commands.comparing.worker import main; main(job, began)\n"
)
"""What is imported is what the parent imports, and not what lies in the current folder."""
READY_SECONDS = 1800.0
"""So long a process may take to load: pattern databases may have to be built."""
GRACE_SECONDS = 5.0
GRACE_SHARE = 0.25
MAKING_SECONDS = 300.0
"""So long one function may take to be made into machine code in the middle of a search."""
"""So much more than its time limit a search is given to end by itself before it is killed."""
POLL_SECONDS = 0.2

Message = dict[str, Any]


def run(
    job: Message,
    *,
    ready_seconds: float = READY_SECONDS,
    note: Callable[[str], None] = lambda text: None,
) -> Message:
    """The fields of a `Run` that a process of its own gave; its failure is a status, no exception.

    A run in which machine code had to be made is done once more, now that it is on disk: making
    it takes memory. If this is interrupted, the process is killed. `note` is given what searchkit
    warns of there.
    """
    answer = _run_once(job, ready_seconds, note)
    if answer.pop("code_made", 0):
        answer = _run_once(job, ready_seconds, note)
        answer.pop("code_made", None)
    return answer


def _run_once(job: Message, ready_seconds: float, note: Callable[[str], None]) -> Message:
    limit = job["limits"]["time"]
    with tempfile.TemporaryFile() as complaints:
        process = _start(job, complaints)
        try:
            messages = _messages(process, note)
            first = _next(messages, ready_seconds)
            if first is None or "ready" not in first:
                return _failed(process, first, complaints, "it was not ready in time")
            if job["only_ready"]:
                return {"status": "ready", "setup_seconds": first["ready"]}
            allowed = None if limit is None else limit * (1 + GRACE_SHARE) + GRACE_SECONDS
            last = _next(messages, allowed)
            while last is not None and "making_code" in last:  # no limit of time counts that
                last = _next(messages, None if allowed is None else allowed + MAKING_SECONDS)
            if last is None and _is_open(process):
                reason = "it did not stop by itself at the time limit, and was killed"
                return {"status": "limit reached", "limit": "time", "reason": reason}
            if last is None or "status" not in last:
                return _failed(process, last, complaints, "it sent nothing")
            last["iterations"] = tuple(last["iterations"])
            return last
        finally:
            _end(process)


def _start(job: Message, complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    # Ctrl-C is for us: in a group of its own the process does not hear it.
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    process = subprocess.Popen(
        [sys.executable, "-c", BOOTSTRAP],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        **apart,
    )
    assert process.stdin is not None
    with suppress(OSError):  # it has ended; its silence says so
        process.stdin.write(json.dumps(job | {"path": sys.path}).encode() + b"\n")
        process.stdin.flush()  # but not closed: it lives as long as that
    return process


def _messages(
    process: subprocess.Popen[bytes], note: Callable[[str], None]
) -> queue.Queue[Message | None]:
    """What the process tells, as it comes, but for notes; None at the end of it."""
    answer: queue.Queue[Message | None] = queue.Queue()

    def listen() -> None:
        assert process.stdout is not None
        with suppress(OSError, ValueError):
            for line in process.stdout:
                message = json.loads(line)
                if "note" in message:
                    note(message["note"])
                else:
                    answer.put(message)
        answer.put(None)

    threading.Thread(target=listen, daemon=True).start()
    return answer


def _next(messages: queue.Queue[Message | None], seconds: float | None) -> Message | None:
    """The next message; None if the process ends, or if it takes more than `seconds`.

    Waits in small portions, between which Ctrl-C is heard on every system.
    """
    until = None if seconds is None else time.monotonic() + seconds
    while until is None or time.monotonic() < until:
        with suppress(queue.Empty):
            return messages.get(timeout=POLL_SECONDS)
    return None


def _is_open(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process goes on without a word; not where it is about to end."""
    try:
        process.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    return False


def _failed(
    process: subprocess.Popen[bytes], message: Message | None, complaints: IO[bytes], silence: str
) -> Message:
    """A crash with the reason that is known best."""
    if message is not None and "error" in message:
        return {"status": CRASHED, "reason": message["error"]}
    with suppress(subprocess.TimeoutExpired):
        process.wait(POLL_SECONDS)
    code = process.poll()
    if code is None:
        return {"status": CRASHED, "reason": silence}
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        more = " (the system may have run out of memory)" if name == "SIGKILL" else ""
        return {"status": CRASHED, "reason": f"its process was ended by {name}{more}"}
    complaints.seek(0)
    lines = complaints.read().decode("utf-8", "replace").strip().splitlines()
    said = f": {lines[-1].strip()}" if lines else ""
    return {"status": CRASHED, "reason": f"its process exited with {code}{said}"}


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process unless it has ended, and take back what it holds."""
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    try:
        process.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
