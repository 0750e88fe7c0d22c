"""Best-first search as textbooks have it, so that its counts are those of a course.

Russell & Norvig, "Artificial intelligence: a modern approach", chapter 3: which of equal states
comes first, whether states are met once (graph search) or along each path (tree search), and
whether goals are tested where they are generated (early) or expanded (late).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Generator, Hashable
from heapq import heappop, heappush
from typing import Any

import attrs

from searchkit.algorithms import BreadthFirst, GreedyBestFirst
from searchkit.errors import UnsuitableError
from searchkit.limits import LimitKind
from searchkit.premises.asking import is_goal
from searchkit.running.task import Outcome, Task
from searchkit.solutions.from_parents import along, without_loops


@attrs.frozen(eq=False, repr=False)
class Node:
    """A path to a state."""

    state: Any
    key: Hashable
    g: int
    h: float
    parent: Node | None


TIES: dict[str, Callable[[Node], float]] = {
    "low-h": lambda node: node.h,
    "high-g": lambda node: -node.g,
    "first-in": lambda node: 0,
    "last-in": lambda node: 0,
}
"""What comes first among nodes of equal order; then, but for "first-in", the one made last."""


def textbook(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open node that comes first, until there is a solution.

    With tree search there is a node for each path: it may have no end where no goal is reached.
    """
    if task.every:
        raise UnsuitableError(
            "ties, search and goal_test are for one solution; leave them out to list or count"
        )
    algorithm, problem, counters = task.algorithm, task.problem, task.counters
    is_greedy = isinstance(algorithm, GreedyBestFirst)
    is_breadth = isinstance(algorithm, BreadthFirst)
    is_tree = algorithm.search == "tree"
    is_early = algorithm.goal_test == "early" or (is_breadth and algorithm.goal_test == "auto")
    order: Callable[[int, float], float] = operator.add
    if is_greedy or is_breadth:
        order = (lambda g, h: h) if is_greedy else (lambda g, h: g)
    name = {"auto": "first-in" if is_breadth else "low-h"}.get(algorithm.ties, algorithm.ties)
    tie, turn = TIES[name], 1 if name == "first-in" else -1
    open_list: list[tuple[float, float, int, Node]] = []
    reached: dict[Hashable, Node] = {}
    closed: set[Hashable] = set()
    counters.containers, is_cut, listed = (open_list, reached, closed), False, task.lister()

    def put(state: Any, g: int, parent: Node | None) -> Node | None:
        """Make a node, open if it is wanted; given back if that is the end of the search."""
        nonlocal is_cut
        counters.generated += 1
        key = problem.key(state)
        known = None if is_tree else reached.get(key)
        if known is not None and (is_greedy or is_breadth or g >= known.g):
            return None
        node = Node(state, key, g, task.estimate(state), parent)
        f = g + node.h
        if f > task.max_cost or f == float("inf"):
            is_cut = task.is_cut(f) or is_cut
            return None
        if is_early and is_goal(problem, node.state):
            return node
        if not is_tree:
            reached[key] = node
            counters.reopened += key in closed
            closed.discard(key)
        entry = (order(g, node.h), tie(node), turn * counters.generated, node)
        heappush(open_list, entry)
        return None

    for start in task.starts:
        if (found := put(start, 0, None)) is not None:
            return _solution(task, found)
    while open_list:
        first, _, _, node = heappop(open_list)
        if not is_tree and reached[node.key] is not node:
            continue  # there is a cheaper path to the state
        if not is_greedy:
            counters.prove(first)
        if not is_early and is_goal(problem, node.state):
            return _solution(task, node)
        task.at_hand = node.state
        yield
        counters.expanded += 1
        if not is_tree:
            closed.add(node.key)
        for action, child, cost in listed(task.successors(node.state)):
            g = node.g + task.legal_cost(action, cost)
            if (found := put(child, g, node)) is not None:
                return _solution(task, found)
        counters.note(len(open_list), len(open_list) if is_tree else len(reached))
    if is_greedy and is_cut:
        return Outcome(gave_up=LimitKind.COST)
    return Outcome(cut=is_cut)


def _solution(task: Task, node: Node) -> Outcome:
    """The path to a node, without the loops that tree search may have in it."""
    keys, at = [node.key], node.parent
    while at is not None:
        keys.append(at.key)
        at = at.parent
    keys.reverse()
    return along(task, [keys[n] for n in without_loops(keys)], node.g)
