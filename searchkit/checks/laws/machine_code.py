"""The law of kernels as machine code."""

from __future__ import annotations

import re
from typing import Any

from searchkit.authors.user_code import call, place_of
from searchkit.capabilities import own_heuristic
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Breaches, Findings, law
from searchkit.checks.machine_code.kernel_calls import KernelCalls
from searchkit.compiled.plan import plan_kernels
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.errors import ProblemError
from searchkit.packed import PackedHeuristic, PackedProblem, ZeroHeuristic, has_expand
from searchkit.texts.amounts import plural

STATES = 2000
"""How many states are looked at, from the nearest to a start to the farthest."""
RELIES_ON = ("successors", "goals", "costs", "words", "controls", "kernels", "ranks")
"""Without them machine code might do anything: it does not check an index, for one."""
KERNELS = (
    "apply", "legal", "cost", "control", "at_goal", "expand", "rank", "unrank",
    "estimate", "change", "candidates",
)  # fmt: skip


def has_machine_code(ground: Ground) -> str | None:
    """An engine other than the reference engine."""
    if ground.engine == "reference":
        return "the reference engine was asked for"
    if not isinstance(ground.problem, PackedProblem):
        return "no kernels of its own; what is made of its rules is tried by the law engines"
    return plan_kernels(ground.problem).reason


@law(
    "kernels say the same as machine code as in Python",
    has_machine_code,
    PackedProblem,
    relies_on=RELIES_ON,
)
def machine_code(ground: Ground) -> Findings:
    """Compare all kernels, state by state and operator by operator. O(steps)."""
    problem: Any = ground.problem
    heuristic = call("default_heuristic", own_heuristic, problem)
    packed = heuristic if isinstance(heuristic, PackedHeuristic) else ZeroHeuristic()
    visits = ground.visited[:: -(-len(ground.visited) // STATES)]
    call("estimate", packed.estimate, ground.starts[0])  # what fails in Python is not compiled
    try:
        with blaming_kernels(problem):
            calls = KernelCalls.of(problem, packed, ground.starts)
    except ProblemError as error:  # CompilationError is one
        blame = [name for name in KERNELS if re.search(rf"kernel {name}\b", str(error))]
        yield Breach("the kernels compile", str(error), " ".join(blame))
        return None
    states = [visit.state for visit in visits]
    for visit, given in zip(ground.watched(visits), calls.on_states(states), strict=False):
        python = {
            "at_goal": bool(ground.ask("at_goal", visit.state)),
            "control": ground.ask("control", visit.state),
            "estimate": call("estimate", packed.estimate, visit.state),
        }
        for (name, value), machine in zip(python.items(), given, strict=True):
            if machine != value:
                yield Breach(
                    f"{name} gives {value}, as Python runs it",
                    f"machine code gives {machine}",
                    name,
                    place=place_of(packed, name) if name == "estimate" else None,
                )
    yield from _steps(ground, visits, calls)
    if calls.has_ranks:
        # States that are certified unsolvable need no numbers of their own.
        ranked = [visit for visit in visits if not ground.is_certified(visit.state)]
        given_ranks = calls.on_ranks([visit.state for visit in ranked])
        for visit, (rank, again) in zip(ranked, given_ranks, strict=True):
            if rank != ground.ask("rank", visit.state) or again != visit.state:
                yield Breach(
                    f"rank {problem.rank(visit.state)}, and that unranked, as in Python",
                    f"machine code: rank {rank}, unranked {ground.text(again)}",
                    "rank unrank",
                    at=visit,
                )
    return plural(len(visits), "state")


def _steps(ground: Ground, visits: list[Visit], calls: KernelCalls) -> Breaches:
    by_expand = has_expand(ground.problem)
    for visit, machine in zip(visits, calls.on_steps([v.state for v in visits]), strict=True):
        ground.watch()
        # Machine code has no operators for what `expand` yields: steps are numbered.
        python = {
            number if by_expand else operator: (cost, child)
            for number, (operator, child, cost) in enumerate(ground.priced(visit.state))
        }
        for operator in {**python, **machine}:
            ours, theirs = python.get(operator), machine.get(operator)
            if ours != theirs:
                is_cost = ours is not None and theirs is not None and ours[0] != theirs[0]
                blame = "cost" if is_cost else "apply" if ours and theirs else "legal"
                yield Breach(
                    f"{_text(ground, ours)}, as in Python",
                    f"machine code: {_text(ground, theirs)}",
                    "expand" if by_expand else blame,
                    then=f"step {operator + 1}" if by_expand else f"operator {operator}",
                    at=visit,
                )


def _text(ground: Ground, step: tuple[int, Any] | None) -> str:
    if step is None:
        return "it is not legal"
    return f"{ground.text(step[1])} at cost {step[0]}"
