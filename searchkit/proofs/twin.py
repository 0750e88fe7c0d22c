"""The checker's twin: the same tests by machine code that was made of the rules, for long lists."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, suppress
from itertools import islice, pairwise, starmap
from operator import lt
from pathlib import Path
from typing import Any, ClassVar

import attrs
import numpy as np

from searchkit.algorithms import Algorithm
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.kernels import successors
from searchkit.compiled.specialise.listing import room_after
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, gives_floats, specialise
from searchkit.compiled.states.kernels import state_set
from searchkit.compiled.states.state_set import Store
from searchkit.errors import UnsuitableError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.limits import LimitKind, Limits
from searchkit.problem import Problem, name_of
from searchkit.proofs.beliefs import RULES_ALONE, rests_on
from searchkit.proofs.checker import Check, Leads, Refused, Unusable, Verdict, need, read
from searchkit.proofs.judging import Named, as_errors, asked, bounded
from searchkit.proofs.kernels import twin
from searchkit.proofs.kernels.reading import LARGEST
from searchkit.proofs.kernels.twin import ENDS, NEVER, UNKNOWN, WAITS, Fault, Info, Order, Sets
from searchkit.proofs.listing import MANY
from searchkit.proofs.reading import read_in_bulk
from searchkit.proofs.rules import ProofRules, state_of
from searchkit.result import Status
from searchkit.running.free_memory import default_memory
from searchkit.running.reservoir import Reservoir
from searchkit.running.task import Outcome, Task
from searchkit.solving.series import Series

BELIEVED = "by the twin, believing machine code that was made of the rules"
AT_ONCE = 1 << 14
"""How many states are read at a time."""
BATCH, BATCHES = 1 << 7, 1 << 5
"""How many states are tested at a time; how many times before limits are looked at."""
SAID = {
    Fault.GOAL: "{0} is a goal, or leads to the goal {1} below the bound",
    Fault.ABSENT: "{1} is reached from {0}, and the list lacks it",
    Fault.LATE: "{0} leads to {1}, listed at more",
    Fault.FREE: "a step from {0} costs nothing",
    Fault.DISTANCE: "{0} is not as far from a goal as its number",
    Fault.ESTIMATE: "{0} leads to {1}, whose h cannot be",
    Fault.OTHER_GOAL: "{0} leads to the goal {1}, which is not listed",
}

Array = np.ndarray[Any, Any]


@attrs.frozen(repr=False, eq=False)
class Twin(Algorithm):
    """Tests each state of the list of a proof; what it counts goes to `found`."""

    heuristic: Heuristic[Any, Any]
    path: str | Path
    header: dict[str, Any]
    rules: ProofRules
    starts: list[tuple[int, str, bool, int]]
    """Steps to them, as the checker's rules give them."""
    memory: int
    found: list[tuple[int, int, Leads]] = attrs.field(factory=list)
    """Edges, those on which h falls, and steps that are late by up to k."""

    name: ClassVar[str] = "twin"
    summary: ClassVar[str] = "the list of a proof"
    uses_heuristic: ClassVar[bool] = True
    engines = {"compiled": "proofs.twin:testing"}  # noqa: RUF012


def verify_by_twin(
    path: str | Path,
    problem: Problem[Any, Any],
    *,
    named: Named | None = None,
    memory: int | None = None,
) -> Verdict:
    """Check a proof as `verify_proof` does, but its list by machine code made of the rules.

    Memory: that of the states of the list, up to `memory` or three quarters of what is free; counts
    need more. Raises `VerificationError` with the reason where the proof is refused,
    `UnsuitableError` where there is no machine code.
    """
    memory = default_memory() if memory is None else memory
    with as_errors(), ExitStack() as stack:
        header, _, rules = asked(path, problem, named, memory)
        slow = Check(header, rules, stack)
        starts = slow.expanded(None)[2]
        if slow.is_cost:
            slow.of_ends()
        by = Twin(rules.heuristic, path, header, rules, starts, memory)
        limits = Limits(cost=header["below"] or 0, memory=memory)
        done = Series(algorithm=by, limits=limits, engine="compiled").solve(problem)
        if done.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        if not by.found:
            why = "no way leads from a start to a goal; check it without the twin"
            why = why if done.limit is None else f"the {done.limit.label} limit"
            raise UsageError(f"the twin has not checked the list: {why}")
        edges, falls, leads = by.found[-1]
        if header["solution"] is not None:
            slow.of_solution(leads)
        proved = slow.verdict(edges, falls)
    said = rests_on(rules.heuristic, merges=rules.merges)
    rests = BELIEVED if said == RULES_ALONE else f"{BELIEVED}; {said}"
    return proved._replace(rests_on=rests)


