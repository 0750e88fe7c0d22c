"""Room for the successors of states, and why a state may have none there.

The reasons are negative: a kernel that lists successors gives one on, or ends with it.
"""

from typing import Any, NamedTuple

WRONG_COST = -1
"""Where a step has a cost that it may not have."""
NO_ROOM = -2
"""Where there is no room; what was there before is still there."""
TRAPPED = -3
"""Where `expand` is trapped by the state; what was there before is still there."""


class Children(NamedTuple):
    """States, and the steps to them: unless all cost 1, their costs, and the operators if kept."""

    states: Any
    costs: Any
    operators: Any
