"""`fix_first_step`: of first steps that a symmetry makes equal, keep one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from searchkit.capabilities import HasPredecessors
from searchkit.problem import Problem, Step
from searchkit.symmetry import orbits, stabiliser
from searchkit.transforms.wrapper import Wrapper


def fix_first_step(problem: Problem[Any, Any]) -> FirstStepFixed | None:
    """`problem` with one first step of each class of equal ones; None if all differ.

    Two first steps are equal if a symmetry of the problem that fixes the start maps one to
    the other. Needs symmetries and a single initial state that is not a goal; otherwise there is
    nothing to reduce, too.
    """
    starts = list(problem.initial_states())
    if len(starts) != 1 or problem.is_goal(starts[0]):
        return None
    start = starts[0]
    steps = list(problem.successors(start))
    actions = [step.action for step in steps]
    maps = [
        symmetry.action_map
        for symmetry in stabiliser(problem, [start])
        # Equal keys do not make equal action labels: the labels must be the start's own.
        if all(symmetry.action_map(action) in actions for action in actions)
    ]
    classes = orbits(actions, maps)
    if len(classes) == len(actions):
        return None
    return FirstStepFixed(problem, start, steps, classes)


class FirstStepFixed(Wrapper[Any, Any]):
    """A problem whose start has one successor per class of equal first steps.

    The first of each class in the order of the successors is kept. States, actions and costs
    are those of the base, so its heuristics serve here too. An optimal solution never comes
    back to its start (there is no cycle of zero cost), hence the optimal solutions of the base
    are those found here and their images: a solution with first action `a` stands for
    `orbit_size(a)`, and the sum of these is the base's number of solutions.

    Steps into the start are kept in accordance: `predecessors` lists only the kept first
    steps, and an undirected base stays undirected. Made by `fix_first_step`.
    """

    def __init__(
        self,
        base: Problem[Any, Any],
        start: Any,
        steps: Sequence[Step[Any, Any]],
        classes: Sequence[Sequence[Any]],
    ) -> None:
        super().__init__(base)
        self.costs = base.costs
        self.undirected = base.undirected
        self.classes: tuple[tuple[Any, ...], ...] = tuple(map(tuple, classes))
        """The classes of equal first actions; the first of each is the one kept."""
        self._start = start
        self._start_key = base.key(start)
        self._kept = [step for step in steps if any(c[0] == step.action for c in classes)]
        self._ends = {(base.key(step.state), step.cost) for step in self._kept}
        self._pass_on("goal_states", "parse", "random_state", "certificate", "slow_rules", "grade")
        self._pass_on("check_certificate")
        self._pass_on("piece_before", "piece_after", "format_chain", "chain_bound")
        self._pass_on("default_heuristic", "picture", "motion")
        self._offer("predecessors", self._predecessors, HasPredecessors)
        self._offer_other_ends(_fixed_if_possible)

    def orbit_size(self, first_action: Any) -> int:
        """How many first steps of the base the kept `first_action` stands for."""
        for actions in self.classes:
            if actions[0] == first_action:
                return len(actions)
        raise KeyError(first_action)

    def initial_states(self) -> list[Any]:
        """The start."""
        return [self._start]

    def successors(self, state: Any) -> Iterable[Step[Any, Any]]:
        """The steps of the base, without the dropped first ones."""
        if self.base.key(state) == self._start_key:
            return self._kept
        if self.undirected:
            return self._without_dropped_returns(state)
        return self.base.successors(state)

    def _without_dropped_returns(self, state: Any) -> Iterator[Step[Any, Any]]:
        """The steps of the base, without the reverses of the dropped first steps."""
        key = self.base.key
        for step in self.base.successors(state):
            if key(step.state) != self._start_key or (key(state), step.cost) in self._ends:
                yield step

    def _predecessors(self, state: Any) -> Iterator[Step[Any, Any]]:
        """The steps of the base into `state`, without the dropped first ones."""
        base = self.base
        kept = [actions[0] for actions in self.classes]
        for step in cast(HasPredecessors, base).predecessors(state):
            if base.key(step.state) == self._start_key:
                if step.action in kept:
                    yield step
            elif self.undirected and base.key(state) == self._start_key:
                if (base.key(step.state), step.cost) in self._ends:
                    yield step
            else:
                yield step


def _fixed_if_possible(problem: Problem[Any, Any]) -> Problem[Any, Any]:
    return fix_first_step(problem) or problem
