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
from searchkit.compiled.depth_first.kernels.deepening import Roots
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    add_atomically,
    borrowed,
    called,
    entry,
    heuristic,
    inlined,
    lower_atomically,
    lowest_one,
    problem,
    read_atomically,
)
from searchkit.compiled.specialise.operators import OperatorLists
from searchkit.packed import PackedStep

Info = IntEnum("Info", "GENERATED EXPANDED NEXT_EXCESS WAITING SPILLED MOST RUN ROOT USED", start=0)
"""What is counted of the run at hand, where in it a thread is, and what its last call expanded."""
Shared = IntEnum("Shared", "FOLLOWING WITH_GOAL", start=0)
"""What threads share: the first run that nobody has taken, and the first known to have a goal."""
NO_RUN = -1
Ended = IntEnum("Ended", "EMPTY BUDGET SPILL_FULL UNFIT", start=0)
BATCH = 256
CAPACITY = 2048
NODE_BITS = 20
"""As many bits hold the number of a node."""
BEHIND = 8
"""As many states behind those that it appends `gather` may write to."""
MOST_DROP = 60
FAR = 61
"""Stands for all drops above MOST_DROP."""
PRUNED = 62
"""What drops stand for children that are not: they are not legal, or above the bound."""


class Buckets(NamedTuple):
    """Bucket `slack * nodes + node` has `fills[bucket]` states from `bucket * CAPACITY` on.

    `waiting` counts the states of every slack, and `full` its buckets that fill a batch;
    `may_be_goal` says it of every node.
    """

    states: Any
    fills: Any
    waiting: Any
    full: Any
    may_be_goal: Any


class Runs(NamedTuple):
    """Subtrees as they are to be searched, in runs: run `i` begins at root `begins[i]`.

    `done` has the first columns of `Info` for each run that is done, `nearest` the smallest
    estimate in it, where that is noted. Without a known goal WITH_GOAL is the number of runs.
    """

    roots: Roots
    begins: Any
    done: Any
    nearest: Any
    shared: Any


class Batch(NamedTuple):
    """States that are treated alike, their children, and by how much the slacks of these fell."""

    states: Any
    children: Any
    drops: Any


class Spill(NamedTuple):
    """States that were left over by full buckets, and which those were."""

    states: Any
    buckets: Any


class Working(NamedTuple):
    """What a thread needs besides its buckets."""

    batch: Batch
    spill: Spill


@called
def choose(buckets: Buckets):
    """The slack and the node of the bucket to take next, where not all are empty."""
    nodes = len(buckets.may_be_goal)
    slack = 0
    while slack < len(buckets.full) and buckets.full[slack] == 0:
        slack += 1
    if slack == len(buckets.full):
        slack -= 1
        while buckets.waiting[slack] == 0:
            slack -= 1
    fills = buckets.fills[slack * nodes : (slack + 1) * nodes]
    fullest = 0  # a maximum of numbers, with the node below: vectors find it
    for node in range(nodes):
        fullest = max(fullest, (fills[node] << NODE_BITS) + node)
    return slack, fullest & ((1 << NODE_BITS) - 1)


