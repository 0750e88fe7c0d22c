"""What a pattern space promises, tried on pattern states and on steps of its problem."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from searchkit.bits import lowest_one
from searchkit.capabilities import is_certified
from searchkit.errors import ProblemError
from searchkit.heuristics.patterns.identity import at_method, named
from searchkit.packed import PackedProblem, PackedStep, packed_steps
from searchkit.pattern_space import MOST_PLACES, WORD_BITS_USED, PatternSpace, SolvedSpace

WALKS, WALK = 8, 12
"""How many walks, of how many moves back from the goals, are tried before a database is built."""
STEPS = 100
"""How many steps of the problem are tried then."""


class PatternError(ProblemError):
    """A promise that a pattern space does not keep for a group; `blame` names the methods.

    What was `found` is a text, or a value of the author's; `then` tells of the step that shows it.
    """

    def __init__(
        self, space: PatternSpace, group: int, expected: str, found: Any, blame: str
    ) -> None:
        self.group = group
        self.expected = expected
        self.found = found if isinstance(found, str) else f"{found!r:.80}"
        self.blame = blame
        self.then = ""
        super().__init__(
            f"{named(space, group)}: expected {expected}; found {self.found}"
            f"{at_method(space, blame.partition(' ')[0])}"
        )


def all_places(space: PatternSpace) -> int:
    """The mask of all places."""
    return (1 << space.places) - 1


def check_shape(space: PatternSpace, group: int) -> None:
    """Raise unless `entries`, `places`, `operators` and `goals` can be what they are."""

    def fault(expected: str, found: Any, blame: str) -> PatternError:
        return PatternError(space, group, expected, f"{found!r:.80}", blame)

    entries = space.entries(group)
    if not _is_whole(entries) or entries < 1:
        raise fault("entries of 1 or more", entries, "entries")
    if not _is_whole(space.places) or not 1 <= space.places <= MOST_PLACES:
        raise fault(f"places from 1 to {MOST_PLACES}", space.places, "places")
    if space.undirected and space.places != 1:
        raise fault("places of 1, as undirected = True asks for", space.places, "places")
    operators: Any = getattr(space, "operators", None)
    if not _is_whole(operators) or operators < 0:
        expected = "operators, how many choices, landing and previous know"
        raise fault(expected, operators, "operators")
    goals = list(space.goals(group))
    if not goals:  # every state would be a dead end
        raise fault("one pattern state of goals or more", goals, "goals")
    for goal in goals:
        if not isinstance(goal, tuple) or len(goal) != 2 or not all(map(_is_whole, goal)):
            raise fault("each of goals as a pair of a pattern state and a mask", goal, "goals")
        if not 0 < goal[1] <= all_places(space):
            raise fault(f"the mask of a goal to hold some of {space.places} places", goal, "goals")
        check_word(space, group, goal[0], "the goal", "goals")


def check_word(space: PatternSpace, group: int, word: Any, what: str, blame: str) -> None:
    """Raise unless a pattern state has an entry of its own: a rank that `unrank` takes back."""
    if not _is_whole(word) or word < 0 or word >> WORD_BITS_USED:
        found = f"{word:#x}" if _is_whole(word) else f"{word!r:.80}"
        raise PatternError(
            space, group, f"{what} to be a word of {WORD_BITS_USED} bits", found, blame
        )
    rank, entries = space.rank(word, group), space.entries(group)
    if not _is_whole(rank) or not 0 <= rank < entries:
        expected = f"the rank of {what}, {word:#x}, from 0 to {entries - 1:,}, as entries says"
        found = f"{rank:,}" if _is_whole(rank) else f"{rank!r:.80}"
        raise PatternError(space, group, expected, found, "rank entries")
    again = space.unrank(rank, group)
    if again == word:
        return
    expected = f"unrank({rank}) to be {what}, {word:#x}, of which that is the rank"
    if space.rank(again, group) == rank:
        found = f"{again:#x}, of which that is the rank as well"
        raise PatternError(space, group, expected, found, "rank unrank")
    raise PatternError(space, group, expected, again, "unrank rank")


def check_entry(space: PatternSpace, group: int, entry: int) -> None:
    """Raise unless `rank` gives an entry back that `unrank` was given."""
    word = space.unrank(entry, group)
    rank = space.rank(word, group)
    if rank != entry:
        expected = f"the rank of unrank({entry}), {word:#x}, to be {entry}"
        raise PatternError(space, group, expected, rank, "unrank rank")


def check_move(space: PatternSpace, group: int, word: int, operator: int, choice: int) -> int:
    """The pattern state before a move; raise unless it is one, and the move lands on some place."""
    before = space.previous(word, group, operator, choice)
    move = f"operator {operator}, choice {choice}, into {word:#x}"
    check_word(space, group, before, f"the pattern state before {move}", "previous")
    every = all_places(space)
    landing = space.landing(word, group, every, operator, choice)
    if not _is_whole(landing) or not 0 < landing <= every:
        expected = f"landing of {move} to hold some of {space.places} places"
        raise PatternError(space, group, expected, landing, "landing")
    return before


def walk_back(
    space: PatternSpace, group: int, rng: random.Random, walks: int = WALKS, length: int = WALK
) -> None:
    """Go back from the goals at random, as the builder does, and check all moves on the way."""
    goals = list(space.goals(group))
    for _ in range(walks):
        word, mask = rng.choice(goals)
        for _ in range(length):
            moves = list(moves_before(space, group, word, mask))
            if not moves:
                break
            after, (word, mask) = word, rng.choice(moves)
            if space.undirected and not _leads_back(space, group, after, word):
                expected = (
                    f"previous to lead from {word:#x} to {after:#x}, as it does the other way; "
                    "undirected = True promises that"
                )
                raise PatternError(space, group, expected, "none does", "previous undirected")


def moves_before(
    space: PatternSpace, group: int, word: int, mask: int
) -> Iterator[tuple[int, int]]:
    """The moves into a pattern state with the places of `mask`: whence, and from which places."""
    every = all_places(space)
    here = f"of {word:#x} with the places {mask:#b}"
    spread = space.spread(word, group, mask)
    if not _is_whole(spread) or spread & mask != mask or spread & ~every:
        expected = f"spread {here} to hold these, of {space.places} places"
        raise PatternError(space, group, expected, spread, "spread")
    for operator in range(space.operators):
        choices = space.choices(word, group, spread, operator)
        if not _is_whole(choices) or choices < 0 or choices >> 63:
            expected = f"choices of operator {operator} {here} as a mask of 63 bits"
            raise PatternError(space, group, expected, choices, "choices")
        for choice in ones(choices):
            before = check_move(space, group, word, operator, choice)
            yield before, space.landing(word, group, spread, operator, choice)


def check_step(space: PatternSpace, step: PackedStep, cost: int) -> None:
    """Raise unless a step is seen as it is: where it leads, by a move that the builder knows."""
    try:
        _check_step(space, step, cost)
    except PatternError as error:
        error.then = f"operator {step.operator}"
        raise


def _check_step(space: PatternSpace, step: PackedStep, cost: int) -> None:
    changed = []
    for image in range(space.images):
        of_image = f" of image {image}" if image else ""
        first = space.touched(step, image)
        if first < 0 and space.tells_touched:
            expected = f"touched{of_image} to name one group or none, as tells_touched promises"
            raise PatternError(space, 0, expected, first, "touched")
        for group in space.groups_of(image):
            word = space.locate(step.state, image, group)
            after = space.locate(step.child, image, group)
            moved = space.moved(word, step, image, group)
            if word != after and first >= 0 and group != first:
                change = f"of which the step makes {after:#x} out of {word:#x}"
                expected = f"touched{of_image} to name group {group}, {change}, or -1"
                raise PatternError(space, group, expected, first, "touched")
            if moved != after and (first < 0 or first == group):
                expected = f"moved{of_image} to give {after:#x}, which locate gives"
                raise PatternError(space, group, expected, f"{moved:#x}", "moved locate")
            if space.follows and (first < 0 or first == group):
                entry = space.entry_after(space.rank(word, group), step, image, group)
                right = space.rank(after, group)
                if entry != right:
                    expected = f"entry_after{of_image} to give {right}, the rank of {after:#x}"
                    raise PatternError(space, group, expected, entry, "entry_after rank")
            if word == after:
                continue
            check_word(space, group, after, f"locate{of_image}", "locate")
            if image:  # its steps need not be steps of the problem: the inverse of a permutation's
                continue
            changed.append(group)
            if isinstance(space, SolvedSpace):
                if not space.leads(word, after, group, cost):
                    expected = f"some move to lead from {word} to {after} at a cost of {cost}"
                    raise PatternError(space, group, expected, "none does", "leads locate")
                continue
            if cost == 0:
                expected = "a step that costs nothing to leave the pattern state as it is"
                raise PatternError(
                    space, group, expected, f"{word:#x} becomes {after:#x}", "locate"
                )
            if not _leads_back(space, group, word, after):
                way = f"from {after:#x} back to {word:#x}, by some operator and choice"
                expected = f"previous to lead {way}, as a step does"
                raise PatternError(space, group, expected, "none does", "previous choices locate")
    if space.additive and len(changed) > max(1, cost):
        expected = "a step to change at most one group, as additive = True promises"
        found = (
            f"the groups {', '.join(map(str, changed))} change by a step of cost {cost}, which "
            f"would count {len(changed)} times"
        )
        raise PatternError(space, changed[-1], expected, found, "additive locate")


def check_state(space: PatternSpace, state: Any, is_goal: bool) -> None:
    """Raise unless a state has entries, and a goal those of goals."""
    for group in range(len(space.groups)):
        goals = {word for word, _ in space.goals(group)} if is_goal else set()
        for image in range(space.images):
            if group not in space.groups_of(image):
                continue
            word = space.locate(state, image, group)
            check_word(space, group, word, "locate", "locate")
            if is_goal and word not in goals and not _is_goal_of(space, word, group):
                found = f"{word:#x}" + (f" of image {image}" if image else "")
                raise PatternError(
                    space, group, "locate of a goal among goals", found, "goals locate"
                )


def try_on_problem(space: PatternSpace, problem: Any, seed: int = 0) -> None:
    """Raise for a broken promise met on a random walk from a start. O(operators) a step.

    Not from one that is certified unsolvable: entries are for what can become a goal.
    """
    if not isinstance(problem, PackedProblem):
        return
    rng = random.Random(seed)
    for start in problem.initial_states():
        if is_certified(problem, start):
            continue
        state = start
        for _ in range(STEPS):
            check_state(space, state, problem.is_goal(state))
            steps = list(packed_steps(problem, state))
            if not steps:
                break
            step = rng.choice(steps)
            check_step(space, step, problem.cost(*step[:3]))
            state = step.child
        return


def _is_goal_of(space: PatternSpace, word: int, group: int) -> bool:
    return isinstance(space, SolvedSpace) and space.is_goal(word, group)


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
