"""An ordinary problem as a packed one: the author's rules in Python, and kernels made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from searchkit.authors.blame import blaming
from searchkit.authors.user_code import short
from searchkit.capabilities import HasGoalStates, HasPredecessors
from searchkit.compiled.specialise.kernels import successors
from searchkit.compiled.specialise.module import state_array
from searchkit.errors import CompilationError, NoRoomError
from searchkit.heuristic import Heuristic, ProblemHeuristic, is_estimate, wrong_estimate
from searchkit.kernel_language.program import carrying
from searchkit.packed import PackedHeuristic, PackedProblem
from searchkit.problem import Problem, Step, name_of
from searchkit.translation.cells import cells_of, read, rows_of
from searchkit.translation.kernels import answers
from searchkit.translation.layout import Layout, TooNarrow
from searchkit.translation.omitted import Note
from searchkit.translation.packing import PARTS, packing_kernels, trap_at
from searchkit.translation.refusals import place_of_rule
from searchkit.translation.text import Trap
from searchkit.translation.types import Atoms, Type, Unfit


class TooSmall(CompilationError):  # noqa: N818  (leads to a wider layout)
    """States that do not fit the layout, which cannot be widened in place: a wider one can.

    `values` are the states, as their author made them.
    """

    def __init__(self, text: str, values: Sequence[Any]) -> None:
        super().__init__(text)
        self.values = values


class Rules(NamedTuple):
    """What a translator makes of an author's methods.

    `expand` has a kernel for each method that lists steps, by its name: the first is what a search
    follows, and a second leads back. `constants` are the numbers that kernels look up; `estimate`
    is None where none is needed, and gives words of floats if it `gives_floats`.
    """

    kind: Type
    """The type of states, where True and False may be among all numbers if rules put them there."""
    expand: Mapping[str, FunctionType]
    at_goal: FunctionType
    constants: np.ndarray[Any, Any]
    estimate: FunctionType | None = None
    gives_floats: bool = False
    notes: tuple[Note, ...] = ()
    """What a user is told of lines that are left out."""


class Translated(PackedProblem[Any]):
    """A problem whose states are those of `author`, packed by `layout`.

    In Python its rules are the author's, so that whoever asks it compares machine code with them.
    """

    is_called_by_address = True
    author: Problem[Any, Any]
    layout: Layout
    atoms: Atoms
    method: str = "successors"
    """The author's method that lists the steps which are followed here."""
    reverse: Translated | None = None
    """The same states with the steps into each, where a search follows these as well."""
    starts: tuple[Any, ...]
    """As the author made them."""
    more_kernels: tuple[ModuleType, ...] = (successors, answers)
    """Kernel files that are compared with the rules; see `searchkit.translation.watch`."""
    estimated: Heuristic[Any, Any] | None = None
    """What the kernel `estimate` was made of, if there is one."""
    again: Callable[..., Any] | None = None
    """What makes it in another process, of the author's problem, its starts, and the layout."""
    estimating: TranslatedHeuristic | None = None
    """What has that kernel."""
    noted: Any = None
    """The first machine code that was made of the problem."""
    author_name: str
    """What messages call it."""
    rules: Rules
    """What it was made of; problems of the same rules can be made of it, too."""

    def expand(self, state: Any) -> Any:
        """Kernel: made of the author's method."""
        raise NotImplementedError

    def at_goal(self, state: Any) -> bool:
        """Kernel: made of the author's `is_goal`."""
        raise NotImplementedError

    def __reduce__(self) -> Any:
        if not self.layout.is_closed or self.again is None:
            raise TypeError("its layout may change")
        from searchkit.translation.stored import StoredLayout  # noqa: PLC0415  (few use it)

        content = StoredLayout(self.layout, self.atoms).content(self.author)
        return self.again, (self.author, self.starts, content, self.method)

    def note(self, made: Any) -> None:
        """Keep what was specialised to the problem, if it is the first."""
        self.noted = self.noted or made

    def shown(self, value: Any) -> Any:
        """What messages show for a state."""
        return value

    def rule(self, method: str) -> tuple[type, str]:
        """The author's class and method that `method`, or the heuristic, is."""
        if method == "heuristic" and not isinstance(self.estimated, ProblemHeuristic):
            return type(self.estimated), "__call__"
        return type(self.author), self.method if method == "successors" else method

    def initial_states(self) -> tuple[Any, ...]:
        """The starts, packed."""
        return tuple(map(self.packed_state, self.starts))

    def is_goal(self, state: Any) -> bool:
        """What the author says."""
        with blaming(self.author):
            return bool(self.author.is_goal(self.value(state)))

    def successors(self, state: Any) -> list[Step[Any, Any]]:
        """The author's steps; fields get wider where a child asks for it."""
        return [
            Step(step[0], self.packed_state(step[1]), step[2])
            for step in self.steps(self.value(state))
        ]

    def steps(self, value: Any) -> list[Step[Any, Any]]:
        """The author's steps out of one of his states."""
        with blaming(self.author):
            return list(getattr(self.author, self.method)(value))

    def action(self, state: Any, operator: int) -> Any:
        """Nothing: labels are those of the steps."""
        return operator

    def value(self, state: Any) -> Any:
        """A state as its author made it."""
        return read(self.layout.kind, self.layout.unpack(state), 0, self.atoms)

    def packed_state(self, value: Any) -> Any:
        """The words of an author's state; fields get wider where it asks for it.

        Raises `TooSmall` where they cannot.
        """
        cells, _ = self._with_room(value)
        return self.layout.pack(cells)

    def packed_states(self, values: Sequence[Any]) -> np.ndarray[Any, Any]:
        """The words of many states, a row for each; see `packed_state`. O(cells of all)."""
        try:
            words = self.layout.packed(rows_of(self.layout.kind, values, self.atoms))
        except Unfit:
            words = None
        if words is None:  # one by one: some ask for more room
            return state_array(list(map(self.packed_state, values)), self.words)
        return words

    def known_state(self, value: Any) -> Any:
        """The words of an author's state; None if it does not fit, so that no engine has met it."""
        return self.layout.known(value, self.atoms)

    def _with_room(self, value: Any) -> tuple[list[int], bool]:
        """The cells of a state, and whether fields had to be made wider for them."""
        try:
            cells = cells_of(self.layout.kind, value, self.atoms)
            return cells, self.layout.widen(cells)
        except (Unfit, TooNarrow) as error:
            text = f"the state {short(value, 80)} does not fit its layout"
            raise TooSmall(f"{name_of(self)}: {text}", [value]) from error

    def trapped(self, state: Any) -> None:
        """Make fields wider for the children of a state; raise what the author's rules raise.

        Raises `CompilationError` where they all fit: then machine code lacks something else.
        """
        value = self.value(state)
        widened = [self._with_room(step[1])[1] for step in self.steps(value)]
        if not any(widened):
            raise self._lacking("go on from", value, trap_at(self.expand, state))

    def ask_again(self, state: Any) -> NoReturn:
        """After `at_goal` or `estimate` could not judge a state: raise what the author's rules do.

        Raises `CompilationError` where they can: then machine code lacks something.
        """
        value, heuristic = self.value(state), self.estimated
        with blaming(self.author):
            self.author.is_goal(value)
            if heuristic is not None:
                said: Any = heuristic(value)
                if not is_estimate(said):
                    shown = self.author.format_state(value)
                    raise wrong_estimate(heuristic.name, said, shown)
        trap = trap_at(self.at_goal, state)
        if trap is None and self.estimating is not None:
            trap = trap_at(self.estimating.estimate, state)
        raise self._lacking("judge", value, trap)

    def _lacking(self, verb: str, value: Any, trap: Trap | None) -> NoRoomError:
        place = self.rule("successors" if verb != "judge" else "is_goal")
        where = place_of_rule(*place) if trap is None else trap.place
        what = f": it {trap.what}" if trap is not None and trap.what else ""
        cure = f"{trap.instead}, or " if trap is not None and trap.instead else ""
        return NoRoomError(
            f"{where}: machine code cannot {verb} the state {short(value)}, though Python can"
            f"{what}; {cure}engine='reference' runs the rules in Python"
        )

    def format_state(self, state: Any) -> str:
        """As the author writes it."""
        return self.author.format_state(self.value(state))

    def format_action(self, action: Any) -> str:
        """As the author writes it."""
        return self.author.format_action(action)