@inlined
def apply_to_batch(P, H, batch: Batch, taken, slack, control, operator):
    """Make the children of a batch under one operator, and by how much their slacks are smaller.

    Returns the set of drops within the bound as bits (-1 if one is negative or above MOST_DROP,
    or an estimate is none), the number of children, and the least excess.
    """
    next_excess = pruning.NO_EXCESS
    present = 0
    legal = 0
    least = 0
    # There is no branch on what a state is: selections leave the loop to vector instructions.
    for i in range(taken):
        state = words.load(batch.states, i)
        if problem.FENCED and not problem.ALWAYS_LEGAL:
            if not problem.legal(P, state, control, operator):
                batch.drops[i] = PRUNED
                continue
        child = problem.apply(P, state, control, operator)
        step = PackedStep(state, control, operator, child)
        child_slack, excess = pruning.slack_and_excess(H, slack, 1, step, slack)
        drop = min(slack - child_slack, FAR)
        if not heuristic.INCREMENTAL:
            drop = PRUNED if excess > 0 else drop if excess != pruning.INVALID else -1
            excess = excess if excess > 0 else pruning.NO_EXCESS
        if not problem.ALWAYS_LEGAL:
            allowed = problem.legal(P, state, control, operator)
            legal += allowed
            drop = drop if allowed else PRUNED
            excess = excess if allowed else pruning.NO_EXCESS
        if not heuristic.INCREMENTAL:
            next_excess = min(next_excess, excess)
        least = min(least, drop)
        words.store(batch.children, i, child)
        batch.drops[i] = drop
        present |= 1 << drop
    for i in range(taken, taken + 7):  # to whole vectors
        batch.drops[i] = PRUNED
    if problem.ALWAYS_LEGAL:
        legal = taken
    within = present & ((2 << min(slack, MOST_DROP)) - 1)
    if heuristic.INCREMENTAL and slack <= MOST_DROP:
        # Slacks that fall by more than there is are above the bound by the difference.
        above = (present & ((1 << FAR) - 1)) >> (slack + 1)
        if above != 0:
            next_excess = 1 + lowest_one(above)
        elif present >> FAR & 1:
            next_excess = least_excess(P, H, batch, taken, slack, control, operator)
    elif present >> FAR & 1:
        within = -1
    if least < 0:
        within = -1
    return within, legal, next_excess


@called
def least_excess(P, H, batch: Batch, taken, slack, control, operator):
    """The least excess of the children of a batch, of which some are above the bound."""
    least = pruning.NO_EXCESS
    for i in range(taken):
        state, child = words.load(batch.states, i), words.load(batch.children, i)
        step = PackedStep(state, control, operator, child)
        excess = pruning.slack_and_excess(H, slack, 1, step, slack)[1]
        if excess > 0 and batch.drops[i] != PRUNED:
            least = min(least, excess)
    return least


@called
def put(buckets: Buckets, roots: Roots, begin, end):
    """Put roots from `begin` on into buckets while these have room; the place reached."""
    for i in range(begin, end):
        bucket = roots.slacks[i] * len(buckets.may_be_goal) + roots.nodes[i]
        if buckets.fills[bucket] == CAPACITY:
            return i
        put_one(buckets, bucket, words.load(roots.states, i))
    return end


@called
def take(runs: Runs):
    """The next run that nobody has taken, or NO_RUN."""
    if read_atomically(runs.shared, Shared.FOLLOWING) >= read_atomically(
        runs.shared, Shared.WITH_GOAL
    ):
        return NO_RUN
    run = add_atomically(runs.shared, Shared.FOLLOWING, 1)
    return run if run < read_atomically(runs.shared, Shared.WITH_GOAL) else NO_RUN


@inlined
def note(runs: Runs, run, generated, expanded, next_excess):
    """Note what a run has counted."""
    runs.done[run, Info.GENERATED], runs.done[run, Info.EXPANDED] = generated, expanded
    runs.done[run, Info.NEXT_EXCESS] = next_excess


@called
def give_up(buckets: Buckets):
    """Make the buckets empty."""
    buckets.fills[:] = 0
    buckets.waiting[:] = 0
    buckets.full[:] = 0


