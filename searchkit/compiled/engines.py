"""The compiled engines, by the names of the reference engines.

Each is imported when it runs, so that numba is loaded only then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from searchkit.capabilities import Symmetry
from searchkit.errors import CompilationError
from searchkit.packed_rules import of_control
from searchkit.task import Outcome, Task

if TYPE_CHECKING:
    from searchkit.compiled.explore import Explorer
    from searchkit.compiled.kernel_calls import KernelCalls
    from searchkit.forms import Forms
    from searchkit.packed import PackedHeuristic, PackedProblem
    from searchkit.state_graph import StateGraph
    from searchkit.tables.writer import TableWriter


@contextmanager
def blaming_kernels(problem: Any) -> Iterator[None]:
    """Turn an error of the compiler, or of control states, into one line that says what it is."""
    try:
        yield
    except IndexError as error:
        found = of_control(problem, error)
        if found is None:
            raise
        raise found from error
    except Exception as error:
        if not type(error).__module__.startswith("numba."):
            raise
        from searchkit.compiled.kernel_text import objection_of  # noqa: PLC0415

        objection = objection_of(error)
        place = objection.place or f"{type(problem).__name__}: its kernels do not compile"
        raise CompilationError(
            f"{place}: {objection.told}; engine='reference' runs kernels as they are"
        ) from error


def a_star(task: Task) -> Generator[None, None, Outcome]:
    """A* and uniform-cost search (see `searchkit.compiled.astar`)."""
    from searchkit.compiled.astar import best_first  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return (yield from best_first(task))


def weighted_a_star(task: Task) -> Generator[None, None, Outcome]:
    """Weighted and anytime A* (see `searchkit.compiled.weighted`)."""
    from searchkit.compiled.weighted import weighted_best_first  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return (yield from weighted_best_first(task))


def greedy(task: Task) -> Generator[None, None, Outcome]:
    """Greedy best-first search (see `searchkit.compiled.weighted`)."""
    from searchkit.compiled.weighted import greedy_best_first  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return (yield from greedy_best_first(task))


def ida_star(task: Task) -> Generator[None, None, Outcome]:
    """Iterative-deepening A* (see `searchkit.compiled.deepening`)."""
    from searchkit.compiled.deepening import deepening  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return (yield from deepening(task))


def in_stages(task: Task) -> Generator[None, None, Outcome]:
    """Down the tables of sub-goals (see `searchkit.compiled.staging`)."""
    from searchkit.compiled.staging import in_stages as engine  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return (yield from engine(task))


def iddfs(task: Task) -> Generator[None, None, Outcome]:
    """Iterative deepening by cost alone (see `searchkit.compiled.deepening`)."""
    from searchkit.compiled.deepening import deepening  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return (yield from deepening(task))


def breadth_first(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search (see `searchkit.compiled.bfs`)."""
    from searchkit.compiled.bfs import breadth_first as engine  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return (yield from engine(task))


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Breadth-first search from both ends (see `searchkit.compiled.bidirectional`)."""
    from searchkit.compiled.bidirectional import bidirectional as engine  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return (yield from engine(task))


def explorer(
    task: Task,
    roots: list[Any],
    symmetries: Sequence[Symmetry[Any, Any]],
    *,
    paths: bool,
    table: TableWriter | None,
) -> Explorer:
    """What reaches every state (see `searchkit.compiled.explore`), its machine code loaded."""
    from searchkit.compiled.explore import explorer as engine  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return engine(task, roots, symmetries, paths=paths, table=table)


def packed_space(
    problem: PackedProblem[Any], roots: list[Any], most: int, listener: Callable[[str], None]
) -> StateGraph | None:
    """All states and steps (see `searchkit.compiled.spanning`)."""
    from searchkit.compiled.spanning import packed_space  # noqa: PLC0415

    with blaming_kernels(problem):
        return packed_space(problem, roots, most, listener)


def compiled_forms(
    problem: PackedProblem[Any],
    heuristic: PackedHeuristic,
    states: Sequence[Any],
    rows: Any = None,
) -> Forms:
    """A heuristic over states, which may be there as `rows` (see `searchkit.compiled.stepping`)."""
    from searchkit.compiled.stepping import CompiledForms  # noqa: PLC0415

    with blaming_kernels(problem):
        return CompiledForms.of(problem, heuristic, states, rows)


def kernel_calls(
    problem: PackedProblem[Any], heuristic: PackedHeuristic, starts: Sequence[Any]
) -> KernelCalls:
    """The kernels as machine code, to be called (see `searchkit.compiled.kernel_calls`)."""
    from searchkit.compiled.kernel_calls import KernelCalls  # noqa: PLC0415

    with blaming_kernels(problem):
        made = KernelCalls.of(problem, heuristic, starts)
        made.on_states(starts[:1])
        made.on_steps([])
        if made.has_ranks:
            made.on_ranks([])
        return made
