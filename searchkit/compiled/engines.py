"""The compiled engines, by the names of the reference engines.

Each is imported when it runs, so that numba is loaded only then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from searchkit.authors.packed_rules import of_control
from searchkit.capabilities import Symmetry
from searchkit.errors import CompilationError
from searchkit.running.task import Outcome, Run, Task

if TYPE_CHECKING:
    from searchkit.compiled.layers.explorers import Explorer
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
        from searchkit.compiled.specialise.kernel_text import objection_of  # noqa: PLC0415

        objection = objection_of(error)
        place = objection.place or f"{type(problem).__name__}: its kernels do not compile"
        raise CompilationError(
            f"{place}: {objection.told}; engine='reference' runs kernels as they are"
        ) from error


def _lazily(module: str, name: str) -> Callable[[Task], Generator[None, None, Outcome]]:
    """The engine `name` of `module`, which is imported when the engine runs."""

    def engine(task: Task) -> Generator[None, None, Outcome]:
        with blaming_kernels(task.problem):
            found = getattr(import_module(f"searchkit.compiled.{module}"), name)
            outcome: Outcome = yield from found(task)
            return outcome

    return engine


a_star = _lazily("best_first.astar", "best_first")
weighted_a_star = _lazily("best_first.weighted", "weighted_best_first")
greedy = _lazily("best_first.weighted", "greedy_best_first")
deepening = _lazily("depth_first.deepening", "deepening")
breadth_first = _lazily("breadth_first.bfs", "breadth_first")
bidirectional = _lazily("breadth_first.bidirectional", "bidirectional")
in_stages = _lazily("stages.staging", "in_stages")


def explorer(
    task: Run,
    roots: list[Any],
    symmetries: Sequence[Symmetry[Any, Any]],
    *,
    paths: bool,
    table: TableWriter | None,
) -> Explorer:
    """What reaches every state, its machine code loaded."""
    from searchkit.compiled.layers.explorers import explorer as engine  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return engine(task, roots, symmetries, paths=paths, table=table)
