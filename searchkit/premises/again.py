"""States drawn from all that a search has expanded, asked again before its answer is given."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import attrs

from searchkit.authors.user_code import is_by_identity, short
from searchkit.capabilities import HasPredecessors
from searchkit.errors import ProblemError
from searchkit.heuristic import Heuristic
from searchkit.packed import PackedHeuristic
from searchkit.premises.asking import (
    Met,
    are_same,
    can_hide,
    estimate_of,
    is_goal,
    key_of,
    steps_of,
    unlisted,
    wavers,
)
from searchkit.premises.beside import Left, overestimate_beside
from searchkit.premises.kinds import broken
from searchkit.premises.patience import Patience
from searchkit.problem import INFINITY, Problem, is_default
from searchkit.result import Overestimate
from searchkit.running.reservoir import Lists

SHARE = 0.01
"""The share of the search's time for which states are asked again, ..."""
LEAST_SECONDS = 0.005
"""... but at least for so long, ..."""
SHARE_OF_PROOF, LEAST_OF_PROOF = 0.25, 0.1
"""... and before it is said that there is no solution, for longer."""
LEAST_BESIDE = 0.003
"""The least time for estimates beside the solution."""
STEPS_OF_STATE = 1000
WAYS_BACK = 128
"""At how many states each step is taken back."""
MOST_PACKED = 4
"""At how many states a packed heuristic is asked in Python, which takes long."""
TWINS = 256
"""How many pairs of states of one key are followed, from each that is met."""
MOST_OF_ALL = 1 << 13
"""How many of all states of a search are asked, if there is time."""
LARGEST, NEAREST, OTHERS = 8, 4, 8
"""Of the states left open: those with estimates that rise the most, those of the half with larger
rises whose estimates are the smallest, and a few of the others."""


