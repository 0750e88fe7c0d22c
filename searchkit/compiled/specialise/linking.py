"""Joins kernel files into one module: follows their imports, and keeps what is used.

A kernel file is a module in a folder called `kernels`, of constants and functions, with imports:

- of other kernel files, or of names in them; an `if` about constants may choose between them;
- from `searchkit.compiled.specialise.names`: what the generated module provides;
- of integers, and classes of them (`IntEnum`) or of records (`NamedTuple`), from other modules.

Constants are put in the places where they are used. The function `push` of the file `open_list`
is `open_list_push` in the module; entries keep their names. Names that are neither defined nor
imported are refused.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from searchkit.kernel_language.constants import constant, fits_word, fold_names
from searchkit.kernel_language.trees import copied

NAMES = "searchkit.compiled.specialise.names"
_OWN = "searchkit.compiled.specialise.kernels"
CHECKED = f"{_OWN}.checked"
"""What has some kernels of problems and heuristics that `names` declares."""
ADDRESSED = {each: f"{_OWN}.addressed_{each}" for each in ("problem", "heuristic")}
"""What has the others, by the prefix of those that are called by their addresses."""
PRELUDE = tuple(
    f"{_OWN}.{each}"
    for each in ("prelude", "arithmetic", "floats", "vectors", "sharing", "addresses")
)
"""What has the functions of `names` as machine code."""
ENTRY = "entry"
_LIBRARIES = ("math", "numpy")
"""What kernel files may use of them changes with their versions alone."""
_MAKERS = tuple(f"searchkit.compiled.specialise.{each}" for each in ("compilers", "entries"))
_IMPORTED = "kernels use integers of other modules, IntEnums and NamedTuples, whose edits are seen"


class LinkError(Exception):
    """Kernel files do not make a module; the message begins with the file and the line."""


@attrs.define
class Part:
    """What of one file becomes a part of a module.

    `statements` keep the lines of the file `path`. `notes` say what else machine code depends on.
    """

    title: str
    path: str
    statements: list[Any]
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The part as text, without docstrings and comments."""
        lines = [f"# {each}" for each in (self.title, *self.notes)]
        return "\n".join([*lines, *map(ast.unparse, self.statements)])


@attrs.define(eq=False)
class _File:
    """A kernel file, or one of `names`.

    `values` has the numbers, classes of numbers, files and symbols that its names stand for.
    """

    name: str
    path: str
    values: dict[str, Any] = attrs.field(factory=dict)
    taken: dict[tuple[str, str], str] = attrs.field(factory=dict)
    """What its imports were found to be, by module and name: see `told`."""

    @property
    def is_names(self) -> bool:
        """Whether it only declares what a module provides."""
        return self.name.startswith(NAMES)

    @property
    def symbols(self) -> list[_Symbol]:
        """What becomes a name of a module by this file."""
        values = self.values.values()
        return [each for each in values if isinstance(each, _Symbol) and each.file is self]

    def flat(self, name: str) -> str:
        """What a function or a record of the file is called in a module."""
        is_flat = self.name in (NAMES, CHECKED, *ADDRESSED.values(), *PRELUDE)
        return name if is_flat else f"{self.name.rpartition('.')[2]}_{name}"

    def error(self, node: ast.AST, what: str) -> LinkError:
        """What to raise about a line."""
        return LinkError(f"{self.path}:{getattr(node, 'lineno', 1)}: {what}")


@attrs.define(eq=False)
class _Symbol:
    """What becomes the name `name` of a module: a definition, an import, or a declaration.

    `node` is None for a parameter that is not given. `note` has the fields of a record. `wrong`
    says why kernels cannot use it, if so. `uses` are the names in `node` once that is kept.
    """

    name: str
    file: _File
    node: Any
    note: str = ""
    wrong: str = ""
    uses: tuple[str, ...] = ()

    @property
    def is_import(self) -> bool:
        return isinstance(self.node, (ast.Import, ast.ImportFrom))

    @property
    def is_entry(self) -> bool:
        """Whether Python calls the function."""
        decorators = getattr(self.node, "decorator_list", ())
        return any(isinstance(each, ast.Name) and each.id == ENTRY for each in decorators)


