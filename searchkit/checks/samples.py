"""States to look at: the whole space where it is small enough, else a sample of it."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import attrs
import numpy as np

from searchkit.capabilities import HasGoalStates, HasRandomState, steps_into
from searchkit.checks.machine_code.kernel_calls import goals_of, steps_from, with_steps
from searchkit.checks.machine_code.kernels import single_calls
from searchkit.checks.report import Known
from searchkit.compiled.plan import plan_kernels
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.compiled.states.kernels import state_set
from searchkit.compiled.states.state_set import Store, StoredStates
from searchkit.engine import EngineChoice
from searchkit.engines.distances import nearest_first
from searchkit.limits import LimitKind, Limits
from searchkit.packed import PackedProblem
from searchkit.problem import INFINITY, Problem, Step
from searchkit.result import Statistics
from searchkit.running.task import Run, legal_cost
from searchkit.solving.plan import Ran, choose

NEAR_SHARE = 10
"""How many steps of the sample there are for each state that is nearest to a goal."""
SOLVED_EXPANSIONS = 100_000
MOST_EXPANSIONS = 2_000
"""Without a way back from goals: what solving states may take in all, and for each."""
WALK = 100
"""The most steps of a walk."""
GOALS = 1000
"""The most goals that are listed, to walk back from."""

Neighbours = Callable[[Any], Iterable[Step[Any, Any]]]
PLAIN_STATES = 200_000
COMPILED_STATES = 2_000_000
"""How many states are explored where no number is given."""
TELL_EVERY = 1 << 12
AT_ONCE = 1 << 14
"""States whose steps are made by machine code before they are looked up."""

Listener = Callable[[str], None]
Array = np.ndarray[Any, Any]


@attrs.define(eq=False)
class Sample:
    """Different states; `bound` is the cost of a way to a goal, infinity where none is known.

    `exact` tells whether it is the distance. `steps` counts the steps out of the states, or into
    those that were found backwards.
    """

    problem: Problem[Any, Any]
    states: list[Any] = attrs.field(factory=list)
    bound: list[float] = attrs.field(factory=list)
    exact: list[bool] = attrs.field(factory=list)
    steps: int = 0
    number: dict[Hashable, int] = attrs.field(factory=dict)

    def add(self, state: Any, bound: float, exact: bool = False) -> bool:
        """Note a state and a way from it; whether it is new."""
        key = self.problem.key(state)
        index = self.number.setdefault(key, len(self.states))
        if index == len(self.states):
            self.states.append(state)
            self.bound.append(bound)
            self.exact.append(exact)
            return True
        if not self.exact[index]:
            self.bound[index] = min(self.bound[index], bound)
            self.exact[index] = exact
        return False


def draw(problem: Problem[Any, Any], seed: int, samples: int) -> Sample:
    """A sample with about `samples` steps, the same for the same seed.

    First come the states nearest to a goal, with their exact distances. Walks begin in turn at
    starts, at random states, and, backwards, at goals. O(samples).
    """
    sample = Sample(problem)
    back = steps_into(problem)
    goals = list(islice(problem.goal_states(), GOALS)) if isinstance(problem, HasGoalStates) else []
    if back is not None and goals:
        _near_goals(sample, goals, back, samples // NEAR_SHARE + 1)
    _walk(sample, goals if back is not None else [], back, random.Random(seed), samples)
    if back is None or not goals:
        _solve_some(sample)
    return sample


def _near_goals(sample: Sample, goals: list[Any], back: Neighbours, most: int) -> None:
    """Search backwards, until `most` distances are settled."""

    def before(state: Any) -> Iterator[tuple[Any, int]]:
        for step in costed(sample.problem, back, state):
            sample.steps += 1
            yield step

    for number, (distance, state) in enumerate(nearest_first(goals, before, sample.problem.key)):
        if number == most:
            return
        sample.add(state, distance, exact=True)


def costed(problem: Problem[Any, Any], steps: Neighbours, state: Any) -> Iterator[tuple[Any, int]]:
    """The states that steps lead to, and what these cost, which must be as promised."""
    for action, after, cost in steps(state):
        yield after, legal_cost(problem, action, cost)


def _walk(
    sample: Sample, goals: list[Any], back: Neighbours | None, rng: random.Random, samples: int
) -> None:
    """Random walks; the steps out of every state that is met the first time are counted."""
    problem = sample.problem
    starts = list(problem.initial_states())
    begins: list[Callable[[], Any]] = []
    if starts:
        begins.append(lambda: rng.choice(starts))
    if isinstance(problem, HasRandomState):
        begins.append(partial(problem.random_state, rng))
    if goals:
        begins.append(lambda: rng.choice(goals))
    if not begins:
        return
    visits = 0
    for begin in itertools.cycle(begins):
        onward = back if goals and back is not None and begin is begins[-1] else None
        state, bound = begin(), INFINITY if onward is None else 0
        for _ in range(rng.randint(1, WALK)):
            if sample.steps >= samples or visits >= samples:
                return
            visits += 1
            if bound and problem.is_goal(state):
                bound = 0
            is_new = sample.add(state, bound, exact=bound == 0)
            steps = list((onward or problem.successors)(state))
            sample.steps += len(steps) if is_new else 0
            if not steps:
                break
            _, state, cost = rng.choice(steps)
            bound = INFINITY if onward is None else bound + cost


def _solve_some(sample: Sample) -> None:
    """Exact distances of the first states that were met, by search from each."""
    left = SOLVED_EXPANSIONS
    for index, state in enumerate(sample.states):
        if left <= 0:
            return
        if sample.exact[index]:
            continue
        distance, expanded = _distance(sample.problem, state, min(left, MOST_EXPANSIONS))
        left -= expanded
        if distance is not None:
            sample.bound[index] = distance
            sample.exact[index] = True


def _distance(problem: Problem[Any, Any], start: Any, most: int) -> tuple[float | None, int]:
    """The distance of a state, None if not known after `most` expansions; how many there were."""
    ahead = partial(costed, problem, problem.successors)
    number = -1
    for number, (distance, state) in enumerate(nearest_first([start], ahead, problem.key)):
        if problem.is_goal(state):
            return distance, number
        if number == most:
            return None, number
    return INFINITY, number + 1


def whole_space(
    problem: Problem[Any, Any], max_states: int | None, engine: EngineChoice, listener: Listener
) -> Known | None:
    """Everything that can be reached from the starts and the listed goals; None if too much.

    Goals are expanded like other states. O(states + steps) time and memory.
    """
    roots = list(problem.initial_states())
    if isinstance(problem, HasGoalStates):
        roots += problem.goal_states()

    def run(kind: str, limits: Limits, tried: object) -> Ran[Known | None]:
        if kind == "compiled":
            assert isinstance(problem, PackedProblem)
            most = limits.expansions or COMPILED_STATES
            with blaming_kernels(problem):
                found = packed_space(problem, roots, most, listener)
        else:
            most = limits.expansions or PLAIN_STATES
            found = plain_space(problem, roots, most, listener)
        limit = LimitKind.EXPANSIONS if found is None else None
        return Ran(found=found, limit=limit, statistics=Statistics(expanded=most))

    plan = choose(engine, lambda: plan_kernels(problem), insist=False)
    return plan.carry_out(Limits(expansions=max_states), run).found


def plain_space(
    problem: Problem[Any, Any], roots: list[Any], most: int, listener: Listener
) -> Known | None:
    """The same by the problem's own steps, one by one."""
    number: dict[Hashable, int] = {}
    states: list[Any] = []
    for root in roots:
        if number.setdefault(problem.key(root), len(states)) == len(states):
            states.append(root)
    source, target, cost, goals = [], [], [], []
    for state in states:  # grows as it goes
        if len(states) > most:
            return None
        goals.append(bool(problem.is_goal(state)))
        for action, after, paid in problem.successors(state):
            index = number.setdefault(problem.key(after), len(states))
            if index == len(states):
                states.append(after)
            source.append(len(goals) - 1)
            target.append(index)
            cost.append(legal_cost(problem, action, paid))
        if len(goals) % TELL_EVERY == 0:
            listener(f"{len(goals):,} of {len(states):,} states expanded")
    return _known(states, [np.array(each, np.int64) for each in (source, target, cost)], goals)


