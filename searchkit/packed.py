"""Problems over fixed-width integer states: written once, run interpreted and compiled.

A `PackedProblem` states its rules as numbered operators on machine words, a `PackedHeuristic`
its estimates. Their kernel methods are plain Python that also compiles: integers and tuples of
them, the fields of `self.tables`, other kernels, and functions of the same kind. What they may
hold is listed, construct by construct, in `docs/reference/packed.md`;
`searchkit.kernel_language.syntax` refuses all else.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from typing import Any, Generic, NamedTuple, TypeVar

from searchkit.authors.packed_rules import check_state, operators_of, whole_control
from searchkit.bits import WORD_BITS
from searchkit.errors import CompilationError, ProblemError, Trapped
from searchkit.heuristic import Heuristic
from searchkit.problem import INFINITY, Problem, Step, name_of

A = TypeVar("A")

State = Any
"""An int if `words` is 1, else a tuple of `words` ints, each from 0 to 2**64 - 1."""

DEAD_END = 1 << 40
"""What a kernel returns for an estimate when no goal can be reached; all others are below it."""


SPARE_CHANGES = 3
"""How many bounds are tried on `candidates`: the least that allows a change, and those above it."""
MOST_STEPS = 1 << 20
"""The most steps that `expand` may yield out of one state."""
MOST_TRAPS = 1000
"""How often in a row `expand` may be trapped by one state."""
MOST_CANDIDATES = 63
"""The operators of which `candidates` speaks are below it: words of kernels have a sign."""


class PackedProblem(Problem[State, A], Generic[A]):
    """A problem whose states are one or several 64-bit words, changed by numbered operators.

    The operators that can be legal are listed per *control state*: a small number read off the
    state (the blank's cell, say), for which `operators` gives the list, in the order of the
    successors. The kernel methods are `at_goal`, `control`, `legal`, `apply` and `cost`.

    A problem that defines `expand` lists the steps out of a state itself, and has none of
    `operators`, `control`, `legal`, `apply` and `cost`.

    Words are unsigned. Compiled code keeps them as signed 64-bit integers with the same bits:
    mask after shifting right (or use `searchkit.bits.shift_right`), and do not compare by size,
    divide or multiply words that use the highest bit.

    >>> from searchkit import BreadthFirst, solve
    >>> class Lights(PackedProblem[int]):
    ...     '''Press a lamp of a row: it and its neighbours change.'''
    ...     def initial_states(self):
    ...         return [0b111111]
    ...     def operators(self, control):
    ...         return range(6)
    ...     def action(self, state, operator):
    ...         return operator
    ...     def at_goal(self, state):
    ...         return state == 0
    ...     def apply(self, state, control, operator):
    ...         return state ^ (0b111 << operator >> 1) & 0b111111
    >>> solve(Lights(), BreadthFirst()).solution.actions
    (1, 4)
    """

    words: int = 1
    controls: int = 1
    """How many control states there are."""
    tables: Any = None
    """A named tuple of what the kernels look up, or None."""
    constants: tuple[str, ...] = ()
    """Fields of `tables` that are ints, and numbers of the machine code."""
    is_called_by_address: bool = False
    """Whether engines call `expand` and `at_goal`, compiled by themselves, by their addresses."""
    ranks: int = 0
    """How many numbers `rank` gives, 0 if states have none: see `rank`."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Give a problem that defines `expand` no operators."""
        super().__init_subclass__(**arguments)
        if "expand" in vars(cls):
            cls.operators = _no_operators  # type: ignore[method-assign]
            if getattr(cls.apply, "__isabstractmethod__", False):
                cls.apply = _no_apply  # type: ignore[method-assign]

    @abstractmethod
    def operators(self, control: int) -> Sequence[int]:
        """The numbers of the operators that can be legal in control state `control`."""

    @abstractmethod
    def action(self, state: State, operator: int) -> A:
        """The label of `operator` where it is applied to `state`."""

    def next_control(self, control: int, operator: int) -> int | None:
        """The control state that `operator` leads to, if it depends on nothing else."""
        return 0 if self.controls == 1 else None

    def inverse(self, control: int, operator: int) -> int | None:
        """The operator that always takes `operator` back, in the control state it leads to.

        No other operator may lead back.
        """
        return None

    @abstractmethod
    def at_goal(self, state: State) -> bool:
        """Kernel: whether `state` is a goal."""

    @abstractmethod
    def apply(self, state: State, control: int, operator: int) -> State:
        """Kernel: the state that `operator` leads to; called only where it is legal."""

    def control(self, state: State) -> int:
        """Kernel: the control state of `state`."""
        return 0

    def legal(self, state: State, control: int, operator: int) -> bool:
        """Kernel: whether `operator`, listed for the control state, is legal in `state`."""
        return True

    def cost(self, state: State, control: int, operator: int) -> int:
        """Kernel: the cost of `operator`."""
        return 1

    def expand(self, state: State) -> Iterator[tuple[int, State] | tuple[int, State, int]]:
        """Kernel, optional: yield the steps out of `state`, in place of operators.

        Each as `operator, child` or `operator, child, cost`, up to `MOST_STEPS` of them. The
        operator is any int of which `action` makes a label, and by which `change` of a heuristic
        may go.
        """
        raise NotImplementedError

    def trapped(self, state: State) -> None:
        """Deal with what made `expand` raise `Trapped` for `state`.

        Change the arrays among `tables` in place and return, so that it is expanded again, or raise
        an error. Nothing of the state's steps was used. By default it is an error.
        """
        raise ProblemError(
            f"{type(self).__name__}: expand is trapped by state {state!r:.80}; define "
            "trapped(state), which changes tables so that it can be expanded, or raises an error"
        )

    def rank(self, state: State) -> int:
        """Kernel, optional: a number from 0 to `ranks` - 1, another one for every state.

        Define it and `unrank` where states can be numbered with few gaps, and set `ranks`: to
        explore the whole space then takes one bit per number. All states that can be reached
        from one that `unrank` gives back must have numbers of their own.
        """
        raise NotImplementedError

    def unrank(self, index: int) -> State:
        """Kernel, optional: the state with that number."""
        raise NotImplementedError

    def rank_after(self, index: int, control: int, operator: int) -> int:
        """Kernel, optional: the number of the state that an operator leads to.

        `index` is that of the state before. Define it where it takes less than to apply the
        operator and to find the number of the child: `explore` then makes no states at all. Every
        listed operator must be legal and cost 1, and `next_control` must say where it leads.
        """
        raise NotImplementedError

    def are_states(self, rows: Any) -> bool:
        """Whether words that were read from a file are states, as far as that can be told of many.

        `rows` is a numpy array of int64: of one dimension for states of one word, else a row for
        each. Asked before machine code goes on from the states of a table. Define it where kernels
        take parts of a word for indexes, and say no to words from which they would lead out of an
        array; by default all are believed.
        """
        return True

    def check_written(
        self, state: State, steps: Sequence[Step[A, State]], heuristic: Any = None
    ) -> None:
        """Raise `CompilationError` where kernels that were made of rules differ from these.

        `steps` are those out of a state by the rules as they are written, none for a goal; the
        estimates of a `heuristic` that was made of such a rule are compared as well. Asked of some
        states before an answer rests on kernels; by default these are what was written.
        """

    def written_step(self, state: State, operator: int) -> Step[A, State] | None:
        """The step by an operator by the rules that `check_written` compares with."""
        raise NotImplementedError

    def is_goal(self, state: State) -> bool:
        """The kernel `at_goal`."""
        return bool(self.at_goal(state))

    def successors(self, state: State) -> Iterable[Step[State, A]]:
        """The legal operators of the control state, in their order.

        Raises `ProblemError` for a control state that does not exist, and for a child that is not a
        state.
        """
        return packed_successors(self)(state)


def _no_operators(self: Any, control: int) -> Sequence[int]:
    """There are none: `expand` yields the steps."""
    return ()


def _no_apply(self: Any, state: State, control: int, operator: int) -> State:
    """The kernel in the place of `apply` where there are no operators."""
    return state


def has_expand(problem: Problem[Any, Any]) -> bool:
    """Whether a problem is packed, and lists the steps out of a state by `expand`."""
    return isinstance(problem, PackedProblem) and not is_inherited(problem, "expand")


def expanded(problem: PackedProblem[Any], state: State) -> list[tuple[int, State, int]]:
    """What `expand` yields for `state`, each with its cost; its children are states.

    Where it is trapped, once that is dealt with.
    """
    word = int if problem.words == 1 else None
    for _ in range(MOST_TRAPS):
        steps: list[tuple[int, State, int]] = []
        try:
            for step in problem.expand(state):
                if step.__class__ is not tuple or len(step) not in (2, 3):
                    raise ProblemError(
                        f"{name_of(problem)}: expand yields {step!r:.60} for state {state!r:.80}; "
                        "it must yield `operator, child` or `operator, child, cost`"
                    )
                child = step[1]
                if child.__class__ is not word or child >> WORD_BITS:
                    check_state(problem, child)
                steps.append(step if len(step) == 3 else (*step, 1))
                if len(steps) > MOST_STEPS:
                    raise too_many_steps(problem, state)
        except Trapped:
            problem.trapped(state)
        else:
            return steps
    raise _still_trapped(problem, state)


def too_many_steps(problem: PackedProblem[Any], state: State) -> ProblemError:
    """The error for a state with more than `MOST_STEPS` steps."""
    return ProblemError(
        f"{name_of(problem)}: expand yields more than {MOST_STEPS:,} steps for state {state!r:.80}"
    )


def _still_trapped(problem: PackedProblem[Any], state: State) -> ProblemError:
    return ProblemError(
        f"{name_of(problem)}: expand is trapped by state {state!r:.80}, again and again; "
        "trapped(state) must change tables so that it can be expanded, or raise an error"
    )


class Traps:
    """What machine code was trapped by: the host asks the problem to deal with it."""

    def __init__(self, problem: PackedProblem[Any]) -> None:
        self._problem = problem
        self._state: State = None
        self._times = 0

    def deal_with(self, state: State) -> None:
        """Ask `trapped`; raises `ProblemError` where one state goes on to be trapped."""
        self._times = self._times + 1 if state == self._state else 1
        self._state = state
        if self._times > MOST_TRAPS:
            raise _still_trapped(self._problem, state)
        self._problem.trapped(state)


def packed_successors(
    problem: PackedProblem[A], *, labelled: bool = True
) -> Callable[[State], list[Any]]:
    """The method `successors` that `PackedProblem` defines, for many states.

    It looks methods up once, and asks once for the operators of each control state: for one search,
    in which what the problem says of them must not change. Unless steps are to be `labelled`, those
    that cost 1 by promise may have the number of an operator in place of the label.
    """
    if has_expand(problem):
        return lambda state: [
            Step(problem.action(state, operator), child, cost)
            for operator, child, cost in expanded(problem, state)
        ]
    new, word = tuple.__new__, int if problem.words == 1 else None
    listed: dict[int, Sequence[int]] = {}
    control_at, legal, apply = problem.control, problem.legal, problem.apply
    action, cost = problem.action, problem.cost
    always_legal = is_inherited(problem, "legal")
    unit_costs = is_inherited(problem, "cost")

    def asked(control: Any, state: State) -> tuple[int, Sequence[int]]:
        control = whole_control(problem, control, state)
        listed[control] = operators_of(problem, control)
        return control, listed[control]

    def bare(state: State) -> list[tuple[int, State, int]]:
        control = control_at(state)
        operators = listed.get(control) if control.__class__ is int else None
        if operators is None:
            control, operators = asked(control, state)
        steps = []
        for operator in operators:
            if always_legal or legal(state, control, operator):
                child = apply(state, control, operator)
                if child.__class__ is not word or child >> WORD_BITS:
                    check_state(problem, child)
                steps.append((operator, child, 1))
        return steps

    def successors(state: State) -> list[Step[State, A]]:
        control = control_at(state)
        operators = listed.get(control) if control.__class__ is int else None
        if operators is None:
            control, operators = asked(control, state)
        steps = []
        for operator in operators:
            if always_legal or legal(state, control, operator):
                child = apply(state, control, operator)
                if child.__class__ is not word or child >> WORD_BITS:
                    check_state(problem, child)
                costs = 1 if unit_costs else cost(state, control, operator)
                # What `Step` does, without a call of Python.
                steps.append(new(Step, (action(state, operator), child, costs)))
        return steps

    return bare if unit_costs and not labelled else successors


def packed_step(problem: Problem[State, A], state: State, operator: int) -> Step[State, A] | None:
    """The step by one operator, as `packed_successors` gives it; None if it does not."""
    if not isinstance(problem, PackedProblem) or has_expand(problem):
        return None
    if has_written_rules(problem):
        return problem.written_step(state, operator)
    if not is_inherited(problem, "successors"):
        return None
    control = whole_control(problem, problem.control(state), state)
    listed = operators_of(problem, control)
    if operator not in listed or not problem.legal(state, control, operator):
        return None
    child = problem.apply(state, control, operator)
    check_state(problem, child)
    return Step(problem.action(state, operator), child, problem.cost(state, control, operator))


def successors_of(problem: Problem[State, A]) -> Callable[[State], Iterable[Step[State, A]]]:
    """The method `successors`, or what does the same faster in one search."""
    if isinstance(problem, PackedProblem) and is_inherited(problem, "successors"):
        return packed_successors(problem)
    return problem.successors


def bare_successors_of(problem: Problem[State, A]) -> Callable[[State], Iterable[Any]]:
    """The same for engines that look at no label: steps that cost 1 may have something else there.

    What is a label to its author is made once the solution is known.
    """
    if isinstance(problem, PackedProblem) and is_inherited(problem, "successors"):
        return packed_successors(problem, labelled=False)
    return problem.successors


def by_kernels(problem: Problem[A, State]) -> Problem[A, State]:
    """The problem with steps and goals by its kernels, where these were made of rules on moves."""
    if not has_written_rules(problem) or has_expand(problem):
        return problem
    from searchkit.kernel_language.program import carrying  # noqa: PLC0415  (of no use to others)

    names = ("successors", "is_goal", "check_written")
    return carrying(copy(problem), {name: vars(PackedProblem)[name] for name in names})


def is_inherited(problem: Problem[Any, Any], method: str) -> bool:
    """Whether a method is that of `PackedProblem` itself.

    Or whether it is passed on by a transform (`passed_on`) whose base inherits it.
    """
    own = getattr(getattr(problem, method, None), "__func__", None)
    if own is not None and own is vars(PackedProblem).get(method):
        return True
    base = getattr(problem, "base", None)
    return method in getattr(problem, "passed_on", ()) and is_inherited(base, method)  # type: ignore[arg-type]


def has_written_rules(problem: Problem[Any, Any]) -> bool:
    """Whether kernels were made of an author's rules, which `successors` and `is_goal` run."""
    return isinstance(problem, PackedProblem) and not is_inherited(problem, "check_written")


def without_kernels(source: object) -> list[CompilationError]:
    """Why some rules of a problem or a heuristic have no kernel, and run in Python alone."""
    from searchkit.kernel_language.definition import MADE_FROM  # noqa: PLC0415  (seldom asked)
    from searchkit.kernel_language.program import Program  # noqa: PLC0415

    made = (getattr(each, MADE_FROM, None) for each in Program.of(source).carried.values())
    return [each for each in made if isinstance(each, CompilationError)]


class PackedStep(NamedTuple):
    """A step as kernels see it: a state and its control state, a legal operator, and the child."""

    state: State
    control: Any
    operator: Any
    child: State


def packed_steps(problem: PackedProblem[Any], state: State) -> Iterator[PackedStep]:
    """The steps out of a state, in the order of the successors."""
    if has_expand(problem):
        for operator, child, _ in expanded(problem, state):
            yield PackedStep(state, 0, operator, child)
        return
    control = problem.control(state)
    for operator in problem.operators(control):
        if problem.legal(state, control, operator):
            yield PackedStep(state, control, operator, problem.apply(state, control, operator))


class PackedHeuristic(Heuristic[State, Any]):
    """A heuristic for a packed problem, with the kernel methods `estimate` and `change`."""

    tables: Any = None
    """A named tuple of what the kernels look up, or None."""
    constants: tuple[str, ...] = ()
    """Fields of `tables` that are ints, and numbers of the machine code."""
    parts: tuple[str, ...] = ()
    """Attributes that hold other objects whose kernels are used."""

    @abstractmethod
    def estimate(self, state: State) -> int:
        """Kernel: a lower bound on the cost to a goal; `DEAD_END` if there is no way."""

    def change(self, state: State, control: int, operator: int, child: State) -> int:
        """Kernel: the estimate of `child` less that of `state`.

        Define it where it takes less than to compute the estimate of `child` from scratch, which is
        done otherwise. It must not be used together with `DEAD_END`.
        """
        raise NotImplementedError

    def candidates(self, state: State, control: int, most: int) -> int:
        """Kernel, optional: which operators may change the estimate by `most` at most.

        A word with bit `k` set for operator `k`, from 0 to below `MOST_CANDIDATES`; others may be
        set, too, but none may be missing that `change` says is within. Define it where states have
        many operators, and a few steps of arithmetic rule most of them out.
        """
        raise NotImplementedError

    def by_kernels(self) -> PackedHeuristic:
        """The same with estimates by its kernel, where that was made of a rule."""
        return self

    def __call__(self, state: State) -> float:
        """The kernel `estimate`, checked; `INFINITY` for `DEAD_END`."""
        value: Any = self.estimate(state)
        if value.__class__ is int and 0 <= value < DEAD_END:
            return int(value)
        return self._checked(value, state)

    def _checked(self, value: Any, state: State) -> float:
        whole = value.__index__() if hasattr(value, "__index__") else -1
        if not 0 <= whole <= DEAD_END:
            raise ProblemError(
                f"heuristic {self.name} gives {value!r:.40} for state {state!r:.80}; a kernel must "
                "give an integer from 0 to below DEAD_END = 2**40, or DEAD_END where no goal can "
                "be reached"
            )
        return INFINITY if whole == DEAD_END else whole


def has_candidates(heuristic: Any) -> bool:
    """Whether a heuristic says what it changes, and which operators can stay within a bound."""
    kind = type(heuristic)
    return (
        isinstance(heuristic, PackedHeuristic)
        and kind.candidates is not PackedHeuristic.candidates
        and kind.change is not PackedHeuristic.change
    )


def left_out(heuristic: PackedHeuristic, step: PackedStep, change: int) -> bool:
    """Whether `candidates` lacks a step that changes the estimate by `change`, where it must not.

    It is asked for bounds on the change from there on.
    """
    state, control, operator, _ = step
    return 0 <= operator < MOST_CANDIDATES and not all(
        heuristic.candidates(state, control, change + spare) >> operator & 1
        for spare in range(SPARE_CHANGES)
    )


class CarriedHeuristic(PackedHeuristic):
    """A heuristic that remembers some words of every state on a path.

    Where the estimate of a child is found from more than the estimate of its parent (the row of
    a table, say, that the parent was in), those words are carried along. The kernel methods are
    `begin`, `recall` and `follow`; `memo` is an array (or a list) of integers.
    """

    memory: int = 1
    """How many words are remembered of a state."""

    @abstractmethod
    def begin(self, memo: Any, at: int, state: State) -> int:
        """Kernel: fill `memo[at]` to `memo[at + memory - 1]` for `state`; its estimate."""

    def recall(self, memo: Any, at: int) -> int:
        """Kernel: the estimate of the state whose words are from `memo[at]` on; the first of them.

        Define it where the estimate is not the first word.
        """
        return int(memo[at])

    @abstractmethod
    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        """Kernel: fill the words from `memo[after]` on for the child of a step; its estimate.

        The words from `memo[at]` on are those of its parent: `state, control, operator, child =
        step`. If the estimate is more than `most`, any other number above `most` but not above the
        estimate will do, and the words do not matter.
        """

    def begun(self, state: State, words: list[int]) -> int:
        """What `begin` gives for the first of `words`, asked in plain Python."""
        return self.begin(words, 0, state)

    def estimate(self, state: State) -> int:
        """What `begin` gives."""
        return self.begun(state, [0] * self.memory)


class PrefetchedHeuristic(CarriedHeuristic):
    """A heuristic that says what it will look up, so that memory comes while others are searched.

    It looks bytes of one large array up, `tables.far`; entry `e` is in byte `e >> far_bits`. Two
    steps of `follow` are apart: `ask` and `told` for a child, `settle` for what else it looks up,
    whose entry is the last word of the state until then, or a negative number.
    """

    far_bits: int = 0

    @abstractmethod
    def ask(self, memo: Any, at: int, step: PackedStep, most: int) -> int:
        """Kernel: the entry that `told` will look up for a child; negative if none is needed."""

    @abstractmethod
    def told(
        self, memo: Any, at: int, kept: Any, after: int, step: PackedStep, most: int, entry: int
    ) -> int:
        """Kernel: a lower bound on the estimate of a child, from the entry that was asked for.

        If it is at most `most`, the words of the child go to `kept`, from `after` on. The child of
        `step` is not made yet.
        """

    @abstractmethod
    def settle(self, memo: Any, at: int) -> int:
        """Kernel: the estimate of the state whose words are at `at`; fills in what is missing."""


class ZeroHeuristic(PackedHeuristic):
    """Knows nothing: A* with it is uniform-cost search."""

    name = "zero"

    def estimate(self, state: State) -> int:
        """Kernel: zero."""
        return 0

    def change(self, state: State, control: int, operator: int, child: State) -> int:
        """Kernel: zero."""
        return 0

    def after(self, h: float, state: State, step: Step[State, Any]) -> float:
        """Zero."""
        return 0
