"""What a pattern space promises, tried on pattern states and on steps of its problem."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import attrs

from searchkit.bits import lowest_one
from searchkit.errors import ProblemError
from searchkit.heuristics.patterns.identity import at_method, named
from searchkit.packed import PackedProblem, PackedStep, packed_steps
from searchkit.pattern_space import MOST_PLACES, WORD_BITS_USED, PatternSpace

WALKS, WALK = 8, 12
"""How many walks, of how many moves back from the goals, are tried before a database is built."""
STEPS = 100
"""How many steps of the problem are tried then."""


@attrs.frozen
class Fault:
    """A promise that a pattern space does not keep for a group; `blame` names the methods."""

    group: int
    expected: str
    found: str
    blame: str

    def told(self, space: PatternSpace) -> str:
        """All of it in one line."""
        return (
            f"{named(space, self.group)}: expected {self.expected}; found {self.found}"
            f"{at_method(space, self.blame.split()[0])}"
        )


def require(space: PatternSpace, group: int, faults: Iterator[Fault]) -> None:
    """Raise `ProblemError` for the first fault."""
    for fault in faults:
        raise ProblemError(fault.told(space))


def all_places(space: PatternSpace) -> int:
    """The mask of all places."""
    return (1 << space.places) - 1


def shape_faults(space: PatternSpace, group: int) -> Iterator[Fault]:
    """Whether `entries`, `places`, `operators` and `goals` can be what they are."""

    def fault(expected: str, found: Any, blame: str) -> Fault:
        return Fault(group, expected, f"{found!r:.80}", blame)

    entries = space.entries(group)
    if not _is_whole(entries) or entries < 1:
        yield fault("entries of 1 or more", entries, "entries")
        return
    if not _is_whole(space.places) or not 1 <= space.places <= MOST_PLACES:
        yield fault(f"places from 1 to {MOST_PLACES}", space.places, "places")
        return
    operators = getattr(space, "operators", None)
    if not _is_whole(operators) or operators < 0:  # type: ignore[operator]
        yield fault(
            "operators, how many choices, landing and previous know", operators, "operators"
        )
        return
    goals = list(space.goals(group))
    if not goals:  # every state would be a dead end
        yield fault("one pattern state of goals or more", goals, "goals")
    for goal in goals:
        if not isinstance(goal, tuple) or len(goal) != 2 or not all(map(_is_whole, goal)):
            yield fault("each of goals as a pair of a pattern state and a mask", goal, "goals")
        elif not 0 < goal[1] <= all_places(space):
            yield fault(f"the mask of a goal to hold some of {space.places} places", goal, "goals")
        else:
            yield from word_faults(space, group, goal[0], "the goal", "goals")


def word_faults(
    space: PatternSpace, group: int, word: Any, what: str, blame: str
) -> Iterator[Fault]:
    """Whether a pattern state has an entry of its own: a rank that `unrank` takes back."""
    if not _is_whole(word) or word < 0 or word >> WORD_BITS_USED:
        found = f"{word:#x}" if _is_whole(word) else f"{word!r:.80}"
        yield Fault(group, f"{what} to be a word of {WORD_BITS_USED} bits", found, blame)
        return
    rank, entries = space.rank(word, group), space.entries(group)
    if not _is_whole(rank) or not 0 <= rank < entries:
        expected = f"the rank of {what}, {word:#x}, from 0 to {entries - 1:,}, as entries says"
        found = f"{rank:,}" if _is_whole(rank) else f"{rank!r:.80}"
        yield Fault(group, expected, found, "rank entries")
        return
    again = space.unrank(rank, group)
    if again == word:
        return
    expected = f"unrank({rank}) to be {what}, {word:#x}, of which that is the rank"
    if space.rank(again, group) == rank:
        found = f"{again:#x}, of which that is the rank as well"
        yield Fault(group, expected, found, "rank unrank")
    else:
        yield Fault(group, expected, f"{again!r:.80}", "unrank rank")


def entry_faults(space: PatternSpace, group: int, entry: int) -> Iterator[Fault]:
    """Whether `rank` gives an entry back that `unrank` was given."""
    word = space.unrank(entry, group)
    rank = space.rank(word, group)
    if rank != entry:
        expected = f"the rank of unrank({entry}), {word:#x}, to be {entry}"
        yield Fault(group, expected, f"{rank!r:.80}", "unrank rank")


def move_faults(
    space: PatternSpace, group: int, word: int, operator: int, choice: int
) -> Iterator[Fault]:
    """Whether the places after a move are some."""
    every = all_places(space)
    landing = space.landing(word, group, every, operator, choice)
    if not _is_whole(landing) or not 0 < landing <= every:
        move = f"operator {operator}, choice {choice}, into {word:#x}"
        expected = f"landing of {move} to hold some of {space.places} places"
        yield Fault(group, expected, f"{landing!r:.80}", "landing")


def walk_faults(
    space: PatternSpace, group: int, rng: random.Random, walks: int = WALKS, length: int = WALK
) -> Iterator[Fault]:
    """Go back from the goals at random, as the builder does, and look at all moves on the way."""
    goals = list(space.goals(group))
    for _ in range(walks):
        word, mask = rng.choice(goals)
        for _ in range(length):
            moves: list[tuple[int, int]] = []
            for fault_or_move in moves_before(space, group, word, mask):
                if isinstance(fault_or_move, Fault):
                    yield fault_or_move
                    return
                moves.append(fault_or_move)
            if not moves:
                break
            word, mask = rng.choice(moves)


def moves_before(
    space: PatternSpace, group: int, word: int, mask: int
) -> Iterator[Fault | tuple[int, int]]:
    """The moves into a pattern state with the places of `mask`: whence, and from which places."""
    every = all_places(space)
    here = f"of {word:#x} with the places {mask:#b}"
    spread = space.spread(word, group, mask)
    if not _is_whole(spread) or spread & mask != mask or spread & ~every:
        expected = f"spread {here} to hold these, of {space.places} places"
        yield Fault(group, expected, f"{spread!r:.80}", "spread")
        return
    for operator in range(space.operators):
        choices = space.choices(word, group, spread, operator)
        if not _is_whole(choices) or choices < 0 or choices >> 63:
            expected = f"choices of operator {operator} {here} as a mask of 63 bits"
            yield Fault(group, expected, f"{choices!r:.80}", "choices")
            return
        for choice in ones(choices):
            before = space.previous(word, group, operator, choice)
            what = f"the pattern state before operator {operator}, choice {choice}, into {word:#x}"
            yield from word_faults(space, group, before, what, "previous")
            yield from move_faults(space, group, word, operator, choice)
            landing = space.landing(word, group, spread, operator, choice)
            yield before, landing


def step_faults(space: PatternSpace, step: PackedStep, cost: int) -> Iterator[Fault]:
    """Whether a step is seen as it is: where it leads, by a move that the builder knows."""
    changed = []
    for image in range(space.images):
        first = space.touched(step, image)
        for group in range(len(space.groups)):
            word = space.locate(step.state, image, group)
            after = space.locate(step.child, image, group)
            of_image = f" of image {image}" if image else ""
            moved = space.moved(word, step, image, group)
            if word != after and first >= 0 and group != first:
                change = f"of which the step makes {after:#x} out of {word:#x}"
                expected = f"touched{of_image} to name group {group}, {change}, or -1"
                yield Fault(group, expected, str(first), "touched")
            elif moved != after and (first < 0 or first == group):
                expected = f"moved{of_image} to give {after:#x}, which locate gives"
                yield Fault(group, expected, f"{moved:#x}", "moved locate")
            if word == after:
                continue
            yield from word_faults(space, group, after, f"locate{of_image}", "locate")
            if image:  # its steps need not be steps of the problem: the inverse of a permutation's
                continue
            changed.append(group)
            if cost == 0:
                expected = "a step that costs nothing to leave the pattern state as it is"
                yield Fault(group, expected, f"{word:#x} becomes {after:#x}", "locate")
            elif not _leads_back(space, group, word, after):
                way = f"from {after:#x} back to {word:#x}, by some operator and choice"
                expected = f"previous to lead {way}, as a step does"
                yield Fault(group, expected, "none does", "previous choices locate")
    if space.additive and len(changed) > max(1, cost):
        expected = "a step to change at most one group, as additive = True promises"
        found = (
            f"the groups {', '.join(map(str, changed))} change by a step of cost {cost}, which "
            f"would count {len(changed)} times"
        )
        yield Fault(changed[-1], expected, found, "additive locate")


def state_faults(space: PatternSpace, state: Any, is_goal: bool) -> Iterator[Fault]:
    """Whether a state has entries, and a goal those of goals."""
    for group in range(len(space.groups)):
        goals = {word for word, _ in space.goals(group)}
        for image in range(space.images):
            word = space.locate(state, image, group)
            yield from word_faults(space, group, word, "locate", "locate")
            if is_goal and word not in goals:
                found = f"{word:#x}" + (f" of image {image}" if image else "")
                yield Fault(group, "locate of a goal among goals", found, "goals locate")


def try_on_problem(space: PatternSpace, problem: Any, seed: int = 0) -> None:
    """Raise `ProblemError` for a fault met on random walks from the starts. O(operators) a step."""
    if not isinstance(problem, PackedProblem):
        return
    rng = random.Random(seed)
    for start in problem.initial_states():
        state = start
        for _ in range(STEPS):
            require(space, 0, state_faults(space, state, problem.is_goal(state)))
            steps = list(packed_steps(problem, state))
            if not steps:
                break
            step = rng.choice(steps)
            require(space, 0, step_faults(space, step, problem.cost(*step[:3])))
            state = step.child
        return


def ones(mask: int) -> Iterator[int]:
    """The places of the one bits."""
    while mask:
        yield lowest_one(mask)
        mask &= mask - 1


def _leads_back(space: PatternSpace, group: int, word: int, after: int) -> bool:
    """Whether some move that the builder knows leads from `after` back to `word`."""
    mask = all_places(space)
    return any(
        space.previous(after, group, operator, choice) == word
        for operator in range(space.operators)
        for choice in ones(space.choices(after, group, mask, operator))
    )


def _is_whole(value: Any) -> bool:
    return hasattr(value, "__index__")
