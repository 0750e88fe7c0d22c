"""Which operators an engine tries where: lists per control state, and what follows each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from operator import sub
from typing import Any, NamedTuple

import numpy as np

from searchkit.authors.packed_rules import following as after_of
from searchkit.authors.packed_rules import operators_of
from searchkit.compiled.specialise.duplicates import Learner
from searchkit.packed import PackedProblem

Node = tuple[int, int | None]
"""A control state, and the operator that is left out there because it leads straight back."""

UNKNOWN: Node = (-1, None)
"""The control state must be read off the state."""

FEW_NODES = 64

Row = tuple[list[int], list[Any]]
"""The operators of a node, and the node after each."""


class OperatorLists(NamedTuple):
    """The operators of node `q` are `operators[first[q]:first[q + 1]]`; a record for kernels.

    The first nodes are the control states with all their operators. `following` is the node that
    an operator leads to, -1 if it must be read off the state; `controls` has the control state of
    each node. `without_inverses` says that no list takes the operator before back.
    """

    first: np.ndarray[Any, Any]
    operators: np.ndarray[Any, Any]
    following: np.ndarray[Any, Any]
    controls: np.ndarray[Any, Any]
    without_inverses: bool

    @property
    def widest(self) -> int:
        """Most operators that any list has, or a little more.

        It is a constant of machine code: a power of two serves several problems.
        """
        first = self.first
        if len(first) <= FEW_NODES:  # numpy takes longer for so few
            ends = first.tolist()
            most = int(max(map(sub, ends[1:], ends)))
        else:
            most = int((first[1:] - first[:-1]).max())
        return 1 << max(2, (most - 1).bit_length())

    @property
    def left_out(self) -> np.ndarray[Any, Any]:
        """For each node, how many operators of its control state its list leaves out."""
        lengths = self.first[1:] - self.first[:-1]
        found: np.ndarray[Any, Any] = lengths[self.controls] - lengths
        return found


NO_OPERATOR = (1 << 32) - 1
"""What stands behind the last operator of a list, if operators are from 0 to below this."""

NO_WIDE_OPERATOR = -1 << 62
"""The same, for operators of other numbers."""


class EndedLists(NamedTuple):
    """The same lists, each followed by `stop_of` them: a place alone tells all there is to try.

    At each place are the operator, the control state, and the place to go on from after it (-1
    if that must be read off the state). `begins` is the first place of every node, `nodes` the
    node of every place.
    """

    operators: np.ndarray[Any, Any]
    controls: np.ndarray[Any, Any]
    following: np.ndarray[Any, Any]
    begins: np.ndarray[Any, Any]
    nodes: np.ndarray[Any, Any]

    @classmethod
    def of(cls, lists: OperatorLists, *, backwards: bool = False) -> EndedLists:
        """The lists with their ends, each from its last operator on if wanted. O(operators)."""
        count = np.arange(len(lists.controls))
        nodes = np.repeat(count, np.diff(lists.first) + 1)
        begins = lists.first[:-1] + count
        stop = stop_of(lists)
        # Of numbers without a sign, machine code knows that they do not count from the end.
        kind = np.uint32 if stop == NO_OPERATOR else np.int64
        order = np.arange(len(lists.operators))
        if backwards:
            order = np.repeat(lists.first[:-1] + lists.first[1:] - 1, np.diff(lists.first)) - order
        after = np.insert(lists.following[order], lists.first[1:], UNKNOWN[0])
        return cls(
            operators=np.insert(lists.operators[order], lists.first[1:], stop).astype(kind),
            controls=lists.controls[nodes].astype(np.uint32),
            following=np.where(after < 0, UNKNOWN[0], begins[after]),
            begins=begins,
            nodes=nodes,
        )


def stop_of(lists: OperatorLists) -> int:
    """What no operator of the lists is."""
    natural = ((lists.operators >= 0) & (lists.operators < NO_OPERATOR)).all()
    return NO_OPERATOR if natural else NO_WIDE_OPERATOR


def operator_lists(
    problem: PackedProblem[Any], *, skip_inverses: bool = False, learn: int = 0
) -> OperatorLists:
    """The lists of `problem`.

    With `skip_inverses` there is one per control state and way in, without the operator that
    takes the last one back; with `learn`, one per end of the history that matters, without the
    operators that complete a duplicate sequence of up to that many operators.
    """
    if learn:
        learner = Learner(problem, learn)
        learner.learn()
        learner.check()

        def learned(place: Any) -> Row:
            listed = operators_of(problem, learner.control_of(place))
            followed = [(operator, learner.follow(place, operator)) for operator in listed]
            kept = [(operator, after) for operator, after in followed if after is not None]
            return [operator for operator, _ in kept], [after for _, after in kept]

        places = [(control, ()) for control in range(problem.controls)]
        return _lists(places, learned, learner.control_of, without_inverses=True)
    rows: dict[int, Row] = {}

    def row_of(node: Node) -> Row:
        control, forbidden = node
        if control not in rows:
            rows[control] = _row(problem, control, skip_inverses=skip_inverses)
        operators, nodes = rows[control]
        if forbidden is None:
            return operators, nodes
        kept = [operator != forbidden for operator in operators]
        return list(compress(operators, kept)), list(compress(nodes, kept))

    first = [(control, None) for control in range(problem.controls)]
    lists = _lists(first, row_of, lambda node: node[0], without_inverses=False)
    whole = all(back is not None for _, nodes in rows.values() for _, back in nodes)
    return lists._replace(without_inverses=skip_inverses and whole)


def _row(problem: PackedProblem[Any], control: int, *, skip_inverses: bool) -> Row:
    """The operators of a control state, and the node after each."""
    operators = list(operators_of(problem, control))
    nodes: list[Node] = []
    for operator in operators:
        after = after_of(problem, control, operator)
        if after is None:
            nodes.append(UNKNOWN)
        else:
            back = problem.inverse(control, operator) if skip_inverses else None
            nodes.append((after, back))
    return operators, nodes


def _lists(
    nodes: list[Any],
    row_of: Callable[[Any], Row],
    control_of: Callable[[Any], int],
    *,
    without_inverses: bool,
) -> OperatorLists:
    """The lists of all nodes that can be reached from the given ones."""
    index = {node: i for i, node in enumerate(nodes)}
    index[UNKNOWN] = -1
    first, operators = [0], []
    following: list[Any] = []
    for node in nodes:  # grows as it goes
        listed, afters = row_of(node)
        for after in afters:
            if after not in index:
                index[after] = len(nodes)
                nodes.append(after)
        operators += listed
        following += afters
        first.append(len(operators))
    return OperatorLists(
        first=np.array(first, dtype=np.int64),
        operators=np.array(operators, dtype=np.int64),
        following=np.array([index[after] for after in following], dtype=np.int64),
        controls=np.array([control_of(node) for node in nodes], dtype=np.int64),
        without_inverses=without_inverses,
    )
