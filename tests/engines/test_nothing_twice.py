"""What surrounds a search is paid for once for a class: counted in calls of functions, not in time.

A search of one step asks what a long one asks, so that all it does is what surrounds a search.
"""

import sys
from collections import Counter

import pytest

from searchkit import AStar, BreadthFirst, Problem, Status, Step, solve
from searchkit.fields import Array, Fields
from searchkit.heuristic import ProblemHeuristic
from searchkit.premises import changed
from searchkit.premises.listed import overestimate_near_goals
from searchkit.premises.patience import Patience
from searchkit_sliding import eight_puzzle

WARMING = 12
"""After so many searches, states of the whole search are asked for a share of its time."""


def calls_of(call):
    """How many functions of Python a call calls, those of authors' rules among them."""
    found = Counter()

    def note(frame, event, argument):
        if event == "call":
            found[frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return found


def one_step():
    eight = eight_puzzle()
    return eight.with_start(next(iter(eight.successors(eight.goal))).state)


def odd():
    eight = eight_puzzle()
    return eight.with_start(
        eight.parse(eight.format_state(eight.goal).translate(str.maketrans("12", "21")))
    )


@pytest.mark.parametrize(
    ("make", "status", "most"), [(one_step, Status.SOLVED, 2600), (odd, Status.UNSOLVABLE, 1500)]
)
def test_a_search_of_a_known_class_calls_few_functions(make, status, most):
    problem = make()
    for _ in range(WARMING):
        assert solve(problem, AStar()).status is status
    assert calls_of(lambda: solve(problem, AStar())).total() <= most


class Row(Fields):
    """Numbers in a row, each of which moves up in steps that a table gives."""

    def __init__(self, lengths):
        self.table = {(n, k): [[at, n, k] for at in range(5)] for n in range(9) for k in range(5)}
        self.lengths = list(lengths)
        self.moves = [(n, k) for n in range(len(self.lengths)) for k in (1, 2)]
        self.declare(row=Array(len(self.lengths), 9))
        self.start = self.pack(row=[0] * len(self.lengths))
        self.goal = self.pack(row=self.lengths)

    def legal(self, s, n, k):
        return s.row[n] + k <= self.lengths[n]

    def apply(self, s, n, k):
        s.row[n] += k


def test_what_rules_of_a_board_may_read_is_walked_once(monkeypatch):
    walked, own = [], changed.reached

    def reached(*arguments, **named):
        for place in own(*arguments, **named):
            walked.append(place.name)
            yield place

    solve(Row([4, 3]), BreadthFirst(), engine="reference")
    monkeypatch.setattr(changed, "reached", reached)
    for lengths in ([4, 2], [1, 3], [2, 2]):
        found = solve(Row(lengths), BreadthFirst(), engine="reference")
        assert found.cost == sum(-(-each // 2) for each in lengths)
        assert "table" not in walked  # its 270 lists were taken from the puzzle itself
        assert len(walked) < 100
        walked.clear()


def test_estimates_near_goals_ask_each_state_once():
    asked = Counter()

    class Line(Problem):
        undirected = True

        def initial_states(self):
            return [9]

        def successors(self, state):
            asked[state] += 1
            return [Step("left", state - 1), Step("right", state + 1)]

        def is_goal(self, state):
            return state == 0

    line = Line()
    assert overestimate_near_goals(line, ProblemHeuristic(line), Patience(60), [0]) is None
    assert set(asked.values()) == {1}