@attrs.define(eq=False, repr=False, kw_only=True)
class Again:
    """What is asked of states that a search has expanded.

    `cost` is that of its solution, INFINITY if there is none, and no solution is said to cost less
    than `bound`. `lists` are those of the engine, if it says what they hold. `known` has steps that
    were asked for already, by key.
    """

    problem: Problem[Any, Any]
    heuristic: Heuristic[Any, Any] | None
    backward: bool
    are_expanded: bool
    """Whether the search has asked for the steps out of all the states."""
    cost: float
    bound: float
    lists: tuple[Lists, ...]
    known: Mapping[Hashable, list[Met]]
    asked: Mapping[Any, Sequence[Any]]
    """Steps out of states that were asked for during the search, each as the rules gave it."""
    left: dict[Hashable, tuple[float, Left]] = attrs.field(factory=dict, init=False)
    """By key: states that their estimates kept from being expanded, and how suddenly these rise."""
    _states: dict[Hashable, Any] = attrs.field(factory=dict, init=False)
    _steps: dict[Hashable, list[Met]] = attrs.field(factory=dict, init=False)
    """Those out of states that were asked, by key."""
    _twins: set[Hashable] = attrs.field(factory=set, init=False)
    _asked: int = attrs.field(default=0, init=False)

    def ask(self, states: Iterable[Any], patience: Patience, at_once: int = 16) -> None:
        """Ask states while there is time, `at_once` of them in any case; raises `LawError`."""
        has_keys = not is_default(self.problem, "key")
        for number, state in enumerate(states):
            if number and number % at_once == 0 and patience.is_over():
                return
            key = key_of(self.problem, state, "successors")
            if is_by_identity(key):
                continue
            try:
                steps = self._ask(state, key)
                if has_keys or can_hide(state.__class__):
                    self._compare(state, key, steps, patience)
            except ProblemError:
                raise
            except Exception:
                if self.are_expanded:  # else the search may not have asked for its steps
                    raise

    def ask_pressed(self, states: Iterable[Any], patience: Patience) -> None:
        """Ask those of some states that lists show to have been expanded."""
        for state in states:
            key = self.problem.key(state)
            if any(lists.is_expanded(key) for lists in self.lists):
                self.ask([state], patience)
            if patience.is_over():
                return

    def ask_all_goals(self, patience: Patience) -> None:
        """Ask all states that lists hold whether they are goals, nearer than the solution."""
        for lists in self.lists:
            for number, state in enumerate(() if lists.states is None else lists.states()):
                if number % 64 == 63 and patience.is_over():
                    return
                if self.problem.is_goal(state) and (lists.g(state) or 0) < self.cost:
                    raise self._is_one_now(state)

    def ask_all(self, patience: Patience) -> None:
        """Ask states of all that lists hold, drawn at random."""
        for lists in self.lists:
            if lists.states is not None:
                from random import Random  # noqa: PLC0415  (most searches find a solution)

                states = list(lists.states())
                self.ask(Random(1).sample(states, min(len(states), MOST_OF_ALL)), patience)

    def check_solution(self, remaining: dict[Hashable, int], patience: Patience) -> None:
        """Raise if the search has met a state of the solution for less than the solution says.

        Its way on was searched then, so that the solution would have cost less.
        """
        for lists in self.lists:
            states = remaining.items()
            for number, (key, left) in enumerate(states if lists.backward else reversed(states)):
                if number % 64 == 63 and patience.is_over():
                    return
                met, said = lists.g(key), left if lists.backward else self.cost - left
                if met is not None and met < said:
                    found = "successors gives other costs when asked again: the way to "
                    found += f"{short(key)} costs {met}, and {said:g} by the solution through it"
                    raise broken(self.problem, "successors", found, "successors", "apply")

    def ask_goals(self, states: Iterable[Any]) -> None:
        """Ask of states that are no goals whether they are."""
        for state in states if self.are_expanded and not self.backward else ():
            if is_goal(self.problem, state):
                raise self._is_one_now(state)

    def _is_one_now(self, state: Any) -> Exception:
        return (unlisted if self.backward else wavers)(self.problem, state)

    def _ask(self, state: Any, key: Hashable) -> list[Met]:
        problem, steps = self.problem, self.known.get(key)
        if not self.are_expanded and is_goal(problem, state):
            return []
        if steps is None:
            given = self.asked.get(key)
            give = None if given is None else self.asked.__getitem__
            steps = steps_of(problem, state, most=STEPS_OF_STATE, give=give)
        self.ask_goals([state])
        if len(steps) >= STEPS_OF_STATE:
            return steps
        g = None
        for lists in self.lists:
            if lists.is_expanded(key):
                g = lists.g(key)
                if lists.backward:
                    self._check_list(state, g, self._steps_into(state, steps), lists)
                else:
                    self._check_list(state, g, steps, lists)
        self._asked += 1
        self._steps[key] = steps
        if self.backward and self._asked <= WAYS_BACK:
            check_ways_back(problem, state, steps=steps)
        if self.heuristic is not None and self.bound > 1:
            self._note_left(state, g, steps)
        return steps

    def _steps_into(self, state: Any, steps: list[Met]) -> list[Met]:
        method = "successors" if self.problem.undirected else "predecessors"
        return steps if self.problem.undirected else steps_of(self.problem, state, method)

    def _check_list(self, state: Any, g: int | None, steps: list[Met], lists: Lists) -> None:
        """Raise if a step, asked for again, leads where the search has not been for as little."""
        if g is None:
            return
        for step in steps:
            after = g + int(step.cost)
            if after >= self.cost:
                continue
            met = lists.g(step.key)
            if met is not None and met <= after:
                continue
            if self.heuristic is not None:
                f = after + estimate_of(self.problem, self.heuristic, step.state)
                if f >= self.cost:
                    continue
            problem, action = self.problem, short(step.action)
            where = f"at {short(state)}: {action} to {short(step.state)} at cost {step.cost}"
            found = f"successors gives other steps when asked again {where} is new"
            if lists.backward and not problem.undirected:
                found = found.replace("successors", "predecessors")
            raise broken(problem, "successors", found, "successors", "apply")

    def _compare(self, state: Any, key: Hashable, steps: list[Met], patience: Patience) -> None:
        """Compare the states of one key that are met."""
        for each, name in ((state, key), *((step.state, step.key) for step in steps)):
            other = self._states.setdefault(name, each)
            if other is each or name in self._twins or are_same(other, each):
                continue
            self._twins.add(name)
            from searchkit.premises.twins import check_twins  # noqa: PLC0415  (seldom needed)

            check_twins(
                self.problem, (other, each), known=self._twins, most=TWINS, patience=patience
            )
            if patience.is_over():
                return

    def _note_left(self, state: Any, g: int | None, steps: list[Met]) -> None:
        """Note the states after the steps that their estimates have kept from being expanded."""
        heuristic, problem = self.heuristic, self.problem
        if isinstance(heuristic, PackedHeuristic) and self._asked > MOST_PACKED:
            return
        here = estimate_of(problem, heuristic, state)
        for step in steps:
            after = (0 if g is None else g) + int(step.cost)
            if after >= self.bound:
                continue
            estimate = estimate_of(problem, heuristic, step.state)
            is_open = g is None and self.bound < INFINITY
            if estimate > 0 and (is_open or after + estimate >= self.bound):
                left = Left(step.state, estimate, self.bound - after)
                known = self.left.get(step.key)
                if known is None or known[1].below < left.below:
                    self.left[step.key] = estimate - here, left

    def overestimate(
        self, remaining: Mapping[Hashable, int], patience: Patience
    ) -> Overestimate | None:
        """A state beside the solution whose estimate is too large, if one is found."""
        if self.heuristic is None:
            return None
        for lists in self.lists if self.bound < INFINITY else ():
            for state, g, h in () if lists.open_states is None else lists.open_states(LARGEST):
                if g < self.bound:
                    left_open = Left(state, float(h), self.bound - g)
                    self.left[self.problem.key(state)] = g + h - self.bound, left_open
        if not self.left:
            return None
        left = sorted(self.left.values(), key=lambda each: -each[0])
        groups = [left[:LARGEST]]
        rest = left[LARGEST:]
        if rest:  # those near a goal are the soonest shown to be wrong
            groups.append(
                sorted(rest[: len(rest) // 2], key=lambda each: each[1].estimate)[:NEAREST]
            )
        if len(rest) > OTHERS:
            from random import Random  # noqa: PLC0415  (small searches leave few)

            rest = Random(1).sample(rest, OTHERS)
        groups.append(rest)
        seeds = {id(each): each[1] for few in zip_longest(*groups) for each in few if each}.values()
        is_own_key = is_default(self.problem, "key")
        asked = {**self.known, **self._steps} if is_own_key else {}
        return overestimate_beside(self.problem, self.heuristic, seeds, remaining, patience, asked)


def check_ways_back(
    problem: Problem[Any, Any], state: Any, only: Hashable = None, steps: Iterable[Met] = ()
) -> None:
    """Raise if steps out of a state, or those to a state of the key `only`, lead but one way."""
    back = "successors" if problem.undirected else "predecessors"
    if back == "predecessors" and not isinstance(problem, HasPredecessors):
        return
    key, law = problem.key(state), "undirected" if problem.undirected else "predecessors"
    for step in steps or steps_of(problem, state, most=STEPS_OF_STATE):
        if only is not None and step.key != only:
            continue
        ways = steps_of(problem, step.state, back, STEPS_OF_STATE)
        if len(ways) < STEPS_OF_STATE and not any(each.key == key for each in ways):
            found = f"{back} of {short(step.state)} lacks {short(state)}, from which a step leads"
            raise broken(problem, law, found, law, "successors")
