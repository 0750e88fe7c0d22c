"""Which searches of packed problems run as machine code, and why the others do not: all of them.

A search that loses its compiled engine is slower by a factor of a hundred, and nothing else shows.
"""

from __future__ import annotations

import itertools

import pytest

from searchkit import (
    IDDFS,
    Anytime,
    AStar,
    BeamSearch,
    BIDAStar,
    Bidirectional,
    BreadthFirst,
    CompleteBeam,
    Costs,
    GreedyBestFirst,
    Heuristic,
    IDAStar,
    UniformCost,
    UnsuitableError,
    WeightedAStar,
    WeightedIDAStar,
)
from searchkit.algorithms import ALGORITHMS
from searchkit.capabilities import own_heuristic
from searchkit.heuristics.maximum import maximum
from searchkit.packed import PackedProblem, ZeroHeuristic
from searchkit.solving.plan import plan
from searchkit.transforms import ChainMoves, MoverState, fix_first_step
from searchkit_peg import hoppers
from searchkit_sliding import eight_puzzle
from tests.compiled.test_chain_successors import Dance
from tests.compiled.test_fixed_first_step import Grid, GridTables, UnitGrid, WideGrid
from tests.support.carried import OneWord
from tests.support.packed_graphs import (
    CarriedEstimate,
    ExpandedGraph,
    ExpandedUnitGraph,
    Graph,
    GraphTables,
    TableEstimate,
    UnitGraph,
    WideExpandedGraph,
    WideGraph,
)

EDGE = GraphTables(((1, -1, -1, -1), (-1,) * 4), ((1,) * 4,) * 2, (0, 1))
CORNERS = GridTables(tuple(int(cell in (0, 4, 20, 24)) for cell in range(25)), (1,) * 25)


class ZeroOne(Graph):
    costs = Costs.ZERO_ONE


class Directed(UnitGraph):
    """Whose steps can be followed backwards by Python alone."""

    def goal_states(self):
        return [1]

    def predecessors(self, state):
        return [] if state == 0 else [(0, 0, 1)]


class WideUnit(WideGrid):
    costs, cost, goal_states = Costs.UNIT, PackedProblem.cost, UnitGrid.goal_states


class TwoWayDance(Dance):
    def goal_states(self):
        return [(2, 0)]

    def predecessors(self, state):
        return []


def by_operators(self, state):
    """A kernel `expand` of problems that have operators as well."""
    for operator in range(4):
        if self.legal(state, 0, operator):
            yield operator, self.apply(state, 0, operator)


class ByExpand(Dance):
    controls = 1
    expand = by_operators


class GridByExpand(UnitGrid):
    expand = by_operators


class Plain(Heuristic):
    name = "plain"

    def __call__(self, state):
        return 0


