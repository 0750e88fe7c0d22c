"""`engine="checked"`: the same answers for what is right, and the line of what is wrong."""

from __future__ import annotations

import inspect
import json
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from searchkit import (
    AStar,
    BreadthFirst,
    IDAStar,
    Problem,
    ProblemError,
    Status,
    UnsuitableError,
    UsageError,
    solve,
)
from searchkit.bits import lowest_one
from searchkit.checked import words
from searchkit.checked.words import Operations
from searchkit.cli.app import app
from searchkit.explore import explore
from searchkit.kernel_language.constants import BINARY, COMPARED
from searchkit.kernel_language.site import Site
from searchkit.packed import CarriedHeuristic, PackedHeuristic, PackedProblem
from searchkit.transforms import ChainMoves
from searchkit_pancakes import Pancakes
from searchkit_peg import PegSolitaire
from searchkit_peg.boards import HOPPERS
from searchkit_peg.notation import read_pegs
from searchkit_sliding import Board, SlidingPuzzle, eight_puzzle
from tests.support.cli_calls import runner


def test_a_start_that_is_proved_unsolvable_needs_no_number():
    puzzle = eight_puzzle()
    puzzle = puzzle.with_start(puzzle.parse("123456870"))
    result = solve(puzzle, BreadthFirst(), engine="checked")
    assert result.status is Status.UNSOLVABLE
    assert result.certificate is not None


class Moves(NamedTuple):
    steps: tuple
    small: object = np.array([250, 1], np.uint8)


class Line(PackedProblem[int]):
    """Places 0 to 20 in a row; two operators go up and down."""

    undirected = True
    tables = Moves((1, -1))

    def initial_states(self):
        return [3]

    def operators(self, control):
        return (0, 1)

    def action(self, state, operator):
        return operator

    def inverse(self, control, operator):
        return 1 - operator

    def at_goal(self, state):
        return state == 12

    def legal(self, state, control, operator):
        return 0 <= state + self.tables.steps[operator] <= 20

    def apply(self, state, control, operator):
        return state + self.tables.steps[operator]


class Mistakes:
    """Kernels with one mistake each, in the line that `# here` marks."""

    def apply__index(self, state, control, operator):
        if state > 8:
            return self.tables.steps[state - 7]  # here: index 2 is outside table steps, which has 2
        return state + self.tables.steps[operator]

    def apply__negative_index(self, state, control, operator):
        return state + self.tables.steps[operator - 1]  # here: index -1 is outside table steps

    def apply__shift(self, state, control, operator):
        return state + 1 + (1 << 8 * state & 1)  # here: shifts by 64 places; a word can be shifted

    def apply__negative_shift(self, state, control, operator):
        return state >> operator - 1  # here: shifts by -1 places

    def apply__too_wide(self, state, control, operator):
        return (state << 63) + state  # here: gives the word 0x18000000000000003; words are from 0

    def apply__negative(self, state, control, operator):
        return state - 5  # here: gives the word -2; words are from 0

    def apply__by_nothing(self, state, control, operator):
        return state + 1 // (state - 3)  # here: // by 0

    def apply__tuple(self, state, control, operator):
        return (state, 1)  # here: must give an integer, but gives (3, 1)

    def cost__overflow(self, state, control, operator):
        return 1 + (state // 5 << 63)  # here: gives 0x8000000000000001, which has more than 63

    def legal__overflow(self, state, control, operator):
        big = (state + 1) << 61  # is 2**63 in Python, and -2**63 as machine code
        return big > 5 and state >= operator  # here: 0x8000000000000000 > 5 is True in Python

    def legal__highest_bit(self, state, control, operator):
        high = (state + (1 << 63)) >> 60  # here: >> of 0x8000000000000003 and 60 gives 8 in Python
        return high == 8 and state >= operator

    def at_goal__minimum(self, state):
        low = -(1 << 63) * (state // 3)
        return state == 12 or low // -1 != 0  # here: gives 0x8000000000000000 in Python and 0 as

    def legal__numpy(self, state, control, operator):
        total = self.tables.small[0] + 10  # here: + of 250 and 10 gives 4 in Python and 260 as
        return state + operator > 0 and total > 200

    def legal__lowest(self, state, control, operator):
        return lowest_one(state & 4) > operator  # here: lowest_one of 0


MISTAKES = [name for name in vars(Mistakes) if not name.startswith("_")]


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_in_kernels(name):
    kernel = vars(Mistakes)[name]
    lines, first = inspect.getsourcelines(kernel)
    marked = next(i for i, line in enumerate(lines) if "# here: " in line)
    told = lines[marked].partition("# here: ")[2].strip()
    which = name.partition("__")[0]
    made = type("Mine", (Line,), {which: kernel, "inverse": lambda self, control, operator: None})
    with pytest.raises(ProblemError) as caught:
        solve(made(), BreadthFirst(), engine="checked")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"Mine: kernel {which}, {__file__}:{first + marked}: "), message
    assert told in message
    assert "(called with " in message


class WrongInverse(Line):
    def inverse(self, control, operator):
        return operator


class WrongNext(Line):
    controls = 21

    def control(self, state):
        return state

    def next_control(self, control, operator):
        return control + 1


class FarControl(Line):
    controls = 5

    def control(self, state):
        return state


class WrongRank(Line):
    ranks = 21

    def rank(self, state):
        return state

    def unrank(self, index):
        return index ^ 1


class Generates(Line):
    def operators(self, control):
        return (each for each in (0, 1))


class Changes(Line):
    asked = 0

    def operators(self, control):
        Changes.asked += 1
        return (0, 1) if Changes.asked < 9 else (1, 0)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (WrongInverse, "the inverse of operator 0 is 0, which leads elsewhere, in state 0x3"),
        (WrongNext, r"next_control\(3, 1\) is 4, but "),
        (FarControl, "control is 5; it must be from 0 to 4|control"),
        (WrongRank, r"unrank\(3\), its rank, is the state 2, in state 0x3"),
        (Generates, r"operators\(0\) gives <generator.*it must give a sequence"),
        (Changes, r"operators\(0\) gave \[0, 1\], then \[1, 0\]"),
    ],
)
def test_broken_promises(kind, told):
    with pytest.raises(ProblemError, match=told):
        solve(kind(), BreadthFirst(), engine="checked")