class TranslatedHeuristic(PackedHeuristic):
    """The heuristic of a translated problem."""

    own: Heuristic[Any, Any]
    problem: Translated
    author_name: str
    gives_floats: bool = False

    def estimate(self, state: Any) -> int:
        """Kernel: made of the author's heuristic."""
        raise NotImplementedError

    def __call__(self, state: Any) -> float:
        """What the author's heuristic gives."""
        with blaming(self.problem.author):
            return self.own(self.problem.value(state))


def wrapped(
    author: Problem[Any, Any],
    heuristic: Heuristic[Any, Any] | None,
    starts: Iterable[Any],
    layout: Layout,
    atoms: Atoms,
    rules: Rules,
) -> tuple[Translated, TranslatedHeuristic | None]:
    """The packed problem that has an author's rules as kernels, and its heuristic if it has one.

    With the problem whose steps lead back, if there are rules for these: of the same layout.
    """
    constants = np.asarray(rules.constants, dtype=np.int64)
    tables = layout.tables._replace(constants=constants)
    kernels = layout.kernels = layout.kernels or packing_kernels(layout)
    starts = tuple(starts)
    made_of: list[Translated] = []
    for method, expand in rules.expand.items():
        members = {**kernels, **_with_parts(expand=expand, at_goal=rules.at_goal)}
        if isinstance(author, HasGoalStates):
            members["goal_states"] = _goal_states
        if isinstance(author, HasPredecessors) and method == "successors":
            members["predecessors"] = _predecessors
        kind: Any = Translated  # has no operators
        each: Translated = carrying(kind(), members)
        each.tables = tables
        each.author, each.layout, each.atoms, each.method = author, layout, atoms, method
        each.words, each.starts, each.author_name = layout.words, starts, name_of(author)
        each.costs, each.undirected = author.costs, author.undirected
        made_of.append(each)
    problem = made_of[0]
    problem.rules = rules
    problem.reverse = made_of[1] if len(made_of) > 1 else None
    if heuristic is None or rules.estimate is None:
        return problem, None
    members = {**kernels, **_with_parts(estimate=rules.estimate)}
    made = carrying(TranslatedHeuristic(), members)
    made.tables, made.gives_floats = tables, rules.gives_floats
    made.own, made.problem, made.name = heuristic, problem, heuristic.name
    made.author_name = name_of(heuristic)
    problem.estimated, problem.estimating = heuristic, made
    return problem, made


def _with_parts(**kernels: Any) -> dict[str, Any]:
    """Some kernels by name, and the functions that they call."""
    parts = [getattr(each, PARTS, {}) for each in kernels.values()]
    return {name: each for some in (kernels, *parts) for name, each in some.items()}


def _goal_states(self: Translated) -> list[Any]:
    author: Any = self.author
    with blaming(author):
        goals = list(author.goal_states())
    return list(map(self.packed_state, goals))


def _predecessors(self: Translated, state: Any) -> list[Step[Any, Any]]:
    """The author's steps into a state, but those from states that no engine has met."""
    author: Any = self.author
    with blaming(author):
        steps = list(author.predecessors(self.value(state)))
    known = [self.known_state(step[1]) for step in steps]
    return [
        Step(step[0], each, step[2])
        for step, each in zip(steps, known, strict=True)
        if each is not None
    ]
