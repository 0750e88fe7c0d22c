"""The way to the compiled engines: what fails in them is told as what it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from searchkit.authors.packed_rules import of_control
from searchkit.capabilities import Symmetry
from searchkit.errors import CompilationError
from searchkit.running.task import Run

if TYPE_CHECKING:
    from searchkit.compiled.layers.linear_tables import LinearSpace
    from searchkit.engines.explored import Explorer
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


def explorer(
    task: Run,
    roots: list[Any],
    symmetries: Sequence[Symmetry[Any, Any]],
    *,
    space: LinearSpace | None,
    paths: bool,
    table: TableWriter | None,
) -> Explorer:
    """What reaches every state, its machine code loaded."""
    from searchkit.compiled.layers.explorers import explorer as engine  # noqa: PLC0415

    with blaming_kernels(task.problem):
        return engine(task, roots, symmetries, space=space, paths=paths, table=table)
