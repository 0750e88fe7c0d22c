"""Breadth-first exploration of a whole state space."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import attrs

from searchkit.blame import blaming
from searchkit.capabilities import HasGoalStates, HasPredecessors
from searchkit.compiled import engines
from searchkit.compiled.suitability import why_not_compiled
from searchkit.driver import Driver, Ended
from searchkit.errors import UnsuitableError, UsageError
from searchkit.explore.exploration import Exploration
from searchkit.heuristic import ZeroHeuristic
from searchkit.limits import LimitKind, Limits, ProgressListener
from searchkit.problem import Costs, Problem, Step
from searchkit.result import Statistics
from searchkit.solve import TRIAL_NODES, EngineChoice
from searchkit.task import LOOK_EVERY, Task

if TYPE_CHECKING:
    from searchkit.compiled.explore import Explorer

Expand = Callable[[Any], Iterable[Step[Any, Any]]]


def explore(
    problem: Problem[Any, Any],
    *,
    backward: bool | None = None,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
    engine: EngineChoice = "auto",
    threads: int = 1,
) -> Exploration:
    """Reach every state of `problem`, layer by layer, from the start or back from the goals.

    `backward` needs `goal_states` and, unless the problem is undirected, `predecessors`; by
    default it is chosen where the problem is undirected and lists its goals, so that the
    layers are distances to the goal. Goals are expanded like other states. Unit costs only.
    O(states) time; memory O(states), or two layers where the problem is undirected.

    `engine` "compiled" runs machine code specialised to the problem, which must be a
    `PackedProblem`; "auto" does so where it can, after a trial of 30,000 expansions of the
    reference engine. `threads` is the number of threads that the compiled engine may use: it
    uses them where the problem numbers its states (`rank`).

    Raises `UnsuitableError` if the problem lacks what is needed.
    """
    if problem.costs is not Costs.UNIT:
        raise UnsuitableError(
            f"explore needs unit costs but the problem has {problem.costs.value} costs"
        )
    if engine not in ("auto", "reference", "compiled"):
        raise UsageError(f"engine is {engine!r}; it must be 'auto', 'reference' or 'compiled'")
    if threads < 1:
        raise UsageError(f"threads is {threads}; it must be 1 or more")
    if backward is None:
        backward = problem.undirected and isinstance(problem, HasGoalStates)
    with blaming(problem):
        listed, expand = _backward(problem) if backward else _forward(problem)
        roots = list({problem.key(root): root for root in listed}.values())
    reason = "the reference engine was asked for" if engine == "reference" else None
    if reason is None:
        reason = why_not_compiled(problem)
    if reason is None and backward and not problem.undirected:
        reason = "predecessors are not compiled, and the problem is not undirected"
    if reason is not None and engine == "compiled":
        raise UnsuitableError(f"no compiled engine for this problem: {reason}")
    run = _Run(problem, "goal" if backward else "start", roots, expand, progress, threads)
    if engine == "auto" and reason is None:
        trial = run.reference(attrs.evolve(limits, nodes=min(_most(limits.nodes), TRIAL_NODES)))
        if trial.limit is not LimitKind.NODES or trial.statistics.expanded < TRIAL_NODES:
            return trial
        if limits.time is not None:
            left = max(0.0, limits.time - trial.statistics.seconds)
            limits = attrs.evolve(limits, time=left)
    return run.reference(limits) if reason is not None else run.compiled(limits)


def _most(limit: int | None) -> int:
    return TRIAL_NODES if limit is None else limit


@attrs.frozen
class _Run:
    """How to explore: from where, and by what steps."""

    problem: Problem[Any, Any]
    origin: Literal["start", "goal"]
    roots: list[Any]
    expand: Expand
    progress: ProgressListener | None
    threads: int

    def _task(self) -> Task:
        return Task(
            problem=self.problem, algorithm=None, heuristic=ZeroHeuristic(), starts=(),
            threads=self.threads,
        )  # fmt: skip

    def reference(self, limits: Limits) -> Exploration:
        """Explore by the problem's own steps."""
        task = self._task()
        layers = [{self.problem.key(root): root for root in self.roots}]
        sizes: list[int] = []
        ended = Driver[bool](task, limits, self.progress).run(
            lambda task: _layers(task, layers, sizes, self.expand, _deepest(limits))
        )
        partial = len(layers[-1]) if ended.outcome is None and len(layers) > 1 else 0
        farthest = tuple(next((each for each in reversed(layers) if each), {}).values())
        return self._exploration(task, ended, sizes, partial, farthest, "reference")

    def compiled(self, limits: Limits) -> Exploration:
        """Explore by machine code."""
        task, roots = self._task(), self.roots
        made: list[Explorer] = []

        def engine(task: Task) -> Generator[None, None, bool]:
            explorer = engines.explorer(task, roots)
            yield
            explorer.begin(roots)
            made.append(explorer)
            return (yield from explorer.run(_deepest(limits)))

        ended = Driver[bool](task, limits, self.progress, sliced=True).run(engine)
        if not made:
            return self._exploration(task, ended, [len(roots)], 0, tuple(roots), "compiled")
        explorer = made[0]
        sizes, farthest = explorer.sizes, explorer.farthest()
        return self._exploration(task, ended, sizes, explorer.partial, farthest, "compiled")

    def _exploration(
        self,
        task: Task,
        ended: Ended[bool],
        sizes: list[int],
        partial: int,
        farthest: Sequence[Any],
        engine: Literal["reference", "compiled"],
    ) -> Exploration:
        counters = task.counters
        return Exploration(
            origin=self.origin,
            layers=(*sizes, partial) if partial else tuple(sizes),
            farthest=farthest,
            complete=ended.outcome is True,
            limit=LimitKind.DEPTH if ended.outcome is False else ended.limit,
            engine=engine,
            statistics=Statistics(
                expanded=counters.expanded,
                generated=counters.generated,
                max_frontier=counters.max_frontier,
                stored=counters.peak_stored,
                bytes=ended.bytes,
                seconds=ended.seconds,
                setup_seconds=ended.setup_seconds,
            ),
        )


def _deepest(limits: Limits) -> float:
    return float("inf") if limits.depth is None else limits.depth


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


def _layers(
    task: Task,
    layers: list[dict[Hashable, Any]],
    sizes: list[int],
    expand: Expand,
    deepest: float,
) -> Generator[None, None, bool]:
    """Fill `sizes`, and leave in `layers` the last whole layer, and the one being made, if any.

    Returns whether every state was reached: at the depth limit `deepest` the last layer is
    expanded too, until a new state is met. In an undirected problem a successor lies in the
    layer before, the same or the next one, so older layers are dropped.
    """
    problem, counters = task.problem, task.counters
    key_of, undirected = problem.key, problem.undirected
    layer = layers[0]
    counters.generated = len(layer)
    closed: set[Hashable] = set(layer)
    counters.holding(len(closed))
    while layer:
        sizes.append(len(layer))
        deep_enough = len(sizes) > deepest
        fresh: dict[Hashable, Any] = {}
        layers.append(fresh)
        counters.containers = (closed, layer, fresh)
        waiting = len(layer)
        for state in layer.values():
            yield
            counters.expanded += 1
            waiting -= 1
            for action, child, cost in expand(state):
                if cost != 1:
                    raise task.wrong_cost(action, cost)
                counters.generated += 1
                if counters.generated % LOOK_EVERY == 0:
                    counters.holding(len(closed) + len(fresh))
                    yield
                key = key_of(child)
                if key not in closed and key not in fresh:
                    if deep_enough:
                        return False
                    fresh[key] = child
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
