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


class Cluster:
    """A head at 127.0.0.1, with no processors for tasks, and nodes at 127.0.0.2 and so on."""

    def __init__(self, nodes: int) -> None:
        self.environment = os.environ | {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
        }
        self.folder = tempfile.TemporaryDirectory(prefix="ray", dir="/tmp")  # short: it has sockets
        self.address = f"127.0.0.1:{_free_port()}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.number = nodes

    def __enter__(self) -> Self:
        try:
            port = self.address.partition(":")[2]
            self._start(["--head", "--port", port, "--num-cpus", "0", "--include-dashboard=false",
                         "--temp-dir", self.folder.name], "127.0.0.1")  # fmt: skip
            for number in range(self.number):  # one after the other, or starts may fail
                node = ["--address", self.address, "--num-cpus", "1"]
                self._start(node, f"127.0.0.{number + 2}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self, words: list[str], host: str) -> None:
        log = Path(self.folder.name) / f"{host}.log"
        with log.open("wb") as out:
            self.processes.append(
                subprocess.Popen(
                    [*RAY, "start", "--block", "--node-ip-address", host, *words,
                     "--object-store-memory", str(STORE_BYTES), "--disable-usage-stats"],
                    env=self.environment, stdout=out, stderr=out, start_new_session=True,
                )
            )  # fmt: skip
        until = time.monotonic() + 120
        while b"Ray runtime started" not in log.read_bytes():
            if time.monotonic() > until or self.processes[-1].poll() is not None:
                raise RuntimeError(f"node {host} does not start:\n{log.read_text()}")
            time.sleep(0.1)

    def kill(self, number: int) -> None:
        """Kill all processes of the head (0) or a node (1, ...), as a power cut does."""
        for pid in _descendants(self.processes[number].pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.processes[number].wait()

    def __exit__(self, *error: object) -> None:
        for number in reversed(range(len(self.processes))):
            self.kill(number)
        self.folder.cleanup()


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
