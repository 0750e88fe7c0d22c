"""Generated modules in plain Python, to be tested and debugged: nothing is compiled.

Their functions have the files and the lines of the kernel files, and of those of authors, so that
a debugger steps through these. They take the arrays that machine code takes and change them in
the same way, some thousand times more slowly.

    with plainly():
        solve(puzzle, AStar(), engine="compiled")
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import ModuleType
from typing import Any

from searchkit.compiled.specialise.kernel_text import text_of
from searchkit.compiled.specialise.linking import Linker
from searchkit.kernel_language.collector import Collector

_plain = ContextVar("_plain", default=False)


def is_plain() -> bool:
    """Whether modules are made in plain Python now."""
    return _plain.get()


@contextmanager
def plainly() -> Iterator[None]:
    """Make modules in plain Python within the context: nothing is compiled."""
    before = _plain.set(True)
    try:
        yield
    finally:
        _plain.reset(before)


def plain_module(
    head: str, linker: Linker, collector: Collector, kernels: Container[str]
) -> ModuleType:
    """The module of the text `head`, kernel files, and those of `kernels` that were collected."""
    from searchkit.compiled.specialise import names  # noqa: PLC0415  (loads numpy)

    module = ModuleType("searchkit_plain_kernels")
    space = vars(module)
    space |= {name: value for name, value in vars(names).items() if not name.startswith("__")}
    exec(head, space)
    for part in linker.parts():
        _run(part.statements, part.path, space)
    exec(text_of(collector, [name for name in collector.tuples if name in kernels]), space)
    for name, definition in collector.made.items():
        if name in kernels:
            _run([definition], collector.functions[name].site.file, space)
    return module


def _run(statements: list[Any], path: str, space: dict[str, Any]) -> None:
    """Run statements of a file with its lines."""
    tree = ast.fix_missing_locations(ast.Module(statements, []))
    exec(compile(tree, path, "exec"), space)