def testing(task: Task) -> Generator[None, None, Outcome]:
    """Test all states of a list, in slices."""
    if gives_floats(task.heuristic):
        raise UnsuitableError(f"{name_of(task.problem)}: the twin needs estimates of whole numbers")
    task.reservoir = Reservoir(due=1 << 62)  # each state is tested anyway
    is_done = False
    with suppress(Refused, Unusable):  # by what was read in bulk, which is no reason to refuse it
        listed = Listed.of(task)
        if listed.read_in_bulk():
            yield from listed.test()
            is_done = True
    if not is_done:
        listed = Listed.of(task)
        with as_errors():
            yield from listed.read()
            yield from listed.test()
    task.is_all_expanded = True
    return Outcome(gave_up=LimitKind.COST)  # as a search, it says nothing that is to be checked


@attrs.define(eq=False, repr=False, slots=False)
class Listed:
    """The states of a list as words, with their numbers."""

    task: Task
    spec: Specialised
    store: Store
    goals: Store
    is_bulk: bool = False
    """Whether `parse` has read only some of them."""
    info: Array = attrs.field(factory=lambda: np.zeros(len(Info), np.int64))
    order: Order = attrs.field(init=False)
    batch: twin.Batch = attrs.field(init=False)
    leads: Leads = attrs.field(factory=dict)
    """Steps to states, by their number from 1 on, or to goals: 0. None leads to the starts."""

    @classmethod
    def of(cls, task: Task) -> Listed:
        """No states yet; machine code is made."""
        roots = state_set, successors, twin
        spec = specialise(task.problem, task.heuristic, roots, kept=task.kept, **cost_range(task))
        goals = Store(spec, task)
        return cls(task, spec, Store(spec, task, goals), goals)

    @property
    def _header(self) -> dict[str, Any]:
        header: dict[str, Any] = self.task.algorithm.header
        return header

    @property
    def _late(self) -> int:
        """By how much ways are late that are counted; -1 if none are."""
        late = self._header["within"]
        return -1 if late is None else int(late)

    def read(self) -> Generator[None, None, None]:
        """Read all states one by one."""
        by, last = self.task.algorithm, list[str]()
        entries = iter(bounded(read(by.path)[1], by.memory))
        parts, numbers = [self.rows([])], list[int]()
        while some := list(islice(entries, AT_ONCE)):
            texts = [*last, *(text for text, _ in some)]
            need(all(starmap(lt, pairwise(texts))), "the list is not in order")
            last = texts[-1:]
            parts.append(self.rows([text for text, _ in some]))
            numbers += [NEVER if g is None else g for _, g in some]
            yield
            need(len(numbers) <= self._header["states"], "the list is longer than it says")
        need(len(numbers) == self._header["states"], "the list is shorter than its header says")
        is_small = max([0, *(g for g in numbers if g != NEVER)]) < LARGEST
        need(is_small, "a number is too large for the twin")
        self._begin(np.concatenate(parts), np.array(numbers, np.int64))

    def read_in_bulk(self) -> bool:
        """Read all states by the pattern of their texts; False if they are few, or have none."""
        algorithm, header = self.task.algorithm, self._header
        if header["states"] <= MANY or not algorithm.rules.reads:
            return False
        words = self.spec.problem.words
        found = read_in_bulk(
            algorithm.path, header, lambda texts: self.rows(texts).reshape(-1, words),
            lambda rows: [self.text(row) for row in self.spec.rows(rows.reshape(-1))],
            algorithm.memory,
        )  # fmt: skip
        if found is None:
            return False
        self.is_bulk = True
        self._begin(self.spec.rows(found[0].reshape(-1)), found[1])
        return True

    def _begin(self, rows: Array, numbers: Array) -> None:
        header = self._header
        need((header["below"] or 0) < LARGEST, "the cost is too large for the twin")
        has_all = header["claim"] != "cost" or not (numbers == NEVER).any()
        need(has_all, "a state of the list has no number")
        held = np.full((len(numbers), 2), WAITS, np.int64)
        held[:, 0] = numbers
        self.order = Order(held.reshape(-1), np.zeros(2 * len(numbers), np.uint32))
        self.store.states = rows  # which it need not copy, then
        self.store.begin_with(rows)
        need(self.store.count == len(numbers), "two texts of the list are of one state")
        self.goals.begin_with(self.rows(header["goals"] or []))

    def rows(self, texts: list[str]) -> Array:
        """States as words, by their texts."""
        values = list(map(self._value, texts))
        packed = getattr(self.task.problem, "packed_states", self.spec.states)
        return self.spec.rows(packed(values)) if values else self.spec.empty(0)

    def _value(self, text: str) -> Any:
        rules = self.task.algorithm.rules
        try:
            value = rules.problem.parse(text) if rules.reads else state_of(text)
            again = rules.written(value)
        except Exception as error:
            raise Refused(f"{text!a} makes the rules fail: {error!r}") from error
        need(again == text, "{} is written {} by the rules", text, again)
        return value

    def text(self, row: Any) -> str:
        """The text of a state."""
        state, value = python_state(row), getattr(self.task.problem, "value", None)
        text: str = self.task.algorithm.rules.written(state if value is None else value(state))
        return text

    def _test_starts(self) -> None:
        """The list holds each start at 0, unless it is a goal or h is large."""
        below, late = self._header["below"], self._late
        for _, text, ends, h in self.task.algorithm.starts:
            place = self._queue(text)
            if below is None:
                continue
            g = below if ends else int(self.order.held[2 * place]) if place >= 0 else NEVER
            need(g <= 0 or h > below + late, "the list does not have the start {}", text)
            if g <= 0 <= late:
                self.leads.setdefault(0 if ends else place + 1, []).append((None, -g))
        for text in self._header["goals"] or []:
            self._queue(text)

    def _queue(self, text: str) -> int:
        """Put the state of a text into the queue, if it is listed; its place, or a negative one."""
        place = int(self.store.locate(self.rows([text]))[0])
        if place >= 0 and self.order.held[2 * place + 1] == WAITS:
            self.order.held[2 * place + 1] = UNKNOWN
            self.order.queue[2 * self.info[Info.END]] = place
            self.info[Info.END] += 1
        return place

    def _queue_others(self) -> None:
        """Put all states into the queue to which no way leads, once the slow rules know them."""
        others, algorithm = np.flatnonzero(self.order.held[1::2] == WAITS), self.task.algorithm
        if self.is_bulk or not algorithm.rules.reads:
            wanted = set(others.tolist())
            listed = enumerate(read(algorithm.path)[1])
            texts = [text for place, (text, _) in listed if place in wanted]
            need((self.rows(texts) == self.store.states[others]).all(), "states are misread")
            try:
                for text in texts:
                    algorithm.rules.goal(text)
            except Exception as error:
                raise Refused(f"a state of the list makes the rules fail: {error!r}") from error
        self.order.queue[: 2 * len(others) : 2] = others
        self.order.held[1::2][others] = UNKNOWN
        self.info[Info.END] = len(others)

    def test(self) -> Generator[None, None, None]:
        """Test all states, and all to which they lead."""
        info, store, task, header = self.info, self.store, self.task, self._header
        below = header["below"]
        self._test_starts()
        info[Info.BELOW] = -1 if below is None else below
        info[Info.LATE] = self._late
        info[Info.GOALS] = header["goals"] is not None
        self._make_room(8 * BATCH)
        sets = Sets(store.record, self.goals.record)
        while (before := int(info[Info.TESTED])) < store.count:
            if info[Info.END] == 0:
                self._queue_others()
            fault = self.spec.module.check_batches(
                *self.spec.head[:2], self.spec.lists, sets, self.order, self.batch, info,
                1 if self._late >= 0 else BATCHES,
            )  # fmt: skip
            done = int(info[Info.TESTED]) - before
            task.counters.expanded += done
            task.budget -= done
            if fault < 0:
                given = fault, store.states[info[Info.STATE]], self.batch.children
                room = room_after(task, self.spec, *given)
                if room is not self.batch.children:
                    self._make_room(len(room.states))
            elif fault != Fault.NONE:
                child = self.batch.children.states[max(0, info[Info.CHILD])]
                here = self.text(store.states[info[Info.STATE]])
                raise Refused(SAID[fault].format(ascii(here), ascii(self.text(child))))
            elif self._late >= 0:
                self._note(done)
            if task.budget <= 0:
                yield
        edges, falls = int(info[Info.EDGES]), int(info[Info.FALLS])
        task.algorithm.found.append((edges, falls, self.leads))

    def _make_room(self, children: int) -> None:
        ends, words = np.zeros(BATCH, np.int64), np.zeros((5, max(children, BATCH)), np.int64)
        self.batch = twin.Batch(self.spec.children(children), ends, *words)

    def _note(self, count: int) -> None:
        """Keep the steps of a batch that are late by up to k."""
        ends = self.batch.ends[:count]
        found, late = self.batch.found[: ends[-1]], self.batch.late[: ends[-1]]
        sources = np.repeat(self.batch.sources[:count], np.diff(ends, prepend=0))
        kept = late >= 0
        steps = zip(*(each[kept].tolist() for each in (sources, found, late)), strict=True)
        for source, target, more in steps:
            after = 0 if target == ENDS else target + 1
            self.leads.setdefault(after, []).append((source + 1, more))
