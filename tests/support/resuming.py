"""Explorations that are compared, file by file, with others that were not disturbed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from searchkit import Limits
from searchkit.explore import explore
from searchkit.tables import Table
from searchkit.tables.folder_store import FolderStore
from searchkit.tables.manifest import NAME, Manifest
from searchkit.transforms import ChainMoves
from searchkit_peg import HOPPERS, PegSolitaire
from searchkit_peg.boards import triangle
from searchkit_sliding import Board, SlidingPuzzle
from tests.support.table_spaces import one_way_ring, path, ring

SMALL = {
    "compiled.layers.part_tasks.CHUNK": 4,
    "compiled.layers.runs.RANGE": 8,
    "compiled.layers.sorted_files.LEAST_BYTES": 1024,
    "compiled.layers.sorted_files.MOST_BYTES": 1024,
    "tables.keys.BLOCK": 4,
}
"""A run has some sixteen words of memory, windows have some eight, and blocks have four.

No more than two files are merged at once.
"""


@attrs.frozen
class Job:
    """An exploration."""

    problem: Any
    symmetry: Any = "none"
    backward: bool = False

    def into(self, folder: Path, limits: Limits = Limits()) -> Any:  # noqa: B008  (frozen)
        return explore(
            self.problem, checkpoint=folder, symmetry=self.symmetry, backward=self.backward,
            limits=limits,
        )  # fmt: skip


JUMPS = PegSolitaire.single_vacancy(HOPPERS, 6)
TRIANGLE = PegSolitaire.single_vacancy(triangle(4), 1)
GOAL = "1 2 3 4 5 0"

FILES = {
    "ring": Job(ring(6)),
    "ring, symmetric": Job(ring(6), "auto"),
    "one way": Job(one_way_ring()),
    "one way, symmetric": Job(one_way_ring(), "auto"),
    "path": Job(path(9, undirected=True), backward=True),
    "sliding": Job(SlidingPuzzle.read(Board.rectangle(2, 3), GOAL, GOAL), backward=True),
}
BITMAPS = {
    "jumps": Job(JUMPS),
    "jumps, symmetric": Job(JUMPS, "auto"),
    "chains, symmetric": Job(ChainMoves(JUMPS), "auto"),
    "triangle": Job(ChainMoves(TRIANGLE)),
}
JOBS = FILES | BITMAPS


def manifest(folder: Path) -> str:
    return (folder / NAME).read_text(encoding="utf-8")


def assert_same(job: Job, folder: Path, expected: str) -> None:
    """The manifest is as expected, so are the files, and nothing else is there."""
    assert manifest(folder) == expected
    files = list(Table.open(folder, job.problem).check())
    assert sorted(path.name for path in folder.iterdir()) == sorted([NAME, *files])


def check_files(folder: Path) -> None:
    """Compare the files of all complete layers with their checksums."""
    found = Manifest.read(folder)
    for depth, entry in enumerate(found.layers):
        for part in range(len(entry.parts)):
            found.open(FolderStore(folder).opener(), depth, part, again=True)
