"""Transposition tables of depth-first search: what may be remembered of states.

What was found below a state may depend on the path to it, for no path meets a state twice. If it
does not, because the graph has no cycles (`grade`), then the search has proved a bound on the
cost from the state, which holds for good. Otherwise it holds within one iteration, and
wherever the state is met again by a path that costs no less: a solution that was missed leads back
to the path, and there is a shorter one from there.
"""

from __future__ import annotations

from typing import Any

from searchkit.capabilities import HasGrade, HasSymmetries, Symmetry
from searchkit.errors import LawError
from searchkit.premises.kinds import broken
from searchkit.problem import Problem
from searchkit.running.task import Task
from searchkit.symmetry import stabiliser


def lasts(problem: Problem[Any, Any]) -> bool:
    """Whether what a search has shown of a state holds for all paths to it."""
    return isinstance(problem, HasGrade)


def table_symmetries(task: Task) -> list[Symmetry[Any, Any]]:
    """The symmetries by which states count as one; none if they are not to be used.

    Where what is shown of a state depends on the path, those that keep the starts.
    """
    problem = task.problem
    if task.algorithm.symmetry != "auto" or not isinstance(problem, HasSymmetries):
        return []
    return list(problem.symmetries()) if lasts(problem) else stabiliser(problem, task.starts)


def leads_back(problem: Problem[Any, Any], state: Any) -> LawError:
    """The error to raise where a path meets a state twice that has a `grade`."""
    found = f"a path comes back to {problem.format_state(state)!r:.80}, so some step does not lower"
    return broken(problem, "grade", f"{found} the grade", "grade")
