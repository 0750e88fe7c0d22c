"""Layers in files, in bounded memory: delayed duplicate detection by sorting and merging.

A part of a layer is expanded into a sorted *run* of successors without duplicates; runs that
memory has no room for go to files. The next layer is merged from all runs, range by range of
words: in each range the runs' parts are sorted together, and what the layers before hold is
dropped. Each of these steps is a function of parts, and a layer is added all at once.
(R. E. Korf, Best-First Frontier Search with Delayed Duplicate Detection, 2004.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from searchkit.capabilities import Symmetry
from searchkit.compiled.layers.kernels import sorted_runs
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.images import check_images, image_tables, map_of
from searchkit.compiled.specialise.kernels import canonical, successors
from searchkit.compiled.specialise.kernels.canonical import ImageTables
from searchkit.compiled.specialise.kernels.children import Listing
from searchkit.compiled.specialise.listing import list_successors
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.compiled.states.state_set import StoredStates
from searchkit.engines.explored import Explorer
from searchkit.running.task import Run
from searchkit.tables.layer_files import LayerFile, part_of, read_words
from searchkit.tables.writer import TableWriter, blaming_disk

if TYPE_CHECKING:
    Words = np.ndarray[Any, np.dtype[np.uint64]]

CHUNK = 1 << 18
"""The most states that are expanded at once."""
RANGE = 1 << 20
"""About the most words that are merged at once."""
MANY = 256
"""How many successors states are taken to have before any were expanded, where nothing says so."""
MOST_RUNS = 32
MOST_BYTES = 1 << 31
LEAST_BYTES = 1 << 25
WORD_BYTES = 8


@attrs.define(eq=False)
class FileLayers(Explorer):
    """An exploration of one-word states whose layers are those of a table on disk.

    Uses as much memory as the limit allows, up to 2 GiB: an eighth of that for runs, half as
    much again for the successors at hand, and the rest for merging, which copies them.
    """

    spec: Specialised
    table: TableWriter
    images: ImageTables
    roots: list[int]
    _widest: int = attrs.field(init=False)
    """How many successors states have at most, or are expected to have from now on."""
    _runs: list[Words] = attrs.field(init=False, factory=list)
    _spilled: list[Path] = attrs.field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        expanded = self.spec.module.LISTING == Listing.EXPANDED
        self._widest = MANY if expanded else self.spec.lists.widest

    @classmethod
    def prepare(
        cls,
        task: Run,
        roots: list[int],
        symmetries: Sequence[Symmetry[Any, Any]],
        table: TableWriter,
    ) -> FileLayers:
        """The exploration that `table` has layers of, with its machine code loaded."""
        files = (canonical, successors, sorted_runs)
        check_images(type(task.problem).__name__, roots, 1, symmetries)
        images = image_tables(map(map_of, symmetries))
        spec = specialise(task.problem, None, files, **cost_range(task), IMAGES=images.count)
        self = cls(task, spec, table, images, roots)
        self._expand(_words([]))
        return self

    @property
    def fresh(self) -> int:
        """A layer is known when it is complete."""
        return 0

    def farthest(self) -> Sequence[Any]:
        """The canonical states of the last complete layer."""
        if not self.sizes:
            return tuple(self.roots)
        return StoredStates(self.table.layer(self.depth).view(np.int64)).listed()

    def begin(self, roots: list[Any]) -> None:
        """Add the first layer, unless the table has it or it is empty."""
        self.task.reserve(LEAST_BYTES)
        self.task.counters.generated = len(roots)
        for entry in self.table.manifest.layers:
            self.enter(entry.states, entry.canonical)
        if self.sizes:
            self._note()
        elif roots:
            self._runs = [self._canonical(_words(roots))]
            deque(self._next_layer(), maxlen=0)

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Reach states up to distance `deepest`; whether these are all."""
        try:
            return (yield from super().run(deepest))
        finally:
            self._forget_runs()

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer."""
        yield from self._expand_layer(look=False)
        return (yield from self._next_layer())

    def _known(self) -> list[Words]:
        """The layers in which a successor of the last one can lie."""
        first = max(0, self.depth - 1) if self.task.problem.undirected else 0
        return [self.table.layer(depth) for depth in range(first, len(self.sizes))]

    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer, of which nothing is kept."""
        return (yield from self._expand_layer(look=True))

    def _expand_layer(self, *, look: bool) -> Generator[None, None, bool]:
        """Make the runs of all successors of the last layer, or look only until one is new.

        Whether one is, if that was looked for.
        """
        task, layer, at, known = self.task, self.table.layer(self.depth), 0, self._known()
        while at < len(layer):
            if task.budget <= 0:
                yield
            count = min(self._most, max(1, task.budget), len(layer) - at)
            generated, run = self._expand(layer[at : at + count])
            at += count
            task.budget -= count
            task.counters.expanded += count
            task.counters.generated += generated
            task.counters.frontier = len(layer) - at
            if look:
                if len(self._without(run, known)):
                    return True
                continue
            self._runs.append(run)
            held = sum(run.nbytes for run in self._runs)
            if held > self._room or len(self._runs) > MOST_RUNS:
                self._compact(held, known)
        return False

    @property
    def _room(self) -> int:
        """How many bytes of runs may be held: merging takes four times as much."""
        return int(min(max(self.task.max_bytes, LEAST_BYTES), MOST_BYTES)) // 8

    @property
    def _most(self) -> int:
        """How many states may be expanded at once: their successors take up to half the room."""
        words = self._widest + 1  # one says where they end
        return max(1, min(CHUNK, self._room // (2 * WORD_BYTES * words)))

    def _compact(self, held: int, known: list[Words]) -> None:
        """Merge the runs in memory; put them into a file if that does not make enough room."""
        self.task.reserve(max(LEAST_BYTES, 4 * held))
        together = self._without(self._sorted(_concatenated(self._runs)), known)
        self._runs = [together]
        if together.nbytes > self._room // 2:
            with blaming_disk(self.table.folder):
                file = LayerFile(part_of(self.table.folder / f"run-{len(self._spilled)}"))
                self._spilled.append(file.path)
                file.write(together)
                file.complete()
            self._runs = []

    def _next_layer(self) -> Generator[None, None, int]:
        """Merge the runs into the next layer and add it; how many states it has."""
        known, states = self._known(), 0
        runs = [read_words(path) for path in self._spilled] + self._runs
        with self.table.new_layer() as file:
            for begin, end in _ranges(runs, min(RANGE, self._room // (2 * WORD_BYTES))):
                if begin:
                    yield
                parts = _concatenated([_between(run, begin, end) for run in runs])
                new = self._sorted(parts) if len(runs) > 1 else parts
                new = self._without(new, [_between(layer, begin, end) for layer in known])
                file.write(new)
                states += self._states(new)
            count = file.count
            if count:
                self.table.add(file, states)
        del runs
        self._forget_runs()
        if count:
            self.enter(states, count)
            self._note()
        return count

    def _forget_runs(self) -> None:
        self._runs = []
        for path in self._spilled:
            path.unlink(missing_ok=True)
        self._spilled = []

    def _expand(self, states: Words) -> tuple[int, Words]:
        """How many successors the states have, and those up to symmetry, rising."""
        spec = self.spec
        rows = np.array(states).view(np.int64)
        room = spec.children(len(rows) * spec.lists.widest)
        children, ends = list_successors(self.task, spec, rows, room)
        if spec.module.LISTING == Listing.EXPANDED and len(rows):
            self._widest = max(4, 2 * len(children.states) // len(rows))
        count = int(ends[-1]) if len(ends) else 0
        return count, self._canonical(children.states[:count].view(np.uint64))

    def _canonical(self, words: Words) -> Words:
        """The canonical states of some, rising, each once; changes `words`."""
        if self.spec.module.IMAGES > 1:
            self.spec.module.canonical_states(self.images, words.view(np.int64))
        return self._sorted(words)

    def _sorted(self, words: Words) -> Words:
        """The words, rising, each once."""
        found = np.sort(words)
        return found[: self.spec.module.drop_duplicates(found)].copy()

    def _without(self, words: Words, known: Sequence[Words]) -> Words:
        """Those of rising words that are not known."""
        words = words.copy()
        for layer in known:
            words = words[: self.spec.module.drop_known(words, layer)]
        return words

    def _states(self, words: Words) -> int:
        """How many states the canonical `words` stand for."""
        if self.spec.module.IMAGES == 1:
            return len(words)
        return int(self.spec.module.canonical_states(self.images, words.copy().view(np.int64)))

    def _note(self) -> None:
        counters = self.task.counters
        counters.holding(self.stored)
        counters.waiting(max(self.canonical_sizes))
        counters.frontier = self.size


def _words(states: Sequence[int]) -> Words:
    return np.array(states, dtype=np.uint64)


def _concatenated(runs: Sequence[Words]) -> Words:
    return np.concatenate([_words([]), *runs])


def _between(words: Words, begin: int, end: int | None) -> Words:
    """The part of rising words from `begin` to before `end`."""
    first = np.searchsorted(words, np.uint64(begin))
    last = len(words) if end is None else np.searchsorted(words, np.uint64(end))
    return words[first:last]


def _ranges(runs: Sequence[Words], words: int) -> Iterator[tuple[int, int | None]]:
    """Ranges in which the runs have about `words` words together, three times that at most.

    The cuts are from a sample of all runs: each run may lie in a part of its own.
    """
    every = max(1, words // max(1, len(runs)))
    samples = np.sort(_concatenated([run[every - 1 :: every] for run in runs]))
    between = max(1, words // every)
    cuts = np.unique(samples[between::between]).tolist()
    yield from zip([0, *cuts], [*cuts, None], strict=True)
