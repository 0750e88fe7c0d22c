"""Who is at fault: an exception in a problem's own code becomes one line that names the problem."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from traceback import extract_tb, walk_tb
from typing import Any

from searchkit.errors import (
    EngineError,
    ProblemError,
    SearchkitError,
    SearchkitWarning,
    UnsuitableError,
    UsageError,
)
from searchkit.heuristic import Heuristic
from searchkit.problem import Problem

HOME = __file__.rpartition("authors")[0]
"""The folder of searchkit, with a separator behind it."""
PLACE = "searchkit_place"
"""The attribute of an error that has come from another process: the line it passed through there,
as its traceback does not travel."""


def problem_error(problem: Any, error: BaseException) -> ProblemError:
    """One line that says what went wrong in the code of `problem` or a heuristic, and where."""
    what, place = what_and_where(error)
    where = "" if place is None else f" at {place}"
    return ProblemError(f"{type(_at_fault(problem, error)).__name__} failed: {what}{where}")


def what_and_where(error: BaseException) -> tuple[str, str | None]:
    """What `error` says, and the innermost line of an author's that it passed through."""
    detail = " ".join(str(error).split())
    what = f"{type(error).__name__}: {detail}" if detail else type(error).__name__
    for frame in reversed(extract_tb(error.__traceback__)):
        if not is_ours(frame.filename):
            return what, f"{frame.filename}:{frame.lineno} in {frame.name}"
    return what, vars(error).get(PLACE) if hasattr(error, "__dict__") else None


def _at_fault(problem: Any, error: BaseException) -> Any:
    """The author's heuristic whose method raised `error`; else `problem`."""
    for frame, _ in reversed(list(walk_tb(error.__traceback__))):
        owner = next(iter(frame.f_locals.values()), None) if frame.f_code.co_argcount else None
        if isinstance(owner, Problem):
            break
        if isinstance(owner, Heuristic) and not all(map(is_ours_class, type(owner).__mro__)):
            return owner
    return problem


HEAP = 1 << 9
"""The flag of classes that were made while Python ran."""


def is_ours_class(kind: type) -> bool:
    """Whether a class is one of searchkit's or of Python's own."""
    name = kind.__module__.partition(".")[0]
    if name not in ("typing", "builtins", "abc"):
        return name == "searchkit"
    # So are classes named that an author has made by calling `type` or `exec`.
    return getattr(sys.modules[name], kind.__name__, None) is kind or not kind.__flags__ & HEAP


def is_ours(file: str) -> bool:
    """Whether a file is part of searchkit, or of what starts Python (`<frozen importlib...>`)."""
    return file.startswith((HOME, "<frozen"))


def warn(text: str) -> None:
    """Warn at the innermost line that is not one of searchkit."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and is_ours(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, SearchkitWarning, stacklevel=level)


def is_own(error: BaseException) -> bool:
    """Whether searchkit, or an algorithm, raised `error` on purpose.

    A puzzle may raise the same classes, but neither refuses algorithms nor judges engines: those
    errors are taken for what they say, also where a plugin raises them.
    """
    if isinstance(error, (ProblemError, UnsuitableError, EngineError)):
        return True
    frames = extract_tb(error.__traceback__)
    return isinstance(error, SearchkitError) and (not frames or is_ours(frames[-1].filename))


class blaming:  # noqa: N801  (a function to its callers; one that generates takes longer)
    """Turns whatever the code of `problem` raises, `SystemExit` too, into a `ProblemError`."""

    __slots__ = ("_problem",)

    def __init__(self, problem: Any) -> None:
        self._problem = problem

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if error is None or isinstance(error, KeyboardInterrupt) or is_own(error):
            return
        if isinstance(error, GeneratorExit) and is_ours(extract_tb(traceback)[-1].filename):
            return  # a generator of ours is closed
        raise problem_error(self._problem, error) from error


@contextmanager
def blaming_puzzle(
    puzzle: str,
    problem: object,
    *,
    may_refuse: bool = False,
    hint: Callable[[str], str] = lambda puzzle: "",
    passing: tuple[type[BaseException], ...] = (),
) -> Iterator[None]:
    """Turn whatever the code of `problem` raises into a `ProblemError` that names the puzzle.

    Where it `may_refuse` what it is given, its `UsageError` is the user's mistake. `hint` is the
    end of the message; errors that are `passing` are left as they are.
    """
    name = f"puzzle {puzzle}: "
    try:
        yield
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, *passing)):
            raise
        if isinstance(error, ProblemError):
            text = str(error) if str(error).startswith(name) else f"{name}{error}"
        elif is_own(error) or (may_refuse and isinstance(error, UsageError)):
            raise
        else:
            text = f"{name}{problem_error(problem, error)}"
        more = hint(puzzle)
        if text == str(error) and (not more or text.endswith(more)):
            raise
        raise ProblemError(text if text.endswith(more) else f"{text}{more}") from error
