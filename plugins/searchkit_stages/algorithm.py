"""The algorithm value `Stages`."""

from __future__ import annotations

from typing import Any

import attrs

from searchkit import Algorithm, Problem, UnsuitableError
from searchkit.algorithms.validators import whole
from searchkit_stages.stage import HasStages


@attrs.frozen
class Stages(Algorithm):
    """Sub-goals one after the other, each along a table of distances: no search, not optimal.

    The problem has plans for it: `plans` of them are tried, and the shortest solution is taken.
    `states` is the most states of a table that a plan should have.

    `beam` is the number of states that go on from each stage to the next: those of least cost and
    distance, among the ends of up to 64 ways, not all shortest ones, from each state before.

    `effort` is the number of expansions that may then be spent on shortening the solution: parts
    of it are searched for shorter ones by IDA* between their ends, longer and longer parts. If
    the whole solution has been one of these parts, it is proved optimal.
    """

    name = "stages"
    summary = "sub-goals one after the other, each from a table; not optimal"
    optimal = False
    finds_all = False
    trial = False
    unit_costs = True
    uses_goal_states = True
    capabilities = (HasStages,)

    plans: int = attrs.field(default=1, validator=whole(1))
    states: int = attrs.field(default=1 << 17, validator=whole(1))
    beam: int = attrs.field(default=1, validator=whole(1))
    effort: int = attrs.field(default=0, validator=whole(0))

    def check(self, problem: Problem[Any, Any]) -> None:
        """Refuse costs other than unit, and problems without a plan."""
        super().check(problem)
        if not isinstance(problem, HasStages):
            raise UnsuitableError(
                "stages needs stage_plans(), which the problem does not have; use astar"
            )
        if not problem.stage_plans(self.states):
            raise UnsuitableError("stages has no plan for this problem; use idastar or astar")
