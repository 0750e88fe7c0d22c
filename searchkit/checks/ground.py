"""The states on which laws are tried, each with a short way to it."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import attrs

from searchkit.authors.user_code import MOST_ITEMS as MOST_STEPS
from searchkit.authors.user_code import AuthorError, call, is_by_identity, short
from searchkit.capabilities import HasCertificate, HasGoalStates, HasRandomState
from searchkit.checks.verdicts import Status
from searchkit.engine import EngineChoice
from searchkit.engines.distances import nearest_first
from searchkit.errors import SearchkitError
from searchkit.packed import expanded, has_expand
from searchkit.parameters import Value
from searchkit.premises.asking import Met, is_goal, key_of, states_of, taken
from searchkit.problem import Problem
from searchkit.registry import HeuristicEntry, PuzzleEntry, Registry, RendererEntry
from searchkit.running.making import search_clock
from searchkit.running.task import whole_cost
from searchkit.texts.amounts import plural

STATES = 5_000
WALK = 60
"""The most steps of a random walk."""
MOST_TRIES = 10
"""How many walks are begun for each state that is wanted, as they may come to dead ends."""
GOALS = 1000
"""The most goals that are listed."""
TOLD_EVERY = 16
TRIES = 20
"""How many random states are drawn to begin walks at."""

START, GOAL, DRAWN = "start", "listed goal", "random state"


@attrs.define(eq=False)
class Visit:
    """A state that was expanded: `place` is that of the step to it, out of its parent.

    `failure` is what went wrong in its expansion; it has no `steps` then. `changed` is the first
    step whose state was another one after the last step, with the text of what it had become.
    """

    state: Any
    key: Hashable
    origin: str
    parent: Visit | None = None
    place: int = 0
    steps: list[Met] = attrs.field(factory=list)
    changed: tuple[Met, str] | None = None
    is_goal: bool = False
    failure: AuthorError | None = None

    @property
    def way(self) -> list[Visit]:
        """The states from where it was reached, itself included."""
        found: list[Visit] = []
        at: Visit | None = self
        while at is not None:
            found.append(at)
            at = at.parent
        return found[::-1]

    def child(self, place: int) -> Visit:
        """The state that the step of that number leads to."""
        step = self.steps[place]
        return Visit(step.state, step.key, self.origin, self, place)


@attrs.frozen
class Breach:
    """Where a law is broken: what was expected, what was found, and whose code is to blame.

    `blame` names methods and attributes of the problem, the likeliest first; `place` is a line that
    is known already. `then` is the text of what is done at the state, an action, say. That is the
    state being looked at where `at` is not another one.
    """

    expected: str
    found: str
    blame: str = ""
    then: str = attrs.field(default="", kw_only=True)
    place: str | None = attrs.field(default=None, kw_only=True)
    at: Visit | None = attrs.field(default=None, kw_only=True)


class Registered(NamedTuple):
    """What is tried with a problem: as which puzzle it is registered, and what suits it.

    `values` are those of its parameters, with the text of files in place of their names.
    """

    entry: PuzzleEntry | None = None
    heuristics: Sequence[HeuristicEntry] = ()
    renderers: Sequence[RendererEntry] = ()
    values: Mapping[str, Value] = MappingProxyType({})

    @classmethod
    def of(
        cls,
        registry: Registry,
        entry: PuzzleEntry,
        problem: Problem[Any, Any],
        values: Mapping[str, Value] = MappingProxyType({}),
    ) -> Registered:
        """All that a registry knows of a problem, which was made with these values."""
        heuristics, renderers = registry.heuristics, registry.renderers
        return cls(entry, heuristics.suiting(problem), renderers.suiting(problem), values)

    def given(self) -> dict[str, Value]:
        """Values of parameters that are required, or may name files and are not the defaults."""
        parameters = () if self.entry is None else self.entry.parameters
        return {
            each.name: self.values[each.name]
            for each in parameters
            if each.name in self.values
            and (each.required or (each.path and self.values[each.name] != each.default))
        }


UNREGISTERED = Registered()


class OutOfTime(SearchkitError):  # noqa: N818  (a signal, not an error)
    """The time for the laws is over."""


class NoStates(SearchkitError):  # noqa: N818  (a signal, not an error)
    """There is no state that a law could be tried on."""


@attrs.define(eq=False, slots=False)
class Ground:
    """A problem, what was registered for it, and the states to try laws on.

    States come in the order of breadth-first search from the starts, so that the first to break a
    law is one nearest to a start. If there are more than `most`, half of them are found like
    that, and the others on walks from starts, listed goals and random states.
    """

    problem: Problem[Any, Any]
    most: int = attrs.field(default=STATES, kw_only=True)
    seed: int = attrs.field(default=0, kw_only=True)
    max_time: float | None = attrs.field(default=None, kw_only=True)
    engine: EngineChoice = attrs.field(default="auto", kw_only=True)
    registered: Registered = attrs.field(default=UNREGISTERED, kw_only=True)
    listener: Callable[[str], None] = attrs.field(default=lambda text: None, kw_only=True)
    """Called now and then with what is looked at."""
    law: str = attrs.field(default="looking for states", init=False)
    """What is tried."""
    began: float = attrs.field(factory=search_clock, init=False)
    starts: list[Any] = attrs.field(factory=list, init=False)
    visited: list[Visit] = attrs.field(factory=list, init=False)
    number: dict[Hashable, Visit] = attrs.field(factory=dict, init=False)
    is_whole: bool = attrs.field(default=False, init=False)
    from_starts: int = attrs.field(default=0, init=False)
    """How many states the starts reach; 0 if the space was not exhausted."""
    failure: AuthorError | None = attrs.field(default=None, init=False)
    """Why there are no states."""
    current: Visit | None = attrs.field(default=None, init=False)
    looked_at: int = attrs.field(default=0, init=False)
    tried: dict[str, Status] = attrs.field(factory=dict, init=False)
    """How the trials of laws have ended, by name."""
    shared: dict[str, Any] = attrs.field(factory=dict, init=False)
    """What several laws need and one has found."""

    def __attrs_post_init__(self) -> None:
        try:
            self.starts = self.listed("initial_states")
            roots = [self._root(start, "initial_states", START) for start in self.starts]
        except AuthorError as error:
            self.failure = error
            return
        if not roots:
            self.failure = AuthorError("initial_states", "initial_states gives no state")
            return
        self._explore(roots)

    def key(self, state: Any, giver: str = "successors") -> Hashable:
        """The key of a state that the method `giver` gave, which must be hashable."""
        return _key_of(self.problem, state, giver)

    def listed(self, method: str) -> list[Any]:
        """The states that a method without arguments lists, up to a thousand."""
        return call(method, lambda: list(islice(states_of(self.problem, method), GOALS)))

    def take(self, state: Any, method: str = "successors") -> list[Met]:
        """The steps out of a state, or into it, each with the key its state has when it comes."""
        steps = call(method, taken, self.problem, state, method, MOST_STEPS + 1, _key_of)
        if len(steps) > MOST_STEPS:
            raise AuthorError(method, f"{method} gives more than {MOST_STEPS:,} steps at one state")
        return steps

    def fresh(self, visit: Visit) -> Any:
        """The state of `visit`, made again: by the step, or the listing, that it came from."""
        if visit.parent is None:
            found = self.listed("initial_states")
            if visit.origin != START:
                return visit.state
        else:
            found = [step.state for step in self.take(visit.parent.state)]
        if visit.place >= len(found):
            method = "initial_states" if visit.parent is None else "successors"
            raise AuthorError(method, f"{method} gives fewer when asked again")
        return found[visit.place]

    def ask(self, method: str, *args: Any) -> Any:
        """What a method of the problem gives; raises `AuthorError` where it fails."""
        return call(method, getattr(self.problem, method), *args)

    def certificate(self, state: Any) -> Any:
        """What the problem gives to certify that no goal can be reached from a state, if it can."""
        return self.ask("certificate", state) if isinstance(self.problem, HasCertificate) else None

    def operations(self, state: Any) -> Iterator[tuple[int, int, Any]]:
        """Control state, operator and child of each step out of a state of a packed problem.

        There are none where `expand` lists the steps.
        """
        control = self.ask("control", state)
        for operator in self.ask("operators", control):
            if self.ask("legal", state, control, operator):
                yield control, operator, self.ask("apply", state, control, operator)

    def priced(self, state: Any) -> Iterator[tuple[int, Any, Any]]:
        """Operator, child and cost of each step out of a state of a packed problem, by kernels."""
        problem: Any = self.problem
        if has_expand(problem):
            yield from call("expand", expanded, problem, state)
            return
        for control, operator, child in self.operations(state):
            yield operator, child, self.ask("cost", state, control, operator)

    def is_expanded(self, key: Hashable) -> bool:
        """Whether the steps out of the state of that key are known."""
        visit = self.number.get(key)
        return visit is not None and visit.failure is None

    def steps_from(self, step: Met) -> list[Met]:
        """The steps out of the state that a step leads to, known or asked for."""
        return self.number[step.key].steps if self.is_expanded(step.key) else self.take(step.state)

    def text(self, state: Any) -> str:
        """The text of a state; where the author has none that works, Python's."""
        return self._text("format_state", state)

    def action_text(self, action: Any) -> str:
        """The text of an action; where the author has none that works, Python's."""
        return self._text("format_action", action)

    def _text(self, method: str, value: Any) -> str:
        try:
            return " ".join(self.ask(method, value).split())
        except (AuthorError, AttributeError):
            return short(value)

    def operator_text(self, state: Any, operator: int) -> str:
        """The text of the action that an operator is at a state."""
        return self.action_text(self.ask("action", state, operator))

    def step_text(self, step: Sequence[Any] | None) -> str:
        """The text of a step, which begins with action, state and cost; None is that of no step."""
        if step is None:
            return "no more"
        return f"{self.action_text(step[0])} to {self.text(step[1])} at cost {step[2]}"

    def find(self, text: str) -> Visit | None:
        """The first visited state with that text, if there is one."""
        return self._by_text.get(text)

    @cached_property
    def _by_text(self) -> dict[str, Visit]:
        return {self.text(visit.state): visit for visit in reversed(self.visited)}

    @cached_property
    def distances(self) -> dict[Visit, int]:
        """The cost of a way to a goal for each state that has one among the visited states.

        It is the cheapest if these are the whole space. O(steps x log(steps)).
        """
        into: dict[Visit, list[tuple[Visit, int]]] = {visit: [] for visit in self.visited}
        for visit in self.visited:
            for step in visit.steps:
                after, cost = self.number.get(step.key), whole_cost(step.cost)
                if after is not None and cost is not None:
                    into[after].append((visit, cost))
        goals = [visit for visit in self.visited if visit.is_goal]
        nearest = nearest_first(goals, into.__getitem__, lambda visit: visit)
        return {visit: distance for distance, visit in nearest}

    def actions_to(self, visit: Visit) -> tuple[str, ...]:
        """The texts of the actions on the way to a state."""
        way = visit.way
        return tuple(
            self.action_text(before.steps[after.place].action) for before, after in pairwise(way)
        )

    def sound(self, most: int = 0) -> list[Visit]:
        """The states whose expansion did not fail, or about `most` of them, near and far."""
        sound = [visit for visit in self.visited if visit.failure is None]
        return sound[:: max(1, len(sound) // most)] if most else sound

    def visits(self) -> Iterator[Visit]:
        """The states in order, until the time is over; those whose expansion failed are left out.

        Raises `OutOfTime` then.
        """
        return self.watched(self.sound())

    def watched(self, visits: Sequence[Visit]) -> Iterator[Visit]:
        """`visits`, until the time is over, each noted as what is looked at.

        Raises `NoStates` where there are none.
        """
        if not visits:
            raise NoStates
        for visit in visits:
            self.watch()
            self.current = visit
            self.looked_at += 1
            yield visit
        self.current = None

    def watch(self) -> None:
        """Raise `OutOfTime` if the time is over, and tell the listener where it is."""
        if self.is_late():
            raise OutOfTime
        if self.looked_at % TOLD_EVERY == 0:
            self.listener(f"{self.law}, {plural(self.looked_at, 'state')}")

    def is_late(self) -> bool:
        """Whether there is a limit of time, and it is over."""
        return self.seconds_left() == 0

    def seconds_left(self) -> float | None:
        """What is left of the time, if it is limited."""
        if self.max_time is None:
            return None
        return max(0.0, self.max_time - (search_clock() - self.began))

    def scope(self) -> str:
        """What was looked at, in words."""
        if self.is_whole and self.looked_at == len(self.visited):
            return f"the whole space of {plural(len(self.visited), 'state')}"
        return plural(self.looked_at, "state")

    def breach(self, error: AuthorError, expected: str, blame: str = "") -> Breach:
        """The breach that a failure of the author's code is, at the state at hand."""
        return Breach(expected, error.found, f"{error.method} {blame}", place=error.place)

    def _root(self, state: Any, giver: str, origin: str) -> Visit:
        return Visit(state, self.key(state, giver), origin)

    def _explore(self, roots: list[Visit]) -> None:
        rng = random.Random(self.seed)
        for place, root in enumerate(roots):
            root.place = place
        ended = self._breadth_first(roots)
        if ended:
            self.from_starts = len(self.visited)
        others = list(self._others(rng))
        if ended:
            self.is_whole = self._breadth_first(others)
        else:
            del self.visited[max(1, self.most // 2) :]
        if not self.is_whole:
            self.number = {visit.key: visit for visit in self.visited}
            self._walk(roots + others, rng)
            self._shorten()
        self.is_whole = self.is_whole and len(self.sound()) == len(self.visited)

    def _others(self, rng: random.Random) -> Iterator[Visit]:
        """The listed goals and some random states, as far as they can be had.

        Where they cannot is a matter of other laws.
        """
        with suppress(AuthorError):
            goals = self.listed("goal_states") if isinstance(self.problem, HasGoalStates) else []
            yield from [self._root(goal, "goal_states", GOAL) for goal in goals]
        with suppress(AuthorError):
            for _ in range(TRIES if isinstance(self.problem, HasRandomState) else 0):
                yield self._root(self.ask("random_state", rng), "random_state", DRAWN)

    def _has_enough(self) -> bool:
        return len(self.visited) >= self.most or self.is_late()

    def _breadth_first(self, roots: list[Visit]) -> bool:
        """Visit what can be reached; whether that was all, and there was time for it."""
        queue = [root for root in roots if self.number.setdefault(root.key, root) is root]
        for visit in queue:  # grows as it goes
            if self._has_enough():
                return False
            self._expand(visit)
            for place, step in enumerate(visit.steps):
                if step.key not in self.number:
                    self.number[step.key] = visit.child(place)
                    queue.append(self.number[step.key])
        return True

    def _walk(self, roots: list[Visit], rng: random.Random) -> None:
        for _ in range(MOST_TRIES * self.most):
            if self._has_enough():
                return
            at = self._noted(rng.choice(roots))
            for _ in range(rng.randint(1, WALK)):
                if not at.steps or len(self.visited) >= self.most:
                    break
                at = self._noted(at.child(rng.randrange(len(at.steps))))

    def _shorten(self) -> None:
        """Find the shortest ways among the visited states, and put the nearest first."""
        roots = [visit for visit in self.visited if visit.parent is None]
        self.visited = []
        found: set[Visit] = set()
        for origin in (START, GOAL, DRAWN):
            queue = [root for root in roots if root.origin == origin and root not in found]
            found.update(queue)
            for visit in queue:  # grows as it goes
                for place, step in enumerate(visit.steps):
                    after = self.number.get(step.key)
                    if after is not None and after not in found:
                        after.parent, after.place, after.origin = visit, place, origin
                        found.add(after)
                        queue.append(after)
            self.visited += queue

    def _noted(self, visit: Visit) -> Visit:
        if visit.key not in self.number:
            self.number[visit.key] = visit
            self._expand(visit)
        return self.number[visit.key]

    def _expand(self, visit: Visit) -> None:
        self.visited.append(visit)
        try:
            visit.is_goal = call("is_goal", is_goal, self.problem, visit.state)
            visit.steps = self.take(visit.state)
            for step in visit.steps:
                if not is_by_identity(step.key) and self.key(step.state) != step.key:
                    visit.changed = step, self.text(step.state)
                    break
        except AuthorError as error:
            visit.failure = error


def _key_of(problem: Problem[Any, Any], state: Any, giver: str) -> Hashable:
    return call("key", key_of, problem, state, giver)
