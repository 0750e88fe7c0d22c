"""Searches of ordinary problems by machine code that is made of their rules.

An engine gets the packed problem; whoever called it keeps the author's problem and its states. So
solutions are found again by the author's steps, and labels, premises and results are the author's.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import attrs

from searchkit.authors.blame import is_own, problem_error
from searchkit.authors.user_code import short
from searchkit.capabilities import HasGoalStates
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.engines.explored import Explorer
from searchkit.errors import CompilationError, NoRoomError
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.heuristics.patterns.plain import plain_form
from searchkit.kernel_language.program import TEXT, Program
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem, is_default
from searchkit.running.drawing import drawing, mirrored
from searchkit.running.overdue import GivenUpError, in_passing
from searchkit.running.task import Counters, Outcome, Run, Task
from searchkit.solutions.optimal_graph import Distances
from searchkit.translation.cells import cells_of, rows_of
from searchkit.translation.layout import (
    Field,
    Layout,
    TooNarrow,
    fields_of,
    lay_out,
    roomier,
    wider,
)
from searchkit.translation.omitted import tell
from searchkit.translation.problem import TooSmall, Translated, TranslatedHeuristic, wrapped
from searchkit.translation.refusals import Untranslatable, place_of_rule
from searchkit.translation.sampling import States, Steps, always_empty, sampled, written
from searchkit.translation.types import MOST_CELLS, Atoms, Type, Unfit, type_of
from searchkit.translation.watch import Watch, watches

if TYPE_CHECKING:
    from searchkit.translation.stored import StoredLayout

MOST_LAYOUTS = 12
"""So often a search may begin again with a wider layout."""
MOST_WIDENINGS = 200
"""So often a layout that is written down may get wider."""
MOST_GOALS = 100
NEARER = (500, 100, 20)
"""With so many expansions it is tried again, where walks lead to states that are too large."""
PACKED = (
    "whole numbers below 2**40, texts, truth values, members of enumerations, None, and tuples and "
    "frozensets of these"
)

SECONDS_OF_CODE, SECONDS_OF_LINE = 0.5, 0.008
"""What machine code takes to make: before the first line of a rule, and for each."""

MADE = "made"
"""Where machine code is kept for problems of the same rules, once a search has ended."""
AGAIN = 8
"""How many states of a search are compared at first, by machine code that was compared before."""

T = TypeVar("T")
Kept = dict[Any, Any]
Made = tuple[Translated, TranslatedHeuristic | None]
EngineFunction = Callable[[Any], Generator[None, None, Outcome]]


class _TooLarge(NoRoomError):  # noqa: N818  (a signal)
    """States have no type, or no layout."""


class Keeper(Protocol):
    """Where states are kept by a layout that is kept with them."""

    @property
    def store(self) -> object:
        """The place, as messages call it."""

    @property
    def layout(self) -> Mapping[str, Any] | None:
        """What `StoredLayout.content` gave, if there is a layout."""

    def lay_out(self, layout: Mapping[str, Any], words: int, *, anew: bool) -> None:
        """Keep another layout: of the states there as well, or `anew`, without them."""


class Making:
    """What makes the machine code of one problem and heuristic; see `Translation`.

    It is a `Source` for workers, which make their own, so that each may have a layout of its own.

    `is_asked` says whether somebody has asked for machine code, and is going to wait for it.
    `methods` are those that list the steps which are followed: from the starts, and then, if there
    is a second, from the goals.
    """

    _kind: Type | None = None
    _layouts = 0
    _are_few = False
    """Whether states were sampled only until their type was settled."""
    _pinned: StoredLayout | None = None
    """The layout to be used, which others use, too."""
    _keeper: Keeper | None = None
    _widenings = 0
    _made: Made | None = None
    _is_sent = False
    """Whether this process is a worker, which nobody else's packed states are known to."""

    def __init__(
        self,
        problem: Problem[Any, Any],
        heuristic: Heuristic[Any, Any] | None,
        starts: Sequence[Any],
        *,
        is_asked: bool = True,
        methods: tuple[str, ...] = ("successors",),
        kept: Kept | None = None,
    ) -> None:
        self.problem, self.heuristic, self.starts = problem, plain_form(heuristic), starts
        self.is_asked, self.methods = is_asked, methods
        self.kept: Kept = {} if kept is None else kept
        self._samples: list[States] = []
        """States by the steps of each of the methods."""
        self._met: list[Any] = []
        """States that did not fit a layout."""
        self._goals: list[Any] = []
        self._fields: list[Field] = []

    def __getstate__(self) -> tuple[Any, ...]:
        return self.problem, self.heuristic, self.starts, self.methods

    def __setstate__(self, parts: tuple[Any, ...]) -> None:
        *given, methods = parts
        self.__init__(*given, methods=methods)  # type: ignore[misc]
        self._is_sent = True

    def why_not(self) -> str | None:
        """Why no machine code can be made; None if it can."""
        try:
            with self.blaming():
                self.made()
        except CompilationError as error:
            return str(error)
        return None

    def forecast(self) -> float:
        """How many seconds machine code is likely to take to make; 0 if there can be none."""
        if self.why_not() is not None:
            return 0.0
        rules = [Program.of(each).carried for each in self.made()]
        texts = [getattr(function, TEXT, "") for each in rules for function in each.values()]
        return SECONDS_OF_CODE + SECONDS_OF_LINE * sum(text.count("\n") for text in texts)

    def known(self) -> Mapping[Any, Steps]:
        """Gives steps out of the states that were sampled, if these are such as cannot change."""
        forward = self._samples if self._made and self.methods[0] == "successors" else ()
        return forward[0].expanded if forward else {}

    def made(self) -> tuple[Translated, TranslatedHeuristic | ZeroHeuristic]:
        """The packed problem, and its heuristic; `CompilationError` if there can be none."""
        self._made = self._made or self._translated()
        problem, heuristic = self._made
        return problem, heuristic or ZeroHeuristic()

    def value(self, state: Any) -> Any:
        """A state as its author made it."""
        return self.made()[0].value(state)

    def state(self, value: Any) -> Any:
        """The words of an author's state."""
        return self.made()[0].packed_state(value)

    def keep_in(self, table: Keeper) -> None:
        """Use the layout that is written down there, or write one down.

        Raises `UsageError` where it is damaged, `UnsuitableError` where it cannot be written.
        """
        from searchkit.translation.stored import StoredLayout  # noqa: PLC0415  (few searches use it)

        self._keeper = table
        with self.blaming():
            if table.layout is None:
                self._keep(anew=True)
            else:
                self._pin(StoredLayout.read(table.layout, self.problem, table.store))

    def _pin(self, stored: StoredLayout) -> None:
        """Use a layout that others use, too."""
        self._pinned, self._made = stored, None
        self.made()[0].again = translated_again

    def _keep(self, *, anew: bool) -> None:
        from searchkit.translation.stored import StoredLayout  # noqa: PLC0415  (few searches use it)

        assert self._keeper is not None
        problem, _ = self.made()
        problem.again = translated_again
        self._pinned = StoredLayout.of(problem.layout, problem.atoms)
        content = self._pinned.content(self.problem)
        self._keeper.lay_out(content, problem.words, anew=anew)

    def _widened(self, error: TooSmall) -> StoredLayout | None:
        """The pinned layout with room for states that did not fit; words of before stay valid.

        None if there is no room.
        """
        from searchkit.translation.stored import StoredLayout  # noqa: PLC0415  (few searches use it)

        assert self._pinned is not None
        layout, atoms = self._pinned.layout, self._pinned.atoms
        layout.is_closed = atoms.is_closed = False
        try:
            for value in error.values:
                layout.widen(cells_of(layout.kind, value, atoms), spare=1)
        except (Unfit, TooNarrow):
            return None
        return StoredLayout.of(layout, atoms)

    def make_room(self, error: TooSmall) -> None:
        """Make a wider layout, for states that did not fit; `CompilationError` after many."""
        if self._pinned is not None and self._widenings < MOST_WIDENINGS:
            self._widenings += 1
            wider = self._widened(error)
            if wider is not None:
                self._pin(wider)
                return self._keep(anew=False)
        self._pinned = None
        self._new_layout(error)
        if self._keeper is not None:
            self._keep(anew=True)
        return None

    def can_begin_again(self, error: Exception) -> bool:
        """Whether a wider layout is at hand."""
        if not self._is_sent or not isinstance(error, TooSmall):
            return False
        self.make_room(error)
        return True

    def _new_layout(self, error: TooSmall) -> None:
        self._layouts += 1
        if self._layouts > MOST_LAYOUTS:
            raise NoRoomError(
                f"{type(self.problem).__name__}: its states grow without bound, it seems"
            ) from error
        self._met += error.values
        self._made = None

    def _unfit(self, error: Unfit, method: str | None = None) -> CompilationError:
        """The error for states that cannot be packed."""
        place = place_of_rule(type(self.problem), method or self.methods[0])
        return CompilationError(f"{place}: {error}; states may hold {PACKED}")

    def _translated(self) -> Made:
        if self._pinned is not None:
            layout, atoms = self._pinned.layout, self._pinned.atoms
            return self._with_rules(layout.kind, layout, atoms)
        known = self.kept.get(MADE)
        if known is not None and not self._met:
            layout, atoms = known.layout.copy(), known.atoms.copy()
            heuristic = self._own_heuristic
            return wrapped(self.problem, heuristic, self.starts, layout, atoms, known.rules)
        if not self._samples or (self._met and self._are_few):
            self._samples, self._goals = self._sampled()
            self._are_few = not self._met
        try:
            return self._made_of_samples()
        except _TooLarge as error:
            if self._met:
                raise
            # Walks at random may go where states are larger than those of the search.
            self._are_few = False
            for count in NEARER:
                nearer = [each.nearest(count) for each in self._samples]
                if any(nearer):
                    pairs = zip(nearer, self._samples, strict=True)
                    self._samples = [near or each for near, each in pairs]
                    with suppress(_TooLarge):
                        return self._made_of_samples()
            raise CompilationError(str(error)) from error

    def _made_of_samples(self) -> Made:
        """What is made of some states, and those that did not fit; `_TooLarge` if it cannot be."""
        sampled_states = chain.from_iterable(each.states for each in self._samples)
        states = list(dict.fromkeys([*sampled_states, *self._goals])) + self._met
        refused: CompilationError | None = None
        for words in (True, False):
            atoms = Atoms()
            try:
                kind = type_of(states, atoms, words=words)
                if self._kind is not None:
                    kind = roomier(self._kind, kind)
                if kind.cells > MOST_CELLS:
                    raise Unfit("states are too large for machine code")
                layout = self._laid_out(kind, states, atoms)
                made = self._with_rules(kind, layout, atoms)
            except Unfit as error:
                refused = refused or _TooLarge(str(self._unfit(error)))
            except CompilationError as error:
                told = _of_sample(error, states)
                refused = max(refused or told, told, key=lambda e: getattr(e, "reached", (0, 0)))
            else:
                self._kind = kind
                return made
        assert refused is not None
        raise refused

    def _with_rules(self, kind: Type, layout: Layout, atoms: Atoms) -> Made:
        from searchkit.translation.rules import translate  # noqa: PLC0415  (of the most code)

        heuristic = self._own_heuristic
        rules = translate(
            self.problem, kind, atoms, heuristic, methods=self.methods, is_asked=self.is_asked
        )
        layout.kind = rules.kind
        return wrapped(self.problem, heuristic, self.starts, layout, atoms, rules)

    @property
    def _own_heuristic(self) -> Heuristic[Any, Any] | None:
        """The heuristic, if it is not one that knows nothing."""
        heuristic = self.heuristic
        if isinstance(heuristic, ZeroHeuristic):
            return None
        is_own = not is_default(self.problem, "heuristic")  # that one gives 0
        return heuristic if is_own or not isinstance(heuristic, ProblemHeuristic) else None

    def _sampled(self) -> tuple[list[States], list[Any]]:
        """Some states by each of the methods, and goals."""
        problem, found = self.problem, []
        goals: list[Any] = []
        method = self.methods[0]
        try:
            if isinstance(problem, HasGoalStates):
                with in_passing(problem):
                    goals = list(islice(problem.goal_states() or (), MOST_GOALS))
            for method, roots in zip(self.methods, (self.starts, goals), strict=False):
                found.append(sampled(problem, roots, method, thorough=bool(self._met)))
        except Unfit as error:
            raise self._unfit(error, method) from error
        except GivenUpError as error:
            raise CompilationError(f"{type(problem).__name__}: {error}") from error
        except Exception as error:
            # Where the search would not have come, perhaps; if it does, it says so itself.
            raise CompilationError(str(problem_error(problem, error))) from error
        return found, goals

    def _laid_out(self, kind: Type, states: list[Any], atoms: Atoms) -> Layout:
        fields = fields_of(kind, rows_of(kind, states, atoms))
        if self._met and kind == self._kind and self._fields:
            fields = wider(self._fields, fields)
        self._fields = fields
        is_whole = not self._met and all(each.are_all for each in self._samples)
        return lay_out(kind, fields, is_whole=is_whole)

    def engine(self, compiled: EngineFunction) -> EngineFunction:
        """The compiled engine of an algorithm, as one for tasks with the author's problem."""

        def engine(task: Task) -> Generator[None, None, Outcome]:
            known = task.counters.lower_bound, list(task.counters.improvements)
            while True:
                try:
                    with self.blaming():
                        return (yield from self._searched(task, compiled))
                except TooSmall as error:
                    _begin_again(task, *known)
                    self.make_room(error)

        return engine

    def _searched(self, task: Task, compiled: EngineFunction) -> Generator[None, None, Outcome]:
        inner = self._task(task)
        tell(self.made()[0].rules.notes)
        try:
            with blaming_kernels(inner.problem):
                looks = self.looks(inner)
                engine = drawing(inner, compiled(inner), self.made()[0].value)
                found = yield from mirrored(task, inner, engine, looks)
            self.keep()
            return self._outcome(found)
        finally:
            if inner.partial is not None:
                task.partial = self._outcome(inner.partial)

    def keep(self) -> None:
        """Keep what was made for problems of the same rules, once a search has ended."""
        self.kept.update({MADE: self.made()[0]} if self._pinned is None else {})

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Turn what is not meant to be raised here into a `CompilationError`.

        Whatever the author's own code raises is a `ProblemError` by then.
        """
        try:
            yield
        except Exception as error:
            if is_own(error) or isinstance(error, MemoryError):
                raise
            what, name = short(error, 100), type(self.problem).__name__
            raise CompilationError(
                f"{name}: machine code made of its rules fails by a fault of searchkit ({what}); "
                "engine='reference' runs them as they are"
            ) from error

    def looks(self, run: Run) -> list[Callable[[], None]]:
        """What compares the machine code of a packed run with the rules, each time it is called."""
        runs = (run,) if run.backward is None else (run, run.backward)
        if not self._samples and MADE in self.kept and self._pinned is None:
            return [each.look for each in watches(runs, [{} for _ in runs], AGAIN)]
        if not self._samples:  # where the layout was written down
            self._samples, self._goals = self._sampled()
        return [each.look for each in watches(runs, [each.expanded for each in self._samples])]

    def watching(self, task: Task) -> Callable[[], None]:
        """Compare states of the search: those that were sampled its caller compares."""
        return Watch(task, {}).look

    def _task(self, task: Task) -> Task:
        problem, heuristic = self.made()
        inner = attrs.evolve(
            task,
            problem=problem,
            heuristic=heuristic,
            starts=tuple(map(problem.packed_state, task.starts)),
            source=self,
            stores=[],  # those of a search before have another layout
            partial=None,
            tell=lambda found, improvement: task.tell(self._outcome(found), improvement),
        )
        if problem.reverse is not None:
            inner.backward = Run(problem=problem.reverse, counters=task.counters)
        if task.partial is not None and not isinstance(task.partial.remaining, Distances):
            known = {
                problem.packed_state(state): left for state, left in task.partial.remaining.items()
            }
            inner.partial = attrs.evolve(task.partial, remaining=known, operators={})
        return inner

    def _outcome(self, found: Outcome) -> Outcome:
        """What an engine found, in the author's states."""
        problem, _ = self.made()
        remaining = found.remaining
        if isinstance(remaining, Distances):
            remaining = _PackedDistances(problem, remaining)
        else:
            remaining = {problem.value(state): left for state, left in remaining.items()}
        return attrs.evolve(found, remaining=remaining, operators={})

    def explorer(self, run: Run, make: Callable[[Run, list[Any]], Explorer]) -> Explorer:
        """The explorer that `make` makes of a packed run and its roots, for the author's."""
        return TranslatedExplorer(run, self, make)


