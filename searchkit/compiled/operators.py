"""Which operators an engine tries where: lists per control state, and what follows each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from searchkit.errors import ProblemError
from searchkit.packed import PackedProblem

if TYPE_CHECKING:
    import numpy as np

Node = tuple[int, int | None]
"""A control state, and the operator that is left out there because it leads straight back."""


@attrs.frozen(eq=False)
class OperatorLists:
    """The operators of node `q` are `operators[first[q]:first[q + 1]]`.

    Nodes 0 to controls - 1 are the control states with all their operators. `following` is the
    node that an operator leads to, -1 if it must be read off the state; `control` is the
    control state of a node. `without_inverses` says that no list takes the operator before back.
    """

    first: np.ndarray[Any, Any]
    operators: np.ndarray[Any, Any]
    following: np.ndarray[Any, Any]
    control: np.ndarray[Any, Any]
    without_inverses: bool

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the engines take."""
        return self.first, self.operators, self.following, self.control


def operator_lists(problem: PackedProblem[Any], *, skip_inverses: bool) -> OperatorLists:
    """The lists of `problem`; with `skip_inverses`, one per control state and way in.

    Leaving out the operator that takes the last one back is the simplest case of Taylor and
    Korf's pruning of duplicate operator sequences ("Pruning duplicate nodes in depth-first
    search", AAAI 1993).
    """
    import numpy as np  # noqa: PLC0415  (takes long to import)

    nodes: list[Node] = [(control, None) for control in range(problem.controls)]
    index = {node: i for i, node in enumerate(nodes)}
    first, operators, following = [0], [], []
    whole = True
    for control, forbidden in nodes:  # grows as it goes
        for operator in problem.operators(control):
            if operator == forbidden:
                continue
            operators.append(operator)
            after = problem.next_control(control, operator)
            if after is None:
                whole = False
                following.append(-1)
                continue
            if not 0 <= after < problem.controls:
                raise ProblemError(
                    f"{type(problem).__name__}: next_control({control}, {operator}) is {after}; "
                    f"it must be from 0 to {problem.controls - 1}, or None"
                )
            back = problem.inverse(control, operator) if skip_inverses else None
            whole = whole and back is not None
            node = (after, back)
            if node not in index:
                index[node] = len(nodes)
                nodes.append(node)
            following.append(index[node])
        first.append(len(operators))
    return OperatorLists(
        first=np.array(first, dtype=np.int64),
        operators=np.array(operators, dtype=np.int64),
        following=np.array(following, dtype=np.int64),
        control=np.array([control for control, _ in nodes], dtype=np.int64),
        without_inverses=skip_inverses and whole,
    )
