"""Learns which operator sequences are duplicates of others, and lists operators without them.

L. A. Taylor and R. E. Korf, "Pruning Duplicate Nodes in Depth-First Search", AAAI 1993. The
sequences are ordered by cost, then length, then operators in their order; of all that lead from
a control state to the same result only the first is kept. That order is kept under
concatenation, so that the first of all optimal solutions has no forbidden sequence in it
(R. C. Holte and N. Burch, "Automatic move pruning for single-agent search", 2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import attrs

from searchkit.authors.packed_rules import following, operators_of
from searchkit.authors.user_code import place_of
from searchkit.capabilities import HasWitnesses
from searchkit.errors import LawError, UnsuitableError
from searchkit.packed import PackedProblem, packed_steps

Word = tuple[int, ...]
Place = tuple[int, Word]
"""A control state and a sequence of operators from there."""

MOST_SEQUENCES = 50_000
"""With more sequences to go on from, learning ends: it should not take longer than some seconds."""


WALKS, WALK = 4, 32
"""How many walks at random, and how long, make the states at which duplicates are tried."""


def _walked(problem: PackedProblem[Any]) -> Iterator[Any]:
    """States on walks at random from the first starts, the same each time, their ends first."""
    rng, starts = Random(0), list(islice(problem.initial_states(), WALKS))
    for walk in range(WALKS):
        states = [starts[walk % len(starts)]]
        while len(states) < WALK and (steps := list(packed_steps(problem, states[-1]))):
            states.append(rng.choice(steps).child)
        yield from reversed(states)


def objection(problem: PackedProblem[Any], state: Any, word: Word, kept: Word) -> str | None:
    """Why a sequence does not do what the kept one does from a state; None if it does."""
    one, other = (_after(problem, state, each) for each in (word, kept))
    if one is None or (other is not None and one[0] == other[0] and one[1] >= other[1]):
        return None
    names = (
        f"the operators {', '.join(map(str, each))}" if each else "no step" for each in (word, kept)
    )
    is_dearer = other is not None and one[0] == other[0]
    what = "do not cost" if is_dearer else "do not lead to"
    return f"from {problem.format_state(state)}, {' and '.join(names)} {what} the same"


def _after(problem: PackedProblem[Any], state: Any, word: Word) -> tuple[Any, int] | None:
    """Where a sequence leads, and what it costs; None where it is not legal."""
    total = 0
    for operator in word:
        control = problem.control(state)
        if not problem.legal(state, control, operator):
            return None
        total += problem.cost(state, control, operator)
        state = problem.apply(state, control, operator)
    return state, total


@attrs.define
class Learner:
    """The forbidden sequences of `problem` of up to `length` operators."""

    problem: PackedProblem[Any]
    length: int
    forbidden: dict[Place, Word] = attrs.field(factory=dict)
    """With each the sequence that does the same."""
    _prefixes: set[Place] = attrs.field(factory=set)

    def learn(self) -> None:
        """Search from a witness of every control state, one more operator at a time.

        O(allowed sequences) time and memory.
        """
        problem = self.problem
        if not isinstance(problem, HasWitnesses):
            raise UnsuitableError(
                f"operator_pruning needs witness(control), which {type(problem).__name__} "
                "does not have; use operator_pruning=0"
            )
        fronts: dict[int, list[tuple[int, Word, Any, int]]] = {}
        best: dict[int, dict[Any, tuple[int, int, Word]]] = {}
        for control in range(problem.controls):
            witness = problem.witness(control)
            fronts[control] = [(0, (), witness, control)]
            best[control] = {witness: (0, 0, ())}
        for _ in range(self.length):
            if sum(map(len, fronts.values())) > MOST_SEQUENCES:
                break
            for control, front in fronts.items():
                fronts[control] = list(self._longer(control, front, best[control]))
        self._prefixes = {
            (control, word[:n]) for control, word in self.forbidden for n in range(len(word))
        }
        self._prefixes |= {(control, ()) for control in range(problem.controls)}

    def check(self) -> None:
        """Try each forbidden sequence at one state on walks from the starts; raise `LawError`."""
        met: dict[int, list[Any]] = {}
        for state in _walked(self.problem):
            met.setdefault(self.problem.control(state), []).append(state)
        for number, ((control, word), kept) in enumerate(self.forbidden.items()):
            if control in met:
                state = met[control][number % len(met[control])]
                said = objection(self.problem, state, word, kept)
                if said is not None:
                    raise self._lies(control, said)

    def _lies(self, control: int, said: str) -> LawError:
        problem = self.problem
        place = place_of(problem, "witness")
        found = f"{said}, as they do from witness({control}), in which no two pieces may be alike"
        where = "" if place is None else f" ({place})"
        name = type(problem).__name__
        return LawError(f"{name} breaks the law witness: {found}{where}", "witness", found, place)

    def _longer(
        self,
        control: int,
        front: list[tuple[int, Word, Any, int]],
        best: dict[Any, tuple[int, int, Word]],
    ) -> Iterator[tuple[int, Word, Any, int]]:
        """The allowed sequences of one operator more; duplicates become forbidden."""
        problem = self.problem
        for cost, word, state, here in front:
            for operator in operators_of(problem, here):
                longer = (*word, operator)
                if self._ends_forbidden((control, longer)):
                    continue
                after = following(problem, here, operator)
                if after is None:
                    raise UnsuitableError(
                        "operator_pruning needs control states that follow from the one before"
                    )
                child = problem.apply(state, here, operator)
                total = cost + problem.cost(state, here, operator)
                rank = (total, len(longer), longer)
                if child in best and best[child] <= rank:
                    self.forbidden[control, longer] = best[child][2]
                    continue
                # A cheaper sequence may come later where costs differ; the dearer one found
                # first is then merely not forbidden.
                best[child] = rank
                yield total, longer, child, after

    def _ends(self, place: Place) -> Iterator[Place]:
        """The sequence, and its ends down to the empty one, each from where it begins."""
        control, word = place
        yield place
        for n, operator in enumerate(word, 1):
            after = self.problem.next_control(control, operator)
            assert after is not None
            control = after
            yield control, word[n:]

    def _ends_forbidden(self, place: Place) -> bool:
        """Whether a proper end of the sequence is forbidden."""
        return any(end in self.forbidden for end in islice(self._ends(place), 1, len(place[1])))

    def follow(self, place: Place, operator: int) -> Place | None:
        """Where an operator leads: what of the history can still become forbidden; or None."""
        ends = list(self._ends((place[0], (*place[1], operator))))
        if not self.forbidden.keys().isdisjoint(ends):
            return None
        return next(end for end in ends if end in self._prefixes)

    def control_of(self, place: Place) -> int:
        """The control state at the end of a sequence."""
        *_, (control, _) = self._ends(place)
        return control
