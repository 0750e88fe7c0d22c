"""What a transposition table is to remember, and its memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import attrs
import numpy as np

from searchkit.capabilities import Symmetry
from searchkit.compiled.depth_first.kernels.deepening import Tables
from searchkit.compiled.specialise.growable import GrowableArray
from searchkit.compiled.specialise.images import check_images, image_tables, map_of
from searchkit.compiled.specialise.kernels.canonical import ImageTables
from searchkit.compiled.specialise.prepare import gives_floats
from searchkit.engines.transpositions import lasts, table_symmetries
from searchkit.errors import CompilationError
from searchkit.running.task import Task
from searchkit.symmetry import canonical_state

WORD_BYTES = 8
LEAST_SLOTS = 8
LEAST_LINE = 3
"""Lines of caches have 64 bytes."""
BESIDE_BEAM = 1 << 26
"""The bytes of a table in flight, where none is asked for and counts are not those of IDA* anyway.
"""
SHARE = 8
"""It takes at most this part of the memory there is."""
NOTHING = np.zeros(0, dtype=np.int64)


@attrs.define(eq=False, repr=False)
class Table:
    """What kind of table a search is to have, and the symmetries by which states are one there."""

    kind: Tables = Tables.NONE
    symmetries: Sequence[Symmetry[Any, Any]] = ()
    words: int = 0
    """As many as the slots have that fit into the memory that it may take."""
    images: ImageTables = attrs.field(init=False)
    _grown: GrowableArray | None = attrs.field(init=False, default=None)
    _bound: int | None = attrs.field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        maps = list(map(map_of, self.symmetries))
        self.images = image_tables(maps) if maps else _no_images()

    @classmethod
    def of(cls, task: Task, words: int) -> Table:
        """The one for a search of states of so many words.

        Raises `ProblemError` where symmetries are not what they say.
        """
        if not task.algorithm.table:
            return cls()
        problem = task.problem
        kind = Tables.LASTING if lasts(problem) else Tables.ITERATION
        if kind == Tables.LASTING and gives_floats(task.heuristic):
            raise CompilationError(
                f"{type(problem).__name__}: a table that lasts is not for estimates with a "
                "decimal point; use whole numbers, or leave the table out"
            )
        symmetries = table_symmetries(task)
        check_images(type(problem).__name__, task.starts, 1, symmetries)
        slot = words + 1
        slots = max(LEAST_SLOTS, int(task.algorithm.table) // (slot * WORD_BYTES))
        return cls(kind, symmetries, slot * slots)

    @property
    def bytes(self) -> int:
        """The memory of all of it."""
        return self.words * WORD_BYTES

    @property
    def slots(self) -> np.ndarray[Any, Any]:
        """What kernels take."""
        return NOTHING if self._grown is None else self._grown.array

    def begin(self, bound: int) -> bool:
        """Make room for a search within a bound; whether what was known before is forgotten."""
        if not self.words:
            return False
        is_new = self._grown is None or (self.kind == Tables.ITERATION and bound != self._bound)
        if is_new:
            self._grown = None  # of two tables, there is room for one
            self._grown = GrowableArray(np.int64, self.words)
        self._bound = bound
        return is_new

    def name_of(self, state: Any) -> Any:
        """The state that stands for all that symmetries make equal to it."""
        return canonical_state(state, self.symmetries) if self.symmetries else state


def bytes_in_flight(task: Task) -> int:
    """How many bytes a table has in place of a `Table`, if the search has states in flight.

    Workers have none: what a lost task has met would count as searched when it is done again.
    """
    algorithm = task.algorithm
    if task.every or lasts(task.problem) or task.executor is not None:
        return 0
    if algorithm.table:
        return 0 if table_symmetries(task) else int(algorithm.table)
    if algorithm.operator_pruning or getattr(algorithm, "incumbents", "none") == "none":
        return 0
    return int(min(BESIDE_BEAM, task.max_bytes / SHARE))


def line_of(words: int) -> int:
    """How many words two slots take together, for states of `words` words, in flight."""
    return 1 << max(LEAST_LINE, (2 * words + 1).bit_length())


@cache
def _no_images() -> ImageTables:
    """The tables without symmetries, which all searches without a table share."""
    return image_tables([])
