"""Tasks of layers in parts that meet with something, in a worker."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from searchkit.compiled.layers import part_tasks
from tests.support.table_spaces import SLOTS, Scattered

MARK = "killed"
"""A file beside the folder of a table: whether the worker was killed."""


def killed_once(parcel: Any, *arguments: Any) -> part_tasks.Expanded:
    """Expand, and be killed before it is told, with a file half written."""
    found = part_tasks.expand_part(parcel, *arguments)
    folder = Path(str(parcel.open().setting.store))
    mark = folder.parent / MARK
    if not mark.exists():
        mark.touch()
        (folder / "run-0.1234.part").write_bytes(b"half")
        os.kill(os.getpid(), signal.SIGKILL)
    return found


def without_room(*arguments: Any) -> part_tasks.Merged | None:
    """Merge, where no file may have more than a few bytes."""
    with _few_bytes():
        return part_tasks.merge_files(*arguments)


def without_room_for_runs(*arguments: Any) -> part_tasks.Expanded:
    """Expand, where no file may have more than a few bytes."""
    with _few_bytes():
        return part_tasks.expand_part(*arguments)


@contextmanager
def _few_bytes() -> Iterator[None]:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class Dear(Scattered):
    """One step costs more than the problem promises."""

    def cost(self, state: int, control: int, operator: int) -> int:
        return 2 if state & 63 == 9 else 1


def dear() -> Dear:
    """A walk along twenty places."""
    rows = [[place + 1, *[-1] * (SLOTS - 1)] for place in range(19)] + [[-1] * SLOTS]
    return Dear(rows, range(20), [0])
