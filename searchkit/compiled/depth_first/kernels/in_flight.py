"""Depth-first search within a bound that waits for the memory of several states at once.

It is for heuristics that say what they will look up. A state whose turn has come asks for what its
children look up, and is expanded some states later; a child that is within the bound then asks for
what is left to look up of it, and is known to be within the bound some children later. Of states
that wait, the last comes first, so that there are few. The number of states is that of depth-first
search, whatever the order.

With a table, a state is left out where it was expanded before in the iteration with as much slack.
Then an optimal solution is found all the same: a child of a state on it that was expanded with the
least g has the least g as well, and is left out only if it was expanded with that g. So it does not
matter in which order states come, nor that the table forgets some. What the table says of a state
is looked up some states later, too: so it takes no time to wait for it. States without slack are
not noted: they are most of all, and there is next to nothing below them.

Needs the functions of `deepening`, UNIT_COSTS, MEMORY, CYCLES = 0 and weights of 1.
"""

from typing import Any, NamedTuple

from searchkit.compiled.depth_first.kernels import deepening, pruning, transpositions
from searchkit.compiled.depth_first.kernels.deepening import Ended, Info
from searchkit.compiled.depth_first.kernels.siblings import PLACE_BITS, PLACE_MASK, Waiting
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    heuristic,
    inlined,
    natural,
    parameter,
    prefetch,
    prefetch_to_read,
    problem,
)
from searchkit.compiled.specialise.operators import EndedLists
from searchkit.packed import PackedStep

REMEMBERS = parameter()
"""Whether there is a table of states that were expanded."""
LINE = parameter()
"""As many words, a power of two, begin with the two slots of some states."""
SLACK_BITS = 32


class Flight(NamedTuple):
    """Two rings, of as many seats as a power of two; `info` has where in them the first is.

    Of each state there is where its list begins, its slack, and what the heuristic remembers of it.

    Those in `doubtful` may turn out to be beyond the bound; the children of those in `asking` have
    asked for the entries `asked`, `widest` for each seat.

    `met` has the words of states that were expanded, and behind each a mark that grows with the
    `spell` in which that was, and then with the slack; it is 0 in an empty slot.
    """

    doubtful: Waiting
    asking: Waiting
    asked: Any
    met: Any
    spell: Any