def packed_space(
    problem: PackedProblem[Any], roots: list[Any], most: int, listener: Listener
) -> Known | None:
    """The same by machine code: for any costs.

    O(states + steps) time; 22 bytes per state of one word, and 12 per step.
    """
    files = (state_set, single_calls)
    spec = with_steps(problem, None, files, WIDEST=lambda lists: lists.widest)
    module, store = spec.module, Store(spec, Run(problem=problem))
    store.begin(roots)
    steps: tuple[list[Any], ...] = ([], [], [])
    goals: list[Any] = []
    at = 0
    while at < store.count <= most:
        end = min(store.count, at + AT_ONCE)
        found = steps_from(spec, store.states, at, end)
        made = len(found.costs)
        while store.count + made > store.capacity:
            deque(store.grow(), maxlen=0)
        store.count = int(module.insert(store.record, found.children[:made], store.count))
        target = np.empty(made, dtype=np.int64)
        module.locate(store.record, found.children, target)
        for kept, new in zip(steps, (found.sources, target, found.costs), strict=True):
            kept.append(new.astype(np.int32))
        goals.append(goals_of(spec, store.states, at, end))
        at = end
        listener(f"{at:,} of {store.count:,} states expanded")
    if store.count > most:
        return None
    rows = store.states[: store.count]
    return _known(StoredStates(rows), list(map(np.concatenate, steps)), np.concatenate(goals), rows)