@inlined
def put_one(buckets, bucket, state):
    """Put one state into a bucket."""
    words.store(buckets.states, bucket * CAPACITY + buckets.fills[bucket], state)
    change_fill(buckets, bucket // len(buckets.may_be_goal), bucket, 1)


@inlined
def change_fill(buckets, slack, bucket, change):
    """Note that a bucket has more states, or fewer."""
    before = buckets.fills[bucket]
    buckets.fills[bucket] = before + change
    buckets.waiting[slack] += change
    buckets.full[slack] += int(before + change >= BATCH) - int(before >= BATCH)


@called
def any_goal(P, batch: Batch, taken):
    """Whether a batch holds a goal."""
    found = False
    for i in range(taken):
        found |= problem.at_goal(P, words.load(batch.states, i))
    return found


@entry
def drain(P, H, lists: OperatorLists, runs: Runs, buckets: Buckets, working: Working, info, budget):
    """Count one run after another until there is none, a goal is met, or the budget ends.

    Threads that call this take one run each. A run is given up when one before it has a goal.
    """
    P, H, lists, buckets = borrowed(P), borrowed(H), borrowed(lists), borrowed(buckets)
    runs, batch, spill = borrowed(runs), borrowed(working.batch), borrowed(working.spill)
    node_count = len(lists.controls)
    expanded, spilled = info[Info.EXPANDED], info[Info.SPILLED]
    generated, waiting, most = info[Info.GENERATED], info[Info.WAITING], info[Info.MOST]
    next_excess, run, root = info[Info.NEXT_EXCESS], info[Info.RUN], info[Info.ROOT]
    left = budget
    result = Ended.EMPTY
    while True:
        if run > read_atomically(runs.shared, Shared.WITH_GOAL):
            give_up(buckets)
            run, waiting, spilled = NO_RUN, 0, 0
        if waiting == 0:
            if run != NO_RUN and root == runs.begins[run + 1]:
                note(runs, run, generated, expanded, next_excess)
                run = NO_RUN
            if run == NO_RUN:
                run = take(runs)
                if run == NO_RUN:
                    break
                root = runs.begins[run]
                generated, expanded, next_excess = 0, 0, pruning.NO_EXCESS
            waiting -= root
            root = put(buckets, runs.roots, root, runs.begins[run + 1])
            waiting += root
        # What was left over comes first: it is among the deepest states, and keeps the spill small.
        while spilled > 0 and buckets.fills[spill.buckets[spilled - 1]] < CAPACITY - BATCH:
            spilled -= 1
            put_one(buckets, spill.buckets[spilled], words.load(spill.states, spilled))
        slack, node = choose(buckets)
        bucket = slack * node_count + node
        begin, end = lists.first[node], lists.first[node + 1]
        taken = min(buckets.fills[bucket], BATCH, left)
        if taken <= 0:
            result = Ended.BUDGET
            break
        if spilled + taken * (end - begin) + BEHIND > len(spill.buckets):
            result = Ended.SPILL_FULL
            break
        start = bucket * CAPACITY + buckets.fills[bucket] - taken
        topmost = buckets.states[start:]  # whose places are known not to count from the end
        for i in range(taken):
            words.store(batch.states, i, words.load(topmost, i))
        if buckets.may_be_goal[node] and any_goal(P, batch, taken):
            lower_atomically(runs.shared, Shared.WITH_GOAL, run)
            note(runs, run, generated, expanded, next_excess)
            give_up(buckets)
            run, waiting, spilled = NO_RUN, 0, 0
            continue
        change_fill(buckets, slack, bucket, -taken)
        waiting -= taken
        expanded += taken
        left -= taken
        control = lists.controls[node]
        for place in range(begin, end):
            present, legal, excess = apply_to_batch(
                P, H, batch, taken, slack, control, lists.operators[place]
            )
            if present < 0:
                return Ended.UNFIT
            next_excess = min(next_excess, excess)
            generated += legal
            while present != 0:
                drop = lowest_one(present)
                present &= present - 1
                target = (slack - drop) * node_count + lists.following[place]
                fill = buckets.fills[target]
                # A batch that might not fit is spilled as a whole: `gather` does not look.
                if fill + taken <= CAPACITY - BEHIND:
                    end_of = target * CAPACITY + fill
                    found = words.gather(
                        batch.children, batch.drops, taken, drop, buckets.states, end_of
                    )
                    change_fill(buckets, slack - drop, target, found)
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
    info[Info.NEXT_EXCESS], info[Info.RUN], info[Info.ROOT] = next_excess, run, root
    info[Info.USED] = budget - left
    return result
