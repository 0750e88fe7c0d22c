"""Before machine code says that it has reached all states, some are compared with the rules."""

from __future__ import annotations

import pytest

from searchkit import ProblemError
from searchkit.compiled.layers.ranked import RankedLayers
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import LawError
from searchkit.explore import explore
from searchkit.premises.reasons import THOROUGH
from tests.compiled.test_numbers_after import CORNERS, LAYERS, Corners, Plain


@pytest.fixture(autouse=True)
def large_space(monkeypatch):
    """Ask only a share of the states, as of a space that is too large to ask all of them."""
    monkeypatch.setattr("searchkit.premises.reasons.THOROUGH", THOROUGH._replace(states=100))


def explored(problem):
    with plainly():
        return explore(problem, engine="compiled")


@pytest.mark.parametrize("problem", [Corners(), Plain()], ids=["numbers", "states"])
def test_states_that_machine_code_misses_far_from_the_start(problem, monkeypatch):
    own = RankedLayers.grow

    def ends_early(self):
        return (yield from own(self)) if self.depth < 5 else 0

    monkeypatch.setattr(RankedLayers, "grow", ends_early)
    monkeypatch.setattr("searchkit.compiled.layers.ranked.STATES_PER_THREAD", 0)  # layer by layer
    with pytest.raises(LawError, match=r"a step from \d+, was not reached") as caught:
        explored(problem)
    assert caught.value.law == "machine-code"


def test_layers_near_the_start_are_counted_by_the_rules(monkeypatch):
    own = RankedLayers.enter

    def miscounted(self, states, canonical=None):
        own(self, states - (self.depth == 1), states)

    monkeypatch.setattr(RankedLayers, "enter", miscounted)
    with pytest.raises(LawError, match="layer 2 has 44 states, but 45 by the rules in Python"):
        explored(Corners())


def test_promises_are_looked_at_far_from_the_start():
    class WrongAtTheEnd(Plain):
        def unrank(self, index):
            return 1023 - index if index else 7

    with pytest.raises(
        ProblemError, match=r"unrank\(0\) gives a state whose rank is 1016, in state 0x7"
    ):
        explored(WrongAtTheEnd())


def test_few_states_are_asked(monkeypatch):
    asked = []

    class Noted(Corners):
        def is_goal(self, state):
            asked.append(state)
            return super().is_goal(state)

    assert explored(Noted()).layers == LAYERS
    assert 32 <= len(set(asked)) < 50 < CORNERS
