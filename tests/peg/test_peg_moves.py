"""Hoppers by moves: the two right models, the published solutions, and the classic bug."""

import pytest

from searchkit import Costs, Problem, Step
from searchkit.capabilities import (
    HasGoalStates,
    HasPredecessors,
    HasSlowRules,
    HasSymmetries,
)
from searchkit.transforms import fix_first_step
from searchkit_peg import hoppers
from searchkit_peg.board import Jump
from tests.support.peg_naive import (
    jumps_problem,
    layers,
    optimal_solutions,
    to_goal,
    zero_one_distances,
)


@pytest.fixture(scope="module")
def chain():
    return hoppers("chain")


@pytest.fixture(scope="module")
def mover():
    return hoppers("mover")


@pytest.fixture(scope="module")
def chain_states(chain):
    return zero_one_distances(chain)


def as_cells(solution):
    """The moves of a chain solution as lists of cells."""
    return [[move[0].start, *(jump.land for jump in move)] for move in solution]


def joined(jumps):
    """Jumps of one peg in a row joined to moves, as lists of cells."""
    moves = []
    for jump in jumps:
        if moves and moves[-1][-1] == jump.start:
            moves[-1].append(jump.land)
        else:
            moves.append([jump.start, jump.land])
    return moves


def test_chain_layers(chain, facts):
    sizes = layers(chain)
    assert sizes == [1, 4, 12, 64, 282, 828, 844, 299, 10]
    assert sum(sizes) == facts["reachable_boards"]
    # What a breadth-first search that stops at the first goal has seen: 7 layers of moves.
    assert sum(sizes[:8]) == facts["chain_model_states"] == 2334


def test_mover_states(mover, facts):
    assert mover.costs is Costs.ZERO_ONE
    distance = zero_one_distances(mover)
    assert len(distance) == facts["mover_state_model_states"] == 6040
    goals = [state for state in distance if mover.is_goal(state)]
    assert min(distance[state] for state in goals) == facts["optimal_moves"] == 7


def test_the_published_solutions_in_the_published_order(chain, facts):
    fixed = fix_first_step(chain)
    assert list(fixed.initial_states()) == list(chain.initial_states())
    solutions = optimal_solutions(fixed)
    assert [as_cells(each) for each in solutions] == facts["optimal_solutions_first_jump_0_6"]
    assert len(solutions) == 18
    assert {fixed.orbit_size(each[0]) for each in solutions} == {4}
    assert sum(fixed.orbit_size(each[0]) for each in solutions) == 72


@pytest.mark.slow
def test_both_models_have_the_same_72_jump_sequences(chain, mover, facts):
    by_moves = optimal_solutions(chain)
    by_jumps = optimal_solutions(mover)
    assert len(by_moves) == len(by_jumps) == facts["optimal_solutions_nothing_fixed"] == 72
    flat = {tuple(jump for move in each for jump in move) for each in by_moves}
    assert flat == set(by_jumps)
    assert len(flat) == 72
    assert sorted(map(joined, by_jumps)) == sorted(map(as_cells, by_moves))
    fixed = fix_first_step(mover)
    assert list(map(joined, optimal_solutions(fixed))) == facts["optimal_solutions_first_jump_0_6"]
    assert fixed.orbit_size(Jump(0, 3, 6)) == 4


def test_solutions_modulo_symmetry(chain, facts):
    symmetries = list(chain.symmetries())
    classes = {
        min(tuple(map(symmetry.action_map, solution)) for symmetry in symmetries)
        for solution in optimal_solutions(chain)
    }
    assert len(classes) == facts["optimal_classes_modulo_symmetry"] == 9


class LastPegRemembered(Problem):
    """The classic bug: the board is the state, the peg that moved last a note beside it."""

    def __init__(self):
        self.base = jumps_problem()
        self.last = {self.base.start: None}
        self.cost = {self.base.start: 0}

    def initial_states(self):
        return [self.base.start]

    def is_goal(self, state):
        return self.base.is_goal(state)

    def successors(self, state):
        for jump, after, _ in self.base.successors(state):
            yield Step(jump, after, 0 if self.last[state] == jump.start else 1)


def test_the_classic_bug_says_8(facts):
    bug = LastPegRemembered()
    layer = [bug.base.start]
    best = None
    while layer:
        following = {}
        for state in layer:
            for jump, after, cost in bug.successors(state):
                found = bug.cost[state] + cost
                if found < bug.cost.get(after, found + 1):
                    bug.cost[after] = found
                    bug.last[after] = jump.land
                following[after] = None
                if bug.is_goal(after):
                    best = bug.cost[after]
        layer = list(following)
    assert best == facts["classic_bug_says"] == 8
    assert best != facts["optimal_moves"]


