"""What a search returns: status, solutions, bound and statistics, also when it stopped early."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import attrs

from searchkit.algorithms.weights import ratio, rounded_up
from searchkit.certificates import Certificate
from searchkit.errors import (
    LimitReachedError,
    NoSolutionError,
    SearchInterruptedError,
    UnsolvableError,
)
from searchkit.limits import NO_ANSWER, Iteration, LimitKind, Within
from searchkit.problem import Problem, Step
from searchkit.texts.amounts import memory, seconds, wrapped_moves

if TYPE_CHECKING:
    from fractions import Fraction

S = TypeVar("S")
A = TypeVar("A")


class Status(enum.Enum):
    """How a search ended. The three ways of having no solution are never the same thing."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    LIMIT = "limit reached"
    INTERRUPTED = "interrupted"


@attrs.frozen
class Solution(Generic[S, A]):
    """A path from an initial state to a goal, ending at the first goal it meets."""

    start: S
    steps: tuple[Step[S, A], ...]

    @property
    def actions(self) -> tuple[A, ...]:
        """The labels of the steps."""
        return tuple(step.action for step in self.steps)

    @property
    def states(self) -> tuple[S, ...]:
        """The states from start to goal, both included."""
        return (self.start, *(step.state for step in self.steps))

    @property
    def cost(self) -> int:
        """The sum of the steps' costs."""
        return sum(step.cost for step in self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def _repr_html_(self) -> str:
        from searchkit.render.notebook import solution_html  # noqa: PLC0415  (for Jupyter only)

        return solution_html(self)


class Solutions(Protocol[S, A]):
    """Optimal solutions, listed lazily as often as wanted, and counted without listing."""

    def __iter__(self) -> Iterator[Solution[S, A]]:
        """The solutions in the order in which depth-first search meets them."""

    def count(self) -> int:
        """How many there are, exactly."""


@attrs.frozen(kw_only=True)
class Improvement:
    """A solution of an anytime search: the weight or width, and what was known then."""

    weight: Fraction | None = None
    width: int | None = None
    cost: int
    lower_bound: float
    expanded: int
    seconds: float

    @property
    def within(self) -> Fraction | None:
        """The proved ratio to the optimal cost, None if none is proved."""
        return ratio(self.cost, self.lower_bound)


@attrs.frozen(kw_only=True)
class Found(Improvement, Generic[S, A]):
    """One of `improvements`: a solution that a search has found, better than those before.

    `lower_bound` is what is proved by then, and 0 where the heuristic was seen to overestimate.
    """

    solution: Solution[S, A]
    overestimate: Overestimate | None = None

    @property
    def actions(self) -> tuple[A, ...]:
        """The actions of the solution."""
        return self.solution.actions


@attrs.frozen
class Overestimate:
    """A state whose estimate is more than it costs to come to a goal from there.

    `state` is its text, `remaining` the cost of a way to a goal: an optimal one may cost less.
    """

    state: str
    estimate: float
    remaining: int

    def __str__(self) -> str:
        number = int(self.estimate) if self.estimate.is_integer() else self.estimate
        where = f"{self.remaining} from a goal" if self.remaining else "a goal"
        return f"the heuristic overestimates: {number} at {self.state}, {where}"


@attrs.frozen(kw_only=True)
class Statistics:
    """Work and memory of a search; the same definitions hold in every engine.

    expanded: states whose successors were asked for, each time counted.
    generated: initial states, plus steps received from expansions; a step back to a state
        on the current path is not counted by the deepening engines, which discard it.
    reopened: closed states put back on the open list because a cheaper path was found.
    max_frontier: most states that waited for expansion at once; for the deepening engines,
        most states on the current path.
    stored: most states held in memory at once (open, closed, and current path together).
    bytes: memory of those, estimated from the sizes of the containers and a sample of their
        entries.
    seconds: wall-clock time.
    iterations: one row per bound, for the deepening engines.
    setup_seconds: wall-clock time in which the engine got ready: in which compiled ones loaded
        or made machine code, and the reference engine tried first; not part of `seconds`.
    """

    expanded: int = 0
    generated: int = 0
    reopened: int = 0
    max_frontier: int = 0
    stored: int = 0
    bytes: int = 0
    seconds: float = 0.0
    iterations: tuple[Iteration, ...] = ()
    setup_seconds: float = 0.0

    def and_of(self, later: Statistics) -> Statistics:
        """The same, and the work of a search that came later: what was held at once is the most."""
        sums = ("expanded", "generated", "reopened", "seconds", "setup_seconds")
        most = ("max_frontier", "stored", "bytes")
        both = {name: getattr(self, name) + getattr(later, name) for name in sums}
        peaks = {name: max(getattr(self, name), getattr(later, name)) for name in most}
        return attrs.evolve(self, **both, **peaks)

    def shown(self, **more: str) -> dict[str, str]:
        """The figures as people read them, by their names; `more` stand after the counts."""
        if self.reopened:
            more = {"reopened": f"{self.reopened:,}"} | more
        return {
            "expanded": f"{self.expanded:,}",
            "generated": f"{self.generated:,}",
            **more,
            "stored": f"{self.stored:,} at most ({memory(self.bytes)})",
            "time": seconds(self.seconds),
        }


_ERRORS: dict[Status, type[NoSolutionError]] = {
    Status.UNSOLVABLE: UnsolvableError,
    Status.LIMIT: LimitReachedError,
    Status.INTERRUPTED: SearchInterruptedError,
}
COLUMNS = 100
"""Width of the lines on which `str(result)` writes the moves."""


@attrs.frozen(kw_only=True, repr=False)
class SearchResult(Generic[S, A]):
    """The outcome of `solve`; `print(result)` shows it whole, its `repr` on one line.

    `lower_bound` is proved: no solution costs less. `solutions` holds one solution, or every
    optimal one if all were asked for; `complete` says whether it is all of them. `certificate`
    proves that there is none, where the status is unsolvable. `improvements` are the solutions
    that an anytime search found one after another. `overestimate` is where the heuristic was seen
    to say more than a solution has cost: then nothing is proved by it. `unfinished` says which
    table was being built when a limit was reached, or which rule had not answered, and where; else
    None. `open_goals` is what the problem says of its goals where a search has given up without a
    solution (see `HasOpenGoals`), and `hint` why there is probably none, which is no proof, or what
    needs less memory.
    `near` says how much more than an optimal one its solutions may cost, where those were wanted.
    `engine` is "reference" or "compiled"; where the compiled engine was not used though it was not
    ruled out, `engine_reason` says why. `problem` is what was searched; Jupyter plays the
    solutions.

    >>> from searchkit import BreadthFirst, Limits, Problem, Step, solve
    >>> class Count(Problem[int, str]):
    ...     def initial_states(self):
    ...         return [1]
    ...     def successors(self, state):
    ...         return [Step("double", 2 * state), Step("increment", state + 1)]
    ...     def is_goal(self, state):
    ...         return state == 10
    >>> result = solve(Count(), BreadthFirst())
    >>> print(result)  # doctest: +ELLIPSIS
    solved with cost 4 (optimal)
    double double increment double
    BreadthFirst (reference engine): 6 expanded, 13 generated, ... s
    >>> result.raise_for_status().states
    (1, 2, 4, 5, 10)
    >>> solve(Count(), BreadthFirst(), limits=Limits(cost=2))
    <SearchResult: gave up at the cost limit; no solution costs less than 3; BreadthFirst>
    """

    status: Status
    algorithm: Any
    engine: str
    engine_reason: str | None = None
    heuristic: str | None = None
    solution: Solution[S, A] | None = None
    solutions: Solutions[S, A] | None = None
    count: int | None = None
    complete: bool = False
    optimal: bool = False
    lower_bound: float = 0
    limit: LimitKind | None = None
    certificate: Certificate | None = None
    overestimate: Overestimate | None = None
    improvements: tuple[Improvement, ...] = ()
    unfinished: str | None = None
    open_goals: str | None = None
    hint: str | None = None
    near: Within | None = None
    statistics: Statistics = attrs.field(factory=Statistics)
    problem: Problem[S, A] | None = attrs.field(default=None, eq=False)

    @property
    def cost(self) -> int | None:
        """The cost of the solution, None without one."""
        return None if self.solution is None else self.solution.cost

    @property
    def actions(self) -> tuple[A, ...]:
        """The actions of the solution; raises as `raise_for_status` does where there is none."""
        return self._solution().actions

    @property
    def states(self) -> tuple[S, ...]:
        """Its states from start to goal; raises as `raise_for_status` does where there is none."""
        return self._solution().states

    def _solution(self) -> Solution[S, A]:
        if self.solution is None:
            raise self._error()
        return self.solution

    def raise_for_status(self) -> SearchResult[S, A]:
        """Return the result itself where it is solved.

        Raises `UnsolvableError`, `LimitReachedError` or `SearchInterruptedError` by its status,
        also where an anytime search that was stopped has a solution: all are `NoSolutionError`s,
        and have the result.
        """
        if self.status is not Status.SOLVED:
            raise self._error()
        return self

    def _error(self) -> NoSolutionError:
        return _ERRORS.get(self.status, NoSolutionError)(self.advice, self)

    @property
    def reason(self) -> str | None:
        """Why there is no solution, in one line; None unless that is proved."""
        return None if self.certificate is None else self.certificate.text

    @property
    def within(self) -> Fraction | None:
        """A proved ratio: the cost is at most this many times the optimal one.

        It is the cost divided by the lower bound: 1 if the solution is optimal, None without a
        solution or where nothing is proved.
        """
        return None if self.cost is None else ratio(self.cost, self.lower_bound)

    @property
    def which(self) -> str:
        """Which solutions those are that were counted, in words."""
        if self.near is None:
            return "of this cost"
        return "from this cost on" if self.near.is_any else f"within {self.near} of this cost"

    @property
    def quality(self) -> str:
        """What is proved of the solution's cost, in words."""
        if self.optimal:
            return "optimal"
        if self.overestimate is not None:
            return f"not proved optimal: {self.overestimate}"
        within = self.within
        return "not proved optimal" if within is None else f"within {rounded_up(within)} of optimal"

    @property
    def advice(self) -> str:
        """One sentence on how the search ended and what to do about it."""
        if self.status is Status.SOLVED:
            return f"solved with cost {self.cost} ({self.quality})"
        if self.status is Status.UNSOLVABLE:
            return f"unsolvable: {self.reason}"
        if self.status is not Status.LIMIT:
            return self._end if self.hint is None else f"{self._end}; {self.hint}"
        if self.unfinished is not None and NO_ANSWER in self.unfinished:
            return f"{self._end}; look at that line: more time helps only if it ends"
        more = "".join(f"; {each}" for each in (self.open_goals, self.hint) if each is not None)
        return f"{self._end}{more}; raise the limit to go on"

    @property
    def _end(self) -> str:
        """How a search ended that was not solved, and its bound."""
        ended = "interrupted" if self.limit is None else f"gave up at the {self.limit.label} limit"
        why = "" if self.unfinished is None else f": {self.unfinished}"
        if self.overestimate is not None:
            return f"{ended}{why}; nothing is proved: {self.overestimate}"
        return f"{ended}{why}; no solution costs less than {self.lower_bound}"

    def __repr__(self) -> str:
        is_stopped = self.status in {Status.LIMIT, Status.INTERRUPTED}
        how = self._end if is_stopped else self.advice
        return f"<SearchResult: {how}; {type(self.algorithm).__name__}>"

    def __str__(self) -> str:
        """How the search ended, the moves with what is proved of them, and the work, by lines."""
        lines = [self.advice]
        if self.solution is not None:
            if self.status is not Status.SOLVED:
                lines.append(f"best solution so far: cost {self.cost} ({self.quality})")
            elif not self.optimal:
                lines.append(f"no solution costs less than {self.lower_bound}")
            text = str if self.problem is None else self.problem.format_action
            lines += wrapped_moves([text(action) for action in self.actions], COLUMNS)
        if self.count is not None and self.count > 1:
            some = "" if self.complete else ", perhaps not all"
            lines.append(f"{self.count:,} solutions {self.which}{some}")
        work = self.statistics
        lines.append(
            f"{type(self.algorithm).__name__} ({self.engine} engine): {work.expanded:,} expanded, "
            f"{work.generated:,} generated, {seconds(work.seconds)}"
        )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from searchkit.render.notebook import result_html  # noqa: PLC0415  (for Jupyter only)

        return result_html(self)
