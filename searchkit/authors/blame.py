"""Who is at fault: an exception in a problem's own code becomes one line that names the problem."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb, walk_tb
from typing import Any

from searchkit.errors import ProblemError, SearchkitError, UsageError

HOME = Path(__file__).parent.parent
_homes = {HOME}
"""Packages, and single files, of algorithms."""
_algorithms: set[type] = set()
"""Those of plugins."""


def problem_error(problem: Any, error: BaseException) -> ProblemError:
    """One line that says what went wrong in the code of `problem`, and where."""
    place = ""
    for frame in reversed(extract_tb(error.__traceback__)):
        if HOME not in Path(frame.filename).parents:
            place = f" at {frame.filename}:{frame.lineno} in {frame.name}"
            break
    detail = " ".join(str(error).split())
    what = f"{type(error).__name__}: {detail}" if detail else type(error).__name__
    return ProblemError(f"{type(problem).__name__} failed: {what}{place}")


def add_home(algorithm: type) -> None:
    """Note where a plugin has an algorithm: what it refuses there is not a fault of the problem."""
    _algorithms.add(algorithm)
    module = sys.modules.get(algorithm.__module__.partition(".")[0])
    if module is not None and getattr(module, "__file__", None):
        file = Path(str(module.__file__))
        _homes.add(file.parent if hasattr(module, "__path__") else file)


def is_own(error: BaseException, problem: Any) -> bool:
    """Whether searchkit, or an algorithm, raised `error` on purpose.

    A puzzle may raise the same classes, also one that has the package of an algorithm as its home.
    """
    if isinstance(error, ProblemError):
        return True
    frames = extract_tb(error.__traceback__)
    if not isinstance(error, SearchkitError) or not frames:
        return isinstance(error, SearchkitError)
    file = Path(frames[-1].filename)
    if HOME in file.parents:
        return True
    if _homes.isdisjoint((file, *file.parents)):
        return False
    modules = {sys.modules.get(kind.__module__) for kind in type(problem).__mro__}
    is_beside = str(file) in {getattr(module, "__file__", None) for module in modules}
    return not is_beside or _is_of_algorithm(error)


def _is_of_algorithm(error: BaseException) -> bool:
    """Whether the code that raised `error` is given an algorithm of a plugin, or its task."""
    *_, frame = (frame for frame, _ in walk_tb(error.__traceback__))
    names = frame.f_code.co_varnames[: min(1, frame.f_code.co_argcount)]
    first = [frame.f_locals.get(name) for name in names]
    kinds = tuple(_algorithms)
    return any(isinstance(each, kinds) or isinstance(getattr(each, "algorithm", None), kinds)
               for each in first)  # fmt: skip


@contextmanager
def blaming(problem: Any) -> Iterator[None]:
    """Turn whatever the code of `problem` raises, `SystemExit` too, into a `ProblemError`."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if is_own(error, problem):
            raise
        raise problem_error(problem, error) from error


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
        elif is_own(error, problem) or (may_refuse and isinstance(error, UsageError)):
            raise
        else:
            text = f"{name}{problem_error(problem, error)}"
        more = hint(puzzle)
        if text == str(error) and (not more or text.endswith(more)):
            raise
        raise ProblemError(text if text.endswith(more) else f"{text}{more}") from error
