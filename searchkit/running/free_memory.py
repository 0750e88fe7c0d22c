"""How much memory this process may still take: of the machine, its containers and its own limits.

In a container the machine has more than the process may take, and who takes too much is killed. So
the least counts of what is available on the machine, of what is left in the control group of the
process and in all groups above (versions 1 and 2), and of what is left of its address space.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import attrs

from searchkit.running.control_groups import Hierarchy, folders, text_of

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

SHARE = 0.75
"""Of the free memory, what a search may take by default."""
FALLBACK = 4 * 1000**3
"""Where nothing is known."""
KB = 1024


@attrs.frozen
class _Version:
    """How a version of control groups names its files."""

    hierarchy: Hierarchy
    limit: str
    usage: str
    inactive: str
    """In `memory.stat`: pages of files that are given up before anything is killed."""


VERSIONS = (
    _Version(Hierarchy("cgroup2"), "memory.max", "memory.current", "inactive_file"),
    _Version(
        Hierarchy("cgroup", "memory"),
        "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
    ),
)  # fmt: skip


def default_memory() -> int:
    """Three quarters of the memory in bytes that is free now, so that a search cannot take all."""
    return int(SHARE * free_memory())


def free_memory(root: Path = Path("/")) -> int:
    """The least of all that limits this process, in bytes, 0 or more. `root` has `/proc`."""
    found = [*_of_machine(root), *_of_groups(root), *_of_process(root)]
    return max(0, min(found, default=FALLBACK))


def _of_machine(root: Path) -> Iterator[int]:
    """What is available, else (not on Linux) all that there is."""
    text = text_of(root / "proc/meminfo")
    for name in ("MemAvailable", "MemTotal"):
        known = re.search(rf"^{name}:\s*(\d+) kB$", text, re.MULTILINE)
        if known:
            yield KB * int(known[1])
            return
    with suppress(AttributeError, ValueError, OSError):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _of_groups(root: Path) -> Iterator[int]:
    """What is left in each control group that this process is in."""
    for version in VERSIONS:
        for folder in folders(root, version.hierarchy):
            left = _left(folder, version)
            if left is not None:
                yield left


def _left(folder: Path, version: _Version) -> int | None:
    """The limit of a group less what it uses and cannot give up; None without a limit."""
    limit = text_of(folder / version.limit).strip()
    if not limit.isdecimal():  # "max", or there is none
        return None
    used = text_of(folder / version.usage).strip()
    inactive = re.search(
        rf"^{version.inactive} (\d+)$", text_of(folder / "memory.stat"), re.MULTILINE
    )  # fmt: skip
    given_up = int(inactive[1]) if inactive else 0
    return int(limit) - max(0, (int(used) if used.isdecimal() else 0) - given_up)


def _of_process(root: Path) -> Iterator[int]:
    """What is left of the address space, and of the part of it that holds data."""
    if resource is None:
        return
    pages = [*map(int, text_of(root / "proc/self/statm").split())] or [0] * 7
    for name, used in (("RLIMIT_AS", pages[0]), ("RLIMIT_DATA", pages[5])):
        most = resource.getrlimit(getattr(resource, name))[0]
        if most != resource.RLIM_INFINITY:
            yield most - used * resource.getpagesize()
