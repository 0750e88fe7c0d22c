"""Chains on small random problems whose pieces wander, meet goals and run in circles."""

import pickle
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Costs, ParseError, Problem, ProblemError, Step, UnsuitableError
from searchkit.capabilities import (
    HasCertificate,
    HasCertificateChecks,
    HasChainBound,
    HasGoal,
    HasGoalStates,
    HasParse,
    HasPredecessors,
    HasRandomState,
    HasSlowRules,
    HasStart,
    HasSymmetries,
    Symmetry,
)
from searchkit.certificates import Certificate
from searchkit.transforms import ChainMoves, Moved, MoverState

CAPABILITIES = (
    HasCertificate,
    HasCertificateChecks,
    HasChainBound,
    HasGoal,
    HasGoalStates,
    HasParse,
    HasPredecessors,
    HasRandomState,
    HasSlowRules,
    HasStart,
    HasSymmetries,
)


SINK = Certificate("sink", "there is no way out")


class Graph(Problem):
    """Any labelled graph; an edge is (from, name, to, piece before, piece after)."""

    def __init__(self, edges, goals, start=0):
        self.edges, self.goals, self.start = edges, goals, start

    def initial_states(self):
        return [self.start]

    def is_goal(self, state):
        return state in self.goals

    def successors(self, state):
        return [Step(edge, edge[2]) for edge in self.edges if edge[0] == state]

    def piece_before(self, action):
        return action[3]

    def piece_after(self, action):
        return action[4]

    def format_chain(self, actions):
        return "+".join(str(action[1]) for action in actions)


class TwoWayGraph(Graph):
    def predecessors(self, state):
        return [Step(edge, edge[0]) for edge in self.edges if edge[2] == state]

    def goal_states(self):
        return sorted(self.goals)

    def with_start(self, state):
        return TwoWayGraph(self.edges, self.goals, state)

    def with_goal(self, state):
        return TwoWayGraph(self.edges, {state}, self.start)

    def parse(self, text):
        if not text.isdecimal():
            raise ParseError(f"{text!r} is not a number")
        return int(text)

    def certificate(self, state):
        return SINK if not self.successors(state) else None

    def check_certificate(self, start, certificate):
        return None if self.certificate(start) == certificate else "there is a way out"

    def random_state(self, rng):
        return rng.choice(sorted(self.goals))


class Restartable(Graph):
    """Where only the transform changes with the start."""

    def with_start(self, state):
        return self


@st.composite
def graphs(draw, graded=False):
    size = draw(st.integers(2, 6))
    pieces = st.integers(0, 2)
    nodes = st.integers(0, size - 1)
    edges = []
    for name in range(draw(st.integers(1, 10))):
        one, other = draw(nodes), draw(nodes)
        if graded:
            if one == other:
                continue
            one, other = min(one, other), max(one, other)
        edges.append((one, name, other, draw(pieces), draw(pieces)))
    return TwoWayGraph(tuple(edges), frozenset(draw(st.sets(nodes))))


def chains_by_definition(graph, size=6):
    """(state, chain, state) from every sequence of edges that keeps the rules."""
    found = set()

    def extend(chain):
        states = [chain[0][0], *(edge[2] for edge in chain)]
        follows = all(a[2] == b[0] and a[4] == b[3] for a, b in pairwise(chain))
        if not follows or len(set(states)) < len(states):
            return
        if any(graph.is_goal(state) for state in states[1:-1]):
            return
        found.add((states[0], chain, states[-1]))
        for edge in graph.edges:
            extend((*chain, edge))

    for edge in graph.edges:
        extend((edge,))
    return found


@given(graphs())
def test_chains_are_as_defined_in_both_directions(graph):
    problem = ChainMoves(graph)
    forward = [
        (state, step.action, step.state) for state in range(6) for step in problem.successors(state)
    ]
    backward = [
        (step.state, step.action, state)
        for state in range(6)
        for step in problem.predecessors(state)
    ]
    assert len(forward) == len(set(forward))
    assert len(backward) == len(set(backward))
    assert set(forward) == set(backward) == chains_by_definition(graph)


@given(graphs())
def test_chains_come_depth_first_each_after_its_prefix(graph):
    order = {edge: place for place, edge in enumerate(graph.edges)}
    for state in range(6):
        chains = [step.action for step in ChainMoves(graph).successors(state)]
        ranks = [tuple(order[edge] for edge in chain) for chain in chains]
        assert ranks == sorted(ranks)


def cheapest(problem):
    """The least cost to a goal, by Bellman-Ford: over and over until nothing falls."""
    (start,) = problem.initial_states()
    cost = {start: 0}
    falling = True
    while falling:
        falling = False
        for state in list(cost):
            for _, after, step_cost in problem.successors(state):
                if cost[state] + step_cost < cost.get(after, 10**6):
                    cost[after] = cost[state] + step_cost
                    falling = True
    return min((c for state, c in cost.items() if problem.is_goal(state)), default=None)


@settings(max_examples=200)
@given(graphs(graded=True))
def test_both_models_cost_the_same_on_graded_problems(graph):
    assert cheapest(ChainMoves(graph)) == cheapest(MoverState(graph))


def test_a_chain_ends_at_a_goal_and_may_start_at_one():
    edges = ((0, "a", 1, "p", "p"), (1, "b", 2, "p", "p"), (2, "c", 3, "p", "p"))
    graph = TwoWayGraph(edges, {1})
    problem = ChainMoves(graph)
    assert [problem.format_action(step.action) for step in problem.successors(0)] == ["a"]
    assert [problem.format_action(step.action) for step in problem.successors(1)] == ["b", "b+c"]
    assert [problem.format_action(step.action) for step in problem.predecessors(3)] == ["c", "b+c"]
    assert [problem.format_action(step.action) for step in problem.predecessors(2)] == ["b"]


