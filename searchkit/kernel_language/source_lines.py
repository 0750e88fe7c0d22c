"""The lines of a function's definition in its file."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from types import CodeType, FunctionType

Lines = tuple[list[str], int]
"""Lines, and the number of the first."""


def source_lines(function: FunctionType) -> Iterator[Lines]:
    """What may be the lines of a definition; at last those that `inspect.getsourcelines` gives.

    That looks at all modules, and takes the text apart by regular expressions. Most definitions end
    where the last line that has code does: these lines come first. Raises `OSError` if there are
    none.
    """
    found = _lines_with_code(function)
    if found is not None:
        yield found
    import inspect  # noqa: PLC0415  (takes long to import)

    yield inspect.getsourcelines(function)


def _lines_with_code(function: FunctionType) -> Lines | None:
    """The lines up to the last that has code; None if the definition seems to go on behind them."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    every = linecache.getlines(code.co_filename, function.__globals__)
    first, last = code.co_firstlineno, _last_line(code)
    if not 0 < first <= last <= len(every):
        return None
    indent = _indent(every[first - 1])
    for line in every[last:]:
        text = line.strip()
        if text and not text.startswith("#"):
            if _indent(line) > indent or "\t" in line or text[0] in ")]}":
                return None
            break
    return every[first - 1 : last], first


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _last_line(code: CodeType) -> int:
    """The last line that has code, 0 if places are not known."""
    last = max((end or 0 for _, end, _, _ in code.co_positions()), default=0)
    return max([last, *(_last_line(each) for each in code.co_consts if isinstance(each, CodeType))])