@attrs.frozen
class _Resolver:
    """Finds what the names of a statement of `file` stand for; `own` are its variables."""

    file: _File
    own: frozenset[str]
    found: dict[str, _Symbol] = attrs.field(factory=dict)

    def folded(self, node: Any) -> Any:
        """A copy of a statement or expression with all of that in its place."""
        return fold_names(copied(node), self.file.error, self._resolved)

    def _resolved(self, node: ast.expr) -> ast.expr:
        """A number, or the name in the module, in the place of a name with what follows it."""
        value = self._value(node)
        if isinstance(value, int):
            return constant(value if isinstance(value, bool) else int(value), node)
        if not isinstance(value, _Symbol):
            return node
        if value.name in self.own:
            raise self.file.error(node, f"{value.name} is a variable as well")
        self.found[value.name] = value
        return ast.copy_location(ast.Name(value.name, getattr(node, "ctx", ast.Load())), node)

    def _value(self, node: ast.expr) -> Any:
        """What a dotted name stands for, None if that is a variable."""
        if isinstance(node, ast.Name) and node.id not in self.own:
            if node.id not in self.file.values and not hasattr(builtins, node.id):
                raise self.file.error(node, f"{node.id} is neither defined nor imported")
            return self.file.values.get(node.id)
        if isinstance(node, ast.Attribute):
            of = self._value(node.value)
            if isinstance(of, type):
                return getattr(of, node.attr)
            if isinstance(of, _File):
                if node.attr not in of.values:
                    raise self.file.error(node, f"{ast.unparse(node)} is not defined")
                return of.values[node.attr]
        return None


@cache
def source_of(name: str) -> tuple[str, bytes]:
    """The path of a module, and what is in that file."""
    known = sys.modules.get(name)
    spec = find_spec(name) if known is None else known.__spec__
    if spec is None or spec.origin is None:
        raise LinkError(f"there is no module {name}")
    return spec.origin, Path(spec.origin).read_bytes()


@cache
def _tree(name: str) -> tuple[str, ast.Module]:
    """The path of a module, and its syntax tree without docstrings of functions."""
    path, source = source_of(name)
    tree = ast.parse(source)
    _drop_docstrings(tree)
    return path, tree


