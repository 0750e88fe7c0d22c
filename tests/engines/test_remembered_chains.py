"""The reference engines of iterative deepening remember the chains out of states, within limits."""

from __future__ import annotations

from collections import Counter

import pytest

from searchkit import IDDFS, Limits, solve
from searchkit.reference import depth_first
from searchkit.transforms import ChainMoves
from searchkit_peg import hoppers
from tests.support.both_engines import answer

SHALLOW = Limits(cost=5)


def noted(monkeypatch, name):
    """The states that a method of chains is asked about from now on."""
    asked = []
    method = getattr(ChainMoves, name)

    def noting(self, state):
        asked.append(state)
        return method(self, state)

    monkeypatch.setattr(ChainMoves, name, noting)
    return asked


def test_chains_of_a_state_are_listed_once(monkeypatch):
    asked = noted(monkeypatch, "successors")
    result = solve(hoppers(), IDDFS(), engine="reference", limits=SHALLOW)
    assert max(Counter(asked).values()) <= 4  # premises ask, and ask again
    assert result.statistics.expanded > len(asked)


def test_whether_a_state_is_a_goal_is_asked_in_one_round(monkeypatch):
    asked = noted(monkeypatch, "is_goal")
    result = solve(hoppers(), IDDFS(), engine="reference", limits=SHALLOW)
    assert result.statistics.expanded > len(asked)


@pytest.mark.slow_variants("4096-3", "5-256")
@pytest.mark.parametrize(("states", "steps"), [(0, 256), (5, 256), (4096, 1), (4096, 3)])
def test_what_is_not_remembered_is_listed_again(monkeypatch, states, steps):
    expected = answer(solve(hoppers(), IDDFS(), engine="reference", limits=SHALLOW))
    monkeypatch.setattr(depth_first, "REMEMBERED", states)
    monkeypatch.setattr(depth_first, "MOST_REMEMBERED", steps)
    assert answer(solve(hoppers(), IDDFS(), engine="reference", limits=SHALLOW)) == expected
