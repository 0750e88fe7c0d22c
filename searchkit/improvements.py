"""`improvements`: the better and better solutions of one search, while it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event, Lock, Thread, current_thread
from typing import Any, Generic, TypeVar
from weakref import finalize

import attrs

from searchkit.algorithms import Algorithm
from searchkit.algorithms.validators import expect
from searchkit.engine import Engine, EngineChoice
from searchkit.errors import UsageError
from searchkit.limits import Limits, ProgressListener
from searchkit.problem import Problem
from searchkit.result import Found, SearchResult
from searchkit.running.making import search_clock
from searchkit.running.overdue import within_limits
from searchkit.solve import searched

S = TypeVar("S")
A = TypeVar("A")

NAME = "searchkit-improvements"
"""That of the threads."""


def improvements(
    problem: Problem[S, A],
    algorithm: Algorithm | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
    engine: Engine | EngineChoice = "auto",
) -> Improvements[S, A]:
    """Gives each solution that a search finds, if it is better than those before, when it is found.

    The search begins with the first that is asked for, and goes on in a thread of its own. The last
    one costs what the solution of `solve` does. Costs fall from one to the next, and bounds never
    do. Ctrl-C ends the search, and then the iteration.

    Args:
        problem: What to search.
        algorithm: As for `solve`. `CompleteBeam()`, `Anytime()`, `AStar(incumbents="beam")`, and
            what is chosen where none is named, find several; others the one that they return.
        limits: When to give up. `within` says which solution is good enough.
        progress: As for `solve`; called in the thread of the search.
        engine: As for `solve`.
        threads: As for `solve`.

    Raises:
        SearchkitError: What `solve` raises, where the next one is asked for.

    >>> from searchkit import CompleteBeam, Problem, Step, improvements
    >>> class Walk(Problem):
    ...     def initial_states(self):
    ...         return [1]
    ...     def successors(self, state):
    ...         return [Step("on", state + 1), Step("twice", 2 * state)]
    ...     def is_goal(self, state):
    ...         return state == 10
    >>> for found in improvements(Walk(), CompleteBeam(width=1)):
    ...     print(found.cost, found.lower_bound, *found.actions)
    5 2 on on on on twice
    4 3 on twice on twice
    """
    expect(problem, Problem, "problem", "a Problem")
    expect(limits, Limits, "limits", "Limits, like Limits(time=10)")
    search = _Search(limits.cancel)
    options: dict[str, Any] = {"limits": attrs.evolve(limits, cancel=search)}
    asked = Engine.of(engine)
    if asked.workers is not None:
        raise UsageError("workers share no search whose solutions are told; leave workers out")
    options |= {"progress": progress, "engine": asked.kind, "threads": asked.threads_of_search}
    return Improvements(search, problem, algorithm, options)


class Improvements(Iterator[Found[S, A]], Generic[S, A]):
    """The solutions of one search: an iterator, which may be left at any time.

    Then the search ends: within some hundredths of a second, or once a table or machine code that
    is being made lets it.
    """

    def __init__(
        self, search: _Search, problem: Problem[S, A], algorithm: Any, options: dict[str, Any]
    ) -> None:
        self._search = search
        self._begin: tuple[Any, ...] | None = (search, problem, algorithm, options)
        finalize(self, search.end)  # where the iterator is dropped, and at exit

    def __next__(self) -> Found[S, A]:
        search = self._search
        with search.beginning:
            if self._begin is not None:
                search.thread = Thread(
                    target=copy_context().run, args=(_run, *self._begin), name=NAME, daemon=True
                )
                self._begin = None
                search.thread.start()
        if search.thread is None or search.is_left:
            raise StopIteration
        taken: list[Found[S, A] | None] = []
        try:
            search.take(taken)
        except KeyboardInterrupt:
            search.stop.set()
            if not taken:
                search.take(taken)
        if taken[0] is not None:
            return taken[0]
        search.told.put(None)  # all threads have to hear of the end
        self.close()
        if search.error is not None:
            raise search.error
        raise StopIteration

    @property
    def result(self) -> SearchResult[S, A] | None:
        """What `solve` would have returned; None before the search has ended."""
        return self._search.result

    def cancel(self) -> None:
        """End the search, and then the iteration, as Ctrl-C does; from any thread."""
        self._search.stop.set()

    def close(self) -> None:
        """End the search and wait for that; `result` is what was known by then."""
        self._begin = None
        self._search.is_left = True
        self._search.end()

    def __enter__(self) -> Improvements[S, A]:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@attrs.define(eq=False, repr=False)
class _Search:
    """What the two threads share; as `Limits.cancel`, it is set where the iterator was left."""

    cancel: Any
    """That of the caller, or None."""
    stop: Event = attrs.field(factory=Event, init=False)
    told: SimpleQueue[Found[Any, Any] | None] = attrs.field(factory=SimpleQueue, init=False)
    """What was found; None behind the last."""
    is_left: bool = attrs.field(default=False, init=False)
    beginning: Lock = attrs.field(factory=Lock, init=False)
    thread: Thread | None = attrs.field(default=None, init=False)
    result: SearchResult[Any, Any] | None = attrs.field(default=None, init=False)
    error: BaseException | None = attrs.field(default=None, init=False)
    best: Found[Any, Any] | None = attrs.field(default=None, init=False)
    began: float = attrs.field(default=0.0, init=False)

    def is_set(self) -> bool:
        """Whether the search is to end."""
        return self.stop.is_set() or (self.cancel is not None and bool(self.cancel.is_set()))

    def end(self) -> None:
        """End the search, and wait until it has, but not in its own thread."""
        self.stop.set()
        if self.thread is not None and self.thread is not current_thread():
            self.thread.join()

    def take(self, taken: list[Any]) -> None:
        """Wait for a solution, or for the end, and then None; each is given to one thread.

        Ctrl-C comes before it is taken, or once it is in the list: between them no line of Python
        runs.
        """
        taken.extend(map(SimpleQueue.get, (self.told,)))

    def tell(self, found: Found[Any, Any]) -> None:
        """Tell of a solution if it is better than those before, with the best bound."""
        best, bound, doubt = self.best, found.lower_bound, found.overestimate
        if best is not None:
            if found.cost >= best.cost:
                return
            doubt = doubt or best.overestimate
            bound = min(found.cost, max(bound, best.lower_bound))
        self.best = attrs.evolve(
            found, overestimate=doubt, lower_bound=0 if doubt is not None else bound,
            seconds=search_clock() - self.began,
        )  # fmt: skip
        self.told.put(self.best)


def _run(search: _Search, problem: Any, algorithm: Any, options: dict[str, Any]) -> None:
    """The thread of a search."""
    search.began = search_clock()
    try:
        result = _searched(problem, algorithm, want="one", tell=search.tell, **options)
        if result.solution is not None:
            search.tell(
                Found(
                    cost=result.solution.cost, lower_bound=result.lower_bound,
                    expanded=result.statistics.expanded, seconds=0, solution=result.solution,
                    overestimate=result.overestimate,
                )
            )  # fmt: skip
        search.result = result
    except BaseException as error:  # raised again where the next is asked for
        search.error = error
    finally:
        search.told.put(None)


_searched = within_limits(searched)
