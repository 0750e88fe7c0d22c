"""Layers of a space whose states are numbered without gaps: one bit per state.

Where the problem says which number an operator makes of a number, the numbers stand for the
states, which are not made.

The states of a layer are kept in chunks of the same node (control state and way in), in no
order. A batch of them is expanded operator by operator: all children, then all their numbers
(loops without branches, which the compiler turns into vector code), then their bits.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    apart,
    borrowed,
    called,
    entry,
    inlined,
    lowest_one,
    natural,
    or_atomically,
    parameter,
    prefetch,
    problem,
)
from searchkit.compiled.specialise.operators import OperatorLists

CHUNK = parameter()
"""The states of a chunk."""
BATCH = parameter()
"""The states that are expanded at once."""
THREADED = parameter()
"""Whether several threads share the bitmap."""
NUMBERED = parameter()
"""Whether chunks hold the numbers of states."""
CACHED_WORDS = 1 << 17
"""A bitmap of at most 1 MB stays in the cache."""
NUMBERS_ASKED = 512
"""How many of the first states have the numbers of their children compared."""
Info = IntEnum(
    "Info",
    "TODO AT CURSOR FREE MADE FOUND EXPANDED GENERATED LOOK RANKS NEEDED WORD ALONE LAYERS MOST",
    start=0,
)
Ended = IntEnum(
    "Ended", "LAYER_DONE OUT_OF_BUDGET POOL_FULL BAD_RANK WRONG_COST DEEPER WRONG_NUMBER", start=0
)


class Chunks(NamedTuple):
    """Chunk i has `fills[i]` states from `i * CHUNK` on, all of the node `nodes[i]`."""

    states: Any
    fills: Any
    nodes: Any


class Worker(NamedTuple):
    """The chunks of one thread, and its room for work.

    `todo[AT:TODO]` are to be expanded, `free[:FREE]` are empty, `made[:MADE]` are of the next
    layer, and `opened` has the one of each node that is filled, or -1.
    """

    todo: Any
    free: Any
    made: Any
    opened: Any
    children: Any
    ranks: Any
    fresh: Any
    sizes: Any
    info: Any


@apart
def numbers_after(P, numbers, control, operator, children, most):
    """Whether the numbers of the children of some states are from 0 to `most` - 1: make these."""
    P, numbers, children = borrowed(P), borrowed(numbers), borrowed(children)
    least, greatest = 0, 0
    for i in range(len(numbers)):
        after = problem.rank_after(P, np.int64(numbers[i]), control, operator)
        least = min(least, after)
        greatest = max(greatest, after)
        children[i] = after
    return least >= 0 and greatest < most


@apart
def apply_to_all(P, states, control, operator, children):
    """The children of some states; how many there are, or -1 if one does not cost 1."""
    P, states, children = borrowed(P), borrowed(states), borrowed(children)
    count = len(states)
    if problem.ALWAYS_LEGAL:
        made = count
        for i in range(count):
            words.store(children, i, problem.apply(P, words.load(states, i), control, operator))
    else:
        made = 0
        for i in range(count):
            state = words.load(states, i)
            if problem.legal(P, state, control, operator):
                words.store(children, made, problem.apply(P, state, control, operator))
                made += 1
    if not problem.UNIT_COSTS:
        for i in range(count):
            state = words.load(states, i)
            if problem.ALWAYS_LEGAL or problem.legal(P, state, control, operator):
                if problem.cost(P, state, control, operator) != 1:
                    return -1
    return made


@apart
def rank_all(P, children, count, most, ranks):
    """The numbers of `count` states; whether all are from 0 to `most` - 1."""
    P, children, ranks = borrowed(P), borrowed(children), borrowed(ranks)
    least, greatest = 0, 0
    for i in range(count):
        rank = problem.rank(P, words.load(children, i))
        ranks[i] = rank
        least = min(least, rank)
        greatest = max(greatest, rank)
    return least >= 0 and greatest < most


@inlined
def take_new(bitmap, children, ranks, count, fresh):
    """Copy the states whose bits are not set to `fresh`, set the bits; how many there are."""
    found = 0
    if len(bitmap) > CACHED_WORDS:
        for i in range(count):
            prefetch(bitmap, np.int64(ranks[i]) >> 6)
    if THREADED:
        for i in range(count):
            rank = np.int64(ranks[i])
            words.store(fresh, found, words.load(children, i))
            ranks[found] = rank
            found += 1 - (bitmap[natural(rank >> 6)] >> (rank & 63) & 1)
        count, found = found, 0
        for i in range(count):
            rank = np.int64(ranks[i])
            before = or_atomically(bitmap, rank >> 6, 1 << (rank & 63))
            words.store(fresh, found, words.load(fresh, i))
            found += 1 - (before >> (rank & 63) & 1)
    else:
        for i in range(count):
            rank = np.int64(ranks[i])
            before = bitmap[natural(rank >> 6)]
            words.store(fresh, found, words.load(children, i))
            found += 1 - (before >> (rank & 63) & 1)
            bitmap[natural(rank >> 6)] = before | 1 << (rank & 63)
    return found


@called
def agree(P, lists, index, node):
    """Whether the state of a number has its control state, and its children their numbers."""
    index = np.int64(index)
    state, control = problem.unrank(P, index), lists.controls[node]
    if problem.ASKED > 0:
        problem.compare_control(P, state, control)
    for place in range(lists.first[node], lists.first[node + 1]):
        operator = lists.operators[place]
        rank = problem.rank(P, problem.apply(P, state, control, operator))
        if rank != problem.rank_after(P, index, control, operator):
            return False
    return True


@inlined
def open_chunk(chunks, worker, node):
    """An empty chunk for the next layer, for states of `node`."""
    info = worker.info
    info[Info.FREE] -= 1
    chunk = worker.free[info[Info.FREE]]
    worker.made[info[Info.MADE]] = chunk
    info[Info.MADE] += 1
    chunks.fills[chunk] = 0
    chunks.nodes[chunk] = node
    worker.opened[node] = chunk
    return chunk


@inlined
def append(chunks, worker, node, begin, end):
    """Put the new states `begin` to `end`, fewer than a chunk, among those of `node`."""
    chunk = worker.opened[node]
    while begin < end:
        if chunk < 0 or chunks.fills[chunk] == CHUNK:
            chunk = open_chunk(chunks, worker, node)
        place = chunk * CHUNK + chunks.fills[chunk]
        taken = min(end - begin, CHUNK - chunks.fills[chunk])
        # Parts of arrays that begin at 0: no index could count from the end.
        source = worker.fresh[begin : begin + taken]
        target = chunks.states[place : place + taken]
        for i in range(taken):
            words.store(target, i, words.load(source, i))
        chunks.fills[chunk] += taken
        begin += taken


@called
def goes_on(worker, found):
    """Whether the next layer, of `found` states, is expanded in the same call: begin it if so."""
    info = worker.info
    if found == 0 or found > info[Info.ALONE] or info[Info.LAYERS] == info[Info.MOST]:
        return False
    worker.sizes[info[Info.LAYERS]] = found
    info[Info.LAYERS] += 1
    made = info[Info.MADE]
    for i in range(made):
        worker.todo[i] = worker.made[i]
    info[Info.TODO], info[Info.MADE] = made, 0
    worker.opened[:] = -1
    return True


@entry
def expand_chunks(P, lists: OperatorLists, skipped, bitmap, chunks: Chunks, worker: Worker, budget):
    """Expand the chunks `todo[AT:TODO]`, and those of small layers after them: `budget` states.

    With `LOOK` it stops at the first new state, which is not kept, and says that it is deeper. The
    batch that was cut short so does not count as expanded.
    A chunk is free again when its states are expanded. Nothing is written to a free chunk
    before a new state is found, so that the last layer of all stays as it is.
    """
    P, lists, bitmap = borrowed(P), borrowed(lists), borrowed(bitmap)
    chunks, worker = borrowed(chunks), borrowed(worker)
    info, children, ranks = worker.info, worker.children, worker.ranks
    if NUMBERED:
        ranks = children
    at, cursor = info[Info.AT], info[Info.CURSOR]
    expanded, generated, found_before = 0, 0, info[Info.FOUND]
    found_in_all = 0
    result = Ended.LAYER_DONE
    while True:
        if at == info[Info.TODO]:
            if info[Info.LOOK] or not goes_on(worker, found_before + found_in_all):
                break
            at, found_before, found_in_all = 0, 0, 0
        chunk = worker.todo[at]
        node = chunks.nodes[chunk]
        taken = min(chunks.fills[chunk] - cursor, BATCH, budget - expanded)
        if taken <= 0:
            result = Ended.OUT_OF_BUDGET
            break
        if info[Info.FREE] < info[Info.NEEDED]:
            result = Ended.POOL_FULL
            break
        # All states of a chunk share their operators, so that each is applied to a whole batch.
        begin = chunk * CHUNK + cursor
        states = chunks.states[begin : begin + taken]
        control = lists.controls[node]
        if NUMBERED:
            if info[Info.EXPANDED] + expanded < NUMBERS_ASKED:
                for i in range(taken):
                    if not agree(P, lists, states[i], node):
                        return Ended.WRONG_NUMBER
        elif problem.ASKED > 0:
            if info[Info.EXPANDED] < problem.ASKED:
                for i in range(taken):
                    problem.compare_control(P, words.load(states, i), control)
        made = skipped[node] * taken
        for place in range(lists.first[node], lists.first[node + 1]):
            operator = lists.operators[place]
            if NUMBERED:
                count = taken
                good = numbers_after(P, states, control, operator, children, info[Info.RANKS])
            else:
                count = apply_to_all(P, states, control, operator, children)
                if count < 0:
                    return Ended.WRONG_COST
                good = rank_all(P, children, count, info[Info.RANKS], ranks)
            if not good:
                return Ended.BAD_RANK
            made += count
            found = take_new(bitmap, children, ranks, count, worker.fresh)
            if found == 0:
                continue
            if info[Info.LOOK]:
                info[Info.EXPANDED] += expanded
                info[Info.GENERATED] += generated
                return Ended.DEEPER
            found_in_all += found
            if problem.STATIC:
                append(chunks, worker, lists.following[place], 0, found)
            else:
                for i in range(found):
                    after = lists.following[place]
                    if after < 0:
                        after = problem.control(P, words.load(worker.fresh, i))
                    append(chunks, worker, after, i, i + 1)
        expanded += taken
        generated += made
        cursor += taken
        if cursor == chunks.fills[chunk]:
            worker.free[info[Info.FREE]] = chunk
            info[Info.FREE] += 1
            cursor = 0
            at += 1
    info[Info.AT], info[Info.CURSOR] = at, cursor
    info[Info.FOUND] = found_before + found_in_all
    info[Info.EXPANDED] += expanded
    info[Info.GENERATED] += generated
    return result


@entry
def reach_back(
    P, lists: OperatorLists, bitmap, before, chunks: Chunks, worker: Worker, end
):  # fmt: skip
    """Find the next layer from the numbers that no state met so far has, up to word `end`.

    Of an undirected problem of one control state: a new state is in the next layer if a step
    leads from it to a state of `before`, the bitmap when the last layer was complete. Most find
    one at once.
    """
    P, lists, bitmap, before = borrowed(P), borrowed(lists), borrowed(bitmap), borrowed(before)
    chunks, worker = borrowed(chunks), borrowed(worker)
    info, fresh = worker.info, worker.fresh
    ranks, operators = info[Info.RANKS], lists.first[1]
    word = info[Info.WORD]
    result = Ended.LAYER_DONE
    while word < end:
        if info[Info.FREE] < info[Info.NEEDED]:
            result = Ended.POOL_FULL
            break
        missing, new, found = ~before[word], 0, 0
        while missing != 0:
            index = word << 6 | lowest_one(missing)
            one = missing & -missing
            missing ^= one
            if index >= ranks:
                break
            for place in range(operators):
                after = index
                if NUMBERED:
                    after = problem.rank_after(P, index, 0, lists.operators[place])
                if np.uint64(after) >= np.uint64(ranks):
                    return Ended.BAD_RANK
                if before[natural(after >> 6)] >> (after & 63) & 1:
                    fresh[found] = index
                    found += 1
                    new |= one
                    break
        if found > 0:
            bitmap[word] |= new
            info[Info.FOUND] += found
            append(chunks, worker, 0, 0, found)
        word += 1
    info[Info.WORD] = word
    return result


@entry
def states_of(P, numbers, states):
    """The states of some numbers."""
    for i in range(len(numbers)):
        words.store(states, i, problem.unrank(P, np.int64(numbers[i])))
