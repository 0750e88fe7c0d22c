"""A walk round a ring of places, as a packed problem with control states and a heuristic.

The state is the place, and so is the control state: `next_control` and `inverse` say what the
operators do to it, so that searches need not ask the state. `estimate` looks up a distance.

    searchkit run examples/ring.py --algo idastar
"""

from typing import NamedTuple

from searchkit import PackedHeuristic, PackedProblem, hookimpl

PLACES = 12


class Ring(NamedTuple):
    """What the kernels look up."""

    goal: int
    distances: tuple[int, ...]


class Walk(PackedProblem[str]):
    """Operator n goes on by n places, modulo the length of the ring."""

    undirected = True
    controls = PLACES
    tables = Ring(goal=7, distances=(5, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4))

    def initial_states(self):
        return [0]

    def operators(self, control):
        return (1, PLACES - 1)

    def action(self, state, operator):
        return "left" if operator == 1 else "right"

    def next_control(self, control, operator):
        return (control + operator) % PLACES

    def inverse(self, control, operator):
        return PLACES - operator

    def control(self, state):
        return state

    def at_goal(self, state):
        return state == self.tables.goal

    def apply(self, state, control, operator):
        return (state + operator) % PLACES

    def default_heuristic(self):
        return AlongTheRing()


class AlongTheRing(PackedHeuristic):
    """How far the goal is along the ring."""

    name = "along the ring"
    tables = Walk.tables

    def estimate(self, state):
        return self.tables.distances[state]


@hookimpl
def searchkit_register_puzzles(register):
    register("ring", Walk, summary="a walk round a ring of twelve places")
