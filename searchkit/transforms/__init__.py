"""Transforms make a problem from a problem; they know no puzzle."""

from searchkit.transforms.chain_bounds import ChainBound, MoverBound
from searchkit.transforms.chain_moves import ChainMoves
from searchkit.transforms.first_step import FirstStepFixed, fix_first_step
from searchkit.transforms.mover_state import Moved, MoverState
from searchkit.transforms.wrapper import Wrapper

__all__ = [
    "ChainBound",
    "ChainMoves",
    "FirstStepFixed",
    "Moved",
    "MoverBound",
    "MoverState",
    "Wrapper",
    "fix_first_step",
]
