"""States beside the solution are asked where the search may not have been."""

import pytest

from searchkit import AStar, Problem, Step, solve
from searchkit.premises import reasons


class FailsFarAway(Problem):
    """A square of which the rules fail on the right, where a search downwards never comes."""

    size = 30

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        x, y = state
        if x < self.size:
            yield Step("right", (x + 1, y))
        if y < self.size:
            yield Step("down", (x, y + (1, 2)[x // 25 * 9]))

    def is_goal(self, state):
        return state == (0, self.size)

    def heuristic(self, state):
        return state[0] + self.size - state[1]


@pytest.mark.parametrize("seconds", [0.0, 5.0])
def test_what_fails_there_is_no_reason_to_refuse_the_answer(monkeypatch, seconds):
    monkeypatch.setattr(reasons, "LEAST_BESIDE", seconds)
    assert solve(FailsFarAway(), AStar(), engine="reference").cost == 30
