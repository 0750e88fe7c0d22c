"""Files of rising states, and how stretches of many of them are merged.

A *stretch* holds all states from one to before another. So the stretches of a layer can be made
apart from each other, from the rows of the same files, and together are the layer. Samples of the
files say where stretches begin, for each layer anew, so that they are of about one size, whatever
the layer looks like. (W. D. Frazer and A. C. McKellar, Samplesort, 1970.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from searchkit.compiled.layers.key_files import RowWriter, sorted_rows
from searchkit.compiled.layers.marked import Marked
from searchkit.compiled.layers.row_reader import RowReader, key_module
from searchkit.compiled.specialise.module import empty_rows
from searchkit.tables import keys
from searchkit.tables.keys import WORD_BYTES, row_of, words_of
from searchkit.tables.store import Files, Rows, Stored

if TYPE_CHECKING:
    from searchkit.tables.keys import Words

RANGE = 1 << 18
"""About the most words that are merged at once."""
SAMPLED = 512
"""How many states of a run are known to whoever chooses stretches: each stands for 0.2 %."""
MOST_MERGED = 256
"""How many files are merged at once, at most: each is open, and some blocks of it are decoded."""
INDEXED = 1 << 32
"""The rows of files that are opened at once, so that their indexes take some ten megabytes."""
BLOCKS_EACH = 4
"""The most blocks of a file in memory while it is merged, counting each as it is and decoded."""


@attrs.frozen
class StoredRun(Stored):
    """A run: successors, each once; `sample` are some of them, equally far from each other."""

    sample: Words = attrs.field(eq=False, repr=False)


@attrs.frozen
class Stretch:
    """The states from `begin` to before `end`, each as its words; None for no bound."""

    begin: tuple[int, ...] | None = None
    end: tuple[int, ...] | None = None


def stretches(runs: Sequence[StoredRun], most: int) -> list[Stretch]:
    """At most that many stretches, in order, in which runs have about equally many rows."""
    total = sum(run.count for run in runs)
    if most < 2 or not total:
        return [Stretch()]
    rows = np.concatenate([run.sample for run in runs])
    weights = [np.full(len(run.sample), run.count / len(run.sample)) for run in runs]
    order = rising(rows)
    before = np.cumsum(np.concatenate(weights)[order])
    places = np.searchsorted(before, total * np.arange(1, most) / most)
    found = different(rows[order[np.minimum(places, len(order) - 1)]])
    edges = [None, *map(words_of, found), None]
    return [Stretch(*each) for each in pairwise(edges)]


def most_merged(room: int, words: int) -> int:
    """How many files may be merged at once, in that many bytes: at least 2."""
    return max(2, min(MOST_MERGED, room // (BLOCKS_EACH * WORD_BYTES * keys.BLOCK * words)))


def most_rows(room: int, words: int) -> int:
    """About how many rows are merged at once, in that many bytes."""
    return max(1, min(RANGE, room // (2 * WORD_BYTES)) // words)


class RunWriter(RowWriter):
    """Writes a run, whose file has a name that no other attempt has."""

    def __init__(self, files: Files, words: int, most: int) -> None:
        """Write a run of at most that many rows."""
        super().__init__(files.folder / "run-0", words, keep=False)
        self.files, self.every = files, max(1, most // SAMPLED)
        """One of so many rows goes into the sample."""
        self._next = 0
        self._sample: list[Words] = []

    def write(self, found: Words) -> None:
        """Add rows, which are larger than those before."""
        self._sample.append(found[self._next :: self.every].copy())
        left = self._next - len(found)
        self._next = left if left >= 0 else left % self.every
        super().write(found)

    def finish(self) -> StoredRun:
        """End the file, and let all workers see it."""
        self.complete()
        (name,) = self.files.put([self.part])
        return StoredRun(name, self.count, np.concatenate(self._sample))


@attrs.define(eq=False, repr=False)
class Windows:
    """The rows of a stretch of several files, in order, each once: a window at a time."""

    readers: list[RowReader]
    words: int
    _ends: list[Words | None]
    """Where windows end; the next one is behind."""
    bytes: int = 0
    """What a window took at most."""
    _marked: Marked = attrs.field(factory=lambda: Marked.below(0))

    @classmethod
    def of(
        cls, files: Files, runs: Sequence[Stored], words: int, stretch: Stretch, most: int
    ) -> Windows:
        """Windows of about `most` rows."""
        readers = readers_of(files, runs, words, stretch)
        end = None if stretch.end is None else row_of(stretch.end)
        return cls(readers, words, [end, *cuts(readers, most)[::-1]])

    @property
    def is_done(self) -> bool:
        """Whether there is no other window."""
        return not self._ends

    def take(self) -> tuple[Words, Words | None]:
        """The rows of the next window, which are the caller's, and where it ends."""
        end = self._ends.pop()
        pieces = [found for each in self.readers if len(found := each.before(end))]
        found = self._merged(pieces)
        self.bytes = max(self.bytes, 2 * sum(each.nbytes for each in pieces) + found.nbytes)
        return found, end

    def _merged(self, pieces: Sequence[Words]) -> Words:
        if len(pieces) == 1:
            return pieces[0].copy()
        if self.words == 1 and pieces and (found := self._marked.merged(pieces)) is not None:
            return found
        none = empty_rows(0, self.words)
        return sorted_rows(key_module(self.words), np.concatenate([none, *pieces]))


def readers_of(
    files: Files, runs: Sequence[Stored], words: int, stretch: Stretch
) -> list[RowReader]:
    """What reads those rows of some files that lie in a stretch; its end is for the caller to see.

    Only the indexes of the files are read, unless the stretch begins in the middle of a block. Rows
    that are not on this machine are fetched.
    """
    begin, end = (None if each is None else row_of(each) for each in (stretch.begin, stretch.end))
    readers = [
        RowReader.between(file, begin, end)
        for few in batches(runs, INDEXED)
        for file in files.open(few, words)
    ]
    files.load([Rows(each.file, each.at, each.end) for each in readers])
    if begin is not None:
        for each in readers:
            each.before(begin)
    return readers


def batches(runs: Sequence[Stored], most: int) -> Iterator[list[Stored]]:
    """Files, in order, with up to that many rows together, unless a single one has more."""
    batch, count = list[Stored](), 0
    for each in runs:
        if batch and count + each.count > most:
            yield batch
            batch, count = [], 0
        batch.append(each)
        count += each.count
    if batch:
        yield batch


def cuts(readers: Sequence[RowReader], most: int) -> list[Words]:
    """Rows, each as an array, that part what is read into windows of about `most` rows together.

    From the first rows of all blocks: where there is more than one window, each holds up to a block
    of every file beyond that.
    """
    if sum(each.end - each.at for each in readers) <= most:
        return []
    firsts = np.concatenate([each.firsts_left() for each in readers])
    if not len(firsts):
        return []
    every = max(1, most // max(each.file.block for each in readers))
    found = different(firsts[rising(firsts)[every::every]])
    return [found[i : i + 1] for i in range(len(found))]


def rising(rows: Words) -> Any:
    """The order in which rows rise."""
    return np.lexsort(rows.reshape(len(rows), -1).view(np.uint64).T[::-1])


def different(rows: Words) -> Words:
    """Rising rows, each once."""
    is_new = np.ones(len(rows), dtype=bool)
    if len(rows) > 1:
        is_new[1:] = (rows[1:] != rows[:-1]).reshape(len(rows) - 1, -1).any(axis=1)
    return rows[is_new]
