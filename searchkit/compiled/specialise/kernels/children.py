"""Room for the successors of states, and why a state may have none there."""

from enum import IntEnum
from typing import Any, NamedTuple

Listing = IntEnum("Listing", "OPERATORS CHAINS EXPANDED", start=0)
"""What a step is: an operator, a chain of steps of one piece, or whatever `expand` yields."""

WRONG_COST = -1
"""Where a step has a cost that it may not have."""
NO_ROOM = -2
"""Where there is no room; what was there before is still there."""
TRAPPED = -3
"""Where `expand` is trapped by the state; what was there before is still there."""


class Children(NamedTuple):
    """States, and the steps to them: unless all cost 1, their costs, and the operators if kept.

    `levels` has three columns, and a row more than a chain may have links.
    """

    states: Any
    costs: Any
    operators: Any
    levels: Any
