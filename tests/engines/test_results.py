"""What a result and a problem show of themselves, and the errors of a search without solution."""

import pytest

from searchkit import (
    Anytime,
    BreadthFirst,
    Limits,
    NoSolutionError,
    Problem,
    Status,
    Step,
    explore,
    solve,
)
from searchkit.errors import LimitReachedError, SearchInterruptedError, UnsolvableError
from searchkit.premises.reasons import Premises
from searchkit_sliding import eight_puzzle


class Road(Problem[int, str]):
    """From each place to the next, or two further; `goal` is where it ends."""

    def __init__(self, goal: int, starts: tuple[int, ...] = (0,)) -> None:
        self.goal, self.starts = goal, starts

    def initial_states(self):
        return self.starts

    def successors(self, state):
        return [Step(f"go {n}", state + n) for n in (1, 2) if state + n < 300]

    def is_goal(self, state):
        return state == self.goal

    def render(self, state):
        return f"at {state}"


def test_a_solved_result_is_returned_by_raise_for_status():
    result = solve(Road(3), BreadthFirst())
    assert result.raise_for_status() is result
    assert (result.actions, result.states) == (("go 1", "go 2"), (0, 1, 3))
    assert repr(result) == "<SearchResult: solved with cost 2 (optimal); BreadthFirst>"


class Interrupted(Road):
    """A road on which Ctrl-C comes."""

    def successors(self, state):
        if state == 50:
            raise KeyboardInterrupt
        return super().successors(state)


@pytest.mark.parametrize(
    ("problem", "limits", "status", "error"),
    [
        (Road(400), Limits(), Status.UNSOLVABLE, UnsolvableError),
        (Road(200), Limits(expansions=5), Status.LIMIT, LimitReachedError),
        (Interrupted(200), Limits(), Status.INTERRUPTED, SearchInterruptedError),
    ],
)
def test_each_status_without_solution_has_its_error(problem, limits, status, error):
    result = solve(problem, BreadthFirst(), limits=limits)
    assert result.status is status
    for ask in (result.raise_for_status, lambda: result.actions, lambda: result.states):
        with pytest.raises(error) as caught:
            ask()
        assert isinstance(caught.value, NoSolutionError)
        assert caught.value.result is result
        assert str(caught.value) == result.advice
    assert str(result).splitlines()[0] == result.advice
    assert "\n" not in repr(result)


class Detour(Road):
    """A road whose bound makes odd places look near the goal: greed pays one step more."""

    def heuristic(self, state):
        return 0 if state % 2 else max(0, self.goal - state) // 2


def test_a_stopped_anytime_search_shows_the_solution_that_it_has():
    result = solve(Detour(20), Anytime(weights=(9, 1)), limits=Limits(expansions=13))
    assert result.status is Status.LIMIT
    assert result.solution is not None
    assert result.actions == result.solution.actions
    with pytest.raises(LimitReachedError):
        result.raise_for_status()
    lines = str(result).splitlines()
    assert lines[1] == f"best solution so far: cost {result.cost} ({result.quality})"


def test_moves_are_wrapped_and_solutions_counted():
    lines = str(solve(Road(99), BreadthFirst(), want="count")).splitlines()
    assert all(len(line) <= 100 for line in lines)
    assert lines[1].startswith("go 1, go 2, go 2,")
    assert lines[-2] == "50 solutions of this cost"


def test_a_problem_shows_its_start():
    assert str(Road(3)) == "Road\nat 0"
    assert str(Road(3, (5, 6))) == "Road\nat 5\nand other starts"
    assert str(Road(3, ())) == "Road"


def test_an_exploration_shows_how_far_it_went():
    found = explore(eight_puzzle(), limits=Limits(expansions=99), engine="reference")
    assert repr(found) == f"<Exploration: {found.summary}>"
    first, second = str(found).splitlines()
    assert first == found.summary
    assert second.startswith("from the goal (reference engine): 99 expanded, ")


@pytest.mark.parametrize("check", ["check", "check_again"])
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_amid_the_last_checks_loses_no_bound(check, times, monkeypatch):
    """Once, they are made again; the second time, nothing that rests on them is said."""
    left = [KeyboardInterrupt] * times
    own = getattr(Premises, check)

    def asked(*given, **named):
        if left:
            raise left.pop()
        return own(*given, **named)

    monkeypatch.setattr(Premises, check, asked)
    result = solve(Road(30), BreadthFirst(), limits=Limits(expansions=5))
    assert result.status is Status.INTERRUPTED
    assert (result.lower_bound > 0) == (times == 1)
    assert not left
    left += [KeyboardInterrupt] * times
    result = solve(Road(3), BreadthFirst())
    assert (result.status, result.cost) == (Status.INTERRUPTED, 2)
    assert result.optimal == (times == 1)