def translated_again(
    author: Problem[Any, Any], starts: Sequence[Any], layout: Mapping[str, Any], method: str
) -> Translated:
    """The packed problem that another process has made of an ordinary one, with its layout."""
    from searchkit.translation.stored import StoredLayout  # noqa: PLC0415  (few searches use it)

    making = Making(author, None, starts, methods=(method,))
    making._pin(StoredLayout.read(layout, author))
    return making.made()[0]


def _of_sample(error: CompilationError, states: Sequence[Any]) -> CompilationError:
    """What was refused, and that the states which were looked at may be why."""
    empty = ", ".join(written(states[0], part) for part in always_empty(states))
    if not empty or not isinstance(error, Untranslatable):
        return error
    more = (
        f"in the {len(states):,} states looked at, {empty} was always empty, so that its items are "
        "unknown: begin with a state where it holds some, or on a smaller problem"
    )
    made = Untranslatable(error.place, error.what, f"{error.instead}; {more}".lstrip("; "))
    made.reached = error.reached
    return made


def _begin_again(run: Run, lower_bound: float, improvements: list[Any]) -> None:
    """Set the counts of a run to those before its search."""
    new = Counters(
        lower_bound=lower_bound,
        improvements=improvements,
        setup_seconds=run.counters.setup_seconds,
        bytes=run.counters.bytes,
    )
    for each in attrs.fields(Counters):
        setattr(run.counters, each.name, getattr(new, each.name))
    run.is_all_expanded = False


