"""Builds tables of cosets: all sequences of a number of steps, up to symmetry, in slices.

Cosets are met layer by layer, each once with all of its images, until there are some thousands;
from there, sequences are made depth-first. So building takes no memory but the tables.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.module import module_of, tables_for
from searchkit.errors import UsageError
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Library
from searchkit.heuristics.patterns.library import check_room as room_for
from searchkit.heuristics.patterns.unfinished import STATE, keep_arrays, kept_arrays
from searchkit.pieces.changes import then
from searchkit.pieces.cosets.coordinates import Cosets
from searchkit.pieces.cosets.heuristic import IN_BYTE, SPREAD, bytes_of, identity_of, rules_of
from searchkit.pieces.cosets.kernels import marking
from searchkit.pieces.cosets.kernels.marking import CODES, MarkedTable, Roots
from searchkit.running.free_memory import default_memory
from searchkit.running.making import ctrl_c_waits, search_clock
from searchkit.tables.signed import UNREADABLE, read_signed

FEW_ROOTS = 4_096
"""Sequences are made depth-first from the first layer with at least this many cosets."""
PER_SLICE = 1 << 22
"""About how many sequences a thread makes at once."""
ENOUGH = 1.0
"""Seconds of work on sequences of one length, after which their speed is known."""
MEGA = 1e6
KERNELS = ("after", "reduction", "image", "number", "least")
Array = np.ndarray[Any, Any]


@attrs.define(eq=False)
class CosetBuild:
    """A table that is being built; `run` yields after every slice.

    O(sequences of `deepest` steps / symmetries) time.
    """

    cosets: Cosets
    flips: int
    threads: int = 1
    few_roots: int = FEW_ROOTS
    deepest: int = attrs.field(init=False, default=0)
    """The length of the sequences that are made last."""
    depth: int = attrs.field(init=False, default=0)
    position: int = attrs.field(init=False, default=0)
    """From how many of the cosets to begin at all sequences of length `depth` were made."""
    done: float = attrs.field(init=False, default=0.0)
    """Which share of the sequences of length `depth` was made."""
    seconds: float = attrs.field(init=False, default=0.0)
    values: Array = attrs.field(init=False)
    fine: Array = attrs.field(init=False)
    coarse: Array = attrs.field(init=False)
    _module: ModuleType = attrs.field(init=False)
    _tables: Any = attrs.field(init=False)
    _sequences: list[float] = attrs.field(init=False, factory=list)
    """How many sequences there are, by length."""
    _made: tuple[float, float] = attrs.field(init=False, default=(0.0, 0.0))
    """The sequences of length `depth` that this process has made, and the seconds that it took."""

    def __attrs_post_init__(self) -> None:
        self._module = module_of({"cosets": (self.cosets, KERNELS)}, (marking,))
        self._tables = tables_for(self._module, "CosetsTables", self.cosets)
        fine, coarse = bytes_of(self.cosets, self.flips)
        self.values = np.zeros(fine + coarse, np.uint8)
        self.fine, self.coarse = self.values[:fine], self.values[fine:]

    @cached_property
    def _follows(self) -> Array:
        """By operator: the bits of those after it, but one order of two that can change places."""
        motions = [step.motion for step in self.cosets.layout.steps]
        known = {self.cosets.layout.definition.identity, *motions}
        follows = []
        for motion in motions:
            bits = 0
            for number, other in enumerate(motions):
                both = then(motion, other)
                if both not in known:
                    bits |= 1 << number
                    known.add(both)
            follows.append(bits)
        return np.array(follows, np.int64)

    def run(self) -> Generator[None, None, None]:
        """Build it."""
        with ThreadPoolExecutor(self.threads) as pool:
            first = self.depth  # where an earlier build was stopped
            for depth, (length, roots) in enumerate(self._plan):
                if depth >= first:
                    yield from self._mark(pool, depth, length, roots)

    @cached_property
    def _plan(self) -> tuple[tuple[int, Roots], ...]:
        """By depth: how many steps are made depth-first, and behind which cosets."""
        roots = np.zeros(1, np.int64)
        layers = [(roots, self._least(roots))]
        seen = layers[0][1]
        operators = len(self.cosets.layout.steps)
        while True:
            words = layers[-1][0]
            children, numbers = self._expanded(words)
            fresh = ~np.isin(numbers, seen)
            if not fresh.any() or len(words) >= self.few_roots:
                break
            least, at = np.unique(numbers[fresh], return_index=True)
            layers.append((children[fresh][at], least))
            seen = np.concatenate([seen, least])
        masks = fresh.reshape(-1, operators) @ (1 << np.arange(operators, dtype=np.int64))
        self.deepest = self._deepest(len(layers) - 1, masks)
        near = [
            (0, Roots(roots, np.ones(len(roots), np.int64)))
            for roots, _ in layers[: self.deepest + 1]
        ]
        far = Roots(layers[-1][0][masks != 0], masks[masks != 0])
        return (*near, *((n, far) for n in range(1, self.deepest + 2 - len(layers))))

    def _is_place(self, depth: int, position: int) -> bool:
        """Whether a build can stop there: behind a slice."""
        if depth >= len(self._plan):
            return False
        length, roots = self._plan[depth]
        return position == len(roots.words) or (
            position < len(roots.words) and position % _step(length) == 0
        )

    def _deepest(self, depth: int, masks: Array) -> int:
        """The longest sequences that are worth their time: up to two for each entry."""
        operators = len(self._follows)
        bits = 1 << np.arange(operators)
        ways = (self._follows[:, None] & bits != 0).astype(np.float64)
        counts = ((masks[:, None] & bits) != 0).sum(axis=0).astype(np.float64)
        most = 2 * self.cosets.entries(self.flips)
        self._sequences = [0.0] * (depth + 1)  # those of the first layers take no time
        if not counts.any():
            return depth
        while counts.sum() <= most and depth < 64:
            depth += 1
            self._sequences.append(float(counts.sum()))
            counts = counts @ ways
        deepest = max(depth, SPREAD)
        self._sequences += [0.0] * (deepest - depth)
        return deepest

    def _mark(
        self, pool: ThreadPoolExecutor, depth: int, length: int, roots: Roots
    ) -> Generator[None, None, None]:
        """Note what sequences lead to; `depth` is their length, from the solved puzzle on."""
        if depth != self.depth:
            self.depth, self.position = depth, 0
        self._made = 0.0, 0.0  # loading machine code is no measure
        fine = MarkedTable(self.fine, self.flips, _code(depth, self.deepest))
        coarse = MarkedTable(self.coarse, 0, _code(depth, self.deepest - SPREAD - 1))
        count = len(roots.words)
        step = _step(length)
        self.done = self.position / count
        began = search_clock()
        starts = range(self.position, count, step)
        for at in range(0, len(starts), self.threads):
            with ctrl_c_waits():
                work = [
                    pool.submit(
                        self._module.mark, self._tables, self._follows, roots,
                        begin, min(begin + step, count), length, fine, coarse,
                    )
                    for begin in starts[at : at + self.threads]
                ]  # fmt: skip
                for each in work:
                    each.result()
            before, now = self.position, search_clock()
            self.position = min(count, starts[min(at + self.threads, len(starts)) - 1] + step)
            self.done = self.position / count
            share = (self.position - before) / count * self._sequences[depth]
            self._made = self._made[0] + share, self._made[1] + now - began
            self.seconds += now - began
            began = now
            yield

    def _expanded(self, words: Array) -> tuple[Array, Array]:
        """All children of some cosets, and their least entries."""
        operators = len(self.cosets.layout.steps)
        children, numbers = np.zeros((2, len(words) * operators), np.int64)
        self._module.expand(self._tables, operators, words, 0, len(words), children, numbers)
        return children, numbers

    def _least(self, words: Array) -> Array:
        return np.array([self.cosets.least(int(word)) for word in words], np.int64)

    def database(self) -> PatternDatabase:
        """What was built. O(entries)."""
        codes = np.zeros(CODES, np.int64)
        self._module.count_codes(self.fine, 0, len(self.fine), codes)
        codes[0] -= len(self.fine) * IN_BYTE - self.cosets.entries(self.flips)
        counts = [0] * (self.deepest - SPREAD) + [int(codes[code]) for code in (3, 2, 1, 0)]
        self.values.flags.writeable = False
        return PatternDatabase(
            identity=identity_of(self.cosets, self.flips),
            entries=len(self.values),
            values=self.values,
            counts=tuple(counts),
            seconds=self.seconds,
            rules=rules_of(self.cosets, self.flips),
        )

    def left(self) -> float | None:
        """About how many seconds the rest takes; None until it is known how long some take."""
        made, seconds = self._made
        now, *later = self._sequences[self.depth :]
        rest = (1 - self.done) * now + sum(later)
        if not rest:
            return 0.0
        return rest / made * seconds if made and seconds >= ENOUGH else None

    @property
    def kept_bytes(self) -> int:
        """How many bytes `keep` writes."""
        return int(self.values.nbytes)

    def keep(self, folder: Path) -> None:
        """Write what was done so far to `folder`, to go on from there later."""
        keep_arrays(folder, self._state(), {"values": self.values})

    def resume(self, folder: Path) -> bool:
        """Go on after what is in `folder`; False if nothing there can be used."""
        try:
            state, ours = read_signed(folder / STATE), self._state()
            if any(state[name] != ours[name] for name in ("identity", "rules", "few_roots")):
                return False
            numbers = [state["depth"], state["position"]]
            if any(type(each) is not int or not 0 <= each < 1 << 40 for each in numbers):
                return False
            if not self._is_place(*numbers):
                return False
            seconds = float(state["seconds"])
            values = kept_arrays(folder, state, {"values": self.values})["values"]
        except UNREADABLE:
            return False
        self.values = values
        self.fine, self.coarse = values[: len(self.fine)], values[len(self.fine) :]
        self.seconds, (self.depth, self.position) = seconds, numbers
        return True

    def _state(self) -> dict[str, Any]:
        return {
            "identity": identity_of(self.cosets, self.flips),
            "rules": rules_of(self.cosets, self.flips),
        } | {name: getattr(self, name) for name in ("few_roots", "depth", "position", "seconds")}

    def about(self) -> str:
        """How far it is, in one line."""
        return f"distance {self.depth} of {self.deepest}, {self.done:.0%}, {self.seconds:.0f} s"


def _step(length: int) -> int:
    """How many cosets begin a slice of sequences of that length."""
    return max(1, int(PER_SLICE / 13**length))


def _code(depth: int, deepest: int) -> int:
    """What is noted of entries that `depth` steps lead to; 0 for nothing."""
    return max(0, min(SPREAD + 1, deepest + 1 - depth))


def check_room(cosets: Cosets, flips: int, library: Library) -> None:
    """Raise `UsageError` unless there is room for the table, in memory and on the disk."""
    size = sum(bytes_of(cosets, flips))
    if size > default_memory():
        raise UsageError(
            f"the table cosets:{flips} takes {size / MEGA:,.0f} MB of memory, more than the "
            f"{default_memory() / MEGA:,.0f} MB that may be taken; build a smaller one"
        )
    room_for(library.folder, size)