def _known(
    states: Sequence[Any], steps: Sequence[Any], goals: Any, rows: Array | None = None
) -> Known:
    """A whole space: `steps` have arrays of the states that they leave, of their ends and costs.

    The cost of a cheapest way from each state to a goal, infinity if there is none: Dijkstra's
    algorithm (1959) against the steps, a whole bucket of equal distances at once (R. Dial,
    Algorithm 360, 1969). O(states + steps + distinct distances) array operations.
    """
    source, target, cost = steps
    order, count = np.argsort(target, kind="stable"), len(states)
    source, cost, goals = source[order], cost[order].astype(np.int64), np.asarray(goals, np.bool_)
    into = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(target, minlength=count), out=into[1:])
    far = np.iinfo(np.int64).max
    best = np.where(goals, 0, far)
    settled = np.zeros(count, dtype=np.bool_)
    waiting: dict[int, list[Any]] = {0: [np.flatnonzero(goals)]}
    heap = [0]
    while heap:
        distance = heapq.heappop(heap)
        nodes = np.unique(np.concatenate(waiting.pop(distance)))
        nodes = nodes[(best[nodes] == distance) & ~settled[nodes]]
        settled[nodes] = True
        leading = _ranges(into[nodes], into[nodes + 1])
        before, total = source[leading], cost[leading] + distance
        closer = total < best[before]
        before, total = before[closer], total[closer]
        np.minimum.at(best, before, total)
        for value in map(int, np.unique(total)):  # this very distance again for cost 0
            if value not in waiting:
                waiting[value] = []
                heapq.heappush(heap, value)
            waiting[value].append(before[total == value])
    return Known(
        method="exhaustive",
        states=states,
        distance=np.where(best == far, np.inf, best),
        exact=np.ones(count, dtype=np.bool_),
        goals=goals,
        rows=rows,
    )


def _ranges(begin: Array, end: Array) -> Array:
    """The numbers of all ranges from `begin` to `end`, one range after another."""
    lengths = end - begin
    before = np.cumsum(lengths) - lengths
    found: Array = np.arange(int(lengths.sum()))
    found += np.repeat(begin - before, lengths)
    return found
