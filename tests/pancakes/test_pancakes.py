"""Pancakes: packed rules against lists, texts, numbers, the gap heuristic, published figures."""

import math
import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import (
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    ParseError,
    UsageError,
    solve,
)
from searchkit.explore import explore
from searchkit.verify import replay_texts, verify_solution
from searchkit_pancakes import (
    Gap,
    Pancakes,
    burnt_pancakes,
    pancakes,
    stacks,
)

SIZES = [1, 2, 3, 7, 8, 9, 12, 13, 15, 16, 17, 20, 24, 33, 60]


@st.composite
def puzzles(draw):
    """A puzzle with any start and goal."""
    puzzle = Pancakes.of(stacks(draw(st.sampled_from(SIZES)), draw(st.booleans())))
    start, goal = (
        puzzle.parse(
            " ".join(
                str(-label if puzzle.burnt and draw(st.booleans()) else label)
                for label in draw(st.permutations(range(1, puzzle.size + 1)))
            )
        )
        for _ in range(2)
    )
    return puzzle.with_start(start).with_goal(goal)


def turns_of_lists(text, burnt):
    """How many pancakes are turned over, and the stack after it."""
    stack = [*map(int, text.split())]
    sign = -1 if burnt else 1
    return [
        (count, " ".join(map(str, [sign * each for each in stack[:count][::-1]] + stack[count:])))
        for count in range(1 if burnt else 2, len(stack) + 1)
    ]


@given(puzzles())
def test_turns_are_those_of_lists(puzzle):
    slow = puzzle.slow_rules()
    state = puzzle.start
    here = slow.parse(puzzle.format_state(state))
    steps = puzzle.successors(state)
    turned = [(step.action, puzzle.format_state(step.state)) for step in steps]
    assert turned == [
        (step.action, slow.format_state(step.state)) for step in slow.successors(here)
    ]
    assert turned == turns_of_lists(puzzle.format_state(state), puzzle.burnt)
    for operator, step in zip(puzzle.operators(0), steps, strict=True):
        back = puzzle.inverse(0, operator)
        assert puzzle.apply(step.state, 0, back) == state
    assert puzzle.is_goal(state) == slow.is_goal(here)
    assert puzzle.is_goal(puzzle.goal)


@given(puzzles())
def test_each_pancake_moves_by_itself(puzzle):
    before = puzzle.labels(puzzle.start)
    steps = puzzle.successors(puzzle.start)
    for step in steps:
        after = puzzle.labels(step.state)
        for place, pancake in enumerate(before):
            is_turned = place < step.action
            flipped = -1 if puzzle.burnt and is_turned else 1
            assert after[step.action - 1 - place if is_turned else place] == pancake * flipped


@given(puzzles())
def test_texts_are_read_back(puzzle):
    text = puzzle.format_state(puzzle.start)
    assert puzzle.parse(text) == puzzle.start
    assert puzzle.parse(text.replace(" ", ", ")) == puzzle.start
    assert Pancakes.read(text, burnt=puzzle.burnt).start == puzzle.start
    picture = puzzle.render(puzzle.start).splitlines()
    assert [int(line.split()[-1]) for line in picture[:-1]] == [*map(int, text.split())]
    scale = 2 if puzzle.size <= 20 else 1
    for line in picture[:-1]:
        shape, label = line.split()
        assert shape == ("▓" if int(label) < 0 else "█") * scale * abs(int(label))


@given(puzzles())
def test_ranks_number_the_stacks(puzzle):
    count = math.factorial(puzzle.size) * (2**puzzle.size if puzzle.burnt else 1)
    if not 1 < count <= 1 << 40:
        assert puzzle.ranks == 0
        return
    assert puzzle.ranks == count
    rank = puzzle.rank(puzzle.start)
    assert 0 <= rank < puzzle.ranks
    assert puzzle.unrank(rank) == puzzle.start


@pytest.mark.parametrize(("size", "burnt"), [(5, False), (4, True), (1, True)])
def test_every_rank_is_a_stack(size, burnt):
    puzzle = Pancakes.of(stacks(size, burnt))
    states = [puzzle.unrank(rank) for rank in range(puzzle.ranks)]
    assert len(set(states)) == puzzle.ranks
    assert [puzzle.rank(state) for state in states] == list(range(puzzle.ranks))
    assert all(puzzle.parse(puzzle.format_state(state)) == state for state in states)