class Distance(PackedHeuristic):
    name = "distance"

    def estimate(self, state):
        return abs(12 - state)

    def change(self, state, control, operator, child):
        return 1 if child > 5 else -1


class Carried(CarriedHeuristic):
    name = "carried"

    def begin(self, memo, at, state):
        memo[at] = abs(12 - state)
        return memo[at]

    def recall(self, memo, at):
        return memo[at]

    def follow(self, memo, at, after, step, most):
        memo[after + 1] = abs(12 - step[3])  # the words are from `after` on
        return memo[after + 1]


def test_heuristics_are_checked_along_steps():
    with pytest.raises(
        ProblemError, match="the estimate after operator 1 is 10, but by change it is 8"
    ):
        solve(Line(), AStar(heuristic=Distance()), engine="checked")
    with pytest.raises(ProblemError, match="index 2 is outside memo, which has 2 items"):
        solve(Line(), IDAStar(heuristic=Carried()), engine="checked")


class Plain(Problem):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return []

    def is_goal(self, state):
        return True


def test_what_cannot_be_checked_is_refused():
    with pytest.raises(UnsuitableError, match="Plain is not a PackedProblem; engine='reference'"):
        solve(Plain(), BreadthFirst(), engine="checked")
    with pytest.raises(UsageError, match="'reference', 'compiled' or 'checked'"):
        solve(Line(), BreadthFirst(), engine="check")


@pytest.mark.slow_variants("BreadthFirst-ChainMoves")
@pytest.mark.spread
@pytest.mark.parametrize(
    "problem",
    [
        Line(),
        SlidingPuzzle.read(Board.rectangle(3, 3), "1 2 3 4 0 6 7 5 8", "1 2 3 4 5 6 7 8 0"),
        Pancakes.read("3 1 4 2 5"),
        ChainMoves(PegSolitaire(HOPPERS, read_pegs(HOPPERS, ".oo/.o/oo./oo/.oo"), (1,))),
    ],
    ids=lambda problem: type(problem).__name__,
)
@pytest.mark.parametrize("algorithm", [BreadthFirst, AStar, IDAStar])
def test_what_is_right_is_solved_as_by_the_reference_engine(problem, algorithm):
    checked, plain = (solve(problem, algorithm(), engine=e) for e in ("checked", "reference"))
    assert checked.engine == "checked"
    assert checked.problem is problem
    assert checked.solution == plain.solution
    assert checked.statistics.expanded == plain.statistics.expanded


class TakesLess(Line):
    def apply(self, state, operator):
        return state + operator


@pytest.mark.parametrize("engine", ["auto", "reference", "checked"])
def test_arguments_of_kernels(engine):
    with pytest.raises(ProblemError, match=r"write def apply\(self, state, control, operator\)"):
        solve(TakesLess(), BreadthFirst(), engine=engine)


def test_on_the_command_line():
    call = ["run", "8-puzzle", "--scramble", "5", "--seed", "1", "--engine", "checked", "--json"]
    found = runner().invoke(app, call)
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["engine"] == "checked"
    wrong = runner().invoke(app, ["run", "tests/nowhere", "--engine", "check"])
    assert wrong.exit_code == 2


def test_whole_spaces():
    found = explore(Line(), engine="checked")
    assert (found.engine, found.states) == ("checked", 21)


NUMBERS = st.integers(-70, 70) | st.builds(
    lambda bit, sign, more: sign * (1 << bit) + more,
    st.integers(0, 66), st.sampled_from((1, -1)), st.integers(-2, 2),
)  # fmt: skip


@given(st.sampled_from(sorted(BINARY.keys() | COMPARED)), NUMBERS, NUMBERS)
@example("**", 0, -1)
@settings(max_examples=300)
def test_numbers_that_fit_are_looked_at_as_all_others(sign, left, right):
    """Most take a short way, on which neither differs, and nothing is wrong."""
    assume(sign != "**" or abs(right) < 200)
    operations = Operations(Site("made", "file.py"))

    def found():
        looked = operations.compare if sign in COMPARED else operations.binary
        try:
            return looked(sign, left, right, 3)
        except ProblemError as error:
            return str(error)

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(words, "_fit", lambda left, right: False)
        the_long_way = found()
    assert found() == the_long_way
    assert type(found()) is type(the_long_way)