@attrs.define
class Linker:
    """Makes the parts of a module with the constants `given`.

    What kernel files import of `names` comes from the files `prelude`, or `addressed` for these
    prefixes, or is `provided`: whoever makes the module has to define it.
    """

    given: Mapping[str, Any]
    prelude: Sequence[str] = PRELUDE
    addressed: Sequence[str] = ()
    provided: dict[str, None] = attrs.field(factory=dict)
    _files: dict[str, _File] = attrs.field(factory=dict)
    _kept: dict[str, _Symbol] = attrs.field(factory=dict)

    def add(self, root: ModuleType) -> None:
        """Add all entries of a kernel file, and what they use."""
        for symbol in self._file(root.__name__).symbols:
            if symbol.is_entry:
                self._keep(symbol)

    def use(self, name: str) -> bool:
        """Add a function of the prelude or of `checked`, if it is one; whether it is."""
        kernels = (*(ADDRESSED[each] for each in self.addressed), CHECKED)
        for each in (*self.prelude, *(kernels if "WORDS" in self.given else ())):
            symbol = self._file(each).values.get(name)
            if isinstance(symbol, _Symbol) and not symbol.file.is_names:
                self._keep(symbol)
                return True
        return False

    @property
    def sources(self) -> list[str]:
        """The modules that were read."""
        return list(self._files)

    @property
    def taken(self) -> dict[tuple[str, str], str]:
        """What was imported from others, by module and name: see `told`."""
        return {key: value for file in self._files.values() for key, value in file.taken.items()}

    @property
    def entries(self) -> list[str]:
        """The names of the functions that Python calls."""
        return [name for name, symbol in self._kept.items() if symbol.is_entry]

    def shared(self) -> list[tuple[str, set[str]]]:
        """What uses nothing that is provided, and is the same for all problems.

        Each name comes after those that it uses, which are given with it; imports are left out.
        """
        found: dict[str, set[str] | None] = dict.fromkeys(self.provided)

        def visit(name: str) -> None:
            found[name] = None  # for the time: a circle of functions is not shared
            known = self._kept.keys() | found.keys()
            uses = [each for each in self._kept[name].uses if each in known and each != name]
            for each in uses:
                if each not in found:
                    visit(each)
            if all(found[each] is not None for each in uses):
                del found[name]  # to be the last
                found[name] = set(uses)

        for name in list(self._kept):
            if name not in found:
                visit(name)
        return [
            (name, uses)
            for name, uses in found.items()
            if uses is not None and not self._kept[name].is_import
        ]

    def reached(self, names: Iterable[str], known: Container[str] = ()) -> set[str]:
        """These names of the module, and all that they use; what `known` ones use is left out."""
        reached: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in reached:
                continue
            reached.add(name)
            if name in self._kept and name not in known:
                waiting += self._kept[name].uses
        return reached

    def parts(self, names: Container[str] | None = None) -> list[Part]:
        """The files that are used, the prelude first, each after those that it imports.

        Of the names of the module only `names`, if they are given.
        """
        chosen = [each for name, each in self._kept.items() if names is None or name in names]
        among = set(chosen)
        imports = [symbol for symbol in chosen if symbol.is_import]
        notes = tuple(symbol.note for symbol in imports if symbol.note)
        parts = [Part("what is imported", NAMES, [symbol.node for symbol in imports], notes)]
        for file in sorted(self._files.values(), key=lambda file: file.name not in self.prelude):
            kept = [each for each in file.symbols if each in among]
            nodes = [each.node for each in kept if not each.is_import]
            if nodes:
                parts.append(Part(f"from {file.name.replace('.', '/')}.py", file.path, nodes))
        return parts

    def _file(self, name: str) -> _File:
        if name not in self._files:
            path, tree = _tree(name)
            file = _File(name, path)
            for node in tree.body:
                self._enter(file, node)
            self._files[name] = file
        return self._files[name]

    def _enter(self, file: _File, node: ast.stmt) -> None:
        """Note what a statement of a file defines."""
        if isinstance(node, ast.If):
            test = _evaluated(node.test, file)
            if test is None:
                raise file.error(node, "what an if tests must be constant, and given")
            for each in node.body if test else node.orelse:
                self._enter(file, each)
        elif isinstance(node, ast.FunctionDef):
            _define(file, node.name, node)
        elif isinstance(node, ast.ClassDef):
            _import_value(file, node.name, file.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name
                wrong = "" if alias.name in _LIBRARIES else f"{name} is a module; {_IMPORTED}"
                _import(file, name, ast.Import([alias]), wrong)
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            for alias in node.names:
                if alias.asname is not None:
                    raise file.error(node, f"{alias.asname}: kernels are imported by their names")
                self._import_from(file, str(node.module), alias)
        elif isinstance(node, ast.Assign):
            self._assign(file, node)

    def _import_from(self, file: _File, module: str, alias: ast.alias) -> None:
        if file.is_names or module.partition(".")[0] in ("numba", "llvmlite"):
            _import(file, alias.name, ast.ImportFrom(module, [alias], 0))
        elif module == NAMES or "kernels" in module.split("."):
            values = self._file(module).values
            known = alias.name in values
            file.values[alias.name] = (
                values[alias.name] if known else self._file(f"{module}.{alias.name}")
            )
        else:
            _import_value(file, alias.name, module)

    def _assign(self, file: _File, node: ast.Assign) -> None:
        (target,) = node.targets
        names = [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]
        if names == ["__all__"]:
            return
        if ast.unparse(node.value) == "parameter()":
            (name,) = names
            file.values[name] = self.given.get(name, _Symbol(name, file, None))
            return
        value = _evaluated(node.value, file)
        values = list(value) if isinstance(value, (range, tuple)) else [value]
        if len(values) == len(names) and all(map(_is_constant, values)):
            file.values.update(zip(names, values, strict=True))
        elif len(names) == 1:
            _define(file, names[0], node)
        else:
            raise file.error(
                node, f"{', '.join(names)}: give what is not a number a line of its own"
            )

    def _keep(self, symbol: _Symbol) -> None:
        """Keep a symbol, and what it uses."""
        if symbol.node is None:
            raise symbol.file.error(ast.Pass(), f"the parameter {symbol.name} is not given")
        if symbol.file.is_names:
            if not self.use(symbol.name):
                self.provided[symbol.name] = None
            return
        if symbol.name in self._kept:
            other = self._kept[symbol.name]
            if other is not symbol and not (
                symbol.is_import and ast.unparse(other.node) == ast.unparse(symbol.node)
            ):
                raise symbol.file.error(
                    ast.Pass(), f"{symbol.name} is in {other.file.path} as well"
                )
            return
        self._kept[symbol.name] = symbol
        if not symbol.is_import:
            own = defined_in(symbol.node) if isinstance(symbol.node, ast.FunctionDef) else ()
            resolver = _Resolver(symbol.file, frozenset(own))
            symbol.node = resolver.folded(symbol.node)
            if isinstance(symbol.node, ast.FunctionDef):
                symbol.node.name = symbol.name
            symbol.uses = _names_in(symbol.node)
            for name in symbol.uses:
                if name in resolver.found:
                    used = resolver.found[name]
                    if used.is_entry and used is not symbol:
                        what = f"{used.name} is an entry, which only Python can call"
                        raise symbol.file.error(symbol.node, what)
                    if used.wrong:
                        raise symbol.file.error(symbol.node, used.wrong)
                    self._keep(used)


def _define(file: _File, name: str, node: ast.stmt) -> None:
    if name in file.values:
        raise file.error(node, f"{name} is defined twice")
    symbol = _Symbol(name, file, node)
    if not symbol.is_entry:
        symbol.name = file.flat(name)
    file.values[name] = symbol


def _import(file: _File, name: str, node: ast.stmt, wrong: str = "") -> None:
    node = ast.fix_missing_locations(node)
    file.values[name] = _Symbol(name, file, node, wrong=wrong)


def _import_value(file: _File, name: str, module: str) -> None:
    """Note a value that another module defines, or a class of the file itself."""
    value = getattr(import_module(module), name)
    file.taken[module, name] = told(value)
    if _is_constant(value):
        file.values[name] = value
        return
    flat = file.flat(name) if module == file.name else name
    node = ast.ImportFrom(module, [ast.alias(name, None if flat == name else flat)], 0)
    fields = getattr(value, "_fields", ()) if isinstance(value, type) else ()
    note = f"{flat}: {fields}" if fields else ""
    is_told = fields or module in _MAKERS
    wrong = "" if is_told else f"{name} of {module} is {value!r:.40}; {_IMPORTED}"
    file.values[name] = _Symbol(flat, file, ast.fix_missing_locations(node), note, wrong)


def told(value: Any) -> str:
    """What a module holds of a value that it imports: the number, the members, or the fields.

    Nothing of others, which it imports itself.
    """
    if isinstance(value, int):
        return repr(int(value))
    if not isinstance(value, type):
        return ""
    if issubclass(value, IntEnum):
        return repr([(name, int(each)) for name, each in value.__members__.items()])
    return repr(value._fields) if hasattr(value, "_fields") else ""


def _is_constant(value: Any) -> bool:
    """Whether a value is a number, or names numbers."""
    if isinstance(value, int):
        return fits_word(value)
    return isinstance(value, type) and issubclass(value, IntEnum)


def _names_in(node: ast.AST) -> tuple[str, ...]:
    """The names in a statement, each once."""
    return tuple(dict.fromkeys(each.id for each in ast.walk(node) if isinstance(each, ast.Name)))


def _drop_docstrings(tree: ast.Module) -> None:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node)]


def _evaluated(node: ast.expr, file: _File) -> Any:
    """The value of a constant expression of a file; None if it has none."""
    known = _Resolver(file, frozenset()).folded(node)
    names = {"__builtins__": {"range": range}, "IntEnum": IntEnum}
    try:
        return eval(compile(ast.Expression(known), "<constant>", "eval"), names)
    except (NameError, TypeError, ValueError):
        return None


def defined_in(node: ast.AST) -> Iterator[str]:
    """The names that are arguments or variables of a function, or of functions in it."""
    for each in ast.walk(node):
        if isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            yield each.id
        elif isinstance(each, ast.FunctionDef) and each is not node:
            yield each.name


def free_names(node: ast.AST) -> dict[str, int]:
    """The names that a definition takes from its module, each with the line that does so first."""
    own = set(defined_in(node)) if isinstance(node, ast.FunctionDef) else set()
    found: dict[str, int] = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in own:
            found.setdefault(each.id, each.lineno)
    return found
