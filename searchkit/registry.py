"""Finds plugins and keeps what they register. A broken plugin is noted and left out.

Nothing here knows a bundled puzzle: those are found through entry points like any other.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

import attrs
import pluggy

from searchkit import hookspecs
from searchkit.algorithms import ALGORITHMS, Algorithm
from searchkit.authors.hook_names import misfits
from searchkit.errors import ConflictError, UnknownNameError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.hookspecs import (
    RegisterEngine,
    RegisterHeuristic,
    RegisterPuzzle,
    RegisterRenderer,
)
from searchkit.parameters import Parameter, Value, check_parameters, values_of
from searchkit.problem import Problem
from searchkit.solving.engines import Engine, ManyEngine, is_known, register_engine
from searchkit.texts.text_files import refuse_files

ENTRY_POINT_GROUP = "searchkit"

AnyProblem = Problem[Any, Any]


@attrs.frozen
class PuzzleEntry:
    """A registered puzzle."""

    name: str
    factory: Callable[..., AnyProblem]
    summary: str
    parameters: tuple[Parameter, ...]
    origin: str

    def create(self, **values: Value) -> AnyProblem:
        """The problem with the given parameter values, as text or typed; others at their defaults.

        No file is opened: see `searchkit.texts.text_files.texts_of_files`.
        """
        handed = values_of(self.name, self.parameters, values)
        refuse_files(self.parameters, handed)
        return self.factory(**handed)


@attrs.frozen
class HeuristicEntry:
    """A registered heuristic."""

    name: str
    factory: Callable[[Any], Heuristic[Any, Any]]
    suits: Callable[[Any], bool]
    summary: str
    origin: str


@attrs.frozen
class RendererEntry:
    """A registered way to draw states."""

    name: str
    render: Callable[[Any, Any], str]
    suits: Callable[[Any], bool]
    summary: str
    origin: str


@attrs.frozen
class AlgorithmEntry:
    """A registered algorithm."""

    name: str
    algorithm: type[Algorithm]
    summary: str
    origin: str


Entry = TypeVar("Entry", PuzzleEntry, HeuristicEntry, RendererEntry, AlgorithmEntry)


class _Table(Generic[Entry]):
    """Entries of one kind by name; a name claimed twice is a conflict, not a choice.

    Heuristics and renderers of different problems may share a name: those tables ask for a
    problem when looking up.
    """

    def __init__(self, kind: str, note: Callable[[str, str, BaseException], None]) -> None:
        self.kind = kind
        self.note = note
        self.entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)

    def get(
        self, name: str, problem: AnyProblem | None = None, *, besides: Iterable[str] = ()
    ) -> Entry:
        """The entry called `name`.

        Raises `UnknownNameError`, which suggests a name spelt alike, also of those `besides`.
        """
        found = [entry for entry in self.suiting(problem) if entry.name == name]
        if not found:
            names: list[str] = list(dict.fromkeys(each.name for each in self.suiting(problem)))
            here = "" if problem is None else " for this problem"
            known = ", ".join(names) or "none"
            close = get_close_matches(name, [*names, *besides], n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise UnknownNameError(f"no {self.kind} named {name!r}{here}; known: {known}{hint}")
        if len(found) > 1:
            origins = " and ".join(entry.origin for entry in found)
            raise ConflictError(f"{self.kind} {name!r} is registered twice: by {origins}")
        return found[0]

    def suiting(self, problem: AnyProblem | None) -> list[Entry]:
        """The entries for `problem`; one that cannot tell is noted and left out."""
        if problem is None:
            return self.entries
        return [entry for entry in self.entries if self._suits(entry, problem)]

    def _suits(self, entry: Entry, problem: AnyProblem) -> bool:
        if not isinstance(entry, (HeuristicEntry, RendererEntry)):
            return True
        try:
            return bool(entry.suits(problem))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # any failure of third-party code
            self.note(entry.origin, f"failed in suits() of {self.kind} {entry.name}", error)
            return False


@attrs.frozen
class PluginProblem:
    """A plugin, or a part of one, that was left out, and why: one line.

    `kept` are the names that it had registered before it failed: they can be used.
    """

    origin: str
    message: str
    kept: tuple[str, ...] = ()


class Registry:
    """Everything plugins registered, and what went wrong with them."""

    def __init__(self) -> None:
        self._manager = pluggy.PluginManager("searchkit")
        self._manager.add_hookspecs(hookspecs)
        self.puzzles: _Table[PuzzleEntry] = _Table("puzzle", self._note)
        self.heuristics: _Table[HeuristicEntry] = _Table("heuristic", self._note)
        self.renderers: _Table[RendererEntry] = _Table("renderer", self._note)
        self.algorithms: _Table[AlgorithmEntry] = _Table("algorithm", self._note)
        self.problems: list[PluginProblem] = []
        for name, algorithm in ALGORITHMS.items():
            self.algorithms.add(AlgorithmEntry(name, algorithm, algorithm.summary, "searchkit"))

    @classmethod
    def load(cls, files: Iterable[Path] = ()) -> Registry:
        """A registry of every installed plugin and of the plugin `files`."""
        registry = cls()
        for entry_point in sorted(
            entry_points(group=ENTRY_POINT_GROUP), key=lambda found: (found.name, found.value)
        ):
            registry.load_entry_point(entry_point)
        for file in files:
            registry.load_file(file)
        return registry

    def load_entry_point(self, entry_point: EntryPoint) -> None:
        """Load one installed plugin; a failure is noted in `problems`."""
        package = entry_point.dist.name if entry_point.dist is not None else "?"
        origin = f"{entry_point.value} ({package})"
        try:
            module = entry_point.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # any failure of third-party code
            self._note(origin, "cannot be imported", error)
            return
        self.add_plugin(module, origin)

    def load_file(self, file: Path) -> None:
        """Load a plugin from a single Python file; a failure is noted in `problems`.

        Raises `UsageError` if there is no such file: that is the caller's mistake.
        """
        try:
            is_there = file.is_file()
        except OSError:  # a name that is too long, say
            is_there = False
        if not is_there:
            raise UsageError(f"plugin file {str(file)!r} does not exist; give a .py file")
        origin = str(file)
        name = f"searchkit_plugin_file_{len(sys.modules)}_{file.stem}"
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise UsageError(f"plugin file {str(file)!r} is not Python source; give a .py file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # any failure of third-party code
            del sys.modules[name]
            self._note(origin, "cannot be imported", error)
            return
        self.add_plugin(module, origin)

    def add_plugin(self, plugin: ModuleType | object, origin: str) -> None:
        """Take everything that `plugin` registers; whatever fails is noted in `problems`."""
        calls: dict[str, Callable[..., None]] = {
            "searchkit_register_puzzles": self._puzzle_registrar(origin),
            "searchkit_register_heuristics": self._heuristic_registrar(origin),
            "searchkit_register_renderers": self._renderer_registrar(origin),
            "searchkit_register_engines": self._engine_registrar(origin),
        }
        wrong = list(misfits(plugin, calls))
        try:
            self._manager.register(plugin, origin)
        except Exception as error:  # a hook with a wrong signature, or registered twice
            if wrong:
                self.problems.append(PluginProblem(origin, wrong[0]))
            else:
                self._note(origin, "does not fit the hooks", error)
            return
        registered: list[str] = []
        kept: list[str] = []

        def noting(register: Callable[..., None]) -> Callable[..., None]:
            def called(*args: Any, **options: Any) -> None:
                register(*args, **options)
                what = next(iter((*args, *options.values())))
                registered.append(str(getattr(what, "name", what)))

            return called

        others = [other for other in self._manager.get_plugins() if other is not plugin]
        implemented = 0
        for hook, register in calls.items():
            caller = self._manager.subset_hook_caller(hook, others)
            if not caller.get_hookimpls():
                continue
            implemented += 1
            try:
                registered.clear()
                caller(register=noting(register))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # any failure of third-party code
                self._note(origin, f"failed in {hook}", error, tuple(registered))
            kept += registered
        self.problems += [PluginProblem(origin, each, tuple(kept)) for each in wrong]
        if not implemented and not wrong:
            self.problems.append(
                PluginProblem(
                    origin,
                    "registers nothing: it has no function marked with @searchkit.hookimpl",
                )
            )

    def _note(
        self, origin: str, what: str, error: BaseException, kept: tuple[str, ...] = ()
    ) -> None:
        detail = " ".join(str(error).split()) or "no message"
        problem = PluginProblem(origin, f"{what}: {type(error).__name__}: {detail}", kept)
        if problem not in self.problems:
            self.problems.append(problem)

    def _puzzle_registrar(self, origin: str) -> RegisterPuzzle:
        def register(
            name: str,
            factory: Callable[..., AnyProblem],
            *,
            summary: str = "",
            parameters: Iterable[Parameter] = (),
        ) -> None:
            _check_name("puzzle", name)
            if isinstance(factory, Problem):
                raise UsageError(
                    f"the factory of puzzle {name} is a problem; give what makes one: its class, "
                    "or a function that returns it"
                )
            _check_callable(f"the factory of puzzle {name}", factory)
            known = check_parameters(name, parameters)
            self.puzzles.add(PuzzleEntry(name, factory, summary, known, origin))

        return register

    def _heuristic_registrar(self, origin: str) -> RegisterHeuristic:
        def register(
            name: str,
            factory: Callable[[Any], Heuristic[Any, Any]],
            *,
            suits: Callable[[Any], bool],
            summary: str = "",
        ) -> None:
            _check_name("heuristic", name)
            _check_callable(f"the factory of heuristic {name}", factory)
            self.heuristics.add(HeuristicEntry(name, factory, suits, summary, origin))

        return register

    def _renderer_registrar(self, origin: str) -> RegisterRenderer:
        def register(
            name: str,
            render: Callable[[Any, Any], str],
            *,
            suits: Callable[[Any], bool],
            summary: str = "",
        ) -> None:
            _check_name("renderer", name)
            _check_callable(f"renderer {name}", render)
            self.renderers.add(RendererEntry(name, render, suits, summary, origin))

        return register

    def _engine_registrar(self, origin: str) -> RegisterEngine:
        def register(
            algorithm: type[Algorithm], engine: Engine | ManyEngine, *, kind: str = "reference"
        ) -> None:
            _check_callable(f"the engine of {algorithm.__name__}", engine)
            entries = self.algorithms.entries
            is_new = all(entry.algorithm is not algorithm for entry in entries)
            if is_new:
                _check_name("algorithm", algorithm.name)
            register_engine(algorithm, kind, engine)
            if is_new:
                entries.append(AlgorithmEntry(algorithm.name, algorithm, algorithm.summary, origin))

        return register


@cache
def installed() -> Registry:
    """The registry of every installed plugin, which are looked for once."""
    return Registry.load()


def load_plugin_of(algorithm: type[Algorithm]) -> None:
    """Load the installed plugins if nothing has registered an engine for `algorithm` yet."""
    if not is_known(algorithm):
        installed()


def _check_name(kind: str, name: str) -> None:
    is_word = isinstance(name, str) and name.isprintable() and name.split() == [name]
    if not is_word or name.startswith("-"):
        raise UsageError(
            f"{kind} name {name!r} is not a word; use letters, digits and '-', like 'my-puzzle'"
        )


def _check_callable(what: str, value: object) -> None:
    if not callable(value):
        raise UsageError(f"{what} is {value!r}, which cannot be called")
