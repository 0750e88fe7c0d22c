"""Whether an answer may be given, and why a search has failed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate, islice, pairwise, zip_longest
from typing import Any, Protocol
from weakref import WeakKeyDictionary, WeakSet

import attrs

from searchkit.authors.kin import Kin, kind_of
from searchkit.authors.user_code import is_by_identity, short
from searchkit.capabilities import HasGoalStates, HasPredecessors
from searchkit.certificates import Certificate
from searchkit.errors import CompilationError, EngineError, LawError, ProblemError
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.packed import PackedHeuristic, PackedProblem, has_written_rules
from searchkit.premises.again import (
    LEAST_BESIDE,
    LEAST_OF_PROOF,
    LEAST_SECONDS,
    SHARE,
    SHARE_OF_PROOF,
    Again,
    check_ways_back,
)
from searchkit.premises.asking import (
    check_goals,
    estimate_of,
    has_steps,
    is_like,
    key_of,
    starts_of,
    steps_of,
)
from searchkit.premises.beside import Way, greedy_way
from searchkit.premises.changed import Value, check_unchanged_rules, values_of
from searchkit.premises.estimates import first_above
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.premises.sample import Budget, Sample
from searchkit.premises.toggle_proofs import TOGGLES
from searchkit.problem import INFINITY, Problem, is_default
from searchkit.result import Overestimate, Solution
from searchkit.running.overdue import in_passing
from searchkit.running.reservoir import Reservoir

FIRST = Budget(states=8, steps_of_state=100)
"""What is asked before a search."""
QUICK = Budget(states=100, steps=300, packed_estimates=FIRST.states, seconds=0.05)
"""Before a cost or a bound is given, but no more states than the search has expanded."""
THOROUGH = Budget(states=1000)
"""Before it is said that all states were reached."""
EXHAUSTIVE = Budget(states=4096, twins=4096, followed=4096)
"""Before it is said that there is no solution."""
NEXT = Budget(states=2, steps_of_state=100)
"""What is asked at least where problems of the same rules were asked enough, ..."""
FOR_ONE, FOR_ONE_COMPILED = 32, 1 << 10
"""... and one state in so many that a search has expanded: a tenth of its time."""
NEXT_PROMISED = 4
"""At how many steps promises are looked at then."""
STATES_FOR_ONE = 1 << 16
"""Where machine code has reached more states than that, one state in this many is asked, ..."""
LEAST_ASKED = 32
"""... but at least this many."""
STATES_FOR_DRAWN = 1 << 18
"""One in this many of those that machine code has reached is drawn for a comparison, ..."""
LEAST_DRAWN, MOST_DRAWN = 8, 128
"""... but at least, and at most, this many."""
MOST_WRITTEN = 100
"""At how many states kernels are compared with the rules that they were made of, ..."""
FEW_WRITTEN = 8
"""... and at how many where others with the same kernels were; ..."""
LEAST_WRITTEN, SHARE_OF_KERNELS = 2, 0.05
"""... at so many at least, and for that share of a search, where many searches were."""
MOST_PROMISES = 32
"""At how many states the promises of a packed problem are looked at, ..."""
MOST_PROMISED_STEPS = 48
"""... and at how many steps out of them, those far from the starts included, ..."""
LEAST_PROMISED_STEPS = 16
"""... but at this many next to the starts."""

QUICK_LOOK, PROMISES, CERTIFIED, ASKED_AGAIN = "quick look", "promises", "certificates", "again"
"""What is paid for once."""

_COMPARED: WeakSet[Any] = WeakSet()
"""Classes of kernels that were compared: objects have different tables for them."""
_CERTIFYING: WeakSet[Any] = WeakSet()
"""Classes of problems of which a certificate was tried on many states, and held."""
_HELD: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
"""Of how many searches for problems of a class states were asked again, and all held."""
MOST_FLOORS = 8
"""After so many, they are asked for a share of the time of each search, and no more."""
FIRST_DRAWN = 1 << 13
"""Searches of fewer expansions draw no states then."""
SHARE_OF_BOUND, LEAST_OF_BOUND = 0.05, 0.02
"""The share of the search's time, and the least, for a way to a goal where it has found none."""
ESTIMATING = ("estimate", "heuristic", "default_heuristic")
"""What an author may call what gives estimates."""


