"""Ray clusters of several nodes on this machine, at loopback addresses, that can be killed."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

STORE_BYTES = 80_000_000
RAY = [sys.executable, "-m", "ray.scripts.scripts"]
WORKER = b"searchkit.executors.worker"
"""What the command of a process says that does our tasks."""
START_SECONDS = 120


class Cluster:
    """A head at 127.0.0.1, with no processors for tasks, and nodes at 127.0.0.2 and so on."""

    def __init__(self, nodes: int, **environment: str) -> None:
        own = {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        self.environment = os.environ | own | environment
        self.folder = tempfile.TemporaryDirectory(prefix="ray", dir="/tmp")  # short: it has sockets
        self.address = f"127.0.0.1:{_free_port()}"
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        """The head (0) and the nodes (1, ...) that were not killed."""
        self.number = nodes

    def __enter__(self) -> Self:
        try:
            port = self.address.partition(":")[2]
            head = ["--head", "--port", port, "--num-cpus", "0", "--include-dashboard=false"]
            self._start(0, [*head, "--temp-dir", self.folder.name])
            self.mend()
        except BaseException:
            self.__exit__()
            raise
        return self

    def mend(self) -> None:
        """Start the nodes that do not run, one after the other, or starts may fail."""
        for number in range(1, self.number + 1):
            if number not in self.processes:
                self._start(number, ["--address", self.address, "--num-cpus", "1"])

    def _start(self, number: int, words: list[str]) -> None:
        host = f"127.0.0.{number + 1}"
        log = Path(self.folder.name) / f"{host}.log"
        with log.open("wb") as out:
            process = self.processes[number] = subprocess.Popen(
                [*RAY, "start", "--block", "--node-ip-address", host, *words,
                 "--object-store-memory", str(STORE_BYTES), "--disable-usage-stats"],
                env=self.environment, stdout=out, stderr=out, start_new_session=True,
            )  # fmt: skip
        until = time.monotonic() + START_SECONDS
        while b"Ray runtime started" not in log.read_bytes():
            if time.monotonic() > until or process.poll() is not None:
                raise RuntimeError(f"node {host} does not start:\n{log.read_text()}")
            time.sleep(0.1)

    def kill(self, number: int) -> None:
        """Kill all processes of the head (0) or a node (1, ...), as a power cut does."""
        process = self.processes.pop(number)
        for pid in _descendants(process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()

    def workers(self, number: int | None = None) -> list[int]:
        """The processes that do our tasks, on a node or on all of them."""
        chosen = list(self.processes) if number is None else [number]
        found = []
        for each in chosen:
            for pid in _descendants(self.processes[each].pid):
                with suppress(OSError):
                    if WORKER in Path(f"/proc/{pid}/cmdline").read_bytes():
                        found.append(pid)
        return found

    def __exit__(self, *error: object) -> None:
        for number in sorted(self.processes, reverse=True):
            self.kill(number)
        self.folder.cleanup()


def seconds_of(pid: int) -> float:
    """The processor's time that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _descendants(pid: int) -> list[int]:
    found, todo = [], [pid]
    while todo:
        at: Any = todo.pop()
        for children in Path(f"/proc/{at}/task").glob("*/children"):
            with suppress(OSError):
                todo += [int(each) for each in children.read_text().split()]
        found.append(at)
    return found
