"""`fix_first_step`: of first steps that a symmetry makes equal, keep one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from searchkit.capabilities import HasPredecessors, HasSlowRules, own_heuristic
from searchkit.packed import PackedProblem, has_expand, packed_steps
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
    is_packed = isinstance(problem, PackedProblem) and not has_expand(problem)
    kind: Any = PackedFirstStep if is_packed else FirstStepFixed
    return kind(problem, start, steps, classes)  # type: ignore[no-any-return]


class FirstStepFixed(Wrapper[Any, Any]):
    """A problem whose start has one successor per class of equal first steps.

    The first of each class in the order of the successors is kept. States, actions and costs
    are those of the base, so its heuristics serve here too. An optimal solution never comes
    back to its start (there is no cycle of zero cost), hence the optimal solutions of the base
    are those found here and their images: a solution with first action `a` stands for
    `orbit_size(a)`, and the sum of these is the base's number of solutions.

    Steps into the start are kept in accordance: `predecessors` lists only the kept first
    steps, and an undirected base stays undirected. Made by `fix_first_step`.

    Of a packed base with operators this is a packed problem, too: see `PackedFirstStep`.
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
        self._pass_on("goal_states", "parse", "random_state", "certificate", "grade")
        self._pass_on("check_certificate", "late_certificate", "open_goals")
        self._pass_on("piece_before", "piece_after", "format_chain", "chain_bound")
        self._pass_on("picture", "motion")
        self.default_heuristic = partial(own_heuristic, base)
        self._offer("predecessors", self._predecessors, HasPredecessors)
        self._offer("slow_rules", self._slow_rules, HasSlowRules)
        self._offer_other_ends(_fixed_if_possible)

    def orbit_size(self, first_action: Any) -> int:
        """How many first steps of the base the kept `first_action` stands for."""
        for actions in self.classes:
            if actions[0] == first_action:
                return len(actions)
        raise KeyError(first_action)

    def unfixed(self) -> Problem[Any, Any]:
        """The base."""
        return self.base

    def first_steps(self) -> tuple[Any, list[Step[Any, Any]]]:
        """The start, and the steps that are kept."""
        return self._start, self._kept

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

    def _slow_rules(self) -> FirstStepFixed:
        """The slow rules of the base, with the first steps that are kept here, by their texts."""
        base, rules = self.base, cast(HasSlowRules, self.base).slow_rules()
        kept = {(base.format_action(s.action), base.format_state(s.state)) for s in self._kept}
        start = next(iter(rules.initial_states()))
        steps = [
            step
            for step in rules.successors(start)
            if (rules.format_action(step.action), rules.format_state(step.state)) in kept
        ]
        found = FirstStepFixed(rules, start, steps, [[step.action] for step in steps])
        found.undirected = self.undirected
        return found

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


class FirstStepTables(NamedTuple):
    """The start, the operators of its kept steps, and where these lead: words, then the cost.

    Unless the problem is undirected, there are no such `ends`.
    """

    start: tuple[int, ...]
    kept: tuple[int, ...]
    ends: tuple[int, ...]


class PackedFirstStep(FirstStepFixed, PackedProblem[Any]):
    """The same of a packed base: dropped first steps, and their reverses, are not legal.

    Operators and control states are those of the base.
    """

    parts = ("base",)
    passed_on = ("cost", "next_control", "inverse")
    base: PackedProblem[Any]

    def __init__(self, base: PackedProblem[Any], start: Any, *steps_and_classes: Any) -> None:
        super().__init__(base, start, *steps_and_classes)
        self.words, self.controls = base.words, base.controls
        firsts = [actions[0] for actions in self.classes]
        kept = [step for step in packed_steps(base, start) if base.action(*step[::2]) in firsts]
        ends = [(*_words(child), base.cost(*step)) for *step, child in kept if self.undirected]
        self.tables = FirstStepTables(
            start=_words(start),
            kept=tuple(step.operator for step in kept),
            ends=tuple(number for end in ends for number in end),
        )
        self._pass_on("toggles", "are_states")

    def operators(self, control: int) -> Sequence[int]:
        """Those of the base."""
        return self.base.operators(control)

    def action(self, state: Any, operator: int) -> Any:
        """The action of the base."""
        return self.base.action(state, operator)

    def next_control(self, control: int, operator: int) -> int | None:
        """As in the base."""
        return self.base.next_control(control, operator)

    def inverse(self, control: int, operator: int) -> int | None:
        """As in the base: a step that is kept can be taken back."""
        return self.base.inverse(control, operator)

    def at_goal(self, state: Any) -> bool:
        """Kernel: as in the base."""
        return bool(self.base.at_goal(state))

    def control(self, state: Any) -> int:
        """Kernel: as in the base."""
        return int(self.base.control(state))

    def cost(self, state: Any, control: int, operator: int) -> int:
        """Kernel: as in the base."""
        return int(self.base.cost(state, control, operator))

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: as in the base."""
        return self.base.apply(state, control, operator)

    def legal(self, state: Any, control: int, operator: int) -> bool:
        """Kernel: whether the step is legal in the base, and not dropped."""
        if not self.base.legal(state, control, operator):
            return False
        if self.is_start(state):
            return self.is_kept(operator)
        if len(self.tables.ends) == 0 or not self.is_start(self.apply(state, control, operator)):
            return True
        return self.is_end(state, self.base.cost(state, control, operator))

    def is_kept(self, operator: int) -> bool:
        """Kernel: whether the operator is kept at the start."""
        for i in range(len(self.tables.kept)):  # noqa: SIM110  (kernels have no generators)
            if self.tables.kept[i] == operator:
                return True
        return False

    def is_start(self, state: Any) -> bool:
        """Kernel: whether the state is the start."""
        if self.words == 1:
            return bool(state == self.tables.start[0])
        for word in range(len(self.tables.start)):  # noqa: SIM110
            if state[word] != self.tables.start[word]:
                return False
        return True

    def is_end(self, state: Any, cost: int) -> bool:
        """Kernel: whether a kept first step of that cost leads to the state."""
        if self.words == 1:
            for i in range(0, len(self.tables.ends), 2):
                if self.tables.ends[i] == state and self.tables.ends[i + 1] == cost:
                    return True
            return False
        words = len(self.tables.start)
        for i in range(0, len(self.tables.ends), words + 1):
            same = self.tables.ends[i + words] == cost
            for word in range(words):
                if state[word] != self.tables.ends[i + word]:
                    same = False
            if same:
                return True
        return False


def _words(state: Any) -> tuple[int, ...]:
    return state if isinstance(state, tuple) else (state,)


def _fixed_if_possible(problem: Problem[Any, Any]) -> Problem[Any, Any]:
    return fix_first_step(problem) or problem
