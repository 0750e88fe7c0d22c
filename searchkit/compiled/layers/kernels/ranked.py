"""Layers of a space whose states are numbered without gaps: one bit per state.

The states of a layer are kept in chunks of the same node (control state and way in), in no
order. A batch of them is expanded operator by operator: all children, then all their numbers
(loops without branches, which the compiler turns into vector code), then their bits.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    inlined,
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
Info = IntEnum(
    "Info",
    "TODO AT CURSOR FREE MADE FOUND EXPANDED GENERATED LOOK RANKS NEEDED",
    start=0,
)
Ended = IntEnum("Ended", "LAYER_DONE OUT_OF_BUDGET POOL_FULL BAD_RANK WRONG_COST DEEPER", start=0)


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
    info: Any


@inlined
def apply_to_all(P, pool, begin, count, control, operator, children):
    """The children of `count` states; how many there are, or -1 if one does not cost 1."""
    if problem.ALWAYS_LEGAL:
        made = count
        for i in range(count):
            words.store(
                children, i, problem.apply(P, words.load(pool, begin + i), control, operator)
            )
    else:
        made = 0
        for i in range(count):
            state = words.load(pool, begin + i)
            if problem.legal(P, state, control, operator):
                words.store(children, made, problem.apply(P, state, control, operator))
                made += 1
    if not problem.UNIT_COSTS:
        for i in range(count):
            state = words.load(pool, begin + i)
            if problem.ALWAYS_LEGAL or problem.legal(P, state, control, operator):
                if problem.cost(P, state, control, operator) != 1:
                    return -1
    return made


@inlined
def rank_all(P, children, count, most, ranks):
    """The numbers of `count` states; whether all are from 0 to `most` - 1."""
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
    for i in range(count):
        prefetch(bitmap, ranks[i] >> 6)
    if THREADED:
        for i in range(count):
            rank = ranks[i]
            words.store(fresh, found, words.load(children, i))
            ranks[found] = rank
            found += 1 - (bitmap[rank >> 6] >> (rank & 63) & 1)
        count, found = found, 0
        for i in range(count):
            rank = ranks[i]
            before = or_atomically(bitmap, rank >> 6, 1 << (rank & 63))
            words.store(fresh, found, words.load(fresh, i))
            found += 1 - (before >> (rank & 63) & 1)
    else:
        for i in range(count):
            rank = ranks[i]
            before = bitmap[rank >> 6]
            words.store(fresh, found, words.load(children, i))
            found += 1 - (before >> (rank & 63) & 1)
            bitmap[rank >> 6] = before | 1 << (rank & 63)
    return found


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
    if chunk < 0:
        chunk = open_chunk(chunks, worker, node)
    fill = chunks.fills[chunk]
    first_part = min(end - begin, CHUNK - fill)
    place = chunk * CHUNK + fill
    for i in range(first_part):
        words.store(chunks.states, place + i, words.load(worker.fresh, begin + i))
    chunks.fills[chunk] = fill + first_part
    rest = end - begin - first_part
    if rest > 0:
        chunk = open_chunk(chunks, worker, node)
        place = chunk * CHUNK
        for i in range(rest):
            words.store(chunks.states, place + i, words.load(worker.fresh, begin + first_part + i))
        chunks.fills[chunk] = rest


@entry
def expand_chunks(P, lists: OperatorLists, skipped, bitmap, chunks: Chunks, worker: Worker, budget):
    """Expand the chunks `todo[AT:TODO]`, up to `budget` states.

    With `LOOK` it stops at the first new state, which is not kept, and says that it is deeper.
    A chunk is free again when its states are expanded. Nothing is written to a free chunk
    before a new state is found, so that the last layer of all stays as it is.
    """
    lists, bitmap = borrowed(lists), borrowed(bitmap)
    chunks, worker = borrowed(chunks), borrowed(worker)
    info, children, ranks = worker.info, worker.children, worker.ranks
    at, cursor = info[Info.AT], info[Info.CURSOR]
    expanded, generated, found_before = 0, 0, info[Info.FOUND]
    found_in_all = 0
    result = Ended.LAYER_DONE
    while at < info[Info.TODO]:
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
        control = lists.controls[node]
        if problem.ASKED > 0:
            if info[Info.EXPANDED] < problem.ASKED:
                for i in range(begin, begin + taken):
                    problem.compare_control(P, words.load(chunks.states, i), control)
        generated += skipped[node] * taken
        for place in range(lists.first[node], lists.first[node + 1]):
            operator = lists.operators[place]
            count = apply_to_all(P, chunks.states, begin, taken, control, operator, children)
            if count < 0:
                return Ended.WRONG_COST
            generated += count
            if not rank_all(P, children, count, info[Info.RANKS], ranks):
                return Ended.BAD_RANK
            found = take_new(bitmap, children, ranks, count, worker.fresh)
            if found == 0:
                continue
            if info[Info.LOOK]:
                info[Info.EXPANDED] += expanded + taken
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
