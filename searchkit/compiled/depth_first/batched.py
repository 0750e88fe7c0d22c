"""One iteration of deepening in batches: counts of depth-first search, in another order.

Depth-first search goes on with its stack, but leaves subtrees below some slack to batches: it lists
their roots. Runs of subtrees are counted in batches, by several threads if wanted, in its order, or
all of them in one that promises more. If a run meets a goal, depth-first search goes back to where
the run begins, and leaves smaller subtrees; in the end it leaves nothing, and so finds the first
goal in that order and counts exactly the states before it. Where all solutions are wanted,
depth-first search has the goals that it meets, and searches once more what a run has left that
meets one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.depth_first.batch_plan import MOST_SLACK, ROOTS_IN_RUN, Plan
from searchkit.compiled.depth_first.counting import Buckets, UnfitError
from searchkit.compiled.depth_first.crews import Crew
from searchkit.compiled.depth_first.kernels.deepening import Ended, Roots
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.depth_first.ordering import Order
from searchkit.compiled.depth_first.resumable import NOTHING_LEFT, Counted, Cut
from searchkit.compiled.depth_first.siblings import Bursts
from searchkit.compiled.depth_first.stack import Stack
from searchkit.compiled.depth_first.work_units import Runs
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Task

SEARCHED_DEPTH_FIRST = 30_000
"""A run of this many states is searched depth first, once it is known to hold a goal."""
MOST_CUTS = 8
"""A run with a goal is cut finer so often before it is searched depth first."""
UNLIMITED = 1 << 60
ROOTS_IN_PART = 8
"""Where all solutions are wanted, a run with a goal is counted again in parts of this many."""
LEAST_RUN = 100_000
"""Where goals are near one another, runs become smaller, down to this many states."""
STATES_FOR_ROOT = 8
"""To list a root again costs as much as this many states in batches."""
MOST_LOST = 16
"""A 16th of an iteration may be lost in runs that turn out to hold a goal, and what others gain."""
NOTHING = Counted(0, 0, NO_EXCESS)


@attrs.frozen
class Found:
    """Counts of the iteration, or up to the first goal, if there is any: the stack has its path."""

    counts: Counted
    goal: bool


@attrs.define(eq=False, repr=False)
class BatchIteration:
    """The rest of the iteration that `stack` has begun."""

    spec: Specialised
    task: Task
    stack: Stack | Bursts
    crew: Crew
    plan: Plan
    note: Callable[[Counted], None]
    """Takes the counts of all that was done, before each pause."""
    solution: Callable[[list[Any]], None] | None = None
    """Takes the path of each solution, some of them twice, where all are wanted."""
    order: Order | None = None
    """Of subtrees, where they may be searched in any."""
    settled: Counted = NOTHING
    """What was done in batches before the present runs."""
    most_waiting: int = 0

    def warm_up(self) -> None:
        """Load or make the machine code, where that was not done: expand nothing."""
        if self.crew.kind is Buckets and not getattr(self.spec.module.drain, "signatures", False):
            none = Runs(self.stack.roots, np.zeros(1, dtype=np.int64))
            Buckets(self.spec, self.task, 0).count(none.record, 1)

    def run(self) -> Generator[None, None, Found]:
        """Finish the iteration; pauses after each slice.

        Raises `UnfitError` if estimates vary too much for batches, or are none, if there is a goal
        where all solutions are wanted, or at the limit of expansions; the stack is then where it
        was.
        """
        begun = self.stack.mark()
        self.crew.forget()
        try:
            ordered = yield from self._search_in_order()
            if ordered is not None:
                return ordered
            found = yield from (self._search() if self.solution is None else self._search_all())
            if found.goal and self.task.every:
                raise UnfitError  # batches keep no paths
        except UnfitError:
            self.stack.back_to(begun)
            self.crew.workers = ()  # states may wait in their buckets
            raise
        return found

    def _search_in_order(self) -> Generator[None, None, Found | None]:
        """Search the most promising subtrees first; None if they are too many, or none are cut."""
        stack, order = self.stack, self.order
        if order is None or (cut := order.cut) is None:
            return None
        mark = stack.mark()
        stack.leave(cut)
        if (yield from self._advance()) != Ended.DONE:
            stack.back_to(mark)
            return None
        numbers = order.of(stack.roots)
        roots = Roots(*(column[numbers] for column in stack.roots))
        runs = Runs(roots, np.arange(len(numbers) + 1))
        yield from self._count(runs, self.plan.states)
        self.settled += runs.counted(0, runs.with_goal)
        if not runs.meets_goal:
            order.learn(numbers, runs.record.nearest)
            return self._found(Ended.DONE)
        self.crew.forget()
        stack.back_to(mark)
        self._advance_to(cut, int(numbers[runs.with_goal]))
        return (yield from self._search())

    def _search(self) -> Generator[None, None, Found]:
        stack, cuts_left = self.stack, MOST_CUTS
        while True:
            mark, plan = stack.mark(), self.plan
            cut = plan.cut(stack.depth)
            stack.leave(cut)
            ended = yield from self._advance()
            runs, done = yield from self._count_left(plan)
            with_goal = runs.with_goal
            if not runs.meets_goal:
                if ended != Ended.LISTED:
                    return self._found(ended)
                plan.learn(len(runs.begins) - 1, done.expanded, runs.begins[-1])
                continue
            begin = int(runs.begins[with_goal])
            self.crew.forget()
            stack.back_to(mark)
            self._advance_to(cut, begin)
            cuts_left -= 1
            # A goal may turn up early in its run, whose size is then that of those before, or so.
            found = runs.counted(0, with_goal + 1).expanded
            mean = max(1, found) / (with_goal + 1)
            if mean <= SEARCHED_DEPTH_FIRST or not cuts_left:
                stack.leave(NOTHING_LEFT)
                return self._found((yield from self._advance()))
            self.plan = plan.finer(mean)

    def _search_all(self) -> Generator[None, None, Found]:
        """Go on behind each goal, until the iteration ends."""
        stack, plan, gained, lost = self.stack, self.plan, 0.0, 0.0
        below, most_room, most_run = type(stack)(self.spec, self.task), plan.room, plan.run
        while stack.depth >= 0:
            in_vain = lost > gained + plan.states / MOST_LOST
            mark, cut = stack.mark(), NOTHING_LEFT if in_vain else plan.cut(stack.depth)
            stack.leave(cut)
            while (ended := (yield from self._advance())) == Ended.FOUND:
                self._hand_on(stack.path()[0])
            runs, done = yield from self._count_left(plan)
            with_goal = runs.with_goal
            gained += done.expanded
            if not runs.meets_goal:
                if ended != Ended.LISTED:
                    break
                plan.learn(len(runs.begins) - 1, done.expanded, runs.begins[-1])
                plan.room, plan.run = min(2 * plan.room, most_room), min(2 * plan.run, most_run)
                continue
            lost += runs.counted(with_goal, with_goal + 1).expanded
            lost += STATES_FOR_ROOT * len(runs.roots.nodes)
            # Where one goal is, others are near: so less is lost.
            plan.room = max(plan.room // 4, ROOTS_IN_RUN)
            plan.run = max(plan.run / 2, min(most_run, LEAST_RUN))
            begin, end = runs.begins[with_goal : with_goal + 2].tolist()
            roots = Roots(*(column[begin:end].copy() for column in runs.roots))
            stack.back_to(mark)
            yield from self._pass_over(cut, begin)
            yield from self._collect(cut, roots, below)
        return Found(self.settled + stack.counts, goal=False)

    def _collect(
        self, cut: Cut, roots: Roots, below: Stack | Bursts
    ) -> Generator[None, None, None]:
        """Search what the stack leaves next, of which some holds a goal, and pass over it."""
        at = begin = 0
        while begin < len(roots.nodes):
            rest = Roots(*(column[begin:] for column in roots))
            begins = np.append(np.arange(0, len(rest.nodes), ROOTS_IN_PART), len(rest.nodes))
            runs = Runs(rest, begins)
            yield from self._count(runs)
            with_goal = runs.with_goal
            self.settled += runs.counted(0, with_goal)
            if not runs.meets_goal:
                break
            first, end = (begins[with_goal : with_goal + 2] + begin).tolist()
            for number in range(first, end):
                slack = int(roots.slacks[number])
                below.begin(roots.states[number], int(roots.nodes[number]), slack)
                while (ended := below.advance()) != Ended.DONE:
                    if ended == Ended.OUT_OF_BUDGET:
                        yield from self._pause(self.settled + self.stack.counts + below.counts)
                    elif ended == Ended.FOUND:
                        settled, self.settled = self.settled, self.settled + below.counts
                        yield from self._pass_over(cut, number - at)
                        at, self.settled = number, settled
                        above = self.stack.states[: self.stack.depth + 1]
                        self._hand_on([*map(python_state, above), *below.path()[0]])
                    else:
                        raise UnfitError
                self.settled += below.counts
            begin = end
        yield from self._pass_over(cut, len(roots.nodes) - at)

    def _hand_on(self, path: list[Any]) -> None:
        assert self.solution is not None
        self.solution(path)

    def _found(self, ended: int) -> Found:
        return Found(self.settled + self.stack.counts, ended == Ended.FOUND)

    def _pause(self, counts: Counted) -> Generator[None, None, None]:
        self.note(counts)
        if self.task.counters.expanded >= self.task.most_expansions:
            raise UnfitError  # only depth-first search knows which states are within the limit
        yield

    def _advance(self) -> Generator[None, None, int]:
        """Let the stack search until it ends, or there is no room for roots."""
        while (ended := self.stack.advance()) == Ended.OUT_OF_BUDGET:
            yield from self._pause(self.settled + self.stack.counts)
        if ended == Ended.WRONG_ESTIMATE:
            raise UnfitError  # it may come after a goal, which the stack will then meet first
        return ended

    def _advance_to(self, cut: Cut, root: int) -> None:
        """Let the stack go again where it was: up to the root with that number."""
        if root:
            self.stack.leave(attrs.evolve(cut, room=root))
            budget, self.task.budget = self.task.budget, UNLIMITED
            self.stack.advance()
            self.task.budget = budget

    def _pass_over(self, cut: Cut, roots: int) -> Generator[None, None, None]:
        """Let the stack go on to the root with that number from here on, past known goals."""
        self.stack.leave(attrs.evolve(cut, room=roots))
        while (yield from self._advance()) == Ended.FOUND:
            pass

    def _count_left(self, plan: Plan) -> Generator[None, None, tuple[Runs, Counted]]:
        """Count what the stack has left to batches, and settle the runs before the first goal."""
        runs = Runs(self.stack.roots, self.stack.runs)
        yield from self._count(runs, (len(runs.begins) - 1) * plan.run)
        done = runs.counted(0, runs.with_goal)
        self.settled += done
        return runs, done

    def _count(self, runs: Runs, states: float = 0) -> Generator[None, None, None]:
        """Count the subtrees, of about that many states, at least up to the first goal in them."""
        roots = runs.roots
        if not len(roots.nodes):
            return
        most = int(roots.slacks.max())
        if most > MOST_SLACK:
            raise UnfitError
        counting = self.crew.counting(runs, most, states)
        try:
            while not counting.is_finished():
                if self.task.budget <= 0:
                    yield from self._pause(counting.so_far(self.settled + self.stack.counts))
                self.task.budget -= counting.advance(self.task.budget)
                self.most_waiting = max(self.most_waiting, len(roots.nodes) + counting.most)
        finally:
            counting.end()
