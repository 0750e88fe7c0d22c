"""Processes of searchkit's own that work for a command, and tell it lines of JSON.

A child does not outlive the command: it ends when its standard input does. Ctrl-C is for the
command alone. Whatever the code of a puzzle prints in a child goes to its standard error.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

import attrs

BOOTSTRAP = (
    "import time; began = time.perf_counter()\n"
    "import json, sys; told = open(0, 'rb', closefd=False)\n"
    "job = json.loads(told.readline()); sys.path[:] = job['path']\n"
    "from importlib import import_module; import_module(job['module']).main(job, began, told)\n"
)
"""What is imported is what the parent imports, and not what lies in the current folder."""
POLL_SECONDS = 0.2

Message = dict[str, Any]


@attrs.frozen(eq=False)
class Child:
    """A child process, as its parent has it."""

    process: subprocess.Popen[bytes]
    complaints: IO[bytes]

    @classmethod
    def start(cls, module: str, job: Message) -> Child:
        """Start a process that does `job` by the function `main` of `module`: see `Parent`."""
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
        child = cls(process, complaints)
        child.tell(job | {"path": sys.path, "module": module})
        return child

    def tell(self, message: Message) -> None:
        """Send a message; where the process has ended, its silence says so."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()  # but not closed: it lives as long as that

    def listen(self, hear: Callable[[Message | None], None]) -> None:
        """Give `hear` what the process tells, as it comes, in a thread, and None at the end."""

        def listen() -> None:
            assert self.process.stdout is not None
            with suppress(OSError, ValueError):
                for line in self.process.stdout:
                    hear(json.loads(line))
            hear(None)

        threading.Thread(target=listen, daemon=True).start()

    def is_running(self) -> bool:
        """Whether the process goes on without a word; not where it is about to end."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(POLL_SECONDS)
        return self.process.poll() is None

    def why_it_ended(self) -> str | None:
        """Why the process has ended before it should; None if it has not ended."""
        if self.is_running():
            return None
        code = self.process.returncode
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
            more = " (the system may have run out of memory)" if name == "SIGKILL" else ""
            return f"its process was ended by {name}{more}"
        self.complaints.seek(0)
        lines = self.complaints.read().decode("utf-8", "replace").strip().splitlines()
        said = f": {lines[-1].strip()}" if lines else ""
        return f"its process exited with {code}{said}"

    def end(self) -> None:
        """Kill the process unless it has ended, and take back what it holds."""
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()
        try:
            self.process.wait(POLL_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.complaints.close()


class Parent:
    """The command, as its child has it. `told` is the standard input, after the job."""

    def __init__(self, told: IO[bytes]) -> None:
        # Standard output is for us alone: what others print from now on goes to stderr.
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._lock = threading.Lock()
        self._said: SimpleQueue[Message] = SimpleQueue()
        threading.Thread(target=self._listen, args=[told], daemon=True).start()

    def _listen(self, told: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            for line in told:
                self._said.put(json.loads(line))
        os._exit(1)

    def messages(self) -> Iterator[Message]:
        """What the command says after the job, without end: this process ends with it."""
        while True:
            yield self._said.get()

    def tell(self, message: Message) -> None:
        """Tell the command something."""
        with self._lock:
            self._out.write(json.dumps(message) + "\n")
            self._out.flush()
