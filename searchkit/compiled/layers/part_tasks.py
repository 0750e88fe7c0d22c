"""The tasks that a layer of a table is made by: states are expanded, and runs merged to parts.

`expand_part` makes sorted *runs* of the successors of some states, without duplicates. A `Merge`
makes a part of the next layer, a stretch of it, from what all runs have there, without the states
that layers before hold. Where there are too many runs to be read at once, a `Combination` makes one
of several; `merge_files` does either. All are pure: they read files that are complete, and write
new ones, whose names no other attempt has. So each may be run anywhere, and again.
(R. E. Korf, Best-First Frontier Search with Delayed Duplicate Detection, 2004.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

import attrs
import numpy as np

from searchkit.authors.blame import blaming
from searchkit.compiled.layers.key_files import PartWriter, sorted_rows
from searchkit.compiled.layers.marked import Marked, MarkedWindows
from searchkit.compiled.layers.row_reader import RowReader, key_module
from searchkit.compiled.layers.runs import (
    RunWriter,
    StoredRun,
    Stretch,
    Windows,
    most_merged,
    most_rows,
    readers_of,
)
from searchkit.compiled.specialise.kernels import canonical, successors
from searchkit.compiled.specialise.kernels.canonical import ImageTables
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.listing import list_successors
from searchkit.compiled.specialise.module import empty_rows
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.executors.parcels import Parcel
from searchkit.packed import PackedProblem
from searchkit.running.task import Run
from searchkit.tables.keys import WORD_BYTES
from searchkit.tables.manifest import PartEntry
from searchkit.tables.store import Files, Rows, Store, Stored
from searchkit.tables.writer import blaming_disk

if TYPE_CHECKING:
    from searchkit.tables.keys import Words

CHUNK = 1 << 16
"""The most states that are expanded at once."""
LEAST_RUN = 1 << 21
"""How many words are sorted at once: with more, more time goes into memory that is used once."""
MOST_RUN = 1 << 24
"""The most, where there would be very many runs."""
MANY_RUNS = 64
MANY = 256
"""How many successors states are taken to have before any were expanded, where nothing says so."""


@attrs.frozen(eq=False, repr=False)
class Setting:
    """What all tasks of an exploration have: the rules, and where layers are kept."""

    problem: PackedProblem[Any]
    costs: dict[str, Any]
    images: ImageTables
    store: Store
    ranks: int = 0
    """How many numbers there are, where files hold the numbers of states; else 0."""

    @property
    def words(self) -> int:
        """The words of a row of a file."""
        return 1 if self.ranks else int(self.problem.words)

    @property
    def limit(self) -> tuple[int, ...] | None:
        """What rows come before; None where nothing is known of them."""
        return (self.ranks,) if self.ranks else None


@attrs.frozen(eq=False, repr=False)
class TableRules:
    """A setting with its machine code loaded."""

    setting: Setting
    spec: Specialised
    keys: Any
    run: Run

    @classmethod
    def of(cls, setting: Setting) -> TableRules:
        """Make or load the machine code of all tasks."""
        files = (canonical, successors)
        images = int(setting.images.count)
        spec = specialise(setting.problem, None, files, **setting.costs, IMAGES=images)
        return cls(setting, spec, key_module(setting.words), Run(problem=setting.problem))

    def canonical(self, found: Words) -> int:
        """Replace states by the canonical ones; how many all of them stand for."""
        if self.spec.module.IMAGES == 1:
            return len(found)
        return int(self.spec.module.canonical_states(self.setting.images, found))

    def rows(self, states: list[Any]) -> Words:
        """What files hold of some states."""
        found = self.spec.states(states)
        self.canonical(found)
        return found

    def stand_for(self, found: Words) -> int:
        """How many states canonical ones stand for."""
        return len(found) if self.spec.module.IMAGES == 1 else self.canonical(found.copy())

    def expansion(self, files: Files, sources: Sequence[Source], of: int, room: int) -> Expansion:
        """What makes runs of the successors of some of `of` states."""
        return Expansion(self, files, sources, of, room)


@attrs.frozen
class Source(Stored):
    """Rows of a part of a layer, from one to before another; `count` are all that its file has."""

    begin: int
    end: int


@attrs.frozen(kw_only=True)
class Expanded:
    """What `expand_part` did: runs, and the memory that it took at most, in bytes."""

    expanded: int
    generated: int
    runs: tuple[StoredRun, ...]
    bytes: int


@attrs.frozen
class Merged:
    """A part of the next layer, and how many states its canonical ones stand for."""

    part: PartEntry
    states: int


def expand_part(
    parcel: Parcel[TableRules], sources: Sequence[Source], of: int, room: int
) -> Expanded:
    """Runs of the successors of some of `of` states, in `room` bytes for those at hand."""
    rules = parcel.open()
    store = rules.setting.store
    with blaming(rules.setting.problem), blaming_disk(store), store.at_hand() as files:
        expansion = rules.expansion(files, sources, of, room)
        while expansion.left:
            expansion.step(CHUNK)
        return expansion.finish()


def merge_files(parcel: Parcel[TableRules], kind: type[_Merging], *call: Any) -> Any:
    """What a `Merge`, or a `Combination`, makes of some files; `call` is what it is made of."""
    rules = parcel.open()
    store = rules.setting.store
    with (
        blaming_disk(store),
        store.at_hand() as files,
        kind(rules, files, *call) as merging,
    ):
        while not merging.is_done:
            merging.step()
        return merging.finish()


@attrs.define(eq=False, repr=False)
class Expansion:
    """Makes runs of the successors of some states, some at a time."""

    rules: TableRules
    files: Files
    sources: Sequence[Source]
    of: int
    """How many states the layer has: the more, the larger runs are."""
    room: int
    left: int = attrs.field(init=False)
    """How many states are still to be expanded."""
    expanded: int = 0
    generated: int = 0
    bytes: int = 0
    _reader: RowReader | None = None
    _next: int = 0
    _widest: int = 0
    """How many successors states have at most, or are expected to have from now on."""
    _children: Children | None = None
    _found: Words = attrs.field(init=False)
    """Room for canonical successors, of which there are `_count`."""
    _count: int = 0
    _runs: list[StoredRun] = attrs.field(factory=list)
    _largest: int = attrs.field(init=False)
    """How many successors a run is made of."""

    def __attrs_post_init__(self) -> None:
        setting = self.rules.setting
        self.left = sum(each.end - each.begin for each in self.sources)
        listed = self.rules.spec.module.LISTED
        self._widest = MANY if listed else max(1, self.rules.spec.lists.widest)
        self._found = empty_rows(0, setting.words)
        wanted = max(LEAST_RUN, min(MOST_RUN, self.of * self._widest * setting.words // MANY_RUNS))
        self._largest = min(wanted, self.room // WORD_BYTES) // setting.words

    @property
    def _most(self) -> int:
        """How many states may be expanded at once: their successors take up to half the room."""
        words = self.rules.setting.words * (self._widest + 1)
        return max(1, min(CHUNK, self.room // (2 * WORD_BYTES * words)))

    def step(self, most: int) -> int:
        """Expand up to `most` of the states; how many."""
        states = self._states(min(most, self._most))
        self._expand(states)
        self.left -= len(states)
        self.expanded += len(states)
        return len(states)

    def take(self, states: list[Any]) -> None:
        """Take some states as if they were successors."""
        self._add(self.rules.rows(states))

    @property
    def at_hand(self) -> Marked | None:
        """The successors, where all are in memory, each once."""
        return None

    def finish(self) -> Expanded:
        """What was done."""
        self._flush()
        return Expanded(
            expanded=self.expanded,
            generated=self.generated,
            runs=tuple(self._runs),
            bytes=self.bytes,
        )

    def _states(self, most: int) -> Words:
        """The next states."""
        while True:
            if self._reader is None:
                source, self._next = self.sources[self._next], self._next + 1
                (file,) = self.files.open([source], self.rules.setting.words)
                file = file.below(self.rules.setting.limit)
                self.files.load([Rows(file, source.begin, source.end)])
                self._reader = RowReader.of(file, source.begin, source.end)
            found = self._reader.take(most)
            if self._reader.at == self._reader.end:
                self._reader = None
            if len(found):
                return found

    def _expand(self, states: Words) -> None:
        spec = self.rules.spec
        wanted = len(states) * self._widest
        room = self._children
        if room is None or len(room.states) < wanted:
            room = spec.children(wanted)
        room, ends = list_successors(self.rules.run, spec, np.ascontiguousarray(states), room)
        self._children = room
        count = int(ends[-1]) if len(ends) else 0
        if spec.module.LISTED and len(states):
            self._widest = max(4, 2 * count // len(states))
        self.generated += count
        self.rules.canonical(room.states[:count])
        self._add(room.states[:count])

    def _add(self, found: Words) -> None:
        """Note successors, and make runs of them where there is no room for more."""
        words, most = self.rules.setting.words, self._largest
        if self._count and self._count + len(found) > most:
            self._flush()
        if self._count + len(found) > len(self._found):
            # What is not written to takes no memory; but a few states shall not ask for much.
            rest = (self.left + 1) * self._widest
            wanted = self._count + max(len(found), min(most - self._count, rest))
            larger = empty_rows(wanted, words)
            larger[: self._count] = self._found[: self._count]
            self._found = larger
        self._found[self._count : self._count + len(found)] = found
        self._count += len(found)
        held = self._found.nbytes * (1 if words == 1 else 2)
        held += 0 if self._children is None else self._children.states.nbytes
        self.bytes = max(self.bytes, held)

    def _flush(self) -> None:
        """Make a run of the successors at hand."""
        if self._count:
            setting = self.rules.setting
            found = sorted_rows(self.rules.keys, self._found[: self._count])
            with RunWriter(self.files, setting.words, len(found)) as writer:
                writer.write(found)
                self._runs.append(writer.finish())
            self._count = 0


@attrs.define(eq=False, repr=False)
class _Merging(ABC):
    """Writes the rows of several files into one, a window at a time."""

    rules: TableRules
    files: Files
    _windows: Windows | MarkedWindows = attrs.field(init=False)
    _writer: Any = attrs.field(init=False)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to merge."""
        return self._windows.is_done

    @property
    def bytes(self) -> int:
        """The memory that it took at most."""
        return self._windows.bytes

    @abstractmethod
    def step(self) -> Any:
        """Merge the next window."""

    def finish(self) -> Any:
        """What was made, whose file is complete."""
        return self._writer.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Give up what is not finished."""
        self._writer.__exit__()


@attrs.define(eq=False, repr=False)
class Merge(_Merging):
    """Makes a part of the next layer: a stretch of it, a window at a time."""

    name: str
    stretch: Stretch
    runs: Sequence[Stored] | Marked
    known: Sequence[Stored]
    room: int
    states: int = 0
    """How many the canonical ones so far stand for."""
    _readers: list[RowReader] = attrs.field(init=False)
    """Of the first files of `known`; others are opened for each window."""

    def __attrs_post_init__(self) -> None:
        words = self.rules.setting.words
        self._windows = (
            MarkedWindows(self.runs)
            if isinstance(self.runs, Marked)
            else Windows.of(self.files, self.runs, words, self.stretch, self._most)
        )
        few = self.known[: most_merged(self.room, words)]
        self._readers = readers_of(self.files, few, words, self.stretch)
        self._writer = PartWriter(self.files, self.name, words)

    @property
    def _most(self) -> int:
        return most_rows(self.room, self.rules.setting.words)

    def step(self) -> int:
        """Merge the next window; how many new states it has."""
        found, end = self._windows.take()
        for each in self._known():
            found = self._without(found, each, end)
        if len(found):
            self._writer.write(found)
            self.states += self.rules.stand_for(found)
        return len(found)

    def _known(self) -> Iterator[RowReader]:
        """What reads the layers before."""
        yield from self._readers
        for each in self.known[len(self._readers) :]:
            yield from readers_of(self.files, [each], self.rules.setting.words, self.stretch)

    def _without(self, found: Words, known: RowReader, end: Words | None) -> Words:
        """Those of `found` that `known` does not have; no more of it is read than may matter."""
        keys = self.rules.keys
        most = max(known.file.block, min(self._most, 2 * len(found)))
        if len(found):
            known.skip(found[:1])
        while len(found):
            before = known.before(end, most)
            found = found[: keys.drop_known(found, before)]
            if len(before) < most or keys.count_before(found, before[-1:]) == len(found):
                break
        return found

    def finish(self) -> Merged | None:
        """The part, whose file is on the disk; None if there are no new states."""
        if not self.states:
            return None
        return Merged(self._writer.finish(), self.states)


@attrs.define(eq=False, repr=False)
class Combination(_Merging):
    """Makes one run of several, a window at a time."""

    runs: Sequence[Stored]
    room: int

    def __attrs_post_init__(self) -> None:
        words = self.rules.setting.words
        most = most_rows(self.room, words)
        self._windows = Windows.of(self.files, self.runs, words, Stretch(), most)
        self._writer = RunWriter(self.files, words, sum(run.count for run in self.runs))

    def step(self) -> None:
        """Merge the next window."""
        found, _ = self._windows.take()
        self._writer.write(found)
