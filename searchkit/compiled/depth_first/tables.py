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
    in_flight: int = 0
    """How many bytes another one has, in its place, if the search has states in flight."""
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
            return cls(in_flight=_beside_beam(task))
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
        suits = kind == Tables.ITERATION and not symmetries and not task.every
        in_flight = int(task.algorithm.table) if suits and task.executor is None else 0
        return cls(kind, symmetries, slot * slots, in_flight)

    @property
    def bytes(self) -> int:
        """The memory of all of it."""
        return self.words * WORD_BYTES

    @property
    def slots(self) -> np.ndarray[Any, Any]:
        """What kernels take."""
        return NOTHING if self._grown is None else self._grown.array

    @staticmethod
    def line(words: int) -> int:
        """How many words two slots take together, for states of `words` words, in flight."""
        return 1 << max(LEAST_LINE, (2 * words + 1).bit_length())

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


def _beside_beam(task: Task) -> int:
    """The bytes of a table in flight that nobody has asked for, 0 for none.

    Workers have none: what a lost task has met would count as searched when it is done again.
    """
    algorithm = task.algorithm
    is_plain = task.every or lasts(task.problem) or task.executor is not None
    if is_plain or getattr(algorithm, "incumbents", "none") == "none":
        return 0
    return 0 if algorithm.operator_pruning else int(min(BESIDE_BEAM, task.max_bytes / SHARE))


@cache
def _no_images() -> ImageTables:
    """The tables without symmetries, which all searches without a table share."""
    return image_tables([])
