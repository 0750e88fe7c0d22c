"""What steps and estimates may be in a compiled engine, and the errors for those that are not."""

from __future__ import annotations

from typing import Any

from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.errors import EngineError, NoRoomError, ProblemError
from searchkit.problem import Costs, name_of
from searchkit.running.task import Run, Task

MOST_COST = 1 << 24
"""Sums of as many costs as a path can have steps stay far below 64 bits."""


def cost_range(task: Run) -> dict[str, Any]:
    """The constants of machine code that say which costs the problem promises."""
    costs = task.problem.costs
    return {
        "LEAST_COST": int(costs is Costs.UNIT),
        "MOST_COST": MOST_COST if costs is Costs.INTEGER else 1,
    }


def wrong_estimate(spec: Specialised, row: object) -> ProblemError:
    """The error for the estimate of the state in `row` of an array."""
    state = python_state(row)
    try:
        spec.heuristic(state)
    except ProblemError as error:
        return error
    return ProblemError(
        f"heuristic {spec.heuristic.name}: what is carried along gives no estimate for state "
        f"{state!r:.80}, where its kernel from scratch gives {spec.heuristic.estimate(state)}"
    )


def wrong_cost(task: Task, spec: Specialised, row: object, operator: int) -> ProblemError:
    """The error for a step from the state in `row` of an array, by `operator`."""
    problem, state = spec.problem, python_state(row)
    cost = problem.cost(state, problem.control(state), operator)
    return _too_much(task, spec, problem.action(state, operator), cost)


def wrong_cost_from(task: Run, spec: Specialised, row: object) -> Exception:
    """The error for the first step from the state in `row` that has a wrong cost."""
    low, high = spec.module.LEAST_COST, spec.module.MOST_COST
    for action, _, cost in spec.problem.successors(python_state(row)):
        if not low <= cost <= high:
            return _too_much(task, spec, action, cost)
    return EngineError("a cost is legal in Python, but not in machine code")


def _too_much(task: Run, spec: Specialised, action: Any, cost: Any) -> ProblemError:
    problem = spec.problem
    if problem.costs is not Costs.INTEGER or cost < 0:
        return task.wrong_cost(action, cost)
    return NoRoomError(
        f"{name_of(problem)}: action {action!r} costs {cost}; the compiled engine "
        f"takes costs up to {MOST_COST}, engine='reference' up to 2**53"
    )
