"""The syntax tree of a function, with the lines of its author's file."""

from __future__ import annotations

import ast
import linecache
import symtable
import types
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType
from typing import Any

from searchkit.errors import CompilationError
from searchkit.kernel_language.marks import SAID
from searchkit.kernel_language.site import Site
from searchkit.kernel_language.syntax import check_names, check_syntax
from searchkit.kernel_language.trees import StatementTransformer, copied, located, nodes

LAMBDA = "<lambda>"
FROM_TEXT = ("<string>", "<stdin>")
"""The files of functions that stand in none."""
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

    It may hold anything but asserts where Python runs none (`python -O`). A lambda is a function
    that returns its value.
    """
    definition = (
        _lambda_of(function, site) if function.__name__ == LAMBDA else _read(function, site)
    )
    check_names(definition, site)
    if not __debug__:
        definition = _Unasserted().visit(definition)
    definition.decorator_list = []
    definition.returns = None
    for node in nodes(definition):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.Assert):
            setattr(node, SAID, node.msg)  # a text
            node.msg = None
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.copy_location(ast.Pass(), definition)]
    return definition


class _Unasserted(StatementTransformer):
    """Leaves asserts out."""

    def visit_Assert(self, node: ast.Assert) -> ast.Pass:
        return ast.copy_location(ast.Pass(), node)


def _read(function: types.FunctionType, site: Site) -> ast.FunctionDef:
    """The definition as it stands in its file; `CompilationError` unless it gives its code."""
    if function.__code__.co_filename in FROM_TEXT:
        raise _without_source(site)
    found: Any = None
    wrong: Exception | None = None
    try:
        for lines in source_lines(function):
            try:
                found, wrong = _parsed(*lines), None
            except SyntaxError as error:
                wrong = error
                continue
            if isinstance(found, ast.FunctionDef) and _is_code_of(function, found):
                return found
    except (OSError, TypeError) as error:
        wrong = error
    if wrong is not None:
        raise CompilationError(f"{site.what} has no source to compile: {wrong}") from wrong
    if not isinstance(found, ast.FunctionDef):
        raise CompilationError(f"{site.what} is not defined by `def`")
    if REWRITTEN_ASSERTS in function.__code__.co_names:
        return found  # other code than that of its source, but the same rules
    raise _changed(site)


def _parsed(lines: list[str], first: int) -> ast.stmt:
    """The statement in some lines of a file, with its places there."""
    is_indented = lines[0][:1].isspace()
    # Not dedented: texts of several lines would be others.
    tree: Any = ast.parse("".join(["if 1:\n", *lines] if is_indented else lines))
    found: ast.stmt = tree.body[0].body[0] if is_indented else tree.body[0]
    return ast.increment_lineno(found, first - 1 - is_indented)


def _without_source(site: Site) -> CompilationError:
    made = "it was made of a text, by exec or python -c; write it to a file"
    if site.file.startswith(("<stdin", "<python-input")):
        made = "it was typed at the prompt; write it to a file, or into a notebook"
    return CompilationError(f"{site.what} has no source to compile: {made}")


def _changed(site: Site) -> CompilationError:
    return CompilationError(
        f"{site.what}: its source file {site.file} has changed since it was imported; start Python "
        "again"
    )


def _lambda_of(function: types.FunctionType, site: Site) -> ast.FunctionDef:
    """A lambda as a definition: of those that begin in its line, one that gives its code."""
    code = function.__code__
    if code.co_filename in FROM_TEXT:
        raise _without_source(site)
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    try:
        tree = ast.parse(text)
    except SyntaxError:
        raise _changed(site) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno:
            made = ast.FunctionDef("lambda_", node.args, [ast.Return(node.body)], [])
            ast.copy_location(made, node)
            ast.copy_location(made.body[0], node.body)
            if _is_code_of(function, node):
                return made
    if not text:
        raise _without_source(site)
    raise _changed(site)


def _is_code_of(function: types.FunctionType, node: Any) -> bool:
    """Whether a definition, or a lambda, compiles to the code of the function."""
    if _is_code(function, node, []):
        return True
    imported = _imported_names(function)
    used = sorted({each.id for each in nodes(node) if isinstance(each, ast.Name)})
    # A call on a module that the same text imports is compiled in another way.
    stubs = [ast.Import([ast.alias(name)]) for name in used if name in imported]
    return bool(stubs) and _is_code(function, node, stubs)


def _has_private(node: ast.AST) -> bool:
    """Whether names are used that have that of the class put in front."""
    return any(
        name.startswith("__") and not name.endswith("__")
        for each in nodes(node)
        for name in (getattr(each, "attr", None), getattr(each, "id", None))
        if isinstance(name, str)
    )


def _is_code(function: types.FunctionType, node: Any, stubs: Sequence[ast.stmt]) -> bool:
    free = function.__code__.co_freevars
    body: list[ast.stmt] = [copied(node) if isinstance(node, ast.FunctionDef) else ast.Expr(node)]
    if "__class__" in free or _has_private(node):  # as by super()
        *_, outer, _ = ["", "Made", *function.__qualname__.split(".")]
        body = [ast.ClassDef(outer if outer.isidentifier() else "Made", [], [], body, [])]
    if free:
        names: list[Any] = [ast.Name(each, ast.Store()) for each in free if each != "__class__"]
        given = [ast.Assign(names, ast.Constant(None))] if names else []
        without = ast.arguments([], [], None, [], [], None, [])
        body = [ast.FunctionDef("made", without, [*given, *body], [])]
    module = ast.Module([*stubs, *body], [])
    code = compile(located(module), "<kernel>", "exec")
    wanted = function.__code__
    return any(
        each.co_name == wanted.co_name and _content(each) == _content(wanted)
        for each in _codes(code)
    )


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield each
            yield from _codes(each)


def _imported_names(function: types.FunctionType) -> set[str]:
    """The names that the file of a function imports at its top."""
    text = "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))
    try:
        table = symtable.symtable(text, "<kernel>", "exec")
    except SyntaxError:
        return set()
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_imported()}


def _content(code: types.CodeType) -> tuple[Any, ...]:
    """What code does."""
    constants = [_constant(each) for each in code.co_consts]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars


def _constant(value: Any) -> Any:
    """What a constant is, by its class as well: 1 is equal to 1.0 and to True, 0.0 to -0.0."""
    if isinstance(value, types.CodeType):
        return _content(value)
    if isinstance(value, (tuple, frozenset)):
        return type(value), type(value)(map(_constant, value))
    return type(value), repr(value)


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
