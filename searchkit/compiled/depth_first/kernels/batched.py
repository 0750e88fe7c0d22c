"""Depth-first search within a bound, many states at a time, in no particular order.

States wait in buckets, one per node of the operator lists and rest of the bound; the states of
a bucket are treated alike, so that the loops over a batch hold no unpredictable branch and can
use vector instructions. The bucket with the smallest rest that fills a batch comes first (its
states lie deepest, which keeps memory small), and if there is none, one of the largest rest.
The number of states is that of depth-first search, whatever the order.

Needs the functions of `deepening`, STATIC lists and CYCLES = 0; it pays for states of one word.
"""

from enum import IntEnum

from searchkit.compiled.depth_first.kernels.slack import INVALID, NONE_OVER, excess, rest_after
from searchkit.compiled.specialise.kernels.words import gather, load, store
from searchkit.compiled.specialise.names import (
    ALWAYS_LEGAL,
    INCREMENTAL,
    borrowed,
    called,
    entry,
    problem_apply,
    problem_at_goal,
    problem_legal,
)
from searchkit.compiled.specialise.operators import OperatorLists

Info = IntEnum("Info", "GENERATED EXPANDED OVER WAITING SPILLED MOST", start=0)
Ended = IntEnum("Ended", "EMPTY FOUND BUDGET SPILL_FULL UNFIT", start=0)
BATCH = 256
CAPACITY = 2048
MOST_DROP = 62
PRUNED = 63


@called
def choose(fills, busy, node_count):
    """The bucket to take next, -1 if all are empty."""
    best = -1
    for rest in range(len(busy)):
        if busy[rest] >= BATCH:
            most = BATCH - 1
            for bucket in range(rest * node_count, (rest + 1) * node_count):
                if fills[bucket] > most:
                    most = fills[bucket]
                    best = bucket
            if best >= 0:
                return best
    for rest in range(len(busy) - 1, -1, -1):
        if busy[rest] > 0:
            most = 0
            for bucket in range(rest * node_count, (rest + 1) * node_count):
                if fills[bucket] > most:
                    most = fills[bucket]
                    best = bucket
            return best
    return -1


@called
def apply_to_batch(P, H, batch, taken, rest, control, operator, children, drops):
    """The children of a batch under one operator, and by how much their rests are smaller.

    Returns the set of drops as bits (-1 if one is negative or above MOST_DROP, or an estimate is
    none), the number of children, and the smallest excess.
    """
    over = NONE_OVER
    present = 0
    legal = 0
    least = 0
    most = 0
    for i in range(taken):
        state = load(batch, i)
        child = problem_apply(P, state, control, operator)
        left = rest_after(P, H, rest, state, control, operator, child)
        above = excess(H, left, child)
        drop = PRUNED if above > 0 else rest - left + (rest - left >= PRUNED)
        if not INCREMENTAL:
            drop = drop if above != INVALID else -1
        above = above if above > 0 else NONE_OVER
        if not ALWAYS_LEGAL:
            allowed = problem_legal(P, state, control, operator)
            legal += allowed
            drop = drop if allowed else PRUNED
            above = above if allowed else NONE_OVER
        over = min(over, above)
        least = min(least, drop)
        most = max(most, drop if drop != PRUNED else 0)
        store(children, i, child)
        drops[i] = drop
        present |= 1 << drop
    for i in range(taken, taken + 7):  # to whole vectors
        drops[i] = PRUNED
    if ALWAYS_LEGAL:
        legal = taken
    present &= (1 << PRUNED) - 1
    if least < 0 or most > MOST_DROP:
        present = -1
    return present, legal, over


@entry
def put(states, fills, busy, roots, nodes, rests, put, node_count, info):
    """Put roots from place `put` on into buckets while these have room; the place reached."""
    for i in range(put, len(nodes)):
        bucket = rests[i] * node_count + nodes[i]
        if fills[bucket] == CAPACITY:
            return i
        store(states, bucket * CAPACITY + fills[bucket], load(roots, i))
        fills[bucket] += 1
        busy[rests[i]] += 1
        info[Info.WAITING] += 1
    return len(nodes)


@called
def any_goal(P, batch, taken):
    """Whether a batch holds a goal."""
    found = False
    for i in range(taken):
        found |= problem_at_goal(P, load(batch, i))
    return found


@entry
def drain(
    P,
    H,
    lists: OperatorLists,
    may_be_goal,
    states,
    fills,
    busy,
    batch,
    children,
    drops,
    spill,
    spill_bucket,
    info,
    budget,
):
    """Expand what waits in the buckets until they are empty, a goal is met, or the budget ends."""
    lists = borrowed(lists)
    node_count = len(lists.controls)
    expanded, over, spilled = info[Info.EXPANDED], info[Info.OVER], info[Info.SPILLED]
    generated, waiting, most = info[Info.GENERATED], info[Info.WAITING], info[Info.MOST]
    limit = expanded + budget
    result = Ended.EMPTY
    while waiting > 0:
        while spilled > 0 and fills[spill_bucket[spilled - 1]] < CAPACITY - BATCH:
            spilled -= 1
            bucket = spill_bucket[spilled]
            store(states, bucket * CAPACITY + fills[bucket], load(spill, spilled))
            fills[bucket] += 1
            busy[bucket // node_count] += 1
        bucket = choose(fills, busy, node_count)
        node = bucket % node_count
        rest = bucket // node_count
        begin, end = lists.first[node], lists.first[node + 1]
        taken = min(fills[bucket], BATCH, limit - expanded)
        if taken <= 0:
            result = Ended.BUDGET
            break
        if spilled + taken * (end - begin) > len(spill_bucket):
            result = Ended.SPILL_FULL
            break
        start = bucket * CAPACITY + fills[bucket] - taken
        for i in range(taken):
            store(batch, i, load(states, start + i))
        if may_be_goal[node] and any_goal(P, batch, taken):
            result = Ended.FOUND
            break
        fills[bucket] -= taken
        busy[rest] -= taken
        waiting -= taken
        expanded += taken
        control = lists.controls[node]
        for place in range(begin, end):
            present, legal, above = apply_to_batch(
                P, H, batch, taken, rest, control, lists.operators[place], children, drops
            )
            if present < 0:
                return Ended.UNFIT
            over = min(over, above)
            generated += legal
            for drop in range(min(rest, MOST_DROP) + 1):
                if present >> drop == 0:
                    break
                if present >> drop & 1 == 0:
                    continue
                target = (rest - drop) * node_count + lists.following[place]
                fill = fills[target]
                if fill + taken <= CAPACITY:
                    found = gather(children, drops, taken, drop, states, target * CAPACITY + fill)
                    fills[target] = fill + found
                    busy[rest - drop] += found
                else:
                    found = gather(children, drops, taken, drop, spill, spilled)
                    spill_bucket[spilled : spilled + found] = target
                    spilled += found
                waiting += found
        most = max(most, waiting)
    info[Info.EXPANDED], info[Info.OVER], info[Info.SPILLED] = expanded, over, spilled
    info[Info.GENERATED], info[Info.WAITING], info[Info.MOST] = generated, waiting, most
    return result
