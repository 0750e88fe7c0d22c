"""The 8-puzzle searched by the reference engines, and by loops as a teacher writes them.

Both ask the same problem for the same steps in the same order, and expand the same positions, so
that they differ by the engine alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Any

import attrs

from bench.runs import tuples
from bench.runs.timing import Report, Stopwatch, check
from bench.runs.tuples import Position
from searchkit import (
    IDDFS,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    StartAndGoal,
    Step,
    explore,
    solve,
)

Found = tuple[int, int]
"""The moves of a solution, or of the farthest position, and how many positions were expanded."""


@attrs.frozen
class Eight(StartAndGoal[Position, int]):
    """The 8-puzzle over tuples of tiles."""

    start: Position
    goal: Position = tuples.GOAL
    undirected = True

    def successors(self, state: Position) -> Iterator[Step[Position, int]]:
        """The tiles beside the blank slide into it."""
        blank = state.index(0)
        for cell in tuples.NEIGHBOURS[blank]:
            tiles = list(state)
            tiles[blank], tiles[cell] = tiles[cell], 0
            yield Step(state[cell], tuple(tiles))

    def heuristic(self, state: Position) -> int:
        """The sum of the distances of the tiles from their cells."""
        return tuples.manhattan(state)


def reference(search: str, start: str, cost: int, repeats: int) -> Report:
    """A search of that name by the reference engine."""
    problem = Eight(tuples.read(start))

    def run() -> Found:
        if search == "explore":
            found = explore(problem, engine="reference")
            return found.depth, found.statistics.expanded
        result = solve(problem, ALGORITHMS[search], engine="reference")
        return result.cost or 0, result.statistics.expanded

    return _timed(run, cost, repeats)


def plain(search: str, start: str, cost: int, repeats: int) -> Report:
    """The same by a loop."""
    problem = Eight(tuples.read(start))
    return _timed(lambda: LOOPS[search](problem), cost, repeats)


def _timed(run: Callable[[], Found], cost: int, repeats: int) -> Report:
    watch = Stopwatch()
    for _ in range(repeats):
        found, expanded = watch.time(run)
        check(found == cost, f"finds {found}, not {cost}")
    return watch.report(expanded=expanded)


def _length(parents: dict[Position, Any], position: Position) -> int:
    """The moves by which a position was reached."""
    actions = []
    while parents[position] is not None:
        position, action = parents[position]
        actions.append(action)
    return len(actions)


def breadth_first(problem: Eight) -> Found:
    """One shortest solution."""
    parents: dict[Position, Any] = {problem.start: None}
    queue = deque([problem.start])
    expanded = 0
    while queue:
        state = queue.popleft()
        expanded += 1
        for action, child, _ in problem.successors(state):
            if child not in parents:
                parents[child] = state, action
                if problem.is_goal(child):
                    return _length(parents, child), expanded
                queue.append(child)
    raise ValueError("no solution")


def distances(problem: Eight) -> Found:
    """How far every position is from the goal."""
    found = {problem.goal: 0}
    queue = deque([problem.goal])
    expanded = 0
    while queue:
        state = queue.popleft()
        expanded += 1
        for _, child, cost in problem.successors(state):
            if child not in found:
                found[child] = found[state] + cost
                queue.append(child)
    return max(found.values()), expanded


def a_star(problem: Eight) -> Found:
    """A* that tests for the goal on expansion; ties go to the smaller h, then to the newer."""
    start = problem.start
    best = {start: 0}
    parents: dict[Position, Any] = {start: None}
    closed = set()
    h = problem.heuristic(start)
    queue = [(h, h, 0, start)]
    number = 0
    while queue:
        _, _, _, state = heappop(queue)
        if state in closed:
            continue
        if problem.is_goal(state):
            return _length(parents, state), len(closed)
        closed.add(state)
        for action, child, cost in problem.successors(state):
            g = best[state] + cost
            if child not in best or g < best[child]:
                best[child] = g
                parents[child] = state, action
                h = problem.heuristic(child)
                number -= 1
                heappush(queue, (g + h, h, number, child))
    raise ValueError("no solution")


def bidirectional(problem: Eight) -> Found:
    """Layers from both ends, the smaller one first, until two have a position in common."""
    parents: list[dict[Position, Any]] = [{problem.start: None}, {problem.goal: None}]
    layers = [[problem.start], [problem.goal]]
    expanded = 0
    while layers[0] and layers[1]:
        side = 1 if len(layers[1]) < len(layers[0]) else 0
        known, other = parents[side], parents[1 - side]
        fresh = []
        for state in layers[side]:
            expanded += 1
            for action, child, _ in problem.successors(state):
                if child not in known:
                    known[child] = state, action
                    fresh.append(child)
        layers[side] = fresh
        for child in fresh:
            if child in other:
                return _length(known, child) + _length(other, child), expanded
    raise ValueError("no solution")


def iterative_deepening(problem: Eight) -> Found:
    """Depth-first search by cost, again and again, without cycles."""
    expanded = 0

    def search(state: Position, g: int) -> bool:
        nonlocal expanded
        expanded += 1
        for action, child, cost in problem.successors(state):
            if child not in path and g + cost <= bound:
                if problem.is_goal(child):
                    return True
                path.add(child)
                actions.append(action)
                if search(child, g + cost):
                    return True
                path.remove(child)
                actions.pop()
        return False

    bound = 0
    while True:
        path, actions = {problem.start}, list[int]()
        if search(problem.start, 0):
            return len(actions) + 1, expanded
        bound += 1


def ida_star(problem: Eight) -> Found:
    """Depth-first search by g + h, again and again, without cycles."""
    expanded = 0
    larger: float = 0

    def search(state: Position, g: int) -> bool:
        nonlocal expanded, larger
        expanded += 1
        for action, child, cost in problem.successors(state):
            if child in path:
                continue
            f = g + cost + problem.heuristic(child)
            if f > bound:
                larger = min(larger, f)
            elif problem.is_goal(child):
                return True
            else:
                path.add(child)
                actions.append(action)
                if search(child, g + cost):
                    return True
                path.remove(child)
                actions.pop()
        return False

    bound: float = problem.heuristic(problem.start)
    while True:
        path, actions, larger = {problem.start}, list[int](), float("inf")
        if search(problem.start, 0):
            return len(actions) + 1, expanded
        bound = larger


def without_steps(problem: Eight) -> Found:
    """The same distances where a successor is a position and nothing else."""
    found = tuples.distances_from(problem.goal)
    return max(found.values()), len(found)


ALGORITHMS = {
    "bfs": BreadthFirst(),
    "astar": AStar(),
    "bidirectional": Bidirectional(),
    "iddfs": IDDFS(cycles="path"),
    "idastar": IDAStar(cycles="path"),
}
LOOPS = {
    "bfs": breadth_first,
    "explore": distances,
    "without steps": without_steps,
    "astar": a_star,
    "bidirectional": bidirectional,
    "iddfs": iterative_deepening,
    "idastar": ida_star,
}
