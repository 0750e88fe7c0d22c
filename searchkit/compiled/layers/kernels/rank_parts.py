"""The numbers of the successors of states that are numbers themselves.

A batch is put in order of control states, each of which has its operators applied to all its states
at once: see `ranked`, whose loops these are.
"""

from typing import Any, NamedTuple

from searchkit.compiled.layers.kernels import ranked
from searchkit.compiled.specialise.kernels import canonical, words
from searchkit.compiled.specialise.names import borrowed, entry, inlined, parameter, problem
from searchkit.compiled.specialise.operators import OperatorLists

NUMBERED = parameter()
"""Whether the problem says which number an operator makes of a number."""
SINGLE = parameter()
"""Whether there is one control state."""
BATCH = parameter()
"""How many states are put in order at once."""
COMPARED_EVERY = 64
"""Of so many numbers, one is compared with that of the state it gives."""
BAD_RANK = -1
WRONG_COST = -2
WRONG_NUMBER = -3
NOT_GIVEN_BACK = -4


class Room(NamedTuple):
    """Room for a batch.

    As they come: `states` and `controls`; in order of control states: `numbers`, `parents`; where
    those of each control state end: `ends`; and `children`.
    """

    states: Any
    controls: Any
    numbers: Any
    parents: Any
    ends: Any
    children: Any


@inlined
def put_in_order(P, numbers, room: Room):
    """Put a batch into `room` in order of control states."""
    count = len(numbers)
    if SINGLE:
        room.ends[0] = count
        for i in range(count):
            room.numbers[i] = numbers[i]
            if not NUMBERED:
                words.store(room.parents, i, problem.unrank(P, numbers[i]))
        return
    room.ends[:] = 0
    for i in range(count):
        state = problem.unrank(P, numbers[i])
        control = problem.control(P, state)
        words.store(room.states, i, state)
        room.controls[i] = control
        room.ends[control] += 1
    total = 0
    for control in range(len(room.ends)):
        total += room.ends[control]
        room.ends[control] = total - room.ends[control]
    for i in range(count):
        control = room.controls[i]
        at = room.ends[control]
        room.numbers[at] = numbers[i]
        if not NUMBERED:
            words.store(room.parents, at, words.load(room.states, i))
        room.ends[control] = at + 1


@inlined
def agree(P, lists: OperatorLists, numbers, control):
    """Whether some of the numbers are those of their states, and of these states' children."""
    for i in range(0, len(numbers), COMPARED_EVERY):
        number = numbers[i]
        state = problem.unrank(P, number)
        if problem.rank(P, state) != number or not ranked.agree(P, lists, number, control):
            return False
    return True


@inlined
def are_given_back(P, children, count, numbers):
    """Whether some of the children are the states of their numbers."""
    for i in range(0, count, COMPARED_EVERY):
        state = problem.unrank(P, numbers[i])
        if problem.WORDS == 1:
            if state != children[i]:
                return False
        else:
            for w in range(problem.WORDS):
                if state[w] != children[i, w]:
                    return False
    return True


@entry
def numbers_of_children(P, lists: OperatorLists, images, ranks, numbers, room: Room, found):
    """Put the numbers of all children of some numbers into `found`; how many, or why not.

    They are from 0 to `ranks` - 1. With symmetries, children are made canonical first.
    """
    P, lists, images, room = borrowed(P), borrowed(lists), borrowed(images), borrowed(room)
    made = 0
    for at in range(0, len(numbers), BATCH):
        put_in_order(P, numbers[at : min(len(numbers), at + BATCH)], room)
        begin = 0
        for control in range(len(room.ends)):
            end = room.ends[control]
            if begin == end:
                continue
            if NUMBERED and not agree(P, lists, room.numbers[begin:end], control):
                return WRONG_NUMBER
            for place in range(lists.first[control], lists.first[control + 1]):
                operator = lists.operators[place]
                out = found[made : made + end - begin]
                if NUMBERED:
                    count = end - begin
                    mine = room.numbers[begin:end]
                    good = ranked.numbers_after(P, mine, control, operator, out, ranks)
                else:
                    parents = room.parents[begin:end]
                    count = ranked.apply_to_all(P, parents, control, operator, room.children)
                    if count < 0:
                        return WRONG_COST
                    if canonical.IMAGES > 1:
                        for i in range(count):
                            canonical.fold(images, room.children, i)
                    good = ranked.rank_all(P, room.children, count, ranks, out)
                    if good and not are_given_back(P, room.children, count, out):
                        return NOT_GIVEN_BACK
                if not good:
                    return BAD_RANK
                made += count
            begin = end
    return made


@entry
def states_of_numbers(P, numbers, states):
    """The states of some numbers."""
    for i in range(len(numbers)):
        words.store(states, i, problem.unrank(P, numbers[i]))
