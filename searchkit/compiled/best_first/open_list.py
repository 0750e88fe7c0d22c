"""The open list: buckets of equal f and h in chunks of one pool of entries."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.compiled.best_first.kernels.open_list import Bucket, Info, OpenTables
from searchkit.compiled.specialise.growable import Account, GrowableArray
from searchkit.compiled.specialise.prepare import Specialised

FIRST_CHUNKS = 64
FIRST_BUCKETS = 64


@attrs.define(eq=False, repr=False)
class OpenList:
    """States that wait for expansion; `info` holds the counts of the engine."""

    spec: Specialised
    account: Account
    widest: int
    info: np.ndarray[Any, Any] = attrs.field(init=False)
    _pool: list[GrowableArray] = attrs.field(init=False)
    _buckets: list[np.ndarray[Any, Any]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        nodes = np.uint16 if len(self.spec.lists.controls) <= 1 << 16 else np.int64
        kinds: tuple[Any, ...] = (np.int64, nodes, np.int64)
        chunks = FIRST_CHUNKS + self.widest
        sizes = self._sizes(chunks)
        self._pool = [GrowableArray(kind, size) for kind, size in zip(kinds, sizes, strict=True)]
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.info[Info.BUCKETS] = 1
        self.info[Info.FREE] = -1
        self._buckets = self._make_buckets(FIRST_BUCKETS + self.widest)
        self._buckets[0][0, Bucket.TOP] = -1
        self.account.reserve("open", self.bytes, self.bytes)

    def _sizes(self, chunks: int) -> tuple[int, int, int]:
        """How many items the arrays of the pool have: words, nodes, links."""
        entries = chunks * int(self.spec.module.CHUNK)
        return entries * self.spec.problem.words, entries, chunks

    def _make_buckets(self, count: int) -> list[np.ndarray[Any, Any]]:
        slots = 1 << (2 * count - 1).bit_length()
        return [
            np.zeros((count, len(Bucket)), dtype=np.int64),
            np.zeros(slots, dtype=np.int32),
            np.zeros(count, dtype=np.int64),
            np.zeros(count, dtype=np.int64),
        ]

    @property
    def bytes(self) -> int:
        """What it takes now."""
        return sum(each.bytes for each in self._pool) + self._bucket_bytes

    @property
    def _bucket_bytes(self) -> int:
        return sum(int(each.nbytes) for each in self._buckets)

    @property
    def record(self) -> OpenTables:
        """What kernels take."""
        return OpenTables(*(each.array for each in self._pool), *self._buckets)

    def make_room(self) -> None:
        """Make room for one more entry, whatever its f and h."""
        info = self.info
        if info[Info.CHUNKS] - info[Info.FREED] >= len(self._pool[2].array):
            self.grow_pool()
        if info[Info.BUCKETS] >= len(self._buckets[0]):
            self.grow_buckets()

    def grow_pool(self) -> None:
        """Make room for more entries."""
        chunks = len(self._pool[2].array)
        small = self._pool[0].bytes < 1 << 20
        sizes = self._sizes(chunks * 4 if small else chunks + chunks // 4 + self.widest)
        grown = zip(self._pool, sizes, strict=True)
        bytes_to_grow = sum(each.bytes_to_grow(size) for each, size in grown)
        after = sum(each.bytes_of(size) for each, size in zip(self._pool, sizes, strict=True))
        self.account.reserve("open", bytes_to_grow + self._bucket_bytes, after + self._bucket_bytes)
        for each, size in zip(self._pool, sizes, strict=True):
            each.grow(size)

    def grow_buckets(self) -> None:
        """Make room for more values of f and h."""
        count = len(self._buckets[0])
        self.account.reserve(
            "open", self.bytes + 3 * self._bucket_bytes, self.bytes + 2 * self._bucket_bytes
        )
        made = self._make_buckets(2 * count + self.widest)
        for number in (0, 2, 3):
            made[number][:count] = self._buckets[number]
        self.spec.module.find_buckets_again(*made[:2], self.info[Info.BUCKETS])
        self._buckets = made

    def weigh(self, g_weight: int, h_weight: int) -> float:
        """Put the entries in the order of other weights; all of a bucket have the same g and h.

        The largest order of an entry.
        """
        info, (rows, slots, heap, _) = self.info, self._buckets
        buckets = rows[1 : info[Info.BUCKETS]]
        h, is_open = buckets[:, Bucket.H_VALUE], buckets[:, Bucket.TOP] >= 0
        before = info[Info.H_WEIGHT], max(1, info[Info.G_WEIGHT])
        if self.spec.module.FLOATS:
            number, rest = h.view(np.float64), buckets[:, Bucket.F].view(np.float64)
            whole = np.rint((rest - before[0] * number) / before[1])
            f = (g_weight * whole + h_weight * number).view(np.int64)
        else:
            f = g_weight * ((buckets[:, Bucket.F] - before[0] * h) // before[1]) + h_weight * h
        buckets[:, Bucket.F] = f
        buckets[:, Bucket.IN_LINE] = is_open
        slots[:] = 0
        self.spec.module.find_buckets_again(rows, slots, info[Info.BUCKETS])
        if self.spec.module.FLOATS:
            keys = 1 + np.flatnonzero(is_open)[np.lexsort((h[is_open], f[is_open]))]
        else:
            keys = np.sort((f << 32 | h)[is_open])  # what is sorted is a heap
        heap[: len(keys)] = keys
        info[Info.HEAPED], info[Info.STACKED], info[Info.CURRENT] = len(keys), 0, 0
        info[Info.G_WEIGHT], info[Info.H_WEIGHT], info[Info.BOUND] = g_weight, h_weight, 0
        return self.spec.number_of(f[is_open].max(initial=0))

    def noted(self) -> np.ndarray[Any, Any]:
        """The row of the state that the kernel has noted."""
        row: np.ndarray[Any, Any] = self.spec.rows(self._pool[0].array)[self.info[Info.PLACE]]
        return row
