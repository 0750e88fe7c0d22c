"""Transforms make a problem from a problem; they know no puzzle."""

from typing import TYPE_CHECKING

from searchkit.later import exports

if TYPE_CHECKING:
    from searchkit.transforms.chain_moves import ChainMoves
    from searchkit.transforms.first_step import FirstStepFixed, fix_first_step
    from searchkit.transforms.mover_state import Moved, MoverState
    from searchkit.transforms.wrapper import ChainBound, MoverBound, Wrapper
else:
    __getattr__ = exports(
        __name__,
        {
            "chain_moves": "ChainMoves",
            "first_step": "FirstStepFixed fix_first_step",
            "mover_state": "Moved MoverState",
            "wrapper": "ChainBound MoverBound Wrapper",
        },
    )

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