@given(puzzles())
def test_the_gap_heuristic_is_carried_along_and_consistent(puzzle):
    bound = Gap(puzzle)
    value = bound(puzzle.start)
    assert value == puzzle.heuristic(puzzle.start)
    assert bound(puzzle.goal) == 0
    assert value == gaps_of_lists(puzzle)
    for operator, step in enumerate(puzzle.successors(puzzle.start)):
        change = bound.change(puzzle.start, 0, operator, step.state)
        assert bound(step.state) == value + change
        assert change in (-1, 0, 1)


def gaps_of_lists(puzzle):
    """The pairs of neighbours that are none in the goal, either way round."""

    def pairs(state, *, both_ways):
        labels = [*map(int, puzzle.format_state(state).split())]
        sign = -1 if puzzle.burnt else 1
        found = {*pairwise(labels)}
        if both_ways:
            found |= {(sign * b, sign * a) for a, b in found}
        return found | {(labels[-1], "plate")}

    return len(pairs(puzzle.start, both_ways=False) - pairs(puzzle.goal, both_ways=True))


@pytest.mark.parametrize(("burnt", "size"), [(False, 6), (True, 4)])
def test_every_algorithm_finds_the_distance(burnt, size):
    """The distances are counted by the slow rules from the goal."""
    puzzle = Pancakes.of(stacks(size, burnt))
    slow = puzzle.slow_rules()
    distances = {slow.goal: 0}
    queue = [slow.goal]
    for state in queue:
        for step in slow.successors(state):
            if step.state not in distances:
                distances[step.state] = distances[state] + 1
                queue.append(step.state)
    assert len(distances) == puzzle.ranks
    bound = Gap(puzzle)
    for state, distance in distances.items():
        assert bound(puzzle.parse(slow.format_state(state))) <= distance
    rng = random.Random(size)
    for state in rng.sample(queue, 8):
        start = puzzle.with_start(puzzle.parse(slow.format_state(state)))
        for algorithm in (BreadthFirst(), Bidirectional(), AStar(), IDAStar()):
            result = solve(start, algorithm)
            assert result.cost == distances[state]
            verify_solution(start, result.solution)


def test_explored_layers_are_those_of_the_slow_rules():
    for definition in (stacks(6), stacks(4, burnt=True), stacks(1), stacks(1, burnt=True)):
        puzzle = Pancakes.of(definition)
        assert explore(puzzle).layers == explore(puzzle.slow_rules()).layers
        assert explore(puzzle).states == max(1, puzzle.ranks)


def test_random_stacks_are_uniform():
    rng = random.Random(6)
    for puzzle in (Pancakes.of(stacks(3)), Pancakes.of(stacks(2, burnt=True))):
        drawn = Counter(puzzle.rank(puzzle.random_state(rng)) for _ in range(4000))
        share = 4000 / puzzle.ranks
        assert sorted(drawn) == list(range(puzzle.ranks))
        assert all(0.75 * share < count < 1.25 * share for count in drawn.values())


@pytest.mark.parametrize(
    ("text", "burnt", "message"),
    [
        ("1 2 4", False, "'4' is not a pancake; pancakes are 1 to 3, like '1 2 3'"),
        ("1 2 -3", False, "'-3' is not a pancake; pancakes are 1 to 3"),
        ("1 2 x", True, "'x' is not a pancake; pancakes are -3 to -1 or 1 to 3, like '1 2 3'"),
        ("1 2 2", False, "pancake 2 occurs 2 times; each of 1 to 3 must occur once"),
        ("-1 2 1", True, "pancake 1 occurs 2 times"),
        ("1 2", False, "pancake 3 occurs never"),
        ("", False, "pancake 1 occurs never"),
    ],
)
def test_texts_that_are_no_stack(text, burnt, message):
    with pytest.raises(ParseError) as caught:
        Pancakes.of(stacks(3, burnt)).parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("size", [0, 61, -1])
def test_other_sizes_are_refused(size):
    with pytest.raises(UsageError, match="1 to 60"):
        pancakes(size)


def test_words():
    found = {(16, False): 1, (17, False): 3, (8, True): 1, (9, True): 2, (60, True): 8}
    for (size, burnt), words in found.items():
        puzzle = Pancakes.of(stacks(size, burnt))
        assert puzzle.with_goal(puzzle.start).words == puzzle.words == words


def test_solutions_are_verified_by_the_slow_rules():
    for puzzle in (pancakes(9), burnt_pancakes(5)):
        result = solve(puzzle, IDAStar())
        replayed = replay_texts(
            puzzle,
            puzzle.format_state(puzzle.start),
            [str(action) for action in result.solution.actions],
            [puzzle.format_state(state) for state in result.solution.states],
        )
        assert replayed.cost == result.cost