class Reached(Protocol):
    """The states that an exploration has reached."""

    @property
    def stored(self) -> int:
        """How many they are."""

    def drawn(self, count: int) -> Sequence[int]:
        """The numbers of some, from anywhere: about `count`, or none where they have no numbers."""

    def holds(self, number: int) -> bool:
        """Whether the state with a number is among them."""


@attrs.define(eq=False, repr=False)
class Asked:
    """What was asked in all searches of one puzzle, or of problems of the same rules."""

    states: int = 0
    floors: set[str] = attrs.field(factory=set)
    """What was paid for once, and held."""


def asked_of(problem: Problem[Any, Any], kin: Kin, purpose: tuple[Any, ...]) -> Asked:
    """What was asked of the kin of a problem: where tables differ, once many searches have held."""
    if kin.is_shared and _HELD.get(kind_of(problem), 0) < MOST_FLOORS:
        return Asked()
    return kin.note((Asked, *purpose), Asked)


@attrs.define(eq=False, repr=False, kw_only=True)
class Premises:
    """What an answer rests on: the rules of a problem, and what more was made use of.

    `heuristic` is None where none was; `backward` says that the listed goals were, and the steps
    that lead to them. An exploration goes on past goals; `origin` says what its `starts` are.
    """

    problem: Problem[Any, Any]
    starts: Sequence[Any]
    heuristic: Heuristic[Any, Any] | None = None
    backward: bool = False
    explores: bool = False
    origin: str = "start"
    by_kernels: bool = False
    """Whether kernels are searched where they were made of an author's rules."""
    asked: Asked = attrs.field(factory=Asked)
    """The rules of a puzzle are the same from all its starts: once a look has found nothing wrong
    with them, a share of each further search is for such questions, and no more."""
    known: Callable[[], Mapping[Any, Sequence[Any]]] = attrs.field(default=dict, init=False)
    """Gives steps out of states that others have asked for."""
    _values: Sequence[Value] = attrs.field(default=(), init=False)
    """What its rules may read, as it was before the search."""
    _sample: Sample | None = attrs.field(default=None, init=False)
    _promised: int = attrs.field(default=0, init=False)
    """At how many steps the promises were looked at far from the starts."""

    def check_first(self, kin: Kin | None = None) -> None:
        """Before a search: the listed goals, and a few states. Raises `LawError`."""
        self._values = values_of(self.problem, kin)
        if self.backward and self.explores:  # else they are asked with the states
            check_goals(self.problem)
        self._look(NEXT if self._has_held(QUICK_LOOK) else FIRST)

    def check_promises(self) -> None:
        """Before machine code is believed: what it relies on, at the states next to the starts.

        Raises `ProblemError`. O(steps) of few states.
        """
        problem, sample = self.problem, self._sample
        if not isinstance(problem, PackedProblem) or sample is None:
            return
        most = MOST_PROMISED_STEPS - self._promised
        least = NEXT_PROMISED if self._has_held(PROMISES) else LEAST_PROMISED_STEPS
        from searchkit.checked.promises import Promises  # noqa: PLC0415  (of no use to plain ones)

        heuristic = self.heuristic if isinstance(self.heuristic, PackedHeuristic) else None
        promises = Promises(problem, heuristic)
        left = least if self._has_held(PROMISES) else max(least, most)
        for key in islice(sample.steps, MOST_PROMISES):
            left -= len(promises.check(problem, sample.states[key], sample.children(key), left))
            if left <= 0:
                break
        self.asked.floors.add(PROMISES)

    def check_kernels(self, states: Iterable[Any], seconds: float = INFINITY) -> None:
        """Before an answer of kernels is believed that were made of rules: compare them with these.

        At `states`, and at those next to the starts: once a class is known, for a share of the
        `seconds` that a search has taken. Raises `CompilationError` where they differ. O(steps) of
        few states.
        """
        problem, sample = self.problem, self._sample
        if not self.are_compared or sample is None:
            return
        most = FEW_WRITTEN if kind_of(problem) in _COMPARED else MOST_WRITTEN
        near = (sample.states[key] for key in (*sample.goals, *sample.steps))
        met = list(dict.fromkeys((*states, *islice(near, most))))
        least, patience = LEAST_WRITTEN, Patience(SHARE_OF_KERNELS * seconds)
        for number, state in enumerate(met):
            if number >= least and self._is_known and patience.is_over():
                break
            _check_kernels(problem, self.heuristic, [state])
        _COMPARED.add(kind_of(problem))

    @property
    def are_compared(self) -> bool:
        """Whether kernels that were made of rules are compared with these."""
        return self.by_kernels and has_written_rules(self.problem)

    def check(self, expanded: int, *, compiled: bool = False) -> None:
        """Before a cost or a bound is given by a search with this many expansions."""
        self._check_starts()
        if self.asked.states >= THOROUGH.states:
            self.asked.floors.add(QUICK_LOOK)
            return
        # From both ends, a search expands but few of the states that lie between.
        most = QUICK.states if self.backward else min(QUICK.states, max(FIRST.states, expanded))
        if self._has_held(QUICK_LOOK):
            share = expanded // (FOR_ONE_COMPILED if compiled else FOR_ONE)
            most = min(most, max(NEXT.states, share))
        sample = self._look(QUICK._replace(states=most))
        is_paid = sample.asked_steps >= QUICK.steps or self.asked.states >= QUICK.states
        if is_paid or sample.whole or sample.has_end:
            self.asked.floors.add(QUICK_LOOK)

    def _has_held(self, floor: str) -> bool:
        """Whether that was asked of problems of the same rules before."""
        return floor in self.asked.floors

    def check_no_solution(
        self, *, by: str, expanded: int = 0, compiled: bool = False,
        certificate: Certificate | None = None,
    ) -> None:  # fmt: skip
        """Before it is said that there is no solution.

        That is proved by a certificate of the problem, or by the states that the search `by` has
        expanded. Raises `EngineError` if the search, not the problem, must be wrong.
        """
        try:
            _check_for_one_start(self.problem)
            self._check_starts()
            sample = self._look(self._budget_of_proof(certificate))
            from searchkit.premises import listed  # noqa: PLC0415  (seldom needed)

            listed.check_alike(self.problem, sample.states.values())
            if certificate is None and sample.whole:
                sample.check_often(EXHAUSTIVE.steps_of_state, Patience(LEAST_OF_PROOF))
            if by == "certificate" and not sample.goals and not self._has_held(CERTIFIED):
                listed.check_certificates(self.problem)
        except LawError as error:
            raise LawError(f"no solution found, but {error}", error.law) from error
        if sample.goals:
            way = [sample.states[key] for key in sample.way_to(next(iter(sample.goals)))]
            raise self._contradiction(way, by, compiled=compiled, certificate=certificate)
        hopeless = len(sample.dead_ends)
        if not expanded and certificate is None and hopeless < len(self.starts):
            raise EngineError(f"{by} says that there is no solution, but it has tried nothing")
        if certificate is not None:
            _CERTIFYING.add(kind_of(self.problem))
            self.asked.floors.add(CERTIFIED)

    def _budget_of_proof(self, certificate: Certificate | None) -> Budget:
        """How much is asked: of certificates, less once those of a puzzle or class were tried."""
        if certificate is None:
            return EXHAUSTIVE
        if self._has_held(CERTIFIED):
            return NEXT
        if self.asked.states >= EXHAUSTIVE.states:
            return QUICK
        return THOROUGH if kind_of(self.problem) in _CERTIFYING else EXHAUSTIVE

    def check_again(
        self,
        reservoir: Reservoir,
        seconds: float,
        cost: float | None,
        bound: float,
        solution: Solution[Any, Any] | None = None,
        *,
        by: str,
        compiled: bool,
    ) -> Overestimate | None:
        """Ask states drawn from all of a search `by` which took `seconds`; an estimate too large.

        `cost` is that of the `solution`, INFINITY if there is none, None where the search was
        stopped; no solution is said to cost less than `bound`.
        """
        remaining = {} if solution is None else _left_of(self.problem, solution)
        sample = self._sample
        known = {} if sample is None or sample.method != "successors" else sample.steps
        again = Again(
            problem=self.problem, known=known, backward=self.backward, bound=bound,
            are_expanded=reservoir.are_expanded, asked=reservoir.asked,
            heuristic=self.heuristic if bound else None,
            cost=INFINITY if cost is None else cost,
            lists=() if cost is None else reservoir.lists,
        )  # fmt: skip
        least, beside, share = LEAST_SECONDS, LEAST_BESIDE, SHARE
        if cost == INFINITY:
            least, beside, share = LEAST_OF_PROOF, LEAST_OF_PROOF, SHARE_OF_PROOF
        elif self._is_known or self.asked.states >= THOROUGH.states:
            least = beside = 0.0
        near = [] if sample is None else list(sample.states.values())
        way, pressed = self._greedy(seconds) if cost == INFINITY else (None, [])
        asking = max(least, share * seconds)
        states = _in_turn(pressed, reservoir.states, near)
        check_unchanged_rules(self.problem, self._values, states, Patience(asking))
        if reservoir.is_full and sample is not None:  # else they are in it
            again.ask_goals(map(sample.states.__getitem__, known))
        if cost == INFINITY:
            from searchkit.premises.listed import check_not_expanded  # noqa: PLC0415  (seldom needed)

            check_not_expanded(self.problem, reservoir.lists)
        patience = Patience(asking)
        if reservoir.asked and not self._is_known:  # which takes but little of the author's time
            again.ask(reservoir.asked, patience)
            patience = Patience(share * seconds)
        again.ask(reservoir.shuffled(), patience, at_once=1 if self._is_known else 16)
        again.ask_all_goals(Patience(asking))
        if cost == INFINITY:
            again.ask_pressed(pressed, patience)
            if sample is not None and sample.whole:
                self._check_whole(sample, reservoir.states)
            else:
                floor = 0 if self._is_known else LEAST_OF_PROOF
                again.ask_all(Patience(max(floor, share * seconds)))
        elif cost is not None and bound == cost:
            again.check_solution(remaining, patience)
        is_bound = 0 < bound < (cost or INFINITY)
        if is_bound:  # that is all there is to say
            beside, share = beside and LEAST_OF_BOUND, SHARE_OF_BOUND
        given = max(beside, share * seconds)
        found = again.overestimate(remaining, Patience(given))
        if found is None and is_bound:
            found = self._overestimate_of_bound(given, remaining)
        elif found is None and again.heuristic is not None and solution is not None:
            found = self._overestimate_near(solution.states[-1], given)
        if found is not None and cost == INFINITY:
            raise broken(self.problem, "heuristics", f"no solution found, but {found}", "heuristic")
        if way is not None:
            states_of_way = [state for state, _ in way.states]
            raise self._contradiction(states_of_way, by, compiled=compiled, certificate=None)
        if found is None:
            self._hold()
            if reservoir.is_full and cost is not None:
                self.asked.floors.add(ASKED_AGAIN)
        return found

    def _hold(self) -> None:
        kind = kind_of(self.problem)
        _HELD[kind] = _HELD.get(kind, 0) + 1

    def _overestimate_near(self, goal: Any, seconds: float) -> Overestimate | None:
        """An estimate too large near a goal."""
        heuristic = self.heuristic
        if heuristic is None or isinstance(heuristic, PackedHeuristic):
            return None
        from searchkit.premises.listed import overestimate_near_goals  # noqa: PLC0415  (as such)

        with suppress(Exception):  # the search need not have been there
            return overestimate_near_goals(self.problem, heuristic, Patience(seconds), [goal])
        return None

    def _overestimate_of_bound(
        self, seconds: float, remaining: Mapping[Hashable, int]
    ) -> Overestimate | None:
        """An estimate too large, where a bound rests on estimates and no solution costs as much.

        Near the goals, and along a way to one, if no solution was found that was looked at.
        """
        problem, heuristic, patience = self.problem, self.heuristic, Patience(seconds)
        if heuristic is None or (not seconds and self._is_known):
            return None
        from searchkit.premises.listed import overestimate_near_goals  # noqa: PLC0415

        with suppress(Exception):  # the search may not have been there
            found = overestimate_near_goals(problem, heuristic, patience)
            if found is not None or remaining:
                return found
        way, _ = self._greedy(seconds)
        states = () if way is None else ((state, way.cost - g) for state, g in way.states)
        return first_above(problem, heuristic, states)

    def _greedy(self, seconds: float) -> tuple[Way | None, list[Any]]:
        """A way to a goal that greedy search finds, and what it has expanded.

        Unless all states were looked at, or there are no estimates, which say where to look, and
        no more.
        """
        heuristic, sample = self.heuristic, self._sample
        if heuristic is None and not is_default(self.problem, "heuristic"):
            heuristic = ProblemHeuristic(self.problem)
        if heuristic is None or (sample is not None and sample.whole):
            return None, []
        patience = Patience(max(LEAST_OF_BOUND, SHARE_OF_BOUND * seconds))
        return greedy_way(self.problem, heuristic, self.starts, patience)

    @property
    def _is_known(self) -> bool:
        """Whether states of enough searches of this class were asked again."""
        return self._has_held(ASKED_AGAIN) or _HELD.get(kind_of(self.problem), 0) >= MOST_FLOORS

    def reservoir(self) -> Reservoir:
        """An empty reservoir for a search."""
        return Reservoir(FIRST_DRAWN if self._is_known else 0)

    def _check_whole(self, sample: Sample, states: Sequence[Any]) -> None:
        """Raise if the search has been where, by the rules as they are now, no steps lead."""
        for state in states:
            key = key_of(self.problem, state, "successors")
            if key not in sample.states and not self.backward and not is_by_identity(key):
                found = f"no steps lead to {short(state)} when asked again; a search has been there"
                raise broken(self.problem, "successors", found, "successors", "apply")

    def check_explored(
        self, layers: Sequence[int], expanded: int, seconds: float,
        *, complete: bool, compiled: bool,
    ) -> None:  # fmt: skip
        """Before an exploration says how many states it has reached, or all of them, if `complete`.

        Raises `EngineError` if it has counted others than there are. Of a large space that machine
        code has explored in so many `seconds`, a small share is asked.
        """
        if compiled:
            self.check_promises()
        self.check_kernels((), seconds)
        if not complete:
            self.check(expanded)
            return
        self._check_starts()
        budget, states = THOROUGH, sum(layers)
        if compiled and states > THOROUGH.states:
            least = NEXT.states if self._has_held(QUICK_LOOK) else LEAST_ASKED
            share = max(least, states // STATES_FOR_ONE)
            budget = budget._replace(states=min(THOROUGH.states, share))
        sample = self._look(budget)
        for depth, met in enumerate(sample.layers()):
            reached = layers[depth] if depth < len(layers) else 0
            if reached != met:
                claim = f"layer {depth} has {reached} states, but {met} by the rules in Python"
                raise self._miscounted(claim, compiled=compiled)
        if sample.whole and len(sample.steps) != states:
            claim = f"{states} states were reached, but {len(sample.steps)} by the rules in Python"
            raise self._miscounted(claim, compiled=compiled)
        self.asked.floors.add(QUICK_LOOK)
        self._hold()

    def check_reached(self, reached: Reached) -> None:
        """Before an exploration by machine code says that it has reached all states.

        Steps by the rules in Python, out of states drawn from all that were reached, must lead to
        such states; the promises are looked at there as well. O(steps) of few states.
        """
        problem = self.problem
        share = min(MOST_DRAWN, max(LEAST_DRAWN, reached.stored // STATES_FOR_DRAWN))
        drawn = reached.drawn(share)
        if not drawn or not isinstance(problem, PackedProblem):
            return
        from searchkit.checked.promises import Promises  # noqa: PLC0415  (of no use to plain ones)

        promises = Promises(problem, None)
        for number in drawn:
            steps = promises.check_number(problem, number)
            self._promised += len(steps)
            self.check_kernels([problem.unrank(number)])
            for child, rank in steps:
                if not reached.holds(rank):
                    state = problem.unrank(number)
                    found = f"{short(child)}, a step from {short(state)}, was not reached"
                    raise broken(problem, "machine-code", found, "apply", "legal")

    def _miscounted(self, found: str, *, compiled: bool) -> Exception:
        if compiled:
            return broken(self.problem, "machine-code", found, "apply", "legal")
        return EngineError(f"{type(self.problem).__name__}: {found}")

    def _check_starts(self) -> None:
        """Raise if the starts are others when they are asked for again."""
        if self.origin == "goal":
            return
        problem = self.problem
        first, second = (
            [key_of(problem, start, "initial_states") for start in starts]
            for starts in (self.starts, starts_of(problem))
        )
        if first != second and not any(map(is_by_identity, first)):
            found = f"initial_states gives {short(first[0])}, and other states when asked again"
            raise broken(problem, "starts", found, "initial_states")

    def _look(self, budget: Budget) -> Sample:
        """Ask, going on after what was asked before."""
        sample = self._sample
        if sample is None or sample.has_end:
            listed: frozenset[Hashable] | None = None
            if self.backward and not self.explores and isinstance(self.problem, HasGoalStates):
                listed = check_goals(self.problem)
            by_predecessors = self.origin == "goal" and not self.problem.undirected
            method = "predecessors" if by_predecessors else "successors"
            sample = self._sample = Sample(
                self.problem, self.starts, heuristic=self.heuristic, listed=listed, method=method,
                past_goals=self.explores, by_kernels=self.by_kernels,
            )  # fmt: skip
        sample.known = self.known()
        before = len(sample.steps)
        try:
            with in_passing(self.problem):
                sample.look(budget)
        except (ProblemError, KeyboardInterrupt):
            raise
        except BaseException:
            # Whatever third-party code raises where the search has not been, beyond a dead end,
            # say. Where it has been, it knows.
            pass
        self.asked.states += len(sample.steps) - before
        if sample.method == "predecessors":
            sample.check_successors()
        elif self.backward:
            sample.check_predecessors()
        return sample

    def _contradiction(
        self, way: Sequence[Any], by: str, *, compiled: bool, certificate: Certificate | None
    ) -> Exception:
        """The error to raise where a way to a goal was met though there shall be none."""
        problem, heuristic = self.problem, self.heuristic
        far = len(way) - 1
        goal = f"the goal {short(way[-1])} is {far} steps away"
        if certificate is not None:
            by_toggles = certificate.kind == TOGGLES
            law, method = ("toggles",) * 2 if by_toggles else ("certificates", "certificate")
            found = f"{method} says of {short(way[0])} that it is unsolvable"
            return broken(problem, law, f"{found}, but {goal}", method)
        for number, state in enumerate(way if heuristic is not None else ()):
            if estimate_of(problem, heuristic, state) == INFINITY:
                goal = f"the goal {short(way[-1])} is {far - number} steps away"
                found = f"the heuristic gives INFINITY for {short(state)}, but {goal}"
                return broken(problem, "heuristics", found, *ESTIMATING)
        if self.backward:
            for state, after in pairwise(way):
                check_ways_back(problem, state, problem.key(after))
        claim = f"{by} found no solution, but from {short(way[0])} {goal}"
        if compiled:
            better = "machine code may differ from the rules in Python; try engine='reference'"
            found = f"{claim}: {better}"
            return broken(problem, "machine-code", found, "at_goal", "apply")
        return EngineError(
            f"{claim}; {type(problem).__name__} breaks a law, or the engine is wrong"
        )


@contextmanager
def explaining(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any] | None = None,
    *,
    by_kernels: bool = False,
) -> Iterator[None]:
    """Where a `ProblemError` is raised, raise the `LawError` that tells its cause, if one does.

    Or the `CompilationError`, where kernels that were made of rules differ from these.
    """
    try:
        yield
    except (LawError, CompilationError):
        raise
    except ProblemError as error:
        reason = _reason(problem, heuristic, by_kernels=by_kernels)
        if reason is None:
            raise
        raise reason from error


def _reason(
    problem: Problem[Any, Any], heuristic: Heuristic[Any, Any] | None, *, by_kernels: bool
) -> ProblemError | None:
    """The first law that a problem is found to break, None if none is."""
    try:
        _check_for_one_start(problem)
        sample = Sample(problem, starts_of(problem), heuristic=heuristic)
        with in_passing(problem):
            sample.look(THOROUGH)
            for state in sample.states.values() if isinstance(problem, HasPredecessors) else ():
                steps_of(problem, state, "predecessors")  # a way back is found by these
        if by_kernels and has_written_rules(problem):
            _check_kernels(problem, heuristic, sample.states.values())
    except (LawError, CompilationError) as found:
        return found
    except KeyboardInterrupt:
        raise
    except BaseException:  # the code that has failed before
        return None
    return None


def _in_turn(*groups: Sequence[Any]) -> Iterator[Any]:
    """The first of each group, the second of each, and so on."""
    for few in zip_longest(*groups, fillvalue=groups):
        yield from (each for each in few if each is not groups)


def _left_of(problem: Problem[Any, Any], solution: Solution[Any, Any]) -> dict[Hashable, int]:
    """What it costs to the goal from the states of a solution, by their keys."""
    left = accumulate((-step.cost for step in solution.steps), initial=solution.cost)
    return dict(zip(map(problem.key, solution.states), left, strict=True))


def _check_kernels(problem: Any, heuristic: Any, states: Iterable[Any]) -> None:
    """Raise `CompilationError` at the first state where kernels differ from what was written."""
    for state in states:
        steps = () if problem.is_goal(state) else list(problem.successors(state))
        problem.check_written(state, steps, heuristic)


def _check_for_one_start(problem: Problem[Any, Any]) -> None:
    """Raise if `initial_states` gives a state where it should give a list of them.

    That is so if steps lead from it to states of its kind, and none from what is in it.
    """
    given: Any = problem.initial_states()
    if not isinstance(given, (list, tuple, str, frozenset, dict)) or not given:
        return
    inner = next(iter(given))
    if type(inner) is type(given) or not has_steps(problem, given, "successors"):
        return
    try:
        steps = steps_of(problem, given, most=100)
    except LawError:  # what is made of a list of states breaks no law
        return
    if steps and all(is_like(step.state, given) for step in steps):
        found = f"initial_states returns one state, {short(given)}; put it in a list: "
        raise broken(problem, "starts", f"{found}[{short(given)}]", "initial_states")
