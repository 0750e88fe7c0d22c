"""The kernels of a problem, as functions of its tables `P`, and what is known of it."""

from __future__ import annotations

from typing import Any

from searchkit.compiled.specialise.names import State, Tables, Word, parameter

WORDS = parameter()
"""The words of a state."""
ALWAYS_LEGAL = parameter()
"""Whether every listed operator is legal: the problem does not define `legal`."""
UNIT_COSTS = parameter()
"""Whether every step costs 1: the problem does not define `cost`."""
LEAST_COST = parameter()
MOST_COST = parameter()
"""The range of the costs of a step."""
ASKED = parameter()
"""How many of the first states are asked for the control state that `next_control` foretold."""
KEEPS_OPERATORS = parameter()
"""Whether the heuristic looks at the operators of steps, so that these are listed as well."""
FENCED = parameter()
"""Whether kernels raise errors for numbers out of range: then they may be asked about legal steps
out of states that a search expands, and no others."""
STATIC = parameter()
"""Whether the operator lists know the control state after every step."""


def at_goal(P: Tables, state: State) -> Any:
    """Whether the state is a goal."""


def legal(P: Tables, state: State, control: Word, operator: Word) -> Any:
    """Whether the operator can be applied."""


def apply(P: Tables, state: State, control: Word, operator: Word) -> State:
    """The state that a legal operator leads to."""


def cost(P: Tables, state: State, control: Word, operator: Word) -> Word:
    """The cost of a step."""


def expand(P: Tables, state: State, children: Any, made: Word) -> Word:
    """Put the children of the state behind `made` others; how many there are then, or why not."""


def rank(P: Tables, state: State) -> Word:
    """The number of a state."""


def unrank(P: Tables, rank: Word) -> State:
    """The state of a number."""


def rank_after(P: Tables, index: Word, control: Word, operator: Word) -> Word:
    """The number of the child of the state with a number."""


def aim(P: Tables, target: State) -> State:
    """What is looked up of a target, once for many states."""


def bound_to(P: Tables, state: State, aim: State) -> Word:
    """A lower bound on the number of steps from the state to a target."""


def bound_change(
    P: Tables, state: State, control: Word, operator: Word, child: State, aim: State
) -> Word:
    """The bound of the child less that of the state."""


def moved_from(P: Tables, control: Word, operator: Word) -> Word:
    """The piece that an operator moves, as it is before."""


def moved_to(P: Tables, control: Word, operator: Word) -> Word:
    """The piece that an operator moves, as it is after."""


def control(P: Tables, state: State) -> Word:
    """The control state, checked: what it decides is looked up without a check."""


def compare_control(P: Tables, state: State, expected: Word) -> None:
    """Ask the state for its control state, which must be what `next_control` said."""
