"""What a module was linked of, kept on disk: a process that finds it need not link it again.

To join kernel files takes 0.1 s, and to load numba, which their text imports, three times that. If
nothing that the text depends on has changed, then its entries are known by their names, and their
machine code by that of their module.
"""

from __future__ import annotations

import ast
import hashlib
import json
import marshal
import sys
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import attrs

from searchkit.compiled.specialise.code_files import PREFIX, CodeFiles
from searchkit.compiled.specialise.entries import KernelEntry, own_name
from searchkit.compiled.specialise.linking import LinkError, source_of, told
from searchkit.compiled.specialise.toolchain import compiler_parts, digest
from searchkit.errors import CompilationError
from searchkit.kernel_language.collector import Collector
from searchkit.kernel_language.program import Program

LINKS = f"{PREFIX}link."
"""How the names of their files begin."""
MOST_PRINTS = 4096
_MAKERS = (Path(__file__).parent, Path(__file__).parents[2] / "kernel_language")
"""Where the code is that makes the text of a module."""
_MAKERS_TEXTS = tuple(
    file.read_text(encoding="utf-8") for folder in _MAKERS for file in sorted(folder.glob("*.py"))
)
"""Read with the code that runs: what an old process links is not kept for code that came later."""


@attrs.frozen
class Link:
    """The module `name`: its tables with their fields, and its entries with their modules.

    `sources` are hashes of the files that it was linked of, `taken` what these import, `methods`
    those that were collected on the way, and `kernels` the names of what is used of all that was
    collected, which has the hash `prints`.
    """

    name: str
    tables: dict[str, list[str]]
    entries: dict[str, str]
    sources: dict[str, str]
    taken: list[tuple[str, str, str]]
    methods: list[tuple[str, str]]
    kernels: list[str]
    prints: str

    @classmethod
    def read(cls, key: str) -> Link | None:
        """What `write` has kept under that key; None if there is none, or something else."""
        content = CodeFiles.read(LINKS + key)
        try:
            found = None if content is None else cls(**json.loads(content))
            return found if found is None or found._is_of_texts() else None
        except (ValueError, TypeError, RecursionError):
            return None

    def _is_of_texts(self) -> bool:
        """Whether all of it is what it should be: a file may hold anything."""
        dicts: list[Any] = [self.tables, self.entries, self.sources]
        if not all(isinstance(each, dict) for each in dicts):
            return False
        rows = [
            *self.tables.values(), *self.taken, *self.methods, self.kernels,
            [*self.entries.values(), *self.sources.values(), self.name, self.prints],
        ]  # fmt: skip
        texts = (
            isinstance(row, list) and all(isinstance(each, str) for each in row) for row in rows
        )
        return (
            all(texts)
            and all(len(each) == 3 for each in self.taken)
            and all(len(each) == 2 for each in self.methods)
        )

    def write(self, key: str) -> None:
        """Keep it, see `key_of`."""
        CodeFiles.write(LINKS + key, json.dumps(attrs.asdict(self)).encode())

    def is_current(self, collector: Collector, owners: Mapping[str, Program]) -> bool:
        """Whether linking would give the same; what it collects is collected."""
        # Another class may lack a method that was collected for the one that was linked.
        with suppress(ImportError, AttributeError, LinkError, OSError, CompilationError):
            return (
                all(sum_of(name) == known for name, known in self.sources.items())
                and all(
                    told(_imported(module, name)) == known for module, name, known in self.taken
                )
                and self._kernels_of(collector, owners) == self.prints
            )
        collector.forget_failed()
        return False

    def _kernels_of(self, collector: Collector, owners: Mapping[str, Program]) -> str:
        for prefix, method in self.methods:
            if f"{prefix}_{method}" not in collector.made and prefix in owners:
                collector.add(owners[prefix], prefix, method)
        return prints_of(collector, self.kernels)

    def watch(self, collector: Collector) -> None:
        """Let what was collected be current as long as what the files import is the same."""
        for module, name, _ in self.taken:
            collector.look_up(partial(_imported, module, name))

    def module(
        self, constants: Mapping[str, int], linked: Callable[[], tuple[ModuleType, Link]]
    ) -> ModuleType:
        """The module without its text: that `linked` gives comes where machine code is missing."""

        @cache
        def whole() -> ModuleType:
            module, link = linked()
            known = set(map(tuple, self.taken))
            for place, name, _ in filter(lambda each: each not in known, link.taken):
                raise CompilationError(
                    f"{name} of {place} has changed since machine code was looked up; start Python "
                    "again"
                )
            vars(module).update(tables)  # so that arguments are of the types it knows
            return module

        def missing(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return getattr(whole(), name)

        def entry(name: str, module: str) -> KernelEntry:
            return KernelEntry.known(
                module, name, lambda: getattr(whole(), name).dispatcher(), is_last=False
            )

        module = ModuleType(self.name)
        tables = {name: self._table(name, fields) for name, fields in self.tables.items()}
        entries = {name: entry(name, module) for name, module in self.entries.items()}
        vars(module).update({**constants, **tables, **entries, "__getattr__": missing})
        return module

    def _table(self, name: str, fields: Sequence[str]) -> Any:
        kind = namedtuple(name, fields)  # type: ignore[misc]
        kind.__name__ += own_name(self.name)
        kind.__module__ = self.name
        return kind


def _imported(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module) or import_module(module), name)


def key_of(collector: Collector, *parts: Any) -> str:
    """What a module is known by before it is linked: `parts`, what was collected, its makers."""
    return digest(
        *compiler_parts(), *_MAKERS_TEXTS, *map(repr, parts),
        prints_of(collector),
    )  # fmt: skip


def prints_of(collector: Collector, names: Iterable[str] | None = None) -> str:
    """A hash of what was collected, under these names if given; lines of files do not matter."""
    names = [*collector.made, *collector.tuples] if names is None else names
    known = sorted(name for name in names if name in collector.made)
    tuples = sorted((name, repr(value)) for name, value in collector.tuples.items())
    prints = (f"{name} {_print_of(collector.made[name])}" for name in known)
    return digest(repr([each for each in tuples if each[0] in names]), *prints)


@lru_cache(maxsize=MOST_PRINTS)
def _print_of(definition: ast.FunctionDef) -> str:
    """A hash of the bytecode of a function, which is all that numba sees of its text."""
    tree = ast.Module([definition], [])
    return hashlib.sha256(marshal.dumps(_without_lines(compile(tree, "", "exec")), 2)).hexdigest()


def _without_lines(code: CodeType) -> CodeType:
    inner = (
        _without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return code.replace(co_firstlineno=1, co_linetable=b"", co_consts=tuple(inner))


def sum_of(name: str) -> str:
    """A hash of the file of a module."""
    return hashlib.sha256(source_of(name)[1]).hexdigest()
