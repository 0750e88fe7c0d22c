"""A worker process, as its parent has it.

A worker does not outlive its parent: it ends when its standard input does. Ctrl-C is for the
parent alone. Whatever tasks print goes to the standard error of the worker, and is shown where it
says why the worker ended.
"""

from __future__ import annotations

import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import attrs

from searchkit.executors.scratch import scratch_of
from searchkit.executors.worker import Setup

BOOTSTRAP = (
    "import time; began = time.perf_counter()\n"
    "import pickle, sys; told = open(0, 'rb', closefd=False); sys.path[:] = pickle.load(told)\n"
    "from searchkit.executors.worker import main; main(began, told)\n"
)
"""What is imported is what the parent imports, and not what lies in the current folder."""
END_SECONDS = 10.0
"""So long the system may take to end a process that was killed."""


@attrs.define(eq=False)
class Child:
    """A worker process, the time it may take, and why it was killed, if it was."""

    process: subprocess.Popen[bytes]
    complaints: IO[bytes]
    scratch: Path
    """Its temporary files, which it leaves behind where it is killed."""
    late: str | None = None
    """What is said of it if it was killed because a task took too long."""
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    _timer: threading.Timer | None = attrs.field(default=None, init=False)

    @classmethod
    def start(cls, setup: Setup) -> Child:
        """Start a worker."""
        # Ctrl-C is for us: in a group of its own the process does not hear it.
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        complaints = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `end`)
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", BOOTSTRAP],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                **apart,
            )
        except BaseException:
            complaints.close()
            raise
        child = cls(process, complaints, scratch_of(setup.folder, process.pid))
        child.send(sys.path)
        child.send(setup)
        return child

    def send(self, message: Any) -> None:
        """Send something; where the process has ended, its silence says so."""
        assert self.process.stdin is not None
        with suppress(OSError):
            pickle.dump(message, self.process.stdin)
            self.process.stdin.flush()  # but not closed: it lives as long as that

    def messages(self) -> Iterator[tuple[str, Any]]:
        """What the process tells, as it comes, until it ends."""
        assert self.process.stdout is not None
        with suppress(OSError, EOFError, ValueError, pickle.UnpicklingError):
            while True:
                yield pickle.load(self.process.stdout)

    def allow(self, seconds: float | None, otherwise: str) -> None:
        """Kill the process after that many seconds, not counting those before; None for never."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if seconds is not None:
                self._timer = threading.Timer(seconds, self._kill_late, [otherwise])
                self._timer.daemon = True
                self._timer.start()

    def _kill_late(self, otherwise: str) -> None:
        with self._lock:
            if self._timer is threading.current_thread():
                self.late = otherwise
                self.process.kill()

    def why_it_ended(self) -> str:
        """Why the process has ended before it should."""
        code = self._code()
        if code is None:
            return "its process says nothing any more"
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
            more = " (the system may have run out of memory)" if name == "SIGKILL" else ""
            return f"its process was ended by {name}{more}"
        self.complaints.seek(0)
        lines = self.complaints.read().decode("utf-8", "replace").strip().splitlines()
        said = f": {lines[-1].strip()}" if lines else ""
        return f"its process exited with {code}{said}"

    def _code(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(END_SECONDS)
        return None

    def end(self) -> None:
        """Kill the process unless it has ended, and take back what it holds."""
        self.allow(None, "")
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.complaints):
            if stream is not None:
                with suppress(OSError):  # what was not sent yet
                    stream.close()
        shutil.rmtree(self.scratch, ignore_errors=True)
