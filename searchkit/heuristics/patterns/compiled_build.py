"""Builds pattern databases: breadth-first search over the entries of a group, in slices."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.module import module_of, tables_for
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import NoCompilerError, ProblemError, UsageError
from searchkit.heuristics.patterns.database import MOST_VALUE, UNREACHED, PatternDatabase
from searchkit.heuristics.patterns.identity import at_method, identity_of, named
from searchkit.heuristics.patterns.kernels import patterns, undirected
from searchkit.heuristics.patterns.kernels.patterns import Entries, Fault, Info
from searchkit.heuristics.patterns.kernels.undirected import Values
from searchkit.heuristics.patterns.laws import (
    all_places,
    check_entry,
    check_move,
    check_shape,
    walk_back,
)
from searchkit.heuristics.patterns.rules import BUILDING, other_rules, rules_of
from searchkit.heuristics.patterns.solved import BYTES_AN_ENTRY, SolvedBuild, made_database
from searchkit.heuristics.patterns.unfinished import STATE, keep_arrays, kept_arrays
from searchkit.pattern_space import PatternSpace, SolvedSpace
from searchkit.running.compiler import NO_NUMBA, numba_folder
from searchkit.running.making import ctrl_c_waits, search_clock
from searchkit.tables.signed import UNREADABLE, read_signed

CHUNK = 1 << 20
"""Entries that a thread expands at once."""
MOST_SLOWLY = 100_000
"""Entries of a group that is built without machine code, in half a minute."""
LOOKED_AT = 10_000
"""About how many entries have all their moves looked at more closely, when all are filled."""
ARRAYS = ("values", "seen", "layer", "fresh")
NUMBERS = ("level", "position", "filled", "before", "expanded", "joins", "counts", "seconds")


@attrs.define(eq=False)
class Build:
    """A database that is being built; `run` yields after every slice.

    Memory: one byte per entry, and three times the bytes of a mask of places unless the space is
    undirected. Every pattern state is expanded once: O(entries * places * operators).
    """

    space: PatternSpace
    group: int
    threads: int = 1
    level: int = 0
    """The distance of the layer in hand."""
    position: int = 0
    """The first entry of the layer that was not expanded yet."""
    filled: int = 0
    """Entries that were reached; `before` this layer, and states `expanded` in it."""
    before: int = 0
    expanded: int = 0
    joins: bool = False
    """Whether entries that were not reached look for the layer, in an undirected space."""
    counts: list[int] = attrs.field(factory=list)
    seconds: float = 0.0
    values: np.ndarray[Any, Any] = attrs.field(init=False)
    seen: np.ndarray[Any, Any] = attrs.field(init=False)
    layer: np.ndarray[Any, Any] = attrs.field(init=False)
    fresh: np.ndarray[Any, Any] = attrs.field(init=False)
    module: ModuleType = attrs.field(init=False)
    _tables: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        space, entries = self.space, self.entries
        check_shape(space, self.group)
        walk_back(space, self.group, random.Random(0))
        kind = mask_type(space.places)
        self.module = _module(space, threaded=self.threads > 1)
        self._tables = tables_for(self.module, "SpaceTables", space)
        room = -(-entries // 8) * 8  # whole words of eight bytes
        self.values = np.full(room, UNREACHED, dtype=np.uint8)
        masks = 0 if space.undirected else room
        self.seen, self.layer, self.fresh = (np.zeros(masks, dtype=kind) for _ in range(3))
        for word, mask in space.goals(self.group):
            if space.undirected:
                self.values[space.rank(word, self.group)] = 0
            else:
                self.layer[space.rank(word, self.group)] |= mask

    @property
    def entries(self) -> int:
        """How many entries there are."""
        return self.space.entries(self.group)

    def _expand(self, first: int, end: int, info: Any) -> None:
        """Expand the entries of the layer from `first` to before `end`."""
        if self.space.undirected:
            expand = self.module.join_layer if self.joins else self.module.expand_layer
            values = Values(self.entries, self.values)
            expand(self._tables, self.group, self.level, first, end, values, info)
            return
        words = self.layer.view(np.int64)
        arrays = Entries(self.entries, self.values, self.seen, self.layer, words, self.fresh)
        self.module.expand_entries(self._tables, self.group, self.level, first, end, arrays, info)

    def _look_closely(self, end: int, info: Any) -> None:
        """Look at all moves of some of the entries up to `end`."""
        seen = self.values if self.space.undirected else self.seen
        apart = 1 + self.entries // LOOKED_AT
        self.module.look_closely(self._tables, self.group, end, apart, seen, info)

    def run(self) -> Generator[None, None, None]:
        """Build it."""
        infos = [np.zeros(len(Info), dtype=np.int64) for _ in range(self.threads)]
        self._expand(0, 0, infos[0])  # makes the machine code, here
        with ThreadPoolExecutor(self.threads) as pool:
            # Machine code changes the arrays: Ctrl-C waits until the numbers fit them again.
            while True:
                while self.position < self.entries:
                    with ctrl_c_waits():
                        self._expand_some(pool, infos)
                    yield
                with ctrl_c_waits():
                    if not self._go_deeper():
                        break
        self._look_closely(self.entries, infos[0])
        self._check(*map(int, infos[0][Info.FAULT :]))

    def _expand_some(self, pool: ThreadPoolExecutor, infos: list[Any]) -> None:
        """Expand the next entries of the layer in hand, some for each thread."""
        began = search_clock()
        starts = range(self.position, self.entries, CHUNK)[: self.threads]
        work = [
            pool.submit(self._expand, at, min(at + CHUNK, self.entries), info)
            for at, info in zip(starts, infos, strict=False)
        ]
        for each in work:
            each.result()
        for info in infos:
            self._check(*map(int, info[Info.FAULT :]))
        self.position = min(starts[-1] + CHUNK, self.entries)
        self.filled += int(sum(info[Info.FILLED] for info in infos))
        self.expanded += int(sum(info[Info.EXPANDED] for info in infos))
        for info in infos:
            info[:] = 0
        self.seconds += search_clock() - began

    def _go_deeper(self) -> bool:
        """Turn to the next layer; whether there is one."""
        if not self.expanded:
            return False
        if self.level > MOST_VALUE and self.filled > self.before:
            raise ProblemError(
                f"pattern {self.space.name_of(self.group)}: distances above {MOST_VALUE}"
            )
        self.counts.append(self.filled - self.before)
        self.joins = self._would_join(self.expanded)
        self.before, self.expanded = self.filled, 0
        self.level += 1
        self.position = 0
        self.layer, self.fresh = self.fresh, self.layer
        return True

    def _would_join(self, layer: int) -> bool:
        """Whether the next layer is found sooner from what was not reached, by size of the last.

        Layers are taken to grow as they did, until half of what is left is in the next one.
        """
        if not self.space.undirected:
            return False
        left = self.entries - self.filled
        growth = layer / max(1, self.counts[-2]) if len(self.counts) > 1 else self.space.operators
        following = min(left / 2, layer * growth)
        tried = min(self.space.operators, self.entries / max(1.0, following))
        return (left - following) * tried < following * self.space.operators

    def _check(self, fault: int, entry: int, operator: int, choice: int) -> None:
        """Raise `ProblemError` if machine code has met a fault of the pattern space."""
        if not fault:
            return
        space, group = self.space, self.group
        if fault == Fault.OWN_RANK:
            check_entry(space, group, entry)
        else:
            check_move(space, group, space.unrank(entry, group), operator, choice)
        raise ProblemError(
            f"{named(space, group)}: machine code finds a wrong rank, landing or previous at entry "
            f"{entry}, and Python finds none; keep to 64 bits{at_method(space, 'previous')}"
        )

    def about(self) -> str:
        """How far it is, in one line."""
        return (
            f"distance {self.level}, {self.filled:,} of {self.entries:,} entries "
            f"({self.filled / self.entries:.0%}), {self.seconds:.0f} s"
        )

    @property
    def kept_bytes(self) -> int:
        """How many bytes `keep` writes."""
        return sum(getattr(self, name).nbytes for name in ARRAYS)

    def keep(self, folder: Path) -> None:
        """Write what was done so far to `folder`, to go on from there later.

        `SearchkitError` if the disk is full.
        """
        state = {name: getattr(self, name) for name in NUMBERS} | {
            "identity": identity_of(self.space, self.group),
            "rules": rules_of(self.space, self.group),
        }
        keep_arrays(folder, state, {name: getattr(self, name) for name in ARRAYS})

    def resume(self, folder: Path) -> bool:
        """Go on after what is in `folder`; False if nothing there can be used.

        `UsageError` if it was made by other rules.
        """
        try:
            state = read_signed(folder / STATE)
            if state["identity"] != identity_of(self.space, self.group):
                return False
            if state["rules"] != rules_of(self.space, self.group):
                raise other_rules(folder, self.space, self.group)
            if not self._is_possible(state):
                return False
            arrays = kept_arrays(folder, state, {name: getattr(self, name) for name in ARRAYS})
            if not self._are_possible(state, arrays):
                return False
        except UNREADABLE:
            return False
        for name, array in arrays.items():
            setattr(self, name, array)
        for name in NUMBERS:
            setattr(self, name, state[name])
        return True

    def _is_possible(self, state: dict[str, Any]) -> bool:
        """Whether a build can have the numbers of a state: machine code counts on it."""
        whole = [state[name] for name in NUMBERS[:5]]
        most = self.entries * self.space.places
        return (
            all(type(each) is int and 0 <= each <= most for each in [*whole, *state["counts"]])
            and type(state["counts"]) is list
            and state["level"] <= UNREACHED
            and max(state["position"], state["filled"], state["before"]) <= self.entries
            and type(state["seconds"]) is float
            and 0 <= state["seconds"] < float("inf")
        )

    def _are_possible(self, state: dict[str, Any], arrays: dict[str, Any]) -> bool:
        """Whether a build can have arrays that fit their checksums: places are indexes of kernels.

        Reached entries are those that were counted, at the distances so far, and have places that
        there are.
        """
        level, values = state["level"], arrays["values"][: self.entries]
        reached = np.bincount(values, minlength=UNREACHED + 1)[:UNREACHED]
        own = values if not self.space.undirected else values[: state["position"]]
        filled = state["before"] + int(np.count_nonzero(own == level))
        deepest = level + 1 if self.space.undirected else level
        if (
            state["counts"] != reached[:level].tolist()
            or state["before"] != sum(state["counts"])
            or state["filled"] != filled
            or reached[deepest + 1 :].any()
        ):
            return False
        if self.space.undirected:
            return True
        none = ~all_places(self.space)
        masks = [arrays[name] for name in ARRAYS[1:]]
        are_seen = arrays["seen"][: self.entries] != 0
        return not any((mask.astype(np.int64, copy=False) & none).any() for mask in masks) and bool(
            (are_seen == (values != UNREACHED)).all()
        )

    def database(self) -> PatternDatabase:
        """What was built."""
        # Of the last distances there may be none: other places of entries that were reached before.
        values = self.values[: self.entries]
        rules = rules_of(self.space, self.group)
        return made_database(
            self.space, self.group, values, self.counts, seconds=self.seconds, rules=rules
        )


def _module(space: PatternSpace, *, threaded: bool = False) -> ModuleType:
    with nullcontext() if numba_folder() else _slowly(space):
        return module_of(
            {"space": (space, BUILDING)},
            (patterns, undirected) if space.undirected else (patterns,),
            OPERATORS=space.operators, THREADED=threaded, STEP=space.step,
            PER_WORD=8 // mask_type(space.places).itemsize, PLACES=all_places(space),
            UNDIRECTED=space.undirected,
        )  # fmt: skip


def _slowly(space: PatternSpace) -> AbstractContextManager[None]:
    """Kernels in plain Python, for small groups; `NoCompilerError` for others."""
    entries = max(map(space.entries, range(len(space.groups))))
    if entries > MOST_SLOWLY:
        raise NoCompilerError(
            f"{NO_NUMBA}: a pattern database of {entries:,} entries needs machine code to be "
            f"built; without, one may have {MOST_SLOWLY:,}"
        )
    return plainly()


def mask_type(places: int) -> Any:
    """The smallest unsigned type with a bit for every place."""
    for kind in (np.uint8, np.uint16, np.uint32):
        if places <= np.dtype(kind).itemsize * 8:
            return np.dtype(kind)
    raise UsageError(f"a pattern space has {places} places; at most 32 are possible")


Building = Build | SolvedBuild


def building_of(space: PatternSpace, group: int, threads: int = 1) -> Building:
    """A database of a group that is to be built."""
    if isinstance(space, SolvedSpace):
        return SolvedBuild(space, group)
    return Build(space, group, threads)


def bytes_for(space: PatternSpace, group: int) -> int:
    """The memory that a build takes."""
    if isinstance(space, SolvedSpace):
        return BYTES_AN_ENTRY * space.entries(group)
    masks = 0 if space.undirected else 3 * int(mask_type(space.places).itemsize)
    return space.entries(group) * (1 + masks)


def build(
    space: PatternSpace,
    group: int = 0,
    *,
    threads: int = 1,
    progress: Callable[[Building], None] | None = None,
) -> PatternDatabase:
    """Build the database of a group; `progress` is called after every slice."""
    building = building_of(space, group, threads)
    for _ in building.run():
        if progress is not None:
            progress(building)
    return building.database()


def halve(space: PatternSpace, group: int, database: PatternDatabase) -> PatternDatabase:
    """The database with four bits per entry: see `PatternDatabase`."""
    module = _module(space)
    halves = np.zeros((database.entries + 1) // 2, dtype=np.uint8)
    info = np.zeros(1, dtype=np.int64)
    tables = tables_for(module, "SpaceTables", space)
    for begin in range(0, database.entries, 2 * CHUNK):
        end = min(begin + 2 * CHUNK, database.entries)
        module.halve_entries(tables, group, begin, end, database.values, halves, info)
        if info[0]:
            entry = int(info[0]) - 1
            floor = space.floor(space.unrank(entry, group), group)
            raise ProblemError(
                f"{named(space, group)}: floor is {floor} at entry {entry}, but the distance is "
                f"{database.values[entry]}; floor must be at most that, and less by a multiple of "
                f"step, {space.step}{at_method(space, 'floor')}"
            )
    halves.flags.writeable = False
    return attrs.evolve(database, values=halves, halved=True)
