"""States beside the solution are asked where the search may not have been."""

import pytest

from searchkit import INFINITY, AStar, Problem, Step, solve
from searchkit.heuristic import ProblemHeuristic
from searchkit.premises import reasons
from searchkit.premises.beside import Left, overestimate_beside
from searchkit.premises.patience import Patience


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


class Open(Problem):
    """A small square without goals."""

    undirected = True

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        x, y = state
        near = (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)
        return [Step(each, each) for each in near if min(each) >= 0 and max(each) < 4]

    def is_goal(self, state):
        return False


@pytest.mark.parametrize("seconds", [0.0, 5.0])
def test_what_fails_there_is_no_reason_to_refuse_the_answer(monkeypatch, seconds):
    monkeypatch.setattr(reasons, "LEAST_BESIDE", seconds)
    assert solve(FailsFarAway(), AStar(), engine="reference").cost == 30


def test_what_is_near_several_states_is_asked_for_its_steps_once():
    asked = []

    class Asked(Open):
        def successors(self, state):
            asked.append(state)
            return super().successors(state)

    problem, names = Asked(), {}
    left = [Left((0, y), 9, 9) for y in range(3)]
    given = problem, ProblemHeuristic(problem), left, {}, Patience(INFINITY)
    assert overestimate_beside(*given, names) is None
    assert sorted(asked) == sorted(set(asked)) == sorted(names)
    assert len(asked) > 3
    asked.clear()
    assert overestimate_beside(*given, names) is None
    assert not asked
