"""Whether a problem keeps the laws of the protocol: a verdict on each, with a counterexample."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from searchkit.algorithms.validators import expect
from searchkit.authors.user_code import AuthorError, place_of_callable, places_of, raised
from searchkit.checks.ground import (
    STATES,
    UNREGISTERED,
    Breach,
    Ground,
    NoStates,
    OutOfTime,
    Registered,
)
from searchkit.checks.law import Law, Unchecked
from searchkit.checks.laws import LAWS
from searchkit.checks.verdicts import Counterexample, Status, Verdict
from searchkit.engine import EngineChoice
from searchkit.errors import UnknownNameError, UsageError
from searchkit.parameters import Value
from searchkit.problem import Problem
from searchkit.registry import PuzzleEntry, Registry
from searchkit.running.overdue import NoAnswerError, Watched, giving_up
from searchkit.texts.amounts import plural

NO_STATES_NEEDED = ("starts", "parameters")
BAD = (Status.FAILS, Status.UNKNOWN)
MOST_PLACES = 2
OUT_OF_TIME = "the time is over"
INTERRUPTED = "interrupted by Ctrl-C"


@attrs.frozen(kw_only=True)
class ConformanceReport:
    """The verdicts on all laws that were tried.

    `whole` says that every state was looked at that can be reached from a start or a listed goal,
    so that a law that holds on these is proved.
    """

    states: int
    whole: bool
    seed: int
    verdicts: tuple[Verdict, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether no law was found to be broken."""
        return not any(verdict.status is Status.FAILS for verdict in self.verdicts)

    @property
    def out_of_time(self) -> bool:
        """Whether some law was not checked because the time was over."""
        return self._is_unknown_for(OUT_OF_TIME)

    @property
    def interrupted(self) -> bool:
        """Whether some law was not checked because of Ctrl-C."""
        return self._is_unknown_for(INTERRUPTED)

    def _is_unknown_for(self, reason: str) -> bool:
        return any(
            verdict.status is Status.UNKNOWN and verdict.scope.startswith(reason)
            for verdict in self.verdicts
        )

    def counts(self) -> dict[Status, int]:
        """How many laws have each status."""
        statuses = [verdict.status for verdict in self.verdicts]
        return {status: statuses.count(status) for status in Status}

    def lines(self) -> Iterator[str]:
        """The report in words: the verdicts, then what they are together."""
        for verdict in self.verdicts:
            yield from verdict.lines()
        counts, words = self.counts(), ("hold", "BROKEN", "do not apply", "not checked")
        parts = [
            f"{counts[status]} {word}"
            for status, word in zip(Status, words, strict=True)
            if counts[status] or status is Status.HOLDS
        ]
        partial = f"; {INTERRUPTED}, so that this is a part of the report" * self.interrupted
        yield f"{plural(len(self.verdicts), 'law')}: {', '.join(parts)}{partial}"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def check_problem(
    problem: Problem[Any, Any],
    *,
    states: int = STATES,
    seed: int = 0,
    max_time: float | None = None,
    engine: EngineChoice = "auto",
    laws: Iterable[str] | None = None,
    registered: Registered = UNREGISTERED,
    listener: Callable[[str], None] = lambda text: None,
) -> ConformanceReport:
    """Tries the laws of the protocol on a problem, as `searchkit check` does.

    Most laws take O(steps). Whatever the code of the problem raises is part of the report. After
    Ctrl-C no further law is checked, and the report says so.

    Args:
        problem: What to check.
        states: At most so many states are looked at: all that can be reached, if these are not
            more; else half of them are those nearest to a start, and the others are met on random
            walks.
        seed: What those walks are drawn by.
        max_time: Seconds, not counting those for making machine code, after which the remaining
            laws are not checked.
        engine: `"reference"` compiles nothing.
        laws: The names of those to be tried; by default all are.
        registered: What is registered for the problem, and checked with it.
        listener: Called now and then with what is looked at.

    Raises:
        UnknownNameError: There is no such law.
        UsageError: Options make no sense.

    >>> from searchkit import Problem, Step
    >>> from searchkit.checks import check_problem
    >>> class Walk(Problem[int, str]):
    ...     undirected = True
    ...     def initial_states(self):
    ...         return [0]
    ...     def successors(self, state):
    ...         return [Step("on", state + 1)] if state < 9 else [Step("home", 0)]
    ...     def is_goal(self, state):
    ...         return state == 9
    >>> print(check_problem(Walk(), laws=["undirected"]).verdicts[0])  # doctest: +ELLIPSIS
    undirected: FAILS: every step can be taken back by one of the same cost
      at        0
      which is  a start
      expected  after on: a step of cost 1 back from 1, as undirected = True promises
      found     no step leads back
      ...
    """
    expect(problem, Problem, "problem", "a Problem")
    if states < 1:
        raise UsageError(f"states is {states}; it must be 1 or more")
    chosen = laws_named(laws)
    began = time.monotonic()
    with giving_up(max_time):
        ground = Ground(
            problem,
            most=states,
            seed=seed,
            max_time=max_time,
            engine=engine,
            registered=registered,
            listener=listener,
        )
    return ConformanceReport(
        verdicts=tuple(_until_ctrl_c(chosen, ground)),
        states=len(ground.visited),
        whole=ground.is_whole,
        seed=seed,
        seconds=time.monotonic() - began,
    )


