"""What fails in a compiled engine, said in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from searchkit.authors.packed_rules import of_control
from searchkit.errors import CompilationError


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
            f"{place}: {objection.message}; engine='reference' runs kernels as they are"
        ) from error
