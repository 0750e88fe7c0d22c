"""Machine code lists the chains that `ChainMoves` lists, in its order."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDDFS, ProblemError, UniformCost, solve
from searchkit.compiled.specialise.kernels import successors
from searchkit.compiled.specialise.kernels.children import NO_ROOM
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.plain import plainly
from searchkit.compiled.specialise.prepare import specialise
from searchkit.errors import CompilationError
from searchkit.packed import PackedProblem
from searchkit.transforms import ChainMoves, packed_chains
from tests.support.both_engines import agree
from tests.support.toggle_spaces import Pieces, pegs, wandering_pieces


def listed(problem, states, room):
    """The successors of states until there is no room, and how many of them those are of."""
    spec = specialise(problem, None, (successors,), LEAST_COST=1, MOST_COST=1)
    children, ends = spec.children(room), np.zeros(len(states), dtype=np.int64)
    rows = spec.states(states)
    count = spec.module.successors_of(spec.head[0], spec.lists, rows, children, ends)
    assert count == len(states) or ends[count] == NO_ROOM
    made = ends[count - 1] if count else 0
    return count, [python_state(row) for row in children.states[:made]]


def reached(problem, most=60):
    """States that can be reached, the nearest first."""
    states = dict.fromkeys(problem.initial_states())
    for state in list(states):
        states |= {step.state: None for step in problem.successors(state)}
    return list(states)[:most]


def check(problem, room=400):
    states = reached(problem)
    count, found = listed(problem, states, room)
    expected = [[step.state for step in problem.successors(state)] for state in states]
    assert found == list(chain.from_iterable(expected[:count]))
    assert count == len(states) or len(found) + len(expected[count]) > room


@settings(deadline=None, max_examples=120)
@given(pegs() | wandering_pieces(), st.sampled_from([400, 9, 1, 0]))
def test_chains_are_listed_as_in_python(space, room):
    check(ChainMoves(Pieces(*space)), room)


class DanceTables(NamedTuple):
    steps: tuple[int, ...]


class Dance(PackedProblem[int]):
    """Two pieces on a ring of five places, one word each; the first word's parity is the control.

    Operators 0 and 1 move the first piece, 2 and 3 the second; in control state 1 they are listed
    the other way round.
    """

    words = 2
    controls = 2
    tables = DanceTables((1, 4, 1, 4))

    def initial_states(self):
        return [(0, 0), (3, 1)]

    def operators(self, control):
        return (3, 2, 1, 0) if control else (0, 1, 2, 3)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state[0] == 2

    def control(self, state):
        return state[0] & 1

    def legal(self, state, control, operator):
        return state[0] != state[1] or operator != 1

    def apply(self, state, control, operator):
        if operator < 2:
            return (state[0] + self.tables.steps[operator]) % 5, state[1]
        return state[0], (state[1] + self.tables.steps[operator]) % 5

    def moved_from(self, control, operator):
        return 7 if operator < 2 else 200

    def moved_to(self, control, operator):
        return 7 if operator < 2 else 200

    def piece_before(self, action):
        return self.moved_from(0, action)

    piece_after = piece_before

    def format_chain(self, actions):
        return str(actions)


@pytest.mark.parametrize("room", [1000, 7])
def test_several_words_and_control_states(room):
    with plainly():
        check(ChainMoves(Dance()), room)


def test_chains_may_be_longer_than_machine_code_takes(monkeypatch):
    problem = ChainMoves(Dance())
    monkeypatch.setattr(packed_chains, "CELLS", 4 * 4)
    with plainly(), pytest.raises(CompilationError, match=r"ChainMoves: chains of more than 4 "):
        solve(problem, IDDFS(), engine="compiled")
    monkeypatch.setattr(packed_chains, "CELLS", 5 * 4)
    with plainly():
        agree(problem, UniformCost(), want="count")


def test_control_states_within_a_chain_are_looked_at():
    class Lost(Dance):
        def control(self, state):
            return 2 if state == (1, 1) else state[0] & 1

    with plainly(), pytest.raises(ProblemError, match=r"control\(\(1, 1\)\) .* 0 to"):
        solve(ChainMoves(Lost()), UniformCost(), engine="compiled")


def test_pieces_must_have_small_numbers():
    class Odd(Dance):
        def moved_to(self, control, operator):
            return 256 if operator == 3 else 200

    with pytest.raises(ProblemError, match=r"Odd: moved_to\(0, 3\) is 256; pieces are numbered"):
        listed(ChainMoves(Odd()), [(0, 0)], 10)
