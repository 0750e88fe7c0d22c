"""Depth-first search within a bound, many states at a time, in no particular order.

States wait in buckets, one per node of the operator lists and slack; the states of a
bucket are treated alike, so that the loops over a batch hold no unpredictable branch and can
use vector instructions. The bucket with the smallest slack that fills a batch comes first (its
states lie deepest, which keeps memory small), and if there is none, one of the largest slack.
The number of states is that of depth-first search, whatever the order.

Needs the functions of `deepening`, STATIC lists and CYCLES = 0; it pays for states of one word.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from searchkit.compiled.depth_first.kernels import pruning
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, called, entry, heuristic, inlined, problem
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.packed import PackedStep

Info = IntEnum("Info", "GENERATED EXPANDED NEXT_EXCESS WAITING SPILLED MOST", start=0)
Ended = IntEnum("Ended", "EMPTY FOUND BUDGET SPILL_FULL UNFIT", start=0)
BATCH = 256
CAPACITY = 2048
BEHIND = 8
"""As many states behind those that it appends `gather` may write to."""
MOST_DROP = 62
PRUNED = 63


class Buckets(NamedTuple):
    """Bucket `slack * nodes + node` has `fills[bucket]` states from `bucket * CAPACITY` on.

    `waiting` counts the states of every slack; `may_be_goal` says it of every node.
    """

    states: Any
    fills: Any
    waiting: Any
    may_be_goal: Any


class Batch(NamedTuple):
    """States that are treated alike, their children, and by how much the slacks of these fell."""

    states: Any
    children: Any
    drops: Any


class Spill(NamedTuple):
    """States that were left over by full buckets, and which those were."""

    states: Any
    buckets: Any


class Roots(NamedTuple):
    """States to begin with, their nodes and slacks."""

    states: Any
    nodes: Any
    slacks: Any


@called
def choose(fills, waiting, node_count):
    """The bucket to take next, -1 if all are empty."""
    best = -1
    for slack in range(len(waiting)):
        if waiting[slack] >= BATCH:
            most = BATCH - 1
            for bucket in range(slack * node_count, (slack + 1) * node_count):
                if fills[bucket] > most:
                    most = fills[bucket]
                    best = bucket
            if best >= 0:
                return best
    for slack in range(len(waiting) - 1, -1, -1):
        if waiting[slack] > 0:
            most = 0
            for bucket in range(slack * node_count, (slack + 1) * node_count):
                if fills[bucket] > most:
                    most = fills[bucket]
                    best = bucket
            return best
    return -1


@called
def apply_to_batch(P, H, batch: Batch, taken, slack, control, operator):
    """Make the children of a batch under one operator, and by how much their slacks are smaller.

    Returns the set of drops as bits (-1 if one is negative or above MOST_DROP, or an estimate is
    none), the number of children, and the least excess.
    """
    next_excess = pruning.NO_EXCESS
    present = 0
    legal = 0
    least = 0
    most = 0
    # There is no branch on what a state is: selections leave the loop to vector instructions.
    for i in range(taken):
        state = words.load(batch.states, i)
        child = problem.apply(P, state, control, operator)
        step = PackedStep(state, control, operator, child)
        child_slack, excess = pruning.slack_and_excess(P, H, slack, step)
        drop = slack - child_slack
        drop = PRUNED if excess > 0 else drop + (drop >= PRUNED)
        if not heuristic.INCREMENTAL:
            drop = drop if excess != pruning.INVALID else -1
        excess = excess if excess > 0 else pruning.NO_EXCESS
        if not problem.ALWAYS_LEGAL:
            allowed = problem.legal(P, state, control, operator)
            legal += allowed
            drop = drop if allowed else PRUNED
            excess = excess if allowed else pruning.NO_EXCESS
        next_excess = min(next_excess, excess)
        least = min(least, drop)
        most = max(most, drop if drop != PRUNED else 0)
        words.store(batch.children, i, child)
        batch.drops[i] = drop
        present |= 1 << drop
    for i in range(taken, taken + 7):  # to whole vectors
        batch.drops[i] = PRUNED
    if problem.ALWAYS_LEGAL:
        legal = taken
    present &= (1 << PRUNED) - 1
    if least < 0 or most > MOST_DROP:
        present = -1
    return present, legal, next_excess


@entry
def put(buckets: Buckets, roots: Roots, begin, info):
    """Put roots from `begin` on into buckets while these have room; the place reached."""
    for i in range(begin, len(roots.nodes)):
        bucket = roots.slacks[i] * len(buckets.may_be_goal) + roots.nodes[i]
        if buckets.fills[bucket] == CAPACITY:
            return i
        put_one(buckets, bucket, words.load(roots.states, i))
        info[Info.WAITING] += 1
    return len(roots.nodes)


@inlined
def put_one(buckets, bucket, state):
    """Put one state into a bucket."""
    words.store(buckets.states, bucket * CAPACITY + buckets.fills[bucket], state)
    buckets.fills[bucket] += 1
    buckets.waiting[bucket // len(buckets.may_be_goal)] += 1


@called
def any_goal(P, batch: Batch, taken):
    """Whether a batch holds a goal."""
    found = False
    for i in range(taken):
        found |= problem.at_goal(P, words.load(batch.states, i))
    return found


@entry
def drain(P, H, lists: OperatorLists, buckets: Buckets, batch: Batch, spill: Spill, info, budget):
    """Expand what waits in the buckets until they are empty, a goal is met, or the budget ends."""
    lists, buckets = borrowed(lists), borrowed(buckets)
    batch, spill = borrowed(batch), borrowed(spill)
    node_count = len(lists.controls)
    expanded, spilled = info[Info.EXPANDED], info[Info.SPILLED]
    generated, waiting, most = info[Info.GENERATED], info[Info.WAITING], info[Info.MOST]
    next_excess = info[Info.NEXT_EXCESS]
    limit = expanded + budget
    result = Ended.EMPTY
    while waiting > 0:
        # What was left over comes first: it is among the deepest states, and keeps the spill small.
        while spilled > 0 and buckets.fills[spill.buckets[spilled - 1]] < CAPACITY - BATCH:
            spilled -= 1
            put_one(buckets, spill.buckets[spilled], words.load(spill.states, spilled))
        bucket = choose(buckets.fills, buckets.waiting, node_count)
        slack, node = bucket // node_count, bucket % node_count
        begin, end = lists.first[node], lists.first[node + 1]
        taken = min(buckets.fills[bucket], BATCH, limit - expanded)
        if taken <= 0:
            result = Ended.BUDGET
            break
        if spilled + taken * (end - begin) + BEHIND > len(spill.buckets):
            result = Ended.SPILL_FULL
            break
        start = bucket * CAPACITY + buckets.fills[bucket] - taken
        batch.states[:taken] = buckets.states[start : start + taken]
        if buckets.may_be_goal[node] and any_goal(P, batch, taken):
            result = Ended.FOUND
            break
        buckets.fills[bucket] -= taken
        buckets.waiting[slack] -= taken
        waiting -= taken
        expanded += taken
        control = lists.controls[node]
        for place in range(begin, end):
            present, legal, excess = apply_to_batch(
                P, H, batch, taken, slack, control, lists.operators[place]
            )
            if present < 0:
                return Ended.UNFIT
            next_excess = min(next_excess, excess)
            generated += legal
            for drop in range(min(slack, MOST_DROP) + 1):
                if present >> drop == 0:
                    break
                if present >> drop & 1 == 0:
                    continue
                target = (slack - drop) * node_count + lists.following[place]
                fill = buckets.fills[target]
                # A batch that might not fit is spilled as a whole: `gather` does not look.
                if fill + taken <= CAPACITY - BEHIND:
                    end_of = target * CAPACITY + fill
                    found = words.gather(
                        batch.children, batch.drops, taken, drop, buckets.states, end_of
                    )
                    buckets.fills[target] = fill + found
                    buckets.waiting[slack - drop] += found
                else:
                    found = words.gather(
                        batch.children, batch.drops, taken, drop, spill.states, spilled
                    )
                    spill.buckets[spilled : spilled + found] = target
                    spilled += found
                waiting += found
        most = max(most, waiting)
    info[Info.EXPANDED], info[Info.SPILLED] = expanded, spilled
    info[Info.GENERATED], info[Info.WAITING], info[Info.MOST] = generated, waiting, most
    info[Info.NEXT_EXCESS] = next_excess
    return result
