"""The syntax tree of a function, with the lines of its author's file."""

from __future__ import annotations

import ast
import inspect
import linecache
import symtable
import textwrap
import types
from typing import Any

from searchkit.errors import CompilationError
from searchkit.kernel_language.copies import copied
from searchkit.kernel_language.marks import SAID
from searchkit.kernel_language.site import Site
from searchkit.kernel_language.syntax import check_names, check_syntax

REWRITTEN_ASSERTS = "@pytest_ar"
"""What a function uses whose asserts are rewritten as it is imported, by a runner of tests."""


MADE_FROM = "searchkit_made_from"
"""The attribute of a function that was not written by hand: its syntax tree, with the lines of what
an author wrote, or the `CompilationError` that says why there is none."""


def definition_of(
    function: types.FunctionType, site: Site, *, yields: bool = False
) -> ast.FunctionDef:
    """The checked syntax tree of a function, without annotations, docstring and decorators.

    Of a function that was made from another tree it is that tree (see `MADE_FROM`). `yields` says
    that it is `expand`. Raises
    `CompilationError` if it holds what kernels may not hold, or has no source.
    """
    made = getattr(function, MADE_FROM, None)
    if isinstance(made, CompilationError):
        raise made
    definition = source_of(function, site) if made is None else copied(made)
    check_syntax(definition, site, yields=yields)
    if function.__closure__:
        raise site.error(definition, "uses variables of the function that it is defined in")
    return definition


def source_of(function: types.FunctionType, site: Site) -> ast.FunctionDef:
    """The syntax tree of a function as it stands in its file; `CompilationError` if it has none.

    It may hold anything.
    """
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError) as error:
        raise CompilationError(f"{site.what} has no source to compile: {error}") from error
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise CompilationError(f"{site.what} is not defined by `def`")
    ast.increment_lineno(tree, first - 1)
    check_names(definition, site)
    _check_source(function, definition, site)
    definition.decorator_list = []
    definition.returns = None
    for node in ast.walk(definition):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.Assert):
            setattr(node, SAID, node.msg)  # a text
            node.msg = None
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.copy_location(ast.Pass(), definition)]
    return definition


def _check_source(function: types.FunctionType, definition: ast.FunctionDef, site: Site) -> None:
    """Raise `CompilationError` unless the definition compiles to the code of the function."""
    if function.__closure__:
        return  # compiled in another way than here
    if REWRITTEN_ASSERTS in function.__code__.co_names:
        return  # other code than that of its source, but the same rules
    if _is_code_of(function, [definition]):
        return
    imported = _imported_names(function)
    used = sorted({node.id for node in ast.walk(definition) if isinstance(node, ast.Name)})
    # A call on a module that the same text imports is compiled in another way.
    stubs = [ast.Import([ast.alias(name)]) for name in used if name in imported]
    if not stubs or not _is_code_of(function, [*stubs, definition]):
        raise CompilationError(
            f"{site.what}: its source file {site.file} has changed since it was imported; start "
            "Python again"
        )


def _is_code_of(function: types.FunctionType, body: list[Any]) -> bool:
    module = ast.Module(body, [])
    code = compile(ast.fix_missing_locations(module), "<kernel>", "exec")
    made = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return _content(made[-1]) == _content(function.__code__)


def _imported_names(function: types.FunctionType) -> set[str]:
    """The names that the file of a function imports at its top."""
    text = "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))
    try:
        table = symtable.symtable(text, "<kernel>", "exec")
    except SyntaxError:
        return set()
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_imported()}


def _content(code: types.CodeType) -> tuple[Any, ...]:
    """What code does; its docstring is indented in another way."""
    constants = [
        _content(each) if isinstance(each, types.CodeType) else each
        for each in code.co_consts
        if not isinstance(each, str)
    ]
    return code.co_code, constants, code.co_names, code.co_varnames
