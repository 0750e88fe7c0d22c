"""Machine code made of the kernels says what Python says when it runs them."""

from __future__ import annotations

import re
from typing import Any

from searchkit.authors.user_code import call, place_of
from searchkit.capabilities import own_heuristic
from searchkit.checks.ground import Breach, Ground, Visit, plural
from searchkit.checks.law import Findings, Law
from searchkit.checks.laws import controls, costs, goals, kernels, ranks, successors, words
from searchkit.checks.machine_code import kernel_calls
from searchkit.compiled.plan import plan_kernels
from searchkit.errors import ProblemError
from searchkit.packed import PackedHeuristic, PackedProblem, ZeroEstimate

STATES = 2000
"""How many states are looked at, from the nearest to a start to the farthest."""
RELIES_ON = tuple(law.LAW for law in (successors, goals, costs, words, controls, kernels, ranks))
"""Without them machine code might do anything: it does not check an index, for one."""


def needs(ground: Ground) -> str | None:
    """A packed problem, and an engine other than the reference engine."""
    if ground.engine == "reference":
        return "the reference engine was asked for"
    return words.needs(ground) or plan_kernels(ground.problem).reason


def check(ground: Ground) -> Findings:
    """Compare all kernels, state by state and operator by operator. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    heuristic = call("default_heuristic", own_heuristic, problem)
    packed = heuristic if isinstance(heuristic, PackedHeuristic) else ZeroEstimate()
    visits = ground.visited[:: -(-len(ground.visited) // STATES)]
    try:
        calls = kernel_calls(problem, packed, ground.starts)
    except ProblemError as error:  # CompilationError is one
        yield Breach(
            expected="the kernels compile",
            found=str(error),
            blame=tuple(name for name in KERNELS if re.search(rf"kernel {name}\b", str(error))),
        )
        return None
    states = [visit.state for visit in visits]
    for visit, given in zip(ground.watched(visits), calls.on_states(states), strict=False):
        state = visit.state
        python = {
            "at_goal": bool(call("at_goal", problem.at_goal, state)),
            "control": call("control", problem.control, state),
            "estimate": call("estimate", packed.estimate, state),
        }
        for (name, value), machine in zip(python.items(), given, strict=True):
            if machine != value:
                yield Breach(
                    at=visit,
                    expected=f"{name} gives {value}, as Python runs it",
                    found=f"machine code gives {machine}",
                    blame=(name,),
                    place=place_of(packed, name) if name == "estimate" else None,
                )
    yield from _steps(ground, problem, visits, calls)
    if calls.has_ranks:
        for visit, given_rank in zip(visits, calls.on_ranks(states), strict=True):
            rank, again = given_rank
            if rank != call("rank", problem.rank, visit.state) or again != visit.state:
                yield Breach(
                    at=visit,
                    expected=f"rank {problem.rank(visit.state)}, and that unranked, as in Python",
                    found=f"machine code: rank {rank}, unranked {ground.text(again)}",
                    blame=("rank", "unrank"),
                )
    return plural(len(visits), "state")


KERNELS = ("apply", "legal", "cost", "control", "at_goal", "rank", "unrank", "estimate", "change")


def _steps(
    ground: Ground, problem: PackedProblem[Any], visits: list[Visit], calls: Any
) -> Findings:
    tries: list[tuple[Visit, int, int]] = []
    for visit in visits:
        control = problem.control(visit.state)
        tries += [(visit, control, operator) for operator in problem.operators(control)]
    given = calls.on_steps([(visit.state, control, operator) for visit, control, operator in tries])
    for (visit, control, operator), machine in zip(tries, given, strict=True):
        ground.watch()
        ground.current = visit
        python = None
        if call("legal", problem.legal, visit.state, control, operator):
            python = (
                call("cost", problem.cost, visit.state, control, operator),
                call("apply", problem.apply, visit.state, control, operator),
            )
        if machine != python:
            is_other = machine is None or python is None
            is_cost = not is_other and machine[0] != python[0]  # type: ignore[index]
            blame = "legal" if is_other else "cost" if is_cost else "apply"
            yield Breach(
                at=visit,
                then=(f"operator {operator}",),
                expected=f"{_told(ground, python)}, as in Python",
                found=f"machine code: {_told(ground, machine)}",
                blame=(blame,),
            )
    return None


def _told(ground: Ground, step: tuple[int, Any] | None) -> str:
    if step is None:
        return "it is not legal"
    return f"{ground.text(step[1])} at cost {step[0]}"


LAW = Law(
    "machine-code", "kernels say the same as machine code as in Python", check, needs, RELIES_ON
)