def test_chain_predecessors_invert_successors_exactly(chain, chain_states):
    assert isinstance(chain, HasPredecessors)
    forward = {
        (state, step.action, step.state)
        for state in chain_states
        for step in chain.successors(state)
    }
    backward = {
        (step.state, step.action, state)
        for state in chain_states
        for step in chain.predecessors(state)
        if step.state in chain_states
    }
    assert forward == backward
    # A reversed move is not a move on the complement of the board.
    full = chain.base.board.full
    (start,) = chain.initial_states()
    assert start == full & ~chain.base.goals[0]
    assert any(
        {full & ~step.state for step in chain.predecessors(state)}
        != {step.state for step in chain.successors(full & ~state)}
        for state in chain_states
    )


def test_actions_of_a_state_differ(chain, chain_states):
    for state in chain_states:
        texts = [chain.format_action(step.action) for step in chain.successors(state)]
        assert len(texts) == len(set(texts))


def test_chain_symmetries_commute_with_steps(chain, chain_states):
    assert isinstance(chain, HasSymmetries)
    for symmetry in chain.symmetries():
        for state in list(chain_states)[::3]:
            image = symmetry.state_map(state)
            assert {
                (symmetry.action_map(step.action), symmetry.state_map(step.state))
                for step in chain.successors(state)
            } == {(step.action, step.state) for step in chain.successors(image)}


@pytest.mark.parametrize("every", [40, pytest.param(5, marks=pytest.mark.slow)])
def test_mover_symmetries_commute_with_steps(mover, every):
    states = list(zero_one_distances(mover))[::every]
    for symmetry in mover.symmetries():
        for state in states:
            image = symmetry.state_map(state)
            assert {
                (symmetry.action_map(step.action), symmetry.state_map(step.state), step.cost)
                for step in mover.successors(state)
            } == set(mover.successors(image))


@pytest.mark.parametrize("model", ["chain", "mover"])
def test_the_bound_is_admissible_and_consistent_everywhere(model):
    problem = hoppers(model)
    states = zero_one_distances(problem)
    left = to_goal(problem, states)
    assert len(left) > 300
    for state in states:
        h = problem.heuristic(state)
        assert h <= left.get(state, float("inf"))
        for step in problem.successors(state):
            assert h <= step.cost + problem.heuristic(step.state)
    (start,) = problem.initial_states()
    assert problem.heuristic(start) == 4


@pytest.mark.slow_variants("chain-pegs 0,1,7", "chain-pegs 3")
@pytest.mark.spread
@pytest.mark.parametrize("goal", ["pegs 0", "pegs 0,12", "pegs 3", "pegs 0,1,7"])
@pytest.mark.parametrize("model", ["chain", "mover"])
def test_the_bound_holds_for_other_goals(model, goal):
    problem = hoppers(model)
    problem = problem.with_goal(problem.parse(goal))
    states = zero_one_distances(problem)
    left = to_goal(problem, states)
    for state in states:
        h = problem.heuristic(state)
        assert h <= left.get(state, float("inf"))
        for step in problem.successors(state):
            assert h <= step.cost + problem.heuristic(step.state)


@pytest.mark.parametrize("model", ["chain", "mover"])
@pytest.mark.parametrize("goal", ["pegs 6", "pegs 0,1,3,6,7"])
def test_slow_rules_agree_on_every_state(model, goal):
    problem = hoppers(model)
    problem = problem.with_goal(problem.parse(goal))
    assert isinstance(problem, HasSlowRules)
    slow = problem.slow_rules()
    (start,) = problem.initial_states()
    assert [slow.format_state(state) for state in slow.initial_states()] == [
        problem.format_state(start)
    ]
    for state in list(zero_one_distances(problem))[:: 5 if model == "chain" else 11]:
        text = problem.format_state(state)
        plain = slow.parse(text)
        assert slow.format_state(plain) == text
        assert slow.is_goal(plain) == problem.is_goal(state)
        assert sorted(
            (slow.format_action(step.action), slow.format_state(step.state), step.cost)
            for step in slow.successors(plain)
        ) == sorted(
            (problem.format_action(step.action), problem.format_state(step.state), step.cost)
            for step in problem.successors(state)
        )
    assert slow.costs is problem.costs


def test_what_the_models_can_do(chain, mover):
    assert isinstance(chain, HasGoalStates)
    assert not isinstance(mover, HasGoalStates)
    assert not isinstance(mover, HasPredecessors)
    (start,) = chain.initial_states()
    assert chain.render(start).splitlines()[2] == "●   ○   ●"
    assert chain.parse("vacant 6") == start
    assert chain.format_state(start) == "ooo/oo/o.o/oo/ooo"
    assert chain.certificate(1).text.startswith("as many pegs")
    assert chain.grade(start) == 12
