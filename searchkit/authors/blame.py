"""Who is at fault: an exception in a problem's own code becomes one line that names the problem."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Any

from searchkit.errors import ProblemError, SearchkitError

HOME = Path(__file__).parent.parent


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


def is_own(error: BaseException) -> bool:
    """Whether searchkit raised `error` on purpose; a puzzle may raise the same classes."""
    if isinstance(error, ProblemError):
        return True
    frames = extract_tb(error.__traceback__)
    return isinstance(error, SearchkitError) and (
        not frames or HOME in Path(frames[-1].filename).parents
    )


@contextmanager
def blaming(problem: Any) -> Iterator[None]:
    """Turn whatever the code of `problem` raises, `SystemExit` too, into a `ProblemError`."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if is_own(error):
            raise
        raise problem_error(problem, error) from error
