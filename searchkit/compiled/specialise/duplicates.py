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
from typing import Any

import attrs

from searchkit.authors.packed_rules import following, operators_of
from searchkit.capabilities import HasWitnesses
from searchkit.errors import UnsuitableError
from searchkit.packed import PackedProblem

Word = tuple[int, ...]
Place = tuple[int, Word]
"""A control state and a sequence of operators from there."""

MOST_SEQUENCES = 50_000
"""With more sequences to go on from, learning ends: it should not take longer than some seconds."""


@attrs.define
class Learner:
    """The forbidden sequences of `problem` of up to `length` operators."""

    problem: PackedProblem[Any]
    length: int
    forbidden: set[Place] = attrs.field(factory=set)
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
                    self.forbidden.add((control, longer))
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
        if not self.forbidden.isdisjoint(ends):
            return None
        return next(end for end in ends if end in self._prefixes)

    def control_of(self, place: Place) -> int:
        """The control state at the end of a sequence."""
        *_, (control, _) = self._ends(place)
        return control
