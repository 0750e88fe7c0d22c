"""Where one problem is explored again, it is asked again only if it can have changed."""

from __future__ import annotations

import attrs
import pytest

from searchkit import LawError, Limits, Problem, ProblemError, Step
from searchkit.explore import explore
from searchkit.premises.reasons import Premises
from searchkit_cube import Cube2
from searchkit_cube.corners import SOLVED

asked = [0]


@attrs.frozen
class WrongRank(Cube2):
    """A cube of which nothing but the goal has the right number."""

    true_rank = Cube2.rank

    def rank(self, state: int) -> int:
        """Kernel: always one more."""
        rank = self.true_rank(state)
        return rank if state == self.tables.goal else (rank + 1) % 3674160


class Ring(Problem[int, int]):
    """A ring of 300 states."""

    def initial_states(self):
        return [0]

    def is_goal(self, state):
        return state == 1

    def successors(self, state):
        asked[0] += 1
        return [Step(step, (state + step) % 300, 1) for step in (1, -1)]


@attrs.frozen
class FrozenRing(Ring):
    """The same, of which every object stays as it is."""


def calls(problem):
    before = asked[0]
    assert explore(problem, backward=False).states == 300
    return asked[0] - before


def test_a_frozen_problem_is_asked_once():
    problem = FrozenRing()
    assert calls(problem) == 3 * 300  # expanded, and asked twice
    assert calls(problem) == 300
    assert calls(FrozenRing()) == 3 * 300


def test_what_can_change_is_asked_again():
    problem = Ring()
    assert calls(problem) == calls(problem) == 3 * 300


def test_other_rules_of_the_same_object_are_asked(monkeypatch):
    problem = FrozenRing()
    calls(problem)

    def fickle(self, state):
        asked[0] += 1
        return [Step(step, (state + step) % 300, 1) for step in (1, -1, *[2] * (asked[0] % 2))]

    monkeypatch.setattr(FrozenRing, "successors", fickle)
    with pytest.raises(LawError, match="asked again"):
        explore(problem, backward=False)


def test_other_starts_of_the_same_object_are_asked():
    starts = [0]

    @attrs.frozen
    class Moved(FrozenRing):
        def initial_states(self):
            return starts

    problem = Moved()
    assert calls(problem) == 3 * 300
    starts[0] = 7
    assert calls(problem) == 3 * 300


def test_what_machine_code_relies_on_is_asked_if_only_the_rules_were():
    problem = WrongRank(SOLVED)
    assert explore(problem, engine="reference", limits=Limits(cost=2)).states == 64
    Premises(
        problem=problem, starts=[SOLVED], backward=True, explores=True, origin="goal"
    ).check_explored(10**9, 1, complete=True, compiled=False)
    with pytest.raises(ProblemError, match=r"unrank\(.*, its rank, is the state"):
        explore(problem, engine="compiled", limits=Limits(cost=2))