class _PackedDistances(Distances):
    """The distances of packed states, asked for those of the author."""

    def __init__(self, problem: Translated, packed: Distances) -> None:
        self.problem, self.packed, self.are_few = problem, packed, packed.are_few

    def are_at(self, states: Sequence[Any], distances: Sequence[int]) -> Sequence[bool]:
        """For each of some states, whether it lies on an optimal solution at this distance."""
        known = [self.problem.known_state(state) for state in states]
        pairs = [
            (state, left) for state, left in zip(known, distances, strict=True) if state is not None
        ]
        found = iter(self.packed.are_at([s for s, _ in pairs], [left for _, left in pairs]))
        return [state is not None and bool(next(found)) for state in known]

    def counting(self, run: Run, starts: Sequence[Any]) -> Generator[None, None, int]:
        """Count the solutions from `starts`, which lie on some."""
        inner = Run(problem=self.problem, counters=run.counters, threads=run.threads)
        packed = list(map(self.problem.packed_state, starts))
        return (yield from mirrored(run, inner, self.packed.counting(inner, packed)))


class TranslatedExplorer(Explorer):
    """An exploration of packed states, told in those of the author."""

    def __init__(
        self, run: Run, making: Making, make: Callable[[Run, list[Any]], Explorer]
    ) -> None:
        self.task = run
        self._making, self._make = making, make
        self._begin_inner()

    def _begin_inner(self) -> None:
        run = self.task
        self._problem, _ = self._making.made()
        tell(self._problem.rules.notes)
        self._run = Run(problem=self._problem, counters=run.counters, threads=run.threads)
        self._run.max_bytes = run.max_bytes
        self._roots: list[Any] = []
        roots = list(map(self._problem.packed_state, self._making.starts))
        self._inner = self._make(self._run, roots)
        self.sizes, self.canonical_sizes = self._inner.sizes, self._inner.canonical_sizes

    def begin(self, roots: list[Any]) -> None:
        """Make the first layer."""
        self._roots = roots
        self._inner.begin(list(map(self._problem.packed_state, roots)))

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Reach states up to distance `deepest`; whether these are all."""
        while True:
            try:
                with self._making.blaming(), blaming_kernels(self._problem):
                    running = self._inner.run(deepest)
                    looks = self._making.looks(self._run)
                    is_whole = yield from mirrored(self.task, self._run, running, looks)
                self._making.keep()
                return is_whole
            except TooSmall as error:
                roots = self._roots
                _begin_again(self.task, 0, [])
                self._making.make_room(error)
                self._begin_inner()
                self.begin(roots)

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer."""
        return self._inner.grow()

    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer."""
        return self._inner.has_more()

    @property
    def fresh(self) -> int:
        """How many states of the next layer were reached."""
        return self._inner.fresh

    @property
    def partial(self) -> int:
        """How many states of a layer that is not complete were reached."""
        return self._inner.partial

    def farthest(self) -> Sequence[Any]:
        """The states of the last layer reached."""
        return _Values(self._problem, self._inner.farthest())


class _Values(Sequence[Any]):
    """Packed states as their author's, made as they are asked for."""

    def __init__(self, problem: Translated, states: Sequence[Any]) -> None:
        self._problem, self._states = problem, states

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._problem.value(state) for state in self._states[index]]
        return self._problem.value(self._states[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