PROBLEMS = {
    "unit costs": UnitGraph(EDGE, (0,)),
    "several starts": UnitGraph(EDGE, (0, 1)),
    "costs": Graph(EDGE, (0,)),
    "zero costs": ZeroOne(EDGE, (0,)),
    "several words": WideGraph(EDGE, (0,)),
    "several words, undirected": WideUnit(CORNERS),
    "predecessors": Directed(EDGE, (0,)),
    "control states": eight_puzzle(),
    "steps by expand": ExpandedUnitGraph(EDGE, (0,)),
    "costs by expand": ExpandedGraph(EDGE, (0,)),
    "words by expand": WideExpandedGraph(EDGE, (0,)),
    "chains by expand": ChainMoves(ByExpand()),
    "first step by expand": fix_first_step(GridByExpand(CORNERS)),
    "toggles": hoppers("jumps"),
    "chains of toggles": hoppers(),
    "chains of words": ChainMoves(Dance()),
    "chains with predecessors": ChainMoves(TwoWayDance()),
    "mover": hoppers("mover"),
    "mover of words": MoverState(Dance()),
    "first step": fix_first_step(Grid(CORNERS)),
    "first step, unit costs": fix_first_step(UnitGrid(CORNERS)),
    "first step of toggles": fix_first_step(hoppers("jumps")),
    "first step of chains": fix_first_step(hoppers()),
    "first step of a mover": fix_first_step(hoppers("mover")),
}
SEARCHES = {
    "bfs": BreadthFirst(),
    "bfs, symmetry": BreadthFirst(symmetry="auto"),
    "bidirectional": Bidirectional(),
    "bidirectional, symmetry": Bidirectional(symmetry="auto"),
    "ucs": UniformCost(),
    "astar": AStar(),
    "greedy": GreedyBestFirst(),
    "wastar": WeightedAStar(),
    "anytime": Anytime(),
    "beam": BeamSearch(),
    "cabs": CompleteBeam(),
    "iddfs": IDDFS(),
    "idastar": IDAStar(),
    "bida": BIDAStar(),
    "widastar": WeightedIDAStar(),
    "iddfs, table": IDDFS(table="1MB"),
    "idastar, table, symmetry": IDAStar(table="1MB", symmetry="auto"),
}
SYMMETRIC = ("bfs, symmetry", "bidirectional, symmetry")
TWO_ENDS = ("bidirectional", "bidirectional, symmetry", "bida")
SYMMETRIES, PREDECESSORS = (
    f"{what} are compiled for toggles alone"
    for what in ("symmetries", "predecessors of packed states")
)
NOT_PACKED = "a symmetry does not say where"
DIRECTED = dict.fromkeys(TWO_ENDS, PREDECESSORS)
NOT_COMPILED = {
    "several words, undirected": dict.fromkeys(SYMMETRIC, NOT_PACKED),
    "predecessors": dict(DIRECTED),
    "control states": {"bfs, symmetry": NOT_PACKED},
    "chains with predecessors": {"bfs, symmetry": SYMMETRIES, **DIRECTED},
    "chains by expand": dict.fromkeys(
        [name for name in SEARCHES if name not in (*SYMMETRIC, "bidirectional")],
        "ByExpand lists its steps by expand",
    ),
    "first step by expand": dict.fromkeys(SEARCHES, "FirstStepFixed is not a PackedProblem"),
    "mover of words": dict.fromkeys(
        [name for name in SEARCHES if name not in ("bfs", "bfs, symmetry", *TWO_ENDS)],
        "MoverState is a PackedProblem only of one with states of one word",
    ),
}
"""By problem and search, a part of the reason; all else is compiled."""
for each in (
    "several words", "several words, undirected", "control states", "words by expand",
    "chains of words", "chains by expand", "chains with predecessors", "mover",
    "first step of a mover",
):  # fmt: skip
    NOT_COMPILED.setdefault(each, {})["idastar, table, symmetry"] = NOT_PACKED
for each in (
    "predecessors", "toggles", "chains of toggles", "chains with predecessors",
    "first step of toggles", "first step of chains",
):  # fmt: skip
    NOT_COMPILED.setdefault(each, {})["bida"] = "predecessors of packed states are not compiled"
del NOT_COMPILED["chains by expand"]["bida"]


def test_all_algorithms_are_here():
    assert {search.name for search in SEARCHES.values()} == set(ALGORITHMS)


@pytest.mark.parametrize(("kind", "name"), [*itertools.product(PROBLEMS, SEARCHES)])
def test_what_is_compiled(kind, name):
    problem, search = PROBLEMS[kind], SEARCHES[name]
    expected = NOT_COMPILED.get(kind, {}).get(name)
    try:
        search.check(problem)
    except UnsuitableError:
        assert expected is None  # no engine takes it
        return
    heuristic = own_heuristic(problem) if search.uses_heuristic else ZeroHeuristic()
    made = plan(problem, search, heuristic)
    if expected is None:
        assert (made.kind, made.reason) == ("compiled", None)
    else:
        assert made.kind == "reference"
        assert expected in made.reason


table, other = TableEstimate((0, 0)), CarriedEstimate((0, 0))
HEURISTICS = {
    "a table": (table, None),
    "carried": (other, None),
    "words remembered": (OneWord((0, 0), (0, 0)), None),
    "the largest of several": (maximum(table, other, OneWord((0, 0), (0, 0))), None),
    "in plain Python": (Plain(), "heuristic plain is not a PackedHeuristic"),
    "partly in plain Python": (maximum(table, Plain()), "is not a PackedHeuristic"),
}


@pytest.mark.parametrize("kind", HEURISTICS)
@pytest.mark.parametrize("name", [each for each in SEARCHES if SEARCHES[each].uses_heuristic])
def test_with_which_heuristics(kind, name):
    heuristic, expected = HEURISTICS[kind]
    kind = "several words, undirected" if name == "bida" else "unit costs"
    made = plan(PROBLEMS[kind], SEARCHES[name], heuristic)
    assert made.kind == ("reference" if expected else "compiled")
    assert expected is None or expected in made.reason