def _until_ctrl_c(laws: Iterable[Law], ground: Ground) -> Iterator[Verdict]:
    """The verdicts on `laws`; those after Ctrl-C are not checked."""
    left = iter(laws)
    for law in left:
        try:
            with Watched(ground.seconds_left()):
                verdict = try_law(law, ground)
            yield verdict
        except NoAnswerError as late:
            ground.tried[law.name] = Status.UNKNOWN
            yield _verdict(law, Status.UNKNOWN, f"{OUT_OF_TIME}: {late}")
        except KeyboardInterrupt:
            for unchecked in (law, *left):
                yield _verdict(unchecked, Status.UNKNOWN, INTERRUPTED)


def check_puzzle(
    registry: Registry,
    entry: PuzzleEntry,
    problem: Problem[Any, Any],
    *,
    values: Mapping[str, Value] | None = None,
    **options: Any,
) -> ConformanceReport:
    """`check_problem` with all that is registered for it; `options` are those of that.

    `values` are those of the puzzle's parameters, with which the problem was made.
    """
    registered = Registered.of(registry, entry, problem, values or {})
    return check_problem(problem, registered=registered, **options)


def laws_named(names: Iterable[str] | None) -> tuple[Law, ...]:
    """The laws of those names, in the order in which they are tried; all for None."""
    if names is None:
        return LAWS
    wanted = list(names)
    known = [law.name for law in LAWS]
    for name in wanted:
        if name not in known:
            raise UnknownNameError(f"no law named {name!r}; known: {', '.join(known)}")
    return tuple(law for law in LAWS if law.name in wanted)


def try_law(law: Law, ground: Ground) -> Verdict:
    """The verdict on one law, after those that it relies on. Noted in the ground."""
    began = time.monotonic()
    for other in laws_named(law.relies_on):
        if other.name not in ground.tried:
            try_law(other, ground)
    verdict = _tried(law, ground)
    nothing = isinstance(verdict.scope, Unchecked)  # in the way of no other law
    ground.tried[law.name] = Status.ABSENT if nothing else verdict.status
    return attrs.evolve(verdict, seconds=time.monotonic() - began)


def _verdict(law: Law, status: Status, scope: str) -> Verdict:
    return Verdict(law=law.name, promise=law.promise, status=status, scope=scope)


def _tried(law: Law, ground: Ground) -> Verdict:
    first: Breach | None = None
    breaches = 0
    ground.looked_at, ground.current, ground.law = 0, None, law.name
    reason = law.why_not(ground)
    if reason is not None:
        return _verdict(law, Status.ABSENT, reason)
    if ground.failure is not None and law.name not in NO_STATES_NEEDED:
        return _verdict(law, Status.UNKNOWN, "there are no states to look at")
    bad = [other for other in law.relies_on if ground.tried[other] in BAD]
    if bad:
        return _verdict(law, Status.UNKNOWN, f"it relies on {', '.join(bad)}: see there first")
    scope = ""

    def findings() -> Iterator[Breach]:
        nonlocal scope
        try:
            ground.watch()
            scope = (yield from law.check(ground)) or ground.scope()
            return
        except OutOfTime:
            scope = f"{OUT_OF_TIME} after {plural(ground.looked_at, 'state')}"
            return
        except NoStates:
            scope = Unchecked("the steps out of no state are known")
            return
        except AuthorError as error:
            failure = error
        except Exception as error:
            # Some calls of the author's code are made for us, by an engine being prepared, say.
            failure = raised(law.name, error)
            if failure.place is None:
                raise
        scope = ground.scope()
        yield ground.breach(failure, law.promise)

    for breach in findings():
        first = first or attrs.evolve(breach, at=breach.at or ground.current)
        breaches += 1
    if first is None:
        is_unknown = isinstance(scope, Unchecked) or scope.startswith(OUT_OF_TIME)
        return _verdict(law, Status.UNKNOWN if is_unknown else Status.HOLDS, scope)
    example = _counterexample(ground, first)
    return attrs.evolve(
        _verdict(law, Status.FAILS, scope), breaches=breaches, counterexample=example
    )


def _counterexample(ground: Ground, breach: Breach) -> Counterexample:
    at = breach.at
    after = f"after {breach.then}: " if breach.then else ""
    places = [breach.place] if breach.place else places_of(ground.problem, *breach.blame.split())
    if not places and ground.registered.entry is not None:
        factory = place_of_callable(ground.registered.entry.factory)
        places = [] if factory is None else [factory]
    return Counterexample(
        start=None if at is None else ground.text(at.way[0].state),
        origin=None if at is None else at.origin,
        actions=() if at is None else ground.actions_to(at),
        state=None if at is None else ground.text(at.state),
        expected=after + breach.expected,
        found=breach.found,
        places=tuple(places[:MOST_PLACES]),
    )
