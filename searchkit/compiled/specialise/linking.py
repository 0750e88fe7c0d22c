"""Joins kernel files into one module: follows their imports, and keeps what is used.

A kernel file is a module in a folder called `kernels`, of constants and functions, with imports:

- from other kernel files, which are followed; an `if` about constants may choose between them;
- from `searchkit.compiled.specialise.names`: what the generated module provides;
- of integers, and classes of them (`IntEnum`) or of records (`NamedTuple`), from other modules.

Constants are put in the places where they are used, so that no file can read another one's by
mistake. Two functions of one name are refused, and so are names that are neither defined nor
imported.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from searchkit.compiled.specialise.folding import folded, free_names, is_number

NAMES = "searchkit.compiled.specialise.names"
_OWN = "searchkit.compiled.specialise.kernels"
SHARED = (f"{_OWN}.words", f"{_OWN}.control")
"""Kernel files that kernels of authors use as well, where there are states."""
PRELUDE = (f"{_OWN}.prelude", f"{_OWN}.arithmetic")
"""What has the functions of `names` as machine code."""
ENTRY = "entry"


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
    """A kernel file, with the values of its constants and the places of its other names."""

    name: str
    path: str
    constants: dict[str, Any] = attrs.field(factory=dict)
    missing: set[str] = attrs.field(factory=set)
    """The parameters that are not given."""
    definitions: dict[str, ast.stmt] = attrs.field(factory=dict)
    imported: dict[str, str] = attrs.field(factory=dict)
    """The kernel files of names."""
    outside: dict[str, ast.stmt] = attrs.field(factory=dict)
    """Names of modules that have no kernels, and how they are imported."""
    records: dict[str, Any] = attrs.field(factory=dict)
    """Those of them that are classes of records."""

    @property
    def entries(self) -> list[str]:
        """The functions that Python calls."""
        return [
            name
            for name, node in self.definitions.items()
            if isinstance(node, ast.FunctionDef)
            and any(isinstance(each, ast.Name) and each.id == ENTRY for each in node.decorator_list)
        ]

    def knows(self, name: str) -> bool:
        """Whether a name that is no constant is defined or imported."""
        return any(
            name in each for each in (self.definitions, self.imported, self.outside, self.missing)
        )

    def error(self, line: int, what: str) -> LinkError:
        """What to raise about a line."""
        return LinkError(f"{self.path}:{line}: {what}")


@cache
def _tree(name: str) -> tuple[str, ast.Module]:
    """The path of a module and its syntax tree."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise LinkError(f"there is no module {name}")
    return spec.origin, ast.parse(Path(spec.origin).read_text(encoding="utf-8"))


