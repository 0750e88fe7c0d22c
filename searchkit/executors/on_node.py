"""What runs on a node of a cluster: a task of the cluster's hands ours to a process of our own.

So a task is the same wherever it runs: it can be stopped in the middle of machine code, has a limit
of memory and of time, and its process is replaced, where it is lost, without asking the head.
"""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs

import searchkit
from searchkit.errors import ClusterError
from searchkit.executors import travelling
from searchkit.executors.parcels import written
from searchkit.executors.processes import Processes
from searchkit.executors.travelling import Failure, Script

SEND_SECONDS = 600.0
"""So long the contents of a file may take to come."""


@attrs.frozen
class Origin:
    """Who sends tasks, and how they are to be run: as `Processes` says."""

    version: str
    python: str
    script: Script | None
    current: str
    """The folder that names of files begin at, where nodes have it, too."""
    folder: str
    """The name of the folder, on each node, of what is shared."""
    attempts: int = 1
    fresh: bool = False
    memory: int | None = None

    @classmethod
    def here(cls, **how: Any) -> Origin:
        """What is true of this process."""
        python = ".".join(platform.python_version_tuple()[:2])
        current = str(Path.cwd())
        return cls(searchkit.__version__, python, Script.here(), current, **how)

    def path(self) -> Path:
        """The folder of what is shared on this node."""
        return Path(tempfile.gettempdir()) / self.folder


def run(data: bytes, origin: Origin, shared: dict[str, Any]) -> tuple[bytes | None, Failure | None]:
    """Run a call that has travelled; what it returns, ready to travel, or why it failed.

    `shared` says what Ray calls the contents of files that it may need.
    """
    try:
        for name, content in shared.items():
            if not (origin.path() / name).exists():
                with written(origin.path() / name) as out:
                    out.write(import_module("ray").get(content, timeout=SEND_SECONDS))
        executor = _process(origin)
        job = executor.submit_packed("task", data)
        (value,) = executor.gather([job])
        return travelling.packed(value), None
    except Exception as error:
        return None, Failure.of(error)


def forget(origin: Origin) -> None:
    """Remove what was shared on this node, and what workers left that were killed."""
    shutil.rmtree(origin.path(), ignore_errors=True)
    for path in origin.path().parent.glob(f"{origin.folder}-*"):
        shutil.rmtree(path, ignore_errors=True)


@cache
def _process(origin: Origin) -> Processes:
    here = Origin.here(folder=origin.folder)
    for what, field in (("searchkit", "version"), ("Python", "python")):
        ours, theirs = getattr(here, field), getattr(origin, field)
        if ours != theirs:
            raise ClusterError(
                f"the node {platform.node()} has {what} {ours}, and this machine {theirs}; "
                "install the same on both"
            )
    with suppress(OSError):
        os.chdir(origin.current)
    return Processes(
        1,
        attempts=origin.attempts,
        fresh=origin.fresh,
        memory=origin.memory,
        script=origin.script,
        folder=str(origin.path()),
    )
