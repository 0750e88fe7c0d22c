"""What every compiled engine makes before it begins: module, tables, operator lists, starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.addressed import addressed, kept_estimate, kept_rules
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.module import (
    empty_rows,
    specialised,
    state_array,
    tables_for,
)
from searchkit.compiled.specialise.operators import OperatorLists, operator_lists
from searchkit.kernel_language import floats
from searchkit.kernel_language.program import Program
from searchkit.packed import (
    PackedHeuristic,
    PackedProblem,
    Traps,
    ZeroHeuristic,
    has_expand,
)
from searchkit.transforms.packed_chains import PackedChains


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
    traps: Traps

    def word_of(self, number: float) -> int:
        """What kernels have for an estimate, or for a sum of one and a cost."""
        return floats.word_of(float(number)) if self.module.FLOATS else int(number)

    def number_of(self, word: int) -> float:
        """The number that such a word stands for."""
        return floats.number_of(word) if self.module.FLOATS else int(word)

    @property
    def carried(self) -> int:
        """The words that are carried from a state to its children."""
        return int(self.module.MEMORY) if self.module.FOLLOWED else 0

    def children(self, count: int) -> Children:
        """Room for `count` successors."""
        costs = np.zeros(0 if self.module.UNIT_COSTS else count, dtype=np.int64)
        operators = np.zeros(count if self.module.KEEPS_OPERATORS else 0, dtype=np.int64)
        return Children(self.empty(count), costs, operators)

    def states(self, states: list[Any]) -> np.ndarray[Any, Any]:
        """Python states as an array."""
        return state_array(states, self.problem.words)

    def rows(self, words: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The states of an array that has the words of one after another."""
        return words if self.problem.words == 1 else words.reshape(-1, self.problem.words)

    def empty(self, count: int) -> np.ndarray[Any, Any]:
        """Room for `count` states."""
        return empty_rows(count, self.problem.words)


def gives_floats(heuristic: Any) -> bool:
    """Whether the kernel of a heuristic gives words of floats."""
    return bool(getattr(heuristic, "gives_floats", False))


def specialise(
    problem: Any,
    heuristic: Any,
    roots: Sequence[ModuleType],
    *,
    skip_inverses: bool = False,
    learn: int = 0,
    kept: dict[Any, Any] | None = None,
    **constants: int | Callable[[OperatorLists], int],
) -> Specialised:
    """Make or load the module of the kernel files `roots` for a problem and a heuristic.

    A heuristic that is not packed counts as 0. Modules of a problem with `more_kernels`, further
    kernel files, have those too, and its method `note` is told. `constants` are parameters of the
    files, or functions of the operator lists that give them. What is `kept` holds for problems of
    the same rules. An error in compiling is a `ProblemError` of one line.
    """
    problem = PackedChains.of(problem)
    assert isinstance(problem, PackedProblem)
    if not isinstance(heuristic, PackedHeuristic):
        heuristic = ZeroHeuristic()
    kept = {} if kept is None else kept
    key = Program.of(problem).key, skip_inverses, learn
    known = kept.get(key)
    if known is None:
        lists = operator_lists(problem, skip_inverses=skip_inverses, learn=learn)
        known = kept[key] = lists, bool((lists.following >= 0).all())
    lists, is_static = known
    values = {name: value(lists) if callable(value) else value for name, value in constants.items()}
    values["STATIC"] = is_static
    more: tuple[ModuleType, ...] = getattr(problem, "more_kernels", ())
    roots = tuple(dict.fromkeys((*roots, *more)))
    values["LISTED"] = has_expand(problem)
    is_followed = not isinstance(problem, PackedChains)
    by_address = addressed(problem, heuristic)
    module = specialised(
        problem, heuristic, roots, is_followed=is_followed, addressed=by_address, **values
    )
    bare = Specialised(module, problem, heuristic, lists, (), Traps(problem))
    room = bare.children(1)
    head = (
        kept_rules(module, problem, room)
        if "problem" in by_address
        else tables_for(module, "ProblemTables", problem),
        kept_estimate(module, heuristic, room.states)
        if "heuristic" in by_address
        else tables_for(module, "HeuristicTables", heuristic),
        lists,
    )
    made = attrs.evolve(bare, head=head)
    if more:
        problem.note(made)  # type: ignore[attr-defined]
    return made
