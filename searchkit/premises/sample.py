"""The states next to the starts, asked of what an answer rests on."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

import attrs

from searchkit.authors.user_code import is_by_identity, short
from searchkit.capabilities import HasPredecessors
from searchkit.packed import (
    PackedHeuristic,
    by_kernels,
    has_written_rules,
    is_inherited,
    successors_of,
)
from searchkit.premises.asking import (
    Met,
    are_equal,
    are_same,
    can_hide,
    check_unchanged,
    estimate_of,
    given_steps,
    has_nan,
    is_goal,
    key_of,
    met_nan,
    met_steps,
    steps_of,
    unlisted,
    wavers,
)
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import INFINITY, Problem, is_default
from searchkit.running.task import Steps

TWICE = 24
"""Kernels, and rules on fields, are asked again until there were this many steps; other rules are
at all states."""
OFTEN = 64
"""Where fewer states are all that there are, they are asked so many times before that is said."""


class Budget(NamedTuple):
    """How much may be asked before an answer."""

    states: int
    """To be expanded."""
    steps: int = 1 << 30
    """No state is expanded after this many steps."""
    steps_of_state: int = 1000
    """No state is expanded after one that has this many steps."""
    packed_estimates: int = 1 << 30
    """How many states have a packed heuristic asked. It cannot change them, and a search itself
    looks at every estimate that it uses: more shows only dead ends, which a proof of no solution
    needs."""
    seconds: float = 0.2
    """Of processor time."""
    twins: int = 20
    """How many pairs of states with one key are compared, ..."""
    followed: int = 1
    """... and of each of these, how many pairs that they lead to."""


@attrs.define(eq=False, repr=False)
class Sample:
    """States met breadth-first from `roots`, and what was found to be true of them.

    Goals are not expanded, as in a search, unless `past_goals`. `heuristic` is None where nothing
    rests on it, `listed` where goals need not be listed; `method` gives the steps. `whole` says
    whether these are all states that can be reached.
    """

    problem: Problem[Any, Any]
    roots: Sequence[Any]
    heuristic: Any = attrs.field(default=None, kw_only=True)
    listed: frozenset[Hashable] | None = attrs.field(default=None, kw_only=True)
    method: str = attrs.field(default="successors", kw_only=True)
    past_goals: bool = attrs.field(default=False, kw_only=True)
    by_kernels: bool = attrs.field(default=False, kw_only=True)
    """Whether kernels give the steps, where these were made of an author's rules."""
    known: Mapping[Any, Sequence[Any]] = attrs.field(factory=dict, init=False)
    """Steps out of states that others have asked for, which need to be asked but once more."""
    whole: bool = attrs.field(default=False, init=False)
    has_end: bool = attrs.field(default=False, init=False)
    """Whether no further look leads on: the author's code has failed, or a state has many steps."""
    asked_steps: int = attrs.field(default=0, init=False)
    steps: dict[Hashable, list[Met]] = attrs.field(factory=dict, init=False)
    """Of the states that were expanded, by key."""
    goals: dict[Hashable, Any] = attrs.field(factory=dict, init=False)
    """Those that were met, by key."""
    dead_ends: dict[Hashable, Any] = attrs.field(factory=dict, init=False)
    """States of which the heuristic says that no goal can be reached from them."""
    states: dict[Hashable, Any] = attrs.field(factory=dict, init=False)
    before: dict[Hashable, Hashable] = attrs.field(factory=dict, init=False)
    """The key of the state from which one was met first; starts have none."""
    _queue: deque[Hashable] = attrs.field(factory=deque, init=False)
    _twins: int = attrs.field(default=0, init=False)
    _followed: set[Hashable] = attrs.field(factory=set, init=False)
    """Keys of which two states were compared, with what they lead to."""
    _give: Steps = attrs.field(init=False)
    """Lists steps, fast; the second, checking call uses `method` itself."""
    _is_made: bool = attrs.field(default=False, init=False)
    """Whether these are kernels that were made of rules: they are compared with them later."""
    _has_keys: bool = attrs.field(init=False)
    """Whether a state may be other than its key."""
    _is_packed: bool = attrs.field(init=False)
    """Whether the heuristic is."""
    _has_kernels: bool = attrs.field(init=False)
    """Whether steps are between words: rules cannot change these."""

    def __attrs_post_init__(self) -> None:
        own: Steps = getattr(self.problem, self.method)
        self._has_keys = not is_default(self.problem, "key")
        self._give = own
        if self.method == "successors":
            made = by_kernels(self.problem) if self.by_kernels else self.problem
            self._is_made = made is not self.problem
            self._give = successors_of(made)
            if not (self._is_made or self._has_keys):
                ask = self._give
                self._give = lambda state: self.known.get(state) or ask(state)
        self._is_packed = isinstance(self.heuristic, PackedHeuristic)
        self._has_kernels = not self._has_keys and (
            is_inherited(self.problem, self.method) or has_written_rules(self.problem)
        )

    def look(self, budget: Budget) -> None:
        """Meet states within `budget`, and ask; raises `LawError` at the first that breaks a law.

        A further look goes on after the last state of the one before, unless that `has_end`.
        """
        problem, patience, queue = self.problem, Patience(budget.seconds), self._queue
        self.has_end = True
        if not self.states:
            queue.extend(self._known(root, key_of(problem, root, "initial_states"))
                         for root in self.roots)  # fmt: skip
        while queue and len(self.steps) < budget.states and self.asked_steps < budget.steps:
            if patience.is_over():
                return
            key = queue.popleft()
            state = self.states[key]
            again = not self._is_made and (not self._has_kernels or self.asked_steps < TWICE)
            if again:
                check_unchanged(problem, state, key, self.method)
            is_asked = not self._is_packed or len(self.steps) < budget.packed_estimates
            if self._asked(state, key, estimate=is_asked) and not self.past_goals:
                continue
            steps = self._expanded(state, key, budget.steps_of_state, again=again)
            if not self.past_goals and is_goal(problem, state):  # steps may change the answer
                raise wavers(problem, state)
            if len(steps) == budget.steps_of_state:
                return
            for step in steps:
                if step.key not in self.states:
                    queue.append(self._known(step.state, step.key))
                    self.before[step.key] = key
                elif (
                    self._has_keys or can_hide(step.state.__class__)
                ) and self._twins < budget.twins:
                    self._check_twin(step, budget.followed, patience)
        self.has_end = False
        self.whole = not queue
        self._check_ways_back()

    def layers(self) -> list[int]:
        """The sizes of the layers that were met as a whole; none if the sample `has_end`."""
        if self.has_end:
            return []
        depths: dict[Hashable, int] = {}
        for key in self.states:
            before = self.before.get(key)
            depths[key] = 0 if before is None else depths[before] + 1
        sizes = Counter(depths.values())
        complete = depths[self._queue[0]] if self._queue else max(sizes)
        return [sizes[depth] for depth in range(complete + 1)]

    def children(self, key: Hashable) -> list[Any]:
        """What kernels make of a state that was expanded, in order; none if no kernels gave it."""
        return [step.state for step in self.steps[key]] if self._has_kernels else []

    def way_to(self, key: Hashable) -> list[Hashable]:
        """The keys of the states from a start to one that was met."""
        way = [key]
        while way[-1] in self.before:
            way.append(self.before[way[-1]])
        return way[::-1]

    def _known(self, state: Any, key: Hashable) -> Hashable:
        self.states.setdefault(key, state)
        return key

    def _asked(self, state: Any, key: Hashable, *, estimate: bool) -> bool:
        """Whether a state is a goal; and what else is asked but its steps."""
        problem = self.problem
        goal = is_goal(problem, state)
        check_unchanged(problem, state, key, "is_goal", "is_goal", "at_goal")
        if goal and self.listed is not None and key not in self.listed:
            raise unlisted(problem, state)
        if goal:
            self.goals[key] = state
        if is_goal(problem, state) != goal:
            raise wavers(problem, state)
        if self.heuristic is not None and estimate:
            if estimate_of(problem, self.heuristic, state) == INFINITY:
                self.dead_ends[key] = state
            check_unchanged(problem, state, key, "heuristic")
        return goal

    def _expanded(self, state: Any, key: Hashable, most: int, *, again: bool) -> list[Met]:
        problem, method = self.problem, self.method
        steps = steps_of(problem, state, method, most, give=self._give)
        if again:
            check_unchanged(problem, state, key, method, method, "apply")
            self._check_again(state, steps, most)
        self.asked_steps += len(steps)
        self.steps[key] = steps
        return steps

    def check_often(self, most: int, patience: Patience) -> None:
        """Raise if few states have other steps when asked often: chance may have hidden it."""
        times = 0 if self._is_made else max(0, OFTEN - len(self.steps))
        for key in islice(cycle(self.steps), times):
            self._check_again(self.states[key], self.steps[key], most)
            if patience.is_over():
                return

    def _check_again(self, state: Any, steps: list[Met], most: int) -> None:
        """Raise if other steps are given when asked again, or if the states after them change."""
        problem, method = self.problem, self.method
        again: Iterable[Any] = given_steps(problem, state, method, most)
        if not self._has_keys:
            again = list(again)
            if are_equal(again, [step[:3] for step in steps]):
                return
        for step in steps:
            if not is_by_identity(step.key) and problem.key(step.state) != step.key:
                if has_nan(step.key):
                    raise met_nan(problem, step.key, method)
                found = (
                    f"{method} has changed a state that it gave before, from {short(step.key)} "
                    f"to {short(problem.key(step.state))}; make a copy for each step"
                )
                raise broken(problem, "mutation", found, method)
        met = met_steps(problem, state, method, again)
        for old, new in zip(steps, met, strict=False):
            if (old.key, old.cost) != (new.key, new.cost) or _differ(old.action, new.action):
                raise self._fickle(state, old, new)
        if len(steps) != len(met):
            found = f"{method} gives {len(steps)} steps at {short(state)}, and then {len(met)}"
            raise broken(problem, "successors", f"{found} when asked again", method)

    def _check_twin(self, step: Met, followed: int, patience: Patience) -> None:
        """Raise if two states of one key are not interchangeable."""
        known = self.states[step.key]
        if step.key in self._followed or are_same(known, step.state):
            return
        self._twins += 1
        if followed > 1:
            self._followed.add(step.key)
        from searchkit.premises.twins import check_twins  # noqa: PLC0415  (seldom needed)

        check_twins(
            self.problem, (known, step.state), method=self.method, past_goals=self.past_goals,
            known=self._followed, most=followed, patience=patience,
        )  # fmt: skip

    def _fickle(self, state: Any, old: Met, new: Met) -> Exception:
        problem, method = self.problem, self.method
        if has_nan(old.key):
            return met_nan(problem, old.key, method)
        if is_by_identity(old.key) and type(old.key) is type(new.key) and old.cost == new.cost:
            name = type(old.key).__name__
            found = f"{name} lacks __eq__ and __hash__, so that equal states differ; define both"
            return broken(problem, "keys", f"{found}, or key(state)", method)
        found = (
            f"{method} gives other steps when asked again at {short(state)}: first "
            f"{_shown(old)}, then {_shown(new)}"
        )
        return broken(problem, "successors", found, method, "apply")

    def _check_ways_back(self) -> None:
        """Raise if a step cannot be taken back though the problem says so."""
        if not self.problem.undirected:
            return
        ways = {key: [(each.key, each.cost) for each in steps] for key, steps in self.steps.items()}
        for key, steps in self.steps.items():
            for step in steps:
                back = ways.get(step.key)
                if back is not None and (key, step.cost) not in back:
                    found = (
                        f"undirected is True, but no step of cost {step.cost} leads back from "
                        f"{short(step.state)} to {short(self.states[key])}"
                    )
                    raise broken(self.problem, "undirected", found, "undirected", self.method)

    def check_successors(self, most: int = 100) -> None:
        """Of a sample taken backwards: raise if there is no step where predecessors list one."""
        for key in list(self.steps)[:most]:
            for step in self.steps[key]:
                ahead = steps_of(self.problem, step.state)
                if key not in {after.key for after in ahead}:
                    raise self._no_such_step(self.states[key], step.state)

    def _no_such_step(self, state: Any, before: Any) -> Exception:
        found = (
            f"predecessors({short(state)}) lists {short(before)}, from which no step leads there"
        )
        return broken(self.problem, "predecessors", found, "predecessors")

    def check_predecessors(self, most: int = 100) -> None:
        """Raise if the predecessors of states that were met lack a step to them.

        Or if they list one that there is not.
        """
        problem = self.problem
        if problem.undirected or not isinstance(problem, HasPredecessors):
            return
        back: dict[Hashable, set[Hashable]] = {}
        for key in list(self.steps)[:most]:
            state = self.states[key]
            back[key] = {step.key for step in steps_of(problem, state, "predecessors")}
            for before in back[key] & self.steps.keys():
                if key not in {step.key for step in self.steps[before]}:
                    raise self._no_such_step(state, self.states[before])
        for key, steps in self.steps.items():
            for step in steps:
                if key not in back.get(step.key, {key}):
                    found = (
                        f"predecessors({short(step.state)}) lacks {short(self.states[key])}, from "
                        f"which {short(step.action)} leads there"
                    )
                    raise broken(problem, "predecessors", found, "predecessors")


def _differ(one: Any, other: Any) -> bool:
    """Whether two labels differ, as far as labels of their kind can be compared."""
    if is_by_identity(one):
        return type(one) is not type(other)
    try:
        return bool(one != other)
    except Exception:  # labels need not be comparable
        return False


def _shown(step: Met) -> str:
    return f"{short(step.action)} to {short(step.state)} at cost {short(step.cost)}"
