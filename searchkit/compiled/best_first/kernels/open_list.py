"""Buckets of states of equal f and h: stacks of chunks of CHUNK entries, last in, first out.

`buckets[b]` is (f, h, place of the last entry or -1, whether the bucket is in line). Buckets
are found through the hash table `slots`. Every bucket with entries is in line: it is the
current one, or in `heap`, a binary heap of f << 32 | h, or in `stack`, buckets that were
current until a better one had entries, the best on top. Where f and h are words of floats, the heap
has the numbers of the buckets.

Entry i is the state in `waiting` at i and its node in `nodes`; `before[i // CHUNK]` is the last
entry of the chunk below, or the next of the chunks that are free. `info` holds the counts.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    called,
    entry,
    heuristic,
    inlined,
    parameter,
    problem,
    shift_right,
)

CHUNK = parameter()
"""The entries of a chunk, a power of two."""
Bucket = IntEnum("Bucket", "F H_VALUE TOP IN_LINE", start=0)
"""The columns of `buckets`."""
Info = IntEnum(
    "Info",
    "BUCKETS HEAPED STACKED CURRENT CHUNKS FREE FREED WAITING "
    "GENERATED EXPANDED REOPENED STORED MOST_STORED MOST_WAITING BOUND CUT PLACE "
    "G_WEIGHT H_WEIGHT UPPER COST_LIMIT LAST_F",
    start=0,
)
"""What `info` holds: counts, what is free, and the weights and the best g of a
weighted search, and what bounds f."""


class OpenTables(NamedTuple):
    """The pool of entries, and the buckets."""

    waiting: Any
    nodes: Any
    before: Any
    buckets: Any
    slots: Any
    heap: Any
    stack: Any


@inlined
def bucket_slot(buckets, slots, f, h):
    """The place in `slots` of the bucket of f and h, or the empty one where it belongs."""
    mask = len(slots) - 1
    at = shift_right((f << 16 ^ h) * -7046029254386353131, 40) & mask
    while True:
        b = slots[at]
        if b == 0 or (buckets[b, Bucket.F] == f and buckets[b, Bucket.H_VALUE] == h):
            return at
        at = (at + 1) & mask


@inlined
def is_before(buckets, a, b):
    """Whether bucket `a` comes before bucket `b`."""
    return buckets[a, Bucket.F] < buckets[b, Bucket.F] or (
        buckets[a, Bucket.F] == buckets[b, Bucket.F]
        and buckets[a, Bucket.H_VALUE] < buckets[b, Bucket.H_VALUE]
    )


@inlined
def key_of(buckets, b):
    """What the heap has of bucket `b`."""
    if heuristic.FLOATS:
        return b
    return buckets[b, Bucket.F] << 32 | buckets[b, Bucket.H_VALUE]


@inlined
def bucket_of(buckets, slots, key):
    """The bucket that a key of the heap is of."""
    if heuristic.FLOATS:
        return key
    return np.int64(slots[bucket_slot(buckets, slots, key >> 32, key & 0xFFFFFFFF)])


@inlined
def is_less(buckets, key, other):
    """Whether a key of the heap comes before another."""
    if heuristic.FLOATS:
        return is_before(buckets, key, other)
    return key < other


@called
def heap_push(buckets, heap, size, key):
    """Put `key` into a heap of `size` keys."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if not is_less(buckets, key, heap[above]):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = key


@called
def heap_pop(buckets, heap, size):
    """Take the smallest of `size` keys out."""
    key = heap[size - 1]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and is_less(buckets, heap[below + 1], heap[below]):
            below += 1
        if not is_less(buckets, heap[below], key):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = key


@called
def best_bucket(buckets, slots, heap, stack, info):
    """Make the first bucket in line that has entries the current one; 0 if there is none.

    Bucket 0 is none.
    """
    buckets[info[Info.CURRENT], Bucket.IN_LINE] = 0
    while True:
        heaped, stacked = info[Info.HEAPED], info[Info.STACKED]
        if heaped == 0 and stacked == 0:
            info[Info.CURRENT] = 0
            return 0
        current = 0
        if heaped > 0:
            current = bucket_of(buckets, slots, heap[0])
        if heaped == 0 or (stacked > 0 and is_before(buckets, stack[stacked - 1], current)):
            current = stack[stacked - 1]
            info[Info.STACKED] = stacked - 1
        else:
            heap_pop(buckets, heap, heaped)
            info[Info.HEAPED] = heaped - 1
        if buckets[current, Bucket.TOP] >= 0:
            info[Info.CURRENT] = current
            return current
        buckets[current, Bucket.IN_LINE] = 0


@called
def line_up(buckets, heap, stack, b, info):
    """Bucket `b` has entries and is not in line: put it there."""
    buckets[b, Bucket.IN_LINE] = 1
    current = info[Info.CURRENT]
    if current != 0 and is_before(buckets, b, current):
        if buckets[current, Bucket.TOP] >= 0:
            stack[info[Info.STACKED]] = current
            info[Info.STACKED] += 1
        else:
            buckets[current, Bucket.IN_LINE] = 0
        info[Info.CURRENT] = b
    else:
        heap_push(buckets, heap, info[Info.HEAPED], key_of(buckets, b))
        info[Info.HEAPED] += 1


@inlined
def push(opened: OpenTables, info, f, h, state, node):
    """Add an entry; there must be a free chunk and a free bucket."""
    waiting, nodes, before, buckets, slots, heap, stack = opened
    at = bucket_slot(buckets, slots, f, h)
    b = slots[at]
    if b == 0:
        b = info[Info.BUCKETS]
        info[Info.BUCKETS] = b + 1
        slots[at] = b
        buckets[b, Bucket.F] = f
        buckets[b, Bucket.H_VALUE] = h
        buckets[b, Bucket.TOP] = -1
        buckets[b, Bucket.IN_LINE] = 0
    top = buckets[b, Bucket.TOP]
    place = top + 1
    if top < 0 or place & (CHUNK - 1) == 0:
        chunk = info[Info.FREE]
        if chunk >= 0:
            info[Info.FREE] = before[chunk]
            info[Info.FREED] -= 1
        else:
            chunk = info[Info.CHUNKS]
            info[Info.CHUNKS] = chunk + 1
        before[chunk] = top
        place = chunk * CHUNK
    words.write(waiting, place * problem.WORDS, state)
    nodes[place] = node
    buckets[b, Bucket.TOP] = place
    info[Info.WAITING] += 1
    if buckets[b, Bucket.IN_LINE] == 0:
        line_up(buckets, heap, stack, b, info)


@inlined
def below(before, place):
    """The entry below the one at `place` in its bucket, -1 if that is the lowest."""
    return place - 1 if place & (CHUNK - 1) != 0 else before[place // CHUNK]


@inlined
def drop_last(before, buckets, b, info):
    """Take the last entry of bucket `b` away."""
    place = buckets[b, Bucket.TOP]
    info[Info.WAITING] -= 1
    if place & (CHUNK - 1) != 0:
        buckets[b, Bucket.TOP] = place - 1
    else:
        chunk = place // CHUNK
        buckets[b, Bucket.TOP] = before[chunk]
        before[chunk] = info[Info.FREE]
        info[Info.FREE] = chunk
        info[Info.FREED] += 1


@entry
def find_buckets_again(buckets, slots, count):
    """Fill `slots`, which are empty, with the buckets 1 to `count` - 1."""
    for b in range(1, count):
        slots[bucket_slot(buckets, slots, buckets[b, Bucket.F], buckets[b, Bucket.H_VALUE])] = b
