"""Lamps in a ring: a switch flips three lamps, and all are to be out.

The state is one word with a bit for each lamp. `toggles` says which bits an operator flips, so that
`explore` keeps a layer as a bitmap; `symmetries` turns the ring.

    searchkit explore examples/lamps.py
    searchkit run examples/lamps.py --count
"""

from searchkit import PackedProblem, hookimpl
from searchkit.capabilities import Symmetry

LAMPS = 12
FULL = (1 << LAMPS) - 1


class Ring(PackedProblem[int]):
    """Operator i flips the lamps i, i + 1 and i + 2."""

    undirected = True

    def initial_states(self):
        return [FULL]

    def goal_states(self):
        return [0]

    def operators(self, control):
        return range(LAMPS)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 0

    def toggles(self):
        return [(0b111 << i | 0b111 >> LAMPS - i) & FULL for i in range(LAMPS)]

    def apply(self, state, control, operator):
        return state ^ (7 << operator | 7 >> LAMPS - operator) & FULL

    def symmetries(self):
        for turn in range(LAMPS):
            bits = tuple((i + turn) % LAMPS for i in range(LAMPS))
            yield Symmetry(
                f"turned by {turn}",
                lambda state, turn=turn: (state << turn | state >> LAMPS - turn) & FULL,
                lambda action, turn=turn: (action + turn) % LAMPS,
                bits,
            )


@hookimpl
def searchkit_register_puzzles(register):
    register("lamps", Ring, summary="lamps in a ring, of which a switch flips three")