def test_a_piece_does_not_run_in_circles():
    edges = ((0, "a", 1, "p", "p"), (1, "b", 0, "p", "p"), (1, "loop", 1, "p", "p"))
    problem = ChainMoves(TwoWayGraph(edges, set()))
    assert [problem.format_action(step.action) for step in problem.successors(0)] == ["a"]
    assert [problem.format_action(step.action) for step in problem.predecessors(0)] == ["b"]
    assert [problem.format_action(step.action) for step in problem.successors(1)] == ["b"]


def offered(problem):
    return {capability for capability in CAPABILITIES if isinstance(problem, capability)}


def test_a_transform_offers_what_its_base_can_do_and_no_more():
    plain, rich = Graph((), {1}), TwoWayGraph((), {1})
    assert offered(ChainMoves(plain)) == offered(MoverState(plain)) == set()
    assert offered(ChainMoves(rich)) == {
        HasPredecessors,
        HasGoalStates,
        HasStart,
        HasGoal,
        HasParse,
        HasCertificate,
        HasCertificateChecks,
        HasRandomState,
    }
    assert offered(MoverState(rich)) == {
        HasStart,
        HasGoal,
        HasParse,
        HasCertificate,
        HasCertificateChecks,
        HasRandomState,
    }
    assert not hasattr(ChainMoves(rich), "grade")
    assert not hasattr(ChainMoves(rich), "symmetries")


@pytest.mark.parametrize("transform", [ChainMoves, MoverState])
def test_a_base_without_pieces_is_refused(transform):
    class Count(Problem):
        def initial_states(self):
            return [0]

        def successors(self, state):
            return [Step("+", state + 1)]

        def is_goal(self, state):
            return state == 3

    with pytest.raises(UnsuitableError, match="Count does not say which piece an action moves"):
        transform(Count())


def test_starts_goals_and_texts():
    graph = TwoWayGraph(((0, "a", 1, "p", "q"), (1, "b", 2, "q", "r"), (1, "c", 2, "s", "s")), {2})
    chain = ChainMoves(graph)
    assert list(chain.with_start(1).initial_states()) == [1]
    assert chain.with_goal(1).is_goal(1)
    assert not chain.with_goal(1).is_goal(2)
    assert chain.parse("2") == 2
    assert chain.certificate(2) == SINK
    assert chain.check_certificate(2, SINK) is None
    assert chain.heuristic(0) == 0
    assert chain.costs is Costs.UNIT
    assert chain.render(1) == chain.format_state(1) == "1"
    assert chain.random_state(random.Random(1)) == 2
    mover = MoverState(graph)
    assert mover.parse("1") == Moved(1)
    assert mover.parse("1@q") == Moved(1, "q")
    assert mover.format_state(Moved(1, "q")) == "1@q"
    assert mover.render(Moved(1, "q")) == "1"
    assert mover.random_state(random.Random(1)) == Moved(2)
    with pytest.raises(ParseError, match=r"'r' in '1@r' is not a place of a piece .* known: q, s"):
        mover.parse("1@r")
    assert mover.certificate(Moved(2, "r")) == SINK
    assert mover.check_certificate(Moved(2, "r"), SINK) is None
    assert mover.check_certificate(Moved(1, "q"), SINK) == "there is a way out"
    moved = mover.with_start(Moved(1, "q"))
    assert list(moved.initial_states()) == [Moved(1, "q")]
    assert [step.cost for step in moved.successors(Moved(1, "q"))] == [0, 1]
    assert list(moved.with_goal(Moved(1)).initial_states()) == [Moved(1, "q")]
    assert moved.with_goal(Moved(1)).is_goal(Moved(1, "z"))
    assert list(mover.with_start(Moved(1)).initial_states()) == [Moved(1)]
    assert [step.cost for step in mover.successors(Moved(1))] == [1, 1]
    assert moved != mover


def test_transforms_are_values():
    graph = TwoWayGraph((), {1})
    assert ChainMoves(graph) == ChainMoves(graph)
    assert hash(ChainMoves(graph)) == hash(ChainMoves(graph))
    assert ChainMoves(graph) != MoverState(graph)
    assert repr(ChainMoves(graph)).startswith("ChainMoves(")
    with_self = Restartable((), {1})
    moved = MoverState(with_self).with_start(Moved(1, "q"))
    assert moved == MoverState(with_self).with_start(Moved(1, "q"))
    assert hash(moved) == hash(MoverState(with_self).with_start(Moved(1, "q")))
    assert moved != MoverState(with_self).with_start(Moved(1, "p"))
    assert moved != MoverState(with_self)
    copy = pickle.loads(pickle.dumps(ChainMoves(TwoWayGraph(((0, "a", 1, "p", "p"),), {1}))))
    assert [step.state for step in copy.predecessors(1)] == [0]


def test_a_place_that_no_action_names_cannot_be_mapped():
    class Symmetric(TwoWayGraph):
        def symmetries(self):
            return [Symmetry("identity", lambda state: state, lambda action: action)]

    (symmetry,) = MoverState(Symmetric(((0, "a", 1, "p", "q"),), {1})).symmetries()
    assert symmetry.state_map(Moved(1, "q")) == Moved(1, "q")
    assert symmetry.state_map(Moved(0, "p")) == Moved(0, "p")
    with pytest.raises(ProblemError, match="no piece can have moved to 'z' in 0"):
        symmetry.state_map(Moved(0, "z"))
