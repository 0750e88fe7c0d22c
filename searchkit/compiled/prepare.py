"""What every compiled engine makes before it begins: module, tables, operator lists, starts."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.module import specialised, state_array, tables_for
from searchkit.compiled.operators import OperatorLists, operator_lists
from searchkit.packed import PackedHeuristic, PackedProblem, ZeroEstimate
from searchkit.task import Task

if TYPE_CHECKING:
    import numpy as np


@attrs.frozen(eq=False)
class Specialised:
    """A module made for one problem and heuristic, with the arguments its functions begin with.

    `head` holds the tables of the problem, those of the heuristic, and the operator lists.
    """

    module: ModuleType
    problem: PackedProblem[Any]
    heuristic: PackedHeuristic
    lists: OperatorLists
    head: tuple[Any, ...]

    def states(self, states: list[Any]) -> np.ndarray[Any, Any]:
        """Python states as an array."""
        return state_array(states, self.problem.words)

    def empty(self, count: int) -> np.ndarray[Any, Any]:
        """Room for `count` states."""
        import numpy as np  # noqa: PLC0415

        words = self.problem.words
        return np.empty(count if words == 1 else (count, words), dtype=np.int64)


def specialise(
    task: Task,
    heuristic: Any,
    templates: tuple[str, ...],
    *,
    skip_inverses: bool = False,
    learn: int = 0,
    kernels: tuple[str, ...] = (),
    **constants: int | Callable[[OperatorLists], int],
) -> Specialised:
    """Make or load the module for the problem of `task`.

    `kernels` are optional kernels that are needed too. `constants` may be functions of the
    operator lists. An error in compiling is a `ProblemError` of one line.
    """
    problem = task.problem
    assert isinstance(problem, PackedProblem)
    if not isinstance(heuristic, PackedHeuristic):
        heuristic = ZeroEstimate()
    lists = operator_lists(problem, skip_inverses=skip_inverses, learn=learn)
    values = {name: value(lists) if callable(value) else value for name, value in constants.items()}
    values["STATIC"] = bool((lists.following >= 0).all())
    module = specialised(problem, heuristic, templates, kernels, **values)
    head = (
        tables_for(module, "ProblemTables", problem.tables),
        tables_for(module, "HeuristicTables", heuristic.tables),
        *lists.arrays,
    )
    return Specialised(module, problem, heuristic, lists, head)
