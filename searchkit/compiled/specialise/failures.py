"""What fails in a compiled engine, said in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from searchkit.authors.packed_rules import MOST_WORD, of_control
from searchkit.errors import CompilationError, ProblemError
from searchkit.kernel_language.marks import OUT_OF_RANGE, TRAPPED_IN_KERNEL
from searchkit.problem import name_of


@contextmanager
def blaming_kernels(problem: Any) -> Iterator[None]:
    """Turn an error of the compiler, of control states or ranges, into one line that says it."""
    try:
        yield
    except IndexError as error:
        found = _of_trap(problem, error) or _of_range(problem, error) or of_control(problem, error)
        if found is None:
            raise
        raise found from error
    except Exception as error:
        if not type(error).__module__.startswith("numba."):
            raise
        from searchkit.compiled.specialise.kernel_text import objection_of  # noqa: PLC0415

        objection = objection_of(error)
        place = objection.place or f"{name_of(problem)}: its kernels do not compile"
        raise CompilationError(
            f"{place}: {objection.message}; engine='reference' runs kernels as they are"
        ) from error


def _of_trap(problem: Any, error: IndexError) -> ProblemError | None:
    """What `error` is about if a kernel was trapped that can only give up.

    Raises what the rules raise that the kernel was made of, if they were an author's.
    """
    if error.args[:1] != (TRAPPED_IN_KERNEL,):
        return None
    if hasattr(problem, "ask_again") and len(error.args) > 2:
        problem.ask_again(_python_state(problem, error.args[2]))
    return CompilationError(
        f"{name_of(problem)}, line {error.args[1]}: machine code is trapped by a state; "
        "engine='reference' runs kernels as they are"
    )


def _of_range(problem: Any, error: IndexError) -> ProblemError | None:
    """What `error`, of the kernel file `checked`, is about; None if it is another."""
    if error.args[:1] != (OUT_OF_RANGE,):
        return None
    while not hasattr(problem, "wrong_number"):
        problem = problem.base
    *found, words = error.args[1:]
    wrong: ProblemError = problem.wrong_number((*map(int, found), _python_state(problem, words)))
    return wrong


def _python_state(problem: Any, words: Any) -> Any:
    """A state that machine code has put into an error."""
    if problem.words == 1:
        return int(words) & MOST_WORD
    return tuple(int(word) & MOST_WORD for word in words)
