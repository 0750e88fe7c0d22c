"""Machine code compared with the rules that it was made of: before a search, and during it."""

from __future__ import annotations

import random
import time
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.listing import list_successors
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.errors import CompilationError
from searchkit.packed import DEAD_END
from searchkit.problem import INFINITY
from searchkit.running.task import Run
from searchkit.translation.problem import Translated, TranslatedHeuristic

FIRST = 500
"""How many states are compared before a search."""
AT_ONCE = 50
SECONDS = 1.0
"""For so long at most."""
EVERY = 1 << 16
"""After so many expansions one more is, ..."""
MOST_AT_ONCE = 8
"""... but at most so many between two slices."""


@attrs.define(eq=False)
class Watch:
    """Compares the machine code of one run; its states are on walks at random.

    Raises `CompilationError` where it gives other children, in another order, at other costs, or
    says something else of a state than the author's rules.
    """

    run: Run
    states: list[Any]
    """Where to begin, as the author made them."""
    _problem: Translated = attrs.field(init=False)
    _spec: Specialised = attrs.field(init=False)
    _heuristic: TranslatedHeuristic | None = attrs.field(default=None, init=False)
    _room: Children = attrs.field(init=False)
    _has_begun: bool = attrs.field(default=False, init=False)
    _here: Any = attrs.field(default=None, init=False)
    _asked_at: int = attrs.field(default=0, init=False)
    _choose: random.Random = attrs.field(factory=lambda: random.Random(1), init=False)

    def __attrs_post_init__(self) -> None:
        problem: Any = self.run.problem
        self._problem = problem

    def begin(self) -> None:
        """Compare the first states, once an engine has made its machine code."""
        self._spec = spec = self._problem.noted
        if isinstance(spec.heuristic, TranslatedHeuristic):
            self._heuristic = spec.heuristic
        self._room = spec.children(64)
        half, began = FIRST // 2, time.monotonic()
        chosen = list(dict.fromkeys(self.states[:half] + self.states[-half:]))
        for at in range(0, len(chosen), AT_ONCE):
            self._compare(chosen[at : at + AT_ONCE])
            if time.monotonic() - began > SECONDS:  # rules may be slow
                break

    def look(self) -> None:
        """Compare some more, as many as are due; at first what machine code there is by then."""
        if self._problem.noted is None:
            return
        if not self._has_begun:
            self._has_begun = True
            self.begin()
        expanded = self.run.counters.expanded
        due = min(MOST_AT_ONCE, (expanded - self._asked_at) // EVERY)
        if due > 0:
            self._asked_at = expanded
            for _ in range(due):
                if self._here is None:
                    self._here = self._choose.choice(self.states)
                children = self._compare([self._here])[0]
                self._here = self._choose.choice(children) if children else None

    def _compare(self, values: list[Any]) -> list[list[Any]]:
        """The children of states, by both the same."""
        problem, spec = self._problem, self._spec
        expected = [list(problem.author.successors(value)) for value in values]
        packed = [problem.packed_state(value) for value in values]
        wanted = [[problem.packed_state(step[1]) for step in steps] for steps in expected]
        rows = spec.states(packed)
        self._room, ends = list_successors(self.run, spec, rows, self._room)
        begin = 0
        for value, steps, children, end in zip(
            values, expected, wanted, ends.tolist(), strict=True
        ):
            found = [python_state(self._room.states[i]) for i in range(begin, end)]
            costs = [int(cost) for cost in self._room.costs[begin:end]] or [1] * len(found)
            if found != children or costs != [step[2] for step in steps]:
                raise self._differing(value, "successors", found, [step[1] for step in steps])
            begin = end
        goals, estimates = np.zeros((2, len(rows)), dtype=np.int64)
        spec.module.answers(*spec.head[:2], rows, goals, estimates)
        for value, goal, estimate in zip(values, goals.tolist(), estimates.tolist(), strict=True):
            if bool(problem.author.is_goal(value)) != bool(goal):
                raise self._differing(value, "is_goal", bool(goal), not goal)
            if self._heuristic is not None:
                said = self._heuristic.own(value)
                if estimate != (DEAD_END if said == INFINITY else said):
                    raise self._differing(value, "heuristic", estimate, said)
        return [[step[1] for step in steps] for steps in expected]

    def _differing(self, value: Any, method: str, found: Any, expected: Any) -> CompilationError:
        kind = type(self._problem.author)
        if method == "successors":
            found = [self._problem.value(state) for state in found]
        code = getattr(getattr(kind, method, None), "__code__", None)
        place = f", {code.co_filename}:{code.co_firstlineno}" if code is not None else ""
        return CompilationError(
            f"{kind.__name__}.{method}{place}: machine code gives {found!r:.120} for "
            f"{value!r:.80}, and Python {expected!r:.120}; engine='reference' runs it as it is"
        )
