"""The tasks that a layer of a table is made by: a part is expanded, and runs are merged to a part.

`expand_part` makes sorted *runs* of the successors of some states, without duplicates, one for each
part that they belong to. `merge_part` makes a part of the next layer from all runs for it, range by
range of states, without those that layers before hold. Both are pure: they read files that are
complete, and write new ones, whose names no other attempt has. So each may be run anywhere, and
again. (R. E. Korf, Best-First Frontier Search with Delayed Duplicate Detection, 2004.)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import attrs
import numpy as np

from searchkit.authors.blame import blaming
from searchkit.compiled.layers.key_files import (
    RowReader,
    RowWriter,
    dealt_rows,
    empty_rows,
    key_module,
    sorted_rows,
)
from searchkit.compiled.specialise.kernels import canonical, successors
from searchkit.compiled.specialise.kernels.canonical import ImageTables
from searchkit.compiled.specialise.kernels.children import Children, Listing
from searchkit.compiled.specialise.listing import list_successors
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.executors.parcels import Parcel
from searchkit.packed import PackedProblem
from searchkit.running.task import Run
from searchkit.tables.keys import WORD_BYTES, KeyFile
from searchkit.tables.writer import WrittenPart, blaming_disk

if TYPE_CHECKING:
    from searchkit.tables.keys import Words

CHUNK = 1 << 18
"""The most states that are expanded at once."""
RANGE = 1 << 20
"""About the most words that are merged at once."""
LEAST_RUN = 1 << 21
"""How many words are sorted at once: with more, more time goes into memory that is used once."""
MOST_RUN = 1 << 24
"""The most, where there would be very many runs."""
MANY_RUNS = 64
MANY = 256
"""How many successors states are taken to have before any were expanded, where nothing says so."""


@attrs.frozen(eq=False)
class Ground:
    """What all tasks of an exploration have: the rules, and where layers are kept."""

    problem: PackedProblem[Any]
    costs: dict[str, Any]
    images: ImageTables
    folder: Path
    parts: int

    @property
    def words(self) -> int:
        """The words of a state."""
        return int(self.problem.words)


@attrs.frozen(eq=False)
class Rules:
    """A ground with its machine code loaded."""

    ground: Ground
    spec: Specialised
    keys: Any
    run: Run

    @classmethod
    def of(cls, ground: Ground) -> Rules:
        """Make or load the machine code of all tasks."""
        files = (canonical, successors)
        images = int(ground.images.count)
        spec = specialise(ground.problem, None, files, **ground.costs, IMAGES=images)
        return cls(ground, spec, key_module(ground.words), Run(problem=ground.problem))

    def canonical(self, found: Words) -> int:
        """Replace states by the canonical ones; how many all of them stand for."""
        if self.spec.module.IMAGES == 1:
            return len(found)
        return int(self.spec.module.canonical_states(self.ground.images, found))


@attrs.frozen
class Source:
    """Rows of a part of a layer, from one to before another; `count` are all that its file has."""

    path: Path
    count: int
    begin: int
    end: int


@attrs.frozen
class StoredRun:
    """A file of rising states that belong to one part."""

    path: Path
    count: int


@attrs.frozen(kw_only=True)
class Expanded:
    """What `expand_part` did: runs by part, and the memory that it took at most, in bytes."""

    expanded: int
    generated: int
    runs: tuple[tuple[StoredRun, ...], ...]
    bytes: int


@attrs.frozen
class Merged:
    """A part of the next layer, and how many states its canonical ones stand for."""

    part: WrittenPart
    states: int


def expand_part(parcel: Parcel[Rules], sources: Sequence[Source], room: int) -> Expanded:
    """Runs of the successors of some states, in `room` bytes for those at hand."""
    rules = parcel.open()
    with blaming_disk(rules.ground.folder), blaming(rules.ground.problem):
        expansion = Expansion(rules, sources, room)
        while expansion.left:
            expansion.step(CHUNK)
        return expansion.finish()


def merge_part(
    parcel: Parcel[Rules],
    name: str,
    runs: Sequence[StoredRun],
    known: Sequence[StoredRun],
    room: int,
) -> Merged:
    """The part of the next layer of which the file is to be called `name`.

    `known` are the parts of layers before in which states of `runs` can be.
    """
    rules = parcel.open()
    with blaming_disk(rules.ground.folder), Merge(rules, name, runs, known, room) as merge:
        while not merge.is_done:
            merge.step()
        return merge.finish()


@attrs.define(eq=False)
class Expansion:
    """Makes runs of the successors of some states, some at a time."""

    rules: Rules
    sources: Sequence[Source]
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
    _runs: list[list[StoredRun]] = attrs.field(init=False)
    _largest: int = attrs.field(init=False)
    """How many successors a run is made of."""

    def __attrs_post_init__(self) -> None:
        ground = self.rules.ground
        self.left = sum(each.end - each.begin for each in self.sources)
        listed = self.rules.spec.module.LISTING == Listing.EXPANDED
        self._widest = MANY if listed else max(1, self.rules.spec.lists.widest)
        self._found = empty_rows(0, ground.words)
        self._runs = [[] for _ in range(ground.parts)]
        wanted = max(LEAST_RUN, min(MOST_RUN, self.left * self._widest * ground.words // MANY_RUNS))
        self._largest = min(wanted, self.room // WORD_BYTES) // ground.words

    @property
    def _most(self) -> int:
        """How many states may be expanded at once: their successors take up to half the room."""
        words = self.rules.ground.words * (self._widest + 1)
        return max(1, min(CHUNK, self.room // (2 * WORD_BYTES * words)))

    def step(self, most: int) -> int:
        """Expand up to `most` of the states; how many."""
        states = self._states(min(most, self._most))
        self._expand(states)
        self.left -= len(states)
        self.expanded += len(states)
        return len(states)

    def take(self, states: Words) -> None:
        """Take some states as if they were successors."""
        self._add(states)

    def finish(self) -> Expanded:
        """What was done."""
        self._flush()
        return Expanded(
            expanded=self.expanded,
            generated=self.generated,
            runs=tuple(map(tuple, self._runs)),
            bytes=self.bytes,
        )

    def _states(self, most: int) -> Words:
        """The next states."""
        while True:
            if self._reader is None:
                source, self._next = self.sources[self._next], self._next + 1
                file = KeyFile.open(source.path, source.count, self.rules.ground.words)
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
        if spec.module.LISTING == Listing.EXPANDED and len(states):
            self._widest = max(4, 2 * len(room.states) // len(states))
        self.generated += count
        self._add(room.states[:count])

    def _add(self, found: Words) -> None:
        """Note successors, and make runs of them where there is no room for more."""
        self.rules.canonical(found)
        words, most = self.rules.ground.words, self._largest
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
        held = self._found.nbytes * (1 if self.rules.ground.parts == words == 1 else 2)
        held += 0 if self._children is None else self._children.states.nbytes
        self.bytes = max(self.bytes, held)

    def _flush(self) -> None:
        """Make runs of the successors at hand."""
        held = self._found[: self._count]
        found, ends = dealt_rows(self.rules.keys, held, self.rules.ground.parts)
        other = None if found is held else held
        for part, (begin, end) in enumerate(pairwise([0, *ends.tolist()])):
            if begin < end:
                self._store(part, sorted_rows(self.rules.keys, found[begin:end], other))
        self._count = 0

    def _store(self, part: int, found: Words) -> None:
        ground = self.rules.ground
        writer = RowWriter.into(ground.folder / f"run-{part}", ground.words, keep=False)
        with writer.file:
            writer.write(found)
            writer.complete()
        self._runs[part].append(StoredRun(writer.file.part, len(found)))


@attrs.define(eq=False)
class Merge:
    """Makes a part of the next layer from runs, a range of states at a time."""

    rules: Rules
    name: str
    runs: Sequence[StoredRun]
    known: Sequence[StoredRun]
    room: int
    states: int = 0
    """How many the canonical ones so far stand for."""
    bytes: int = 0
    is_done: bool = False
    _readers: list[RowReader] = attrs.field(init=False)
    _layers: list[RowReader] = attrs.field(init=False)
    _cuts: list[Words] = attrs.field(init=False)
    """Where ranges end, but the last; the next one is behind."""
    _most: int = attrs.field(init=False)
    """About how many rows a range has."""
    _writer: RowWriter = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        ground = self.rules.ground

        def reader(run: StoredRun) -> RowReader:
            return RowReader.of(KeyFile.open(run.path, run.count, ground.words))

        self._readers = list(map(reader, self.runs))
        self._layers = list(map(reader, self.known))
        self._most = max(1, min(RANGE, self.room // (2 * WORD_BYTES)) // ground.words)
        self._cuts = cuts([each.file for each in self._readers], self._most)[::-1]
        self._writer = RowWriter.into(ground.folder / self.name, ground.words, keep=True)

    def step(self) -> int:
        """Merge the next range; how many new states it has."""
        cut = self._cuts.pop() if self._cuts else None
        pieces = [found for each in self._readers if len(found := each.before(cut))]
        if len(pieces) == 1:
            found = pieces[0].copy()
        else:
            none = empty_rows(0, self.rules.ground.words)
            found = sorted_rows(self.rules.keys, np.concatenate([none, *pieces]))
        self.bytes = max(self.bytes, 2 * sum(each.nbytes for each in pieces) + found.nbytes)
        for each in self._layers:
            found = self._without(found, each, cut)
        if len(found):
            self._writer.write(found)
            self.states += self.rules.canonical(found.copy() if self._is_folded else found)
        self.is_done = cut is None
        return len(found)

    def _without(self, found: Words, known: RowReader, cut: Words | None) -> Words:
        """Those of `found` that `known` does not have; no more of it is read than may matter."""
        keys = self.rules.keys
        most = max(known.file.block, min(self._most, 2 * len(found)))
        if len(found):
            known.skip(found[:1])
        while len(found):
            before = known.before(cut, most)
            found = found[: keys.drop_known(found, before)]
            if len(before) < most or keys.count_before(found, before[-1:]) == len(found):
                break
        return found

    @property
    def _is_folded(self) -> bool:
        return bool(self.rules.spec.module.IMAGES > 1)

    def finish(self) -> Merged:
        """The part, whose file is on the disk."""
        sha256, file = self._writer.complete(), self._writer.file
        return Merged(WrittenPart(file=file.part, canonical=file.count, sha256=sha256), self.states)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Give up what is not finished."""
        self._writer.file.__exit__()


def cuts(files: Sequence[KeyFile], most: int) -> list[Words]:
    """Rows, each as an array, that part files into ranges of about `most` rows together.

    From the first rows of all blocks: where there is more than one range, each holds up to a block
    of every file beyond that.
    """
    total = sum(file.count for file in files)
    if total <= most or not files:
        return []
    firsts = np.concatenate([file.firsts for file in files])
    order = np.lexsort(firsts.reshape(len(firsts), -1).view(np.uint64).T[::-1])
    every = max(1, most // max(file.block for file in files))
    found = firsts[order[every::every]]
    different = np.ones(len(found), dtype=bool)
    if len(found) > 1:
        different[1:] = (found[1:] != found[:-1]).reshape(len(found) - 1, -1).any(axis=1)
    found = found[different]
    return [found[i : i + 1] for i in range(len(found))]