@attrs.define
class Linker:
    """Makes the parts of a module with the constants `given`.

    What kernel files import of `names` comes from the files `prelude`, or is `provided`: whoever
    makes the module has to define it.
    """

    given: Mapping[str, Any]
    prelude: Sequence[str] = PRELUDE
    provided: dict[str, None] = attrs.field(factory=dict)
    _files: dict[str, _File] = attrs.field(factory=dict)
    _kept: dict[str, _File] = attrs.field(factory=dict)
    """The files of the names of the module."""
    _done: set[tuple[_File, str]] = attrs.field(factory=set)

    def add(self, root: ModuleType) -> None:
        """Add all entries of a kernel file, and what they use."""
        file = self._file(root.__name__)
        for name in file.entries:
            self._keep(file, name)

    def use(self, name: str) -> bool:
        """Add what a function that is no part of a kernel file uses; whether there is such."""
        for each in (*self.prelude, *(SHARED if "WORDS" in self.given else ())):
            file = self._file(each)
            own = name in file.definitions or name in file.outside
            if own or file.imported.get(name, NAMES) != NAMES:
                self._keep(file, name)
                return True
        return False

    def parts(self) -> list[Part]:
        """The files that are used, the prelude first, each after those that it imports."""
        imports = [file.outside.get(name) for name, file in self._kept.items()]
        parts = [Part("what is imported", NAMES, [node for node in imports if node is not None])]
        for file in sorted(self._files.values(), key=lambda file: file.name not in self.prelude):
            definitions = file.definitions.items()
            kept = [node for name, node in definitions if self._kept.get(name) is file]
            notes = [f"{name}: {kind._fields}" for name, kind in file.records.items()]
            if kept:
                title = f"from {file.name.replace('.', '/')}.py"
                parts.append(Part(title, file.path, [*dict.fromkeys(kept)], tuple(notes)))
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
            test = _evaluated(node.test, file.constants)
            if test is None:
                raise file.error(node.lineno, "what an if tests must be constant, and given")
            for each in node.body if test else node.orelse:
                self._enter(file, each)
        elif isinstance(node, ast.FunctionDef):
            self._define(file, node.name, _without_docstring(node))
        elif isinstance(node, ast.ClassDef):
            self._value(file, node.name, file.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                file.outside[alias.asname or alias.name] = ast.copy_location(
                    ast.Import([alias]), node
                )
        elif isinstance(node, ast.ImportFrom):
            self._import(file, node)
        elif isinstance(node, ast.Assign):
            self._assign(file, node)

    def _define(self, file: _File, name: str, node: ast.stmt) -> None:
        if name in file.definitions or name in file.constants or name in file.imported:
            raise file.error(node.lineno, f"{name} is defined twice")
        file.definitions[name] = node

    def _import(self, file: _File, node: ast.ImportFrom) -> None:
        assert node.module is not None
        if node.module == "__future__" or file.name == NAMES:
            return
        for alias in node.names:
            if alias.asname is not None:
                raise file.error(
                    node.lineno, f"{alias.asname}: kernels are imported by their names"
                )
            if node.module == NAMES or ".kernels." in node.module:
                other = self._file(node.module)
                file.missing |= other.missing & {alias.name}
                if alias.name in other.constants:
                    file.constants[alias.name] = other.constants[alias.name]
                else:
                    file.imported[alias.name] = node.module
            elif node.module.partition(".")[0] in ("numba", "llvmlite"):
                single = ast.ImportFrom(node.module, [alias], 0)
                file.outside[alias.name] = ast.copy_location(single, node)
            else:
                self._value(file, alias.name, node.module)

    def _value(self, file: _File, name: str, module: str) -> None:
        """Note a value that another module defines."""
        value = getattr(import_module(module), name)
        if _is_constant(value):
            file.constants[name] = value
            return
        file.outside[name] = ast.ImportFrom(module, [ast.alias(name)], 0)
        if isinstance(value, type) and hasattr(value, "_fields"):
            file.records[name] = value

    def _assign(self, file: _File, node: ast.Assign) -> None:
        (target,) = node.targets
        if isinstance(target, ast.Name) and target.id == "__all__":
            return
        if isinstance(target, ast.Name) and ast.unparse(node.value) == "parameter()":
            if target.id in self.given:
                file.constants[target.id] = self.given[target.id]
            else:
                file.missing.add(target.id)
            return
        names = [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]
        value = _evaluated(node.value, file.constants)
        values = list(value) if isinstance(value, (range, tuple)) else [value]
        if len(values) == len(names) and all(map(_is_constant, values)):
            file.constants.update(zip(names, values, strict=True))
        else:
            for name in names:
                self._define(file, name, node)

    def _keep(self, file: _File, name: str) -> None:
        """Keep what `name` is in a file, and what that uses."""
        if name in file.missing:
            raise file.error(1, f"the parameter {name} is not given")
        if name in file.imported:
            module = file.imported[name]
            if module != NAMES:
                self._keep(self._files[module], name)
            elif not self.use(name):
                self.provided[name] = None
            return
        other = self._kept.setdefault(name, file)
        if other is not file and _unlike(other, file, name):
            raise file.error(1, f"{name} is in {other.path} as well")
        if (file, name) in self._done or name not in file.definitions:
            return
        self._done.add((file, name))
        node = folded(copy.deepcopy(file.definitions[name]), file.constants)
        file.definitions[name] = node
        for free, line in free_names(node).items():
            if file.knows(free):
                self._keep(file, free)
            elif not hasattr(builtins, free):
                raise file.error(line, f"{free} is neither defined nor imported")


def _is_constant(value: Any) -> bool:
    """Whether a value is a number, or names numbers."""
    return is_number(value) or (isinstance(value, type) and issubclass(value, IntEnum))


def _unlike(one: _File, other: _File, name: str) -> bool:
    """Whether a name of two files is not the same import."""
    texts = [ast.unparse(file.outside[name]) for file in (one, other) if name in file.outside]
    return len(texts) < 2 or texts[0] != texts[1]


def _without_docstring(node: ast.FunctionDef) -> ast.FunctionDef:
    if ast.get_docstring(node, clean=False) is None:
        return node
    node = copy.deepcopy(node)
    node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node)]
    return node


def _evaluated(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """The value of a constant expression; None if it is none."""
    names = {**known, "__builtins__": {"range": range}, "IntEnum": IntEnum}
    try:
        return eval(compile(ast.Expression(node), "<constant>", "eval"), names)
    except (NameError, TypeError, ValueError):
        return None
