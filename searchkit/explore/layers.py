"""Breadth-first exploration of a whole state space."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from typing import Any

from searchkit.capabilities import HasGoalStates, HasPredecessors
from searchkit.driver import Driver
from searchkit.errors import UnsuitableError
from searchkit.explore.exploration import Exploration
from searchkit.heuristic import ZeroHeuristic
from searchkit.limits import LimitKind, Limits, ProgressListener
from searchkit.problem import Costs, Problem, Step
from searchkit.result import Statistics
from searchkit.task import Task

Expand = Callable[[Any], Iterable[Step[Any, Any]]]


def explore(
    problem: Problem[Any, Any],
    *,
    backward: bool | None = None,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
) -> Exploration:
    """Reach every state of `problem`, layer by layer, from the start or back from the goals.

    `backward` needs `goal_states` and, unless the problem is undirected, `predecessors`; by
    default it is chosen where the problem is undirected and lists its goals, so that the
    layers are distances to the goal. Goals are expanded like other states. Unit costs only.
    O(states) time; memory O(states), or two layers where the problem is undirected.

    Raises `UnsuitableError` if the problem lacks what is needed.
    """
    if problem.costs is not Costs.UNIT:
        raise UnsuitableError(
            f"explore needs unit costs but the problem has {problem.costs.value} costs"
        )
    if backward is None:
        backward = problem.undirected and isinstance(problem, HasGoalStates)
    roots, expand = _backward(problem) if backward else _forward(problem)
    task = Task(problem=problem, algorithm=None, heuristic=ZeroHeuristic(), starts=())
    layers: list[dict[Hashable, Any]] = [{problem.key(root): root for root in roots}]
    sizes: list[int] = []
    deepest = float("inf") if limits.depth is None else limits.depth
    ended = Driver[bool](task, limits, progress).run(
        lambda task: _layers(task, layers, sizes, expand, deepest)
    )
    counters = task.counters
    whole = ended.outcome is True
    limit = LimitKind.DEPTH if ended.outcome is False else ended.limit
    return Exploration(
        origin="goal" if backward else "start",
        layers=tuple(sizes) if ended.outcome is not None else (*sizes, *_partial(layers)),
        farthest=tuple(layers[-1].values()),
        complete=whole,
        limit=limit,
        statistics=Statistics(
            expanded=counters.expanded,
            generated=counters.generated,
            max_frontier=counters.max_frontier,
            stored=counters.peak_stored,
            bytes=ended.bytes,
            seconds=ended.seconds,
        ),
    )


def _forward(problem: Problem[Any, Any]) -> tuple[Iterable[Any], Expand]:
    return problem.initial_states(), problem.successors


def _backward(problem: Problem[Any, Any]) -> tuple[Iterable[Any], Expand]:
    if not isinstance(problem, HasGoalStates):
        raise UnsuitableError("exploring backwards needs goal_states(); explore from the start")
    if problem.undirected:
        return problem.goal_states(), problem.successors
    if not isinstance(problem, HasPredecessors):
        raise UnsuitableError("exploring backwards needs predecessors(); explore from the start")
    return problem.goal_states(), problem.predecessors


def _partial(layers: list[dict[Hashable, Any]]) -> tuple[int, ...]:
    return (len(layers[-1]),) if layers[-1] else ()


def _layers(
    task: Task,
    layers: list[dict[Hashable, Any]],
    sizes: list[int],
    expand: Expand,
    deepest: float,
) -> Generator[None, None, bool]:
    """Fill `sizes` and leave the last non-empty layer at the end of `layers`.

    Returns whether every state was reached. In an undirected problem a successor lies in the
    layer before, the same or the next one, so older layers are dropped.
    """
    problem, counters = task.problem, task.counters
    key_of, undirected = problem.key, problem.undirected
    layer = layers[0]
    counters.generated = len(layer)
    closed: set[Hashable] = set(layer)
    while layer:
        sizes.append(len(layer))
        if len(sizes) > deepest:
            return False
        fresh: dict[Hashable, Any] = {}
        layers.append(fresh)
        counters.containers = (closed, layer, fresh)
        waiting = len(layer)
        for state in layer.values():
            yield
            counters.expanded += 1
            waiting -= 1
            for step in expand(state):
                counters.generated += 1
                key = key_of(step[1])
                if key not in closed and key not in fresh:
                    fresh[key] = step[1]
            counters.waiting(waiting + len(fresh))
            counters.holding(len(closed) + len(fresh))
        if not fresh:
            layers.pop()
        if undirected:
            closed = set(layer)
        closed.update(fresh)
        layer = fresh
        del layers[:-1]
    return True
