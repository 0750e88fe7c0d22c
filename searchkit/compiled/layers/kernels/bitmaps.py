"""Layers as bitmaps over the numbers of a linear index: states are never listed.

Bit `n` of a layer stands for the state with number `n`, or for the states that symmetries make
equal to it: the smallest number of them stands for all. Numbers and their images under symmetries
are sums (exclusive or) of what each bit contributes, which tables hold for 6 and 11 bits at once.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.layers.kernels import bitmap_images
from searchkit.compiled.specialise.kernels import canonical
from searchkit.compiled.specialise.names import (
    count_ones,
    entry,
    inlined,
    lowest_one,
    natural,
    parameter,
    problem,
    shift_right,
)

CHAINS = parameter()
"""Whether a step is a chain of moves of one piece."""

if CHAINS:
    from searchkit.compiled.layers.kernels.bitmap_chains import successors_of
else:
    from searchkit.compiled.layers.kernels.bitmap_steps import successors_of

CHUNKS = parameter()
"""The chunks of a number above its lowest bits."""
BUFFER = parameter()
"""From this many successors on their bits are set."""
LOW_BITS, CHUNK_BITS = 6, 11
BLOCK_BITS = 9
"""Words in blocks of so many bits, 4 KiB, are passed over where a block has no states."""
BLOCK = 1 << BLOCK_BITS
Info = IntEnum("Info", "WORD REST EXPANDED GENERATED MOST", start=0)


class Layer(NamedTuple):
    """A layer on one of the sides of a space: a bitmap of its canonical states.

    `used` says of each block of words whether it may have states.
    """

    side: Any
    bitmap: Any
    used: Any


class PathSums(NamedTuple):
    """The numbers of paths to a layer, and to the next one, whose bitmap is `fresh`.

    `ways` and `sums` have a row for each state of their layer, in order, of 64-bit words from the
    lowest; `before` counts the states before each word of `fresh`. `ended` has the number of
    states without successors, and the ways to them in two columns of half words.
    """

    ways: Any
    fresh: Any
    before: Any
    sums: Any
    ended: Any


@inlined
def load_high(X, side, word, high):
    """Fill `high` with what the bits above the lowest six contribute; their part of the state."""
    state = X.origins[side]
    rows, at = X.constants, natural(side)
    for chunk in range(CHUNKS):
        bits = word >> chunk * CHUNK_BITS & (1 << CHUNK_BITS) - 1
        state ^= X.chunk_states[chunk, bits]
        bitmap_images.add_images(rows, at, X.chunk_images, chunk << CHUNK_BITS | bits, high, 0)
        rows, at = high, 0
    if CHUNKS == 0:
        for k in range(bitmap_images.IMAGES):
            high[k] = rows[at * bitmap_images.IMAGES + k]
    return state


@inlined
def mark(bitmap, numbers, count):
    """Set the bits of the first `count` numbers."""
    for i in range(count):
        number = np.int64(numbers[i])
        bitmap[natural(number >> 6)] |= 1 << (number & 63)


@inlined
def next_word(layer, word, end):
    """The first word from `word` to `end` that has states, or `end`."""
    bitmap, used = layer.bitmap, layer.used
    while word < end:
        if word & BLOCK - 1 == 0 and used[natural(word >> BLOCK_BITS)] == 0:
            word += BLOCK
        elif bitmap[natural(word)] == 0:
            word += 1
        else:
            return word
    return end


@entry
def expand(P, X, layer: Layer, fresh, end, budget, info, room):
    """Set the bits of all successors of the states of a layer, from a place to a word `end`.

    Expands up to `budget` states and goes on where the last call stopped (WORD and REST of
    `info`: the word at hand and its states that are left). False if a chain is too long.
    """
    images = np.empty(bitmap_images.IMAGES, X.low_images.dtype)
    high = np.empty(bitmap_images.IMAGES, X.low_images.dtype)
    buffer, frontier = room[0], layer.bitmap
    made, generated, expanded, most = 0, 0, 0, 0
    word, rest = info[Info.WORD], info[Info.REST]
    while expanded < budget:
        if rest == 0:
            word = next_word(layer, word + 1, end)
            if word == end:
                word = end - 1
                break
            rest = frontier[natural(word)]
        # What the high bits contribute is the same for all 64 states of a word.
        state_high = load_high(X, layer.side, word, high)
        while rest != 0 and expanded < budget:
            bit = lowest_one(rest)
            rest &= rest - 1
            state = state_high ^ X.low_states[bit]
            bitmap_images.add_images(high, 0, X.low_images, bit, images, 0)
            before = made
            made = successors_of(P, X, state, images, room, made)
            if made < 0:
                return False
            expanded += 1
            generated += made - before
            most = max(most, made - before)
            # Bits are set many at once: the processor then waits for many words of memory together.
            if made >= BUFFER:
                mark(fresh, buffer, made)
                made = 0
    mark(fresh, buffer, made)
    info[Info.WORD], info[Info.REST] = word, rest
    info[Info.EXPANDED] += expanded
    info[Info.GENERATED] += generated
    info[Info.MOST] = max(info[Info.MOST], most)
    return True


@entry
def settle(layer: Layer, closed, begin, end):
    """Drop closed states from a bitmap, close the others, note where they are; how many there are.

    `layer.used` is 0 before.
    """
    bitmap, used = layer.bitmap, layer.used
    count = 0
    for first in range(begin, end, BLOCK):
        last = min(end, first + BLOCK)
        there = 0
        for i in range(first, last):
            there |= bitmap[i]
        if there == 0:
            continue
        before = count
        for i in range(first, last):
            new = bitmap[i] & ~closed[i]
            closed[i] |= new
            bitmap[i] = new
            count += count_ones(new)
        if count > before:
            used[first >> BLOCK_BITS] = 1
    return count


@entry
def clear(layer: Layer):
    """Drop all states of a layer."""
    for block in range(len(layer.used)):
        if layer.used[block] != 0:
            layer.bitmap[block << BLOCK_BITS : (block + 1) << BLOCK_BITS] = 0


@entry
def count_common(one, other):
    """How many states two layers have in common."""
    count = 0
    for i in range(len(one)):
        count += count_ones(one[i] & other[i])
    return count


@entry
def measure(X, layer: Layer, begin, end):
    """How many states the canonical ones stand for, from word to word."""
    images = np.empty(bitmap_images.IMAGES, X.low_images.dtype)
    high = np.empty(bitmap_images.IMAGES, X.low_images.dtype)
    count = 0
    word = next_word(layer, begin, end)
    while word < end:
        rest = layer.bitmap[word]
        load_high(X, layer.side, word, high)
        while rest != 0:
            bit = lowest_one(rest)
            rest &= rest - 1
            bitmap_images.add_images(high, 0, X.low_images, bit, images, 0)
            same = bitmap_images.how_many(images, word << LOW_BITS | bit)
            # Few states are symmetric, and to divide takes long.
            count += bitmap_images.IMAGES if same == 1 else bitmap_images.IMAGES // same
        word = next_word(layer, word + 1, end)
    return count


@entry
def list_states(X, layer: Layer, states):
    """Put the states of a layer into `states`."""
    high = np.empty(bitmap_images.IMAGES, X.low_images.dtype)
    count, end = 0, len(layer.bitmap)
    word = next_word(layer, 0, end)
    while word < end:
        rest = layer.bitmap[word]
        state_high = load_high(X, layer.side, word, high)
        while rest != 0:
            states[count] = state_high ^ X.low_states[lowest_one(rest)]
            rest &= rest - 1
            count += 1
        word = next_word(layer, word + 1, end)


@entry
def list_numbers(layer, numbers):
    """Put the numbers of the states of a layer into `numbers`, rising."""
    count = 0
    for word in range(len(layer)):
        rest = layer[word]
        while rest != 0:
            numbers[count] = word << LOW_BITS | lowest_one(rest)
            rest &= rest - 1
            count += 1


@entry
def canonical_numbers(X, side, states):
    """Replace states by their canonical numbers, or by -1 if they are not on that side."""
    high = np.empty(bitmap_images.IMAGES, X.low_images.dtype)
    for i in range(len(states)):
        number = 0
        for place in range(len(X.pivots)):
            number |= ((states[i] ^ X.origins[side]) >> X.pivots[place] & 1) << place
        bit = number & (1 << LOW_BITS) - 1
        state_high = load_high(X, side, number >> LOW_BITS, high)
        if state_high ^ X.low_states[bit] != states[i]:
            states[i] = -1
            continue
        states[i] = bitmap_images.smallest(high, 0, X.low_images, bit)


@entry
def mark_numbers(bitmap, numbers):
    """Set the bits of `numbers`."""
    mark(bitmap, numbers, len(numbers))


@entry
def select(bitmap, numbers, kept):
    """Copy those of `numbers` whose bits are set to `kept`; how many there are."""
    count = 0
    for i in range(len(numbers)):
        number = np.int64(numbers[i])
        kept[count] = numbers[i]
        count += bitmap[number >> 6] >> (number & 63) & 1
    return count


@entry
def count_before(layer, before):
    """For each word of a layer, how many states the words before it have."""
    total = 0
    for word in range(len(layer)):
        before[word] = total
        total += count_ones(layer[word])
    return total


@entry
def add_paths(P, X, layer: Layer, paths: PathSums, end, budget, info, room):
    """For each state of a layer, add its `ways` to the `sums` of its successors.

    Goes on from a place to a word `end`, for up to `budget` states, as `expand` does.
    """
    images = np.empty(bitmap_images.IMAGES, X.low_images.dtype)
    high = np.empty(bitmap_images.IMAGES, X.low_images.dtype)
    buffer, frontier = room[0], layer.bitmap
    ways, sums, ended = paths.ways, paths.sums, paths.ended
    word, rest, row = info[Info.WORD], info[Info.REST], info[Info.EXPANDED]
    expanded = 0
    while expanded < budget:
        if rest == 0:
            word = next_word(layer, word + 1, end)
            if word == end:
                word = end - 1
                break
            rest = frontier[natural(word)]
        state_high = load_high(X, layer.side, word, high)
        while rest != 0 and expanded < budget:
            bit = lowest_one(rest)
            rest &= rest - 1
            number = word << LOW_BITS | bit
            state = state_high ^ X.low_states[bit]
            bitmap_images.add_images(high, 0, X.low_images, bit, images, 0)
            made = successors_of(P, X, state, images, room, 0)
            if made < 0:
                return False
            if made == 0 and not problem.at_goal(P, state):
                # The symmetries that keep the state: its orbit has so many members.
                ended[0] += bitmap_images.IMAGES // bitmap_images.how_many(images, number)
                for limb in range(ways.shape[1]):
                    # In halves of a limb, whose sums do not overflow.
                    ended[1 + 2 * limb] += ways[row, limb] & 0xFFFFFFFF
                    ended[2 + 2 * limb] += shift_right(ways[row, limb], 32)
            kept = 0
            for i in range(made):
                # The row of a successor is how many states of the next layer have smaller
                # numbers. What is not in that layer is dropped without a branch.
                found = paths.fresh[buffer[i] >> 6]
                place = buffer[i] & 63
                below = count_ones(found & (1 << place) - 1)
                buffer[kept] = paths.before[buffer[i] >> 6] + below
                kept += found >> place & 1
            for i in range(kept):
                carry = 0
                for limb in range(ways.shape[1]):
                    # Addition limb by limb: a sum that is less than its summand has wrapped.
                    old = sums[buffer[i], limb]
                    total = old + ways[row, limb]
                    carried = canonical.less(total, old)
                    total += carry
                    carry = carried | (carry & (total == 0))
                    sums[buffer[i], limb] = total
            row += 1
            expanded += 1
    info[Info.WORD], info[Info.REST], info[Info.EXPANDED] = word, rest, row
    return True
