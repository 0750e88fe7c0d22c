"""Buckets of states of equal f and h: stacks of chunks of CHUNK entries, last in, first out.

`buckets[b]` is (f, h, place of the last entry or -1, whether the bucket is in line). Buckets
are found through the hash table `slots`. Every bucket with entries is in line: it is the
current one, or in `heap`, a binary heap of f << 32 | h, or in `stack`, buckets that were
current until a better one had entries, the best on top.

Entry i is the state in `waiting` at i and its node in `nodes`; `before[i // CHUNK]` is the last
entry of the chunk below, or the next of the chunks that are free. `info` holds the counts.
"""

from searchkit.compiled.specialise.kernels.words import write_words
from searchkit.compiled.specialise.names import (
    WORDS,
    called,
    entry,
    inlined,
    parameter,
    shift_right,
)

CHUNK = parameter()
"""The entries of a chunk, a power of two."""
F, H_VALUE, TOP, IN_LINE = range(4)
BUCKETS, HEAPED, STACKED, CURRENT, CHUNKS, FREE, FREED, WAITING = range(8)


@inlined
def bucket_slot(buckets, slots, f, h):
    """The place in `slots` of the bucket of f and h, or the empty one where it belongs."""
    mask = len(slots) - 1
    at = shift_right((f << 16 ^ h) * -7046029254386353131, 40) & mask
    while True:
        b = slots[at]
        if b == 0 or (buckets[b, F] == f and buckets[b, H_VALUE] == h):
            return at
        at = (at + 1) & mask


@inlined
def is_before(buckets, a, b):
    """Whether bucket `a` comes before bucket `b`."""
    return buckets[a, F] < buckets[b, F] or (
        buckets[a, F] == buckets[b, F] and buckets[a, H_VALUE] < buckets[b, H_VALUE]
    )


@called
def heap_push(heap, size, key):
    """Put `key` into a heap of `size` keys."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if heap[above] <= key:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = key


@called
def heap_pop(heap, size):
    """Take the smallest of `size` keys out."""
    key = heap[size - 1]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and heap[below + 1] < heap[below]:
            below += 1
        if heap[below] >= key:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = key


@called
def best_bucket(buckets, slots, heap, stack, info):
    """Make the first bucket in line that has entries the current one; 0 if there is none.

    Bucket 0 is none.
    """
    buckets[info[CURRENT], IN_LINE] = 0
    while True:
        heaped, stacked = info[HEAPED], info[STACKED]
        if heaped == 0 and stacked == 0:
            info[CURRENT] = 0
            return 0
        current = 0
        if heaped > 0:
            key = heap[0]
            current = slots[bucket_slot(buckets, slots, key >> 32, key & 0xFFFFFFFF)]
        if heaped == 0 or (stacked > 0 and is_before(buckets, stack[stacked - 1], current)):
            current = stack[stacked - 1]
            info[STACKED] = stacked - 1
        else:
            heap_pop(heap, heaped)
            info[HEAPED] = heaped - 1
        if buckets[current, TOP] >= 0:
            info[CURRENT] = current
            return current
        buckets[current, IN_LINE] = 0


@called
def line_up(buckets, heap, stack, b, info):
    """Bucket `b` has entries and is not in line: put it there."""
    buckets[b, IN_LINE] = 1
    current = info[CURRENT]
    if current != 0 and is_before(buckets, b, current):
        if buckets[current, TOP] >= 0:
            stack[info[STACKED]] = current
            info[STACKED] += 1
        else:
            buckets[current, IN_LINE] = 0
        info[CURRENT] = b
    else:
        heap_push(heap, info[HEAPED], buckets[b, F] << 32 | buckets[b, H_VALUE])
        info[HEAPED] += 1


@inlined
def push(waiting, nodes, before, buckets, slots, heap, stack, info, f, h, state, node):
    """Add an entry; there must be a free chunk and a free bucket."""
    at = bucket_slot(buckets, slots, f, h)
    b = slots[at]
    if b == 0:
        b = info[BUCKETS]
        info[BUCKETS] = b + 1
        slots[at] = b
        buckets[b, F] = f
        buckets[b, H_VALUE] = h
        buckets[b, TOP] = -1
        buckets[b, IN_LINE] = 0
    top = buckets[b, TOP]
    place = top + 1
    if top < 0 or place & (CHUNK - 1) == 0:
        chunk = info[FREE]
        if chunk >= 0:
            info[FREE] = before[chunk]
            info[FREED] -= 1
        else:
            chunk = info[CHUNKS]
            info[CHUNKS] = chunk + 1
        before[chunk] = top
        place = chunk * CHUNK
    write_words(waiting, place * WORDS, state)
    nodes[place] = node
    buckets[b, TOP] = place
    info[WAITING] += 1
    if buckets[b, IN_LINE] == 0:
        line_up(buckets, heap, stack, b, info)


@inlined
def drop_last(before, buckets, b, info):
    """Take the last entry of bucket `b` away."""
    place = buckets[b, TOP]
    info[WAITING] -= 1
    if place & (CHUNK - 1) != 0:
        buckets[b, TOP] = place - 1
    else:
        chunk = place // CHUNK
        buckets[b, TOP] = before[chunk]
        before[chunk] = info[FREE]
        info[FREE] = chunk
        info[FREED] += 1


@entry
def find_buckets_again(buckets, slots, count):
    """Fill `slots`, which are empty, with the buckets 1 to `count` - 1."""
    for b in range(1, count):
        slots[bucket_slot(buckets, slots, buckets[b, F], buckets[b, H_VALUE])] = b
