"""The control groups of this process, versions 1 and 2: a container may take less than there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs


@attrs.frozen
class Hierarchy:
    """A tree of control groups: its kind of file system, and in version 1 what it controls."""

    filesystem: str
    controller: str | None = None


def folders(root: Path, hierarchy: Hierarchy) -> list[Path]:
    """The folder of the group that this process is in, and those of the groups above it.

    As far as they are seen: none where the process is in no group. `root` has `/proc`.
    """
    path = _path(root, hierarchy)
    return [] if path is None else list(_mounted(root, hierarchy, path))


def _path(root: Path, hierarchy: Hierarchy) -> str | None:
    """The name of the group in its tree."""
    found = None
    for line in text_of(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if hierarchy.controller is None:
            is_it = number == "0" and not controllers
        else:
            is_it = hierarchy.controller in controllers.split(",")
        if is_it:
            found = path
    return found


def _mounted(root: Path, hierarchy: Hierarchy, path: str) -> Iterator[Path]:
    for line in text_of(root / "proc/self/mountinfo").splitlines():
        mount, _, about = line.partition(" - ")
        fields, kinds = mount.split(), about.split()
        if len(fields) < 5 or len(kinds) < 3 or kinds[0] != hierarchy.filesystem:
            continue
        if hierarchy.controller is not None and hierarchy.controller not in kinds[2].split(","):
            continue
        top = root / _unescaped(fields[4]).lstrip("/")
        # Where a container sees only its own part of the tree, what it sees is all of it.
        within = [name for name in _below(path, _unescaped(fields[3])) if name]
        for depth in range(len(within), -1, -1):
            yield top.joinpath(*within[:depth])
        return


def _below(path: str, mounted: str) -> list[str]:
    """The names on the way from the group that is mounted to `path`; none if it is elsewhere."""
    mounted = mounted.rstrip("/")
    if ".." in path.split("/") or not (path == mounted or path.startswith(f"{mounted}/")):
        return []
    return path[len(mounted) :].split("/")


def text_of(path: Path) -> str:
    """What a file of the system says; nothing if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _unescaped(text: str) -> str:
    r"""Blanks and the like are `\040` in lists of mounts."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)
