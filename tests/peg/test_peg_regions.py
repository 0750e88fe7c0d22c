"""Full regions: where the bound comes from, and that it never says too much."""

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import INFINITY
from searchkit.transforms import ChainMoves, MoverState
from searchkit_peg import HOPPERS, PegSolitaire, hoppers
from searchkit_peg.board import cells_of
from searchkit_peg.boards import BOARDS, ENGLISH, triangle


@pytest.mark.parametrize("board", [*BOARDS.values(), triangle(5)], ids=lambda board: board.name)
def test_regions_keep_their_pegs_until_one_moves(board):
    taken = 0
    for region in board.regions:
        assert not region & taken
        taken |= region
        for jump in board.jumps:
            if region >> jump.over & 1:
                assert (region >> jump.start | region >> jump.land) & 1
    assert len(board.regions) >= 4


def test_regions_of_the_english_board():
    assert len(ENGLISH.regions) == 12
    corners = [cells_of(region)[0] for region in ENGLISH.regions if region.bit_count() == 1]
    assert corners == [0, 2, 6, 12, 20, 26, 30, 32]
    problem = PegSolitaire.single_vacancy(ENGLISH, 16)
    assert problem.chain_bound(problem.start) == 12


def backward_distances(problem, goal):
    far, queue = {goal: 0}, deque([goal])
    while queue:
        state = queue.popleft()
        for step in problem.predecessors(state):
            if step.state not in far:
                far[step.state] = far[state] + 1
                queue.append(step.state)
    return far


def test_admissible_and_consistent_on_all_of_hoppers():
    base = PegSolitaire.single_vacancy(HOPPERS, 6)
    problem = ChainMoves(base)
    distances = backward_distances(problem, base.goals[0])
    assert len(distances) > 2000
    for state, distance in distances.items():
        assert base.chain_bound(state) <= distance
    for state in list(distances)[::7]:
        for step in problem.successors(state):
            assert base.chain_bound(state) <= 1 + base.chain_bound(step.state)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**15 - 1), st.integers(0, 14))
def test_admissible_on_the_triangle(pegs, last):
    base = PegSolitaire(triangle(5), pegs, (1 << last,))
    problem = ChainMoves(base)
    far, queue = {pegs: 0}, deque([pegs])
    while queue and len(far) < 3000:
        state = queue.popleft()
        if state == 1 << last:
            assert base.chain_bound(pegs) <= far[state]
            return
        for step in problem.successors(state):
            if step.state not in far:
                far[step.state] = far[state] + 1
                queue.append(step.state)


def test_with_the_moving_peg_kept():
    """A peg that goes on pays nothing for the region it stands in."""
    problem = hoppers("mover")
    assert isinstance(problem, MoverState)
    (start,) = problem.initial_states()
    seen = {start: 0}
    queue = deque([start])
    while queue and len(seen) < 1500:
        state = queue.popleft()
        for step in problem.successors(state):
            here, there = problem.heuristic(state), problem.heuristic(step.state)
            assert there == INFINITY or here <= step.cost + there
            if step.state not in seen:
                seen[step.state] = 0
                queue.append(step.state)