@inlined
def home_of(met, state):
    """Where the two slots of a state begin, a line of the cache for the two."""
    return natural(words.slot_of(words.mixed(state), len(met) // LINE)) * LINE


@inlined
def is_met(flight: Flight, state, slack, info):
    """Whether a state was expanded before with as much slack; if not, it is noted.

    Its two slots are for the state with the most slack, and for the last one.
    """
    at = home_of(flight.met, state)
    mark = flight.spell << SLACK_BITS | slack
    for slot in (at, at + transpositions.SLOT):
        known = flight.met[slot + problem.WORDS]
        if known >= mark and words.read(flight.met, slot) == state:
            return True
    if flight.met[at + problem.WORDS] > mark:
        at += transpositions.SLOT
    info[Info.STORED] += flight.met[at + problem.WORDS] == 0
    words.write(flight.met, at, state)
    flight.met[at + problem.WORDS] = mark
    return False


@inlined
def move(seats: Waiting, at, others: Waiting, to):
    """Copy a state from one seat to another."""
    words.store(others.states, to, words.load(seats.states, at))
    others.places[to], others.slacks[to] = seats.places[at], seats.slacks[at]
    for word in range(heuristic.MEMORY):
        others.memo[to * heuristic.MEMORY + word] = seats.memo[at * heuristic.MEMORY + word]


@entry
def search_in_flight(P, H, lists: EndedLists, waiting: Waiting, flight: Flight, info, budget):
    """Go on until a goal is met, the bound is exhausted, or `budget` states are expanded.

    NEAREST is the smallest estimate within the bound. The PENDING states within it are a stack.
    Above each operator of the lists is where the list of its child begins, -1 if that must be read
    off the child.
    """
    P, H, lists, flight = borrowed(P), borrowed(H), borrowed(lists), borrowed(flight)
    waiting, doubtful, asking = borrowed(waiting), flight.doubtful, flight.asking
    generated, expanded = info[Info.GENERATED], info[Info.EXPANDED]
    next_excess, longest = info[Info.NEXT_EXCESS], info[Info.LONGEST]
    count, doubts, flying = info[Info.PENDING], info[Info.DOUBTFUL], info[Info.ASKING]
    nearest = info[Info.NEAREST]
    first_doubt, first_asking = info[Info.FIRST_DOUBTFUL], info[Info.FIRST_ASKING]
    seats = len(asking.places)
    widest = len(flight.asked) // seats
    rows, room_for = len(doubtful.places) - 1, len(doubtful.places) - widest
    limit = expanded + budget
    halt = limit
    if expanded < problem.ASKED:
        halt = expanded
    result = Ended.DONE
    while True:
        is_settling = doubts > room_for or (count == 0 and flying < seats and doubts > 0)
        if is_settling:
            if count >= len(waiting.places):
                result = Ended.STACK_FULL
                break
            row = natural(first_doubt & rows)
            room = doubtful.slacks[row] + pruning.recalled(H, doubtful.memo, row)
            value = heuristic.settle(H, doubtful.memo, row * heuristic.MEMORY)
            slack = room - value
            first_doubt += 1
            doubts -= 1
            if slack < 0:
                next_excess = min(next_excess, -slack)
                continue
            nearest = min(nearest, value)
            doubtful.slacks[row] = slack
            move(doubtful, row, waiting, natural(count))
            longest = max(longest, count)
            count += 1
            continue
        if count > 0 and flying < seats:
            top = natural(count - 1)
            state = words.load(waiting.states, top)
            place = natural(waiting.places[top])
            if problem.at_goal(P, state):
                result = Ended.FOUND
                break
            if expanded >= halt:  # seldom, after the first ASKED
                if expanded == limit:
                    result = Ended.OUT_OF_BUDGET
                    break
                problem.compare_control(P, state, lists.controls[place])
                if expanded >= problem.ASKED:
                    halt = limit
            count = top
            slack = waiting.slacks[top]
            if REMEMBERS and slack > 0 and is_met(flight, state, slack, info):
                continue
            expanded += 1
            row = natural((first_asking + flying) & (seats - 1))
            flying += 1
            move(waiting, top, asking, row)
            most = asking.slacks[row] + pruning.recalled(H, asking.memo, row) - 1
            at = row * widest
            control = lists.controls[place]
            while True:
                operator = lists.operators[natural(place)] & PLACE_MASK
                if operator == deepening.STOP:
                    break
                if problem.ALWAYS_LEGAL or problem.legal(P, state, control, operator):
                    step = PackedStep(state, control, operator, state)
                    number = heuristic.ask(H, asking.memo, row * heuristic.MEMORY, step, most)
                    prefetch_to_read(H.far, max(number, 0) >> heuristic.FAR_BITS)
                    flight.asked[natural(at)] = number
                place += 1
                at += 1
            continue
        if flying == 0:
            break
        row = natural(first_asking & (seats - 1))
        state = words.load(asking.states, row)
        own = pruning.recalled(H, asking.memo, row)
        most = asking.slacks[row] + own - 1
        place, at = natural(asking.places[row]), row * widest
        while True:
            entry_of_list = lists.operators[natural(place)]
            operator = entry_of_list & PLACE_MASK
            if operator == deepening.STOP:
                break
            after = entry_of_list >> PLACE_BITS
            control = lists.controls[natural(place)]
            number = flight.asked[natural(at)]
            place += 1
            at += 1
            if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
                continue
            generated += 1
            to = natural((first_doubt + doubts) & rows)
            step = PackedStep(state, control, operator, state)
            value = heuristic.told(
                H, asking.memo, row * heuristic.MEMORY, doubtful.memo, to * heuristic.MEMORY,
                step, most, number,
            )  # fmt: skip
            excess = value - most
            if excess > 0:
                if excess < next_excess:  # `told` is a lower bound
                    child = problem.apply(P, state, control, operator)
                    step = PackedStep(state, control, operator, child)
                    excess = pruning.recompute_step(H, own, asking.slacks[row], 1, step)
                    next_excess = min(next_excess, excess)
                continue
            child = problem.apply(P, state, control, operator)
            if not problem.STATIC and after < 0:
                after = lists.begins[problem.control(P, child)]
            words.store(doubtful.states, to, child)
            doubtful.places[to], doubtful.slacks[to] = after, -excess
            number = doubtful.memo[(to + 1) * heuristic.MEMORY - 1]
            prefetch_to_read(H.far, max(number, 0) >> heuristic.FAR_BITS)
            if REMEMBERS and excess < 0:
                prefetch(flight.met, home_of(flight.met, child))
            doubts += 1
        first_asking += 1
        flying -= 1
    info[Info.GENERATED], info[Info.EXPANDED] = generated, expanded
    info[Info.NEXT_EXCESS], info[Info.LONGEST] = next_excess, longest
    info[Info.PENDING], info[Info.DOUBTFUL], info[Info.ASKING] = count, doubts, flying
    info[Info.NEAREST] = nearest
    info[Info.FIRST_DOUBTFUL], info[Info.FIRST_ASKING] = (
        first_doubt & rows,
        first_asking & seats - 1,
    )
    return result
