"""Finds plugins and keeps what they register. A broken plugin is noted and left out.

Nothing here knows a bundled puzzle: those are found through entry points like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

import attrs
import pluggy

from searchkit import hookspecs
from searchkit.algorithms import ALGORITHMS, Algorithm
from searchkit.authors.plugin_files import (
    fill,
    is_for_later,
    misfits,
    new_module,
    parameters_of,
    problem_classes,
    summary_of,
)
from searchkit.errors import ConflictError, UnknownNameError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.parameters import Parameter, Value, check_parameters, values_of
from searchkit.problem import Problem
from searchkit.running.overdue import have_rules
from searchkit.running.task import EngineFunction
from searchkit.solving.engines import ManyEngine, is_known, register_engine
from searchkit.texts.text_files import refuse_files

ENTRY_POINT_GROUP = "searchkit"
NAME_LINE = r"^Name: *(\S+)"

AnyProblem = Problem[Any, Any]


def _check_name(entry: Any, attribute: attrs.Attribute[str], name: str) -> None:
    is_word = isinstance(name, str) and name.isprintable() and name.split() == [name]
    if not is_word or name.startswith("-"):
        raise UsageError(
            f"{entry.kind} name {name!r} is not a word; use letters, digits and '-', like "
            "'my-puzzle'"
        )


def _check_callable(entry: Any, attribute: attrs.Attribute[Any], value: object) -> None:
    what = f"the {attribute.name} of {entry.kind} {entry.name}"
    if isinstance(value, Problem):
        raise UsageError(
            f"{what} is a problem; give what makes one: its class, or a function that returns it"
        )
    if not callable(value):
        raise UsageError(f"{what} is {value!r}, which cannot be called")


@attrs.frozen
class Entry:
    """What plugins register of some kind under a name."""

    kind: ClassVar[str]

    name: str = attrs.field(validator=_check_name)


@attrs.frozen
class PuzzleEntry(Entry):
    """A registered puzzle."""

    kind = "puzzle"

    factory: Callable[..., AnyProblem] = attrs.field(validator=_check_callable)
    summary: str = ""
    parameters: Sequence[Parameter] = attrs.field(
        default=(), validator=lambda entry, _, given: check_parameters(entry.name, given)
    )
    origin: str = ""

    def create(self, **values: Value) -> AnyProblem:
        """The problem with the given parameter values, as text or typed; others at their defaults.

        No file is opened: see `searchkit.texts.text_files.texts_of_files`.
        """
        handed = values_of(self.name, self.parameters, values)
        refuse_files(self.parameters, handed)
        return self.factory(**handed)


@attrs.frozen
class HeuristicEntry(Entry):
    """A registered heuristic."""

    kind = "heuristic"

    factory: Callable[[Any], Heuristic[Any, Any]] = attrs.field(validator=_check_callable)
    suits: Callable[[Any], bool]
    summary: str = ""
    origin: str = ""


@attrs.frozen
class RendererEntry(Entry):
    """A registered way to draw states."""

    kind = "renderer"

    render: Callable[[Any, Any], str] = attrs.field(validator=_check_callable)
    suits: Callable[[Any], bool]
    summary: str = ""
    origin: str = ""


@attrs.frozen
class AlgorithmEntry(Entry):
    """A registered algorithm."""

    kind = "algorithm"

    algorithm: type[Algorithm]
    summary: str
    origin: str


E = TypeVar("E", PuzzleEntry, HeuristicEntry, RendererEntry, AlgorithmEntry)
Note = Callable[[str, str, BaseException, Iterable[str]], None]


class _Table(Generic[E]):
    """Entries of one kind by name; a name claimed twice is a conflict, not a choice.

    A plugin file wins over an installed plugin, though: it may be what the plugin is developed
    from. Heuristics and renderers of different problems may share a name: those tables ask for a
    problem when looking up.
    """

    def __init__(self, made: type[E], note: Note, files: Collection[str]) -> None:
        self.made: type[E] = made
        self.note = note
        self.files = files
        self.entries: list[E] = []

    def registrar(self, origin: str, names: list[str]) -> Callable[..., None]:
        """What a hook is handed; the names of what it registers are appended to `names`."""

        def register(*args: Any, **options: Any) -> None:
            names.append(self.add(*args, origin=origin, **options).name)

        return register

    def add(self, *args: Any, **fields: Any) -> E:
        """Add the entry that has these fields."""
        entry = self.made(*args, **fields)
        self.entries.append(entry)
        return entry

    def get(
        self, name: str, problem: AnyProblem | None = None, *, besides: Iterable[str] = ()
    ) -> E:
        """The entry called `name`.

        Raises `UnknownNameError`, which suggests a name spelt alike, also of those `besides`.
        """
        found = [entry for entry in self.suiting(problem) if entry.name == name]
        found = [entry for entry in found if entry.origin in self.files] or found
        if not found:
            names: list[str] = list(dict.fromkeys(each.name for each in self.suiting(problem)))
            here = "" if problem is None else " for this problem"
            known = ", ".join(names) or "none"
            from difflib import get_close_matches  # noqa: PLC0415  (for wrong names alone)

            close = get_close_matches(name, [*names, *besides], n=1) or self._described(name)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise UnknownNameError(
                f"no {self.made.kind} named {name!r}{here}; known: {known}{hint}"
            )
        if len(found) > 1:
            origins = " and ".join(entry.origin for entry in found)
            raise ConflictError(f"{self.made.kind} {name!r} is registered twice: by {origins}")
        return found[0]

    def _described(self, word: str) -> list[str]:
        """Names the only entry whose summary has the word, like `dijkstra`."""
        pattern = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        found = [each.name for each in self.entries if pattern.search(each.summary)]
        return found if len(found) == 1 else []

    def suiting(self, problem: AnyProblem | None) -> list[E]:
        """The entries for `problem`; one that cannot tell is noted and left out."""
        if problem is None:
            return self.entries
        return [entry for entry in self.entries if self._suits(entry, problem)]

    def _suits(self, entry: E, problem: AnyProblem) -> bool:
        if not isinstance(entry, (HeuristicEntry, RendererEntry)):
            return True
        with _noting(self.note, entry.origin, f"failed in suits() of {entry.kind} {entry.name}"):
            return bool(entry.suits(problem))
        return False


class _Algorithms(_Table[AlgorithmEntry]):
    """The algorithms, which are registered by their engines."""

    def add(
        self,
        algorithm: type[Algorithm],
        engine: EngineFunction | ManyEngine,
        *,
        kind: str = "reference",
        origin: str,
    ) -> AlgorithmEntry:
        """Make `engine` run `algorithm`, which gets an entry if it is a new one."""
        if not callable(engine):
            raise UsageError(
                f"the engine of {algorithm.__name__} is {engine!r}, which cannot be called"
            )
        entry = AlgorithmEntry(algorithm.name, algorithm, algorithm.summary, origin)
        register_engine(algorithm, kind, engine)
        if all(each.algorithm is not algorithm for each in self.entries):
            self.entries.append(entry)
        return entry


@attrs.frozen
class PluginProblem:
    """A plugin, or a part of one, that was left out, and why: one line.

    `kept` are the names that it had registered before it failed: they can be used. `line` is that
    of a plugin file at which it failed, None if that is not known.
    """

    origin: str
    message: str
    kept: tuple[str, ...] = ()
    line: int | None = None

    def __str__(self) -> str:
        place = "" if self.line is None else f":{self.line}"
        return f"plugin {self.origin}{place} {self.message}"


@contextmanager
def _noting(note: Note, origin: str, what: str, kept: Iterable[str] = ()) -> Iterator[None]:
    """Note any failure of third-party code, but for Ctrl-C, and go on."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        note(origin, what, error, kept)


class _Manager(pluggy.PluginManager):
    """Looks for hooks among what a plugin has, and not among what its package imports later."""

    def parse_hookimpl_opts(self, plugin: Any, name: str) -> pluggy.HookimplOpts | None:
        """What the function `name` of a plugin is marked with, if it is a hook."""
        return None if is_for_later(plugin, name) else super().parse_hookimpl_opts(plugin, name)


class Registry:
    """Everything plugins registered, and what went wrong with them."""

    def __init__(self) -> None:
        self._manager = _Manager("searchkit")
        self._manager.add_hookspecs(hookspecs)
        files = self._files = set[str]()  # origins of plugins that are files
        self.puzzles = _Table(PuzzleEntry, self._note, files)
        self.heuristics = _Table(HeuristicEntry, self._note, files)
        self.renderers = _Table(RendererEntry, self._note, files)
        self.algorithms = _Algorithms(AlgorithmEntry, self._note, files)
        self.problems: list[PluginProblem] = []
        self.algorithms.entries += (
            AlgorithmEntry(name, each, each.summary, "searchkit")
            for name, each in ALGORITHMS.items()
        )

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
        package = "?" if entry_point.dist is None else _name_of(entry_point.dist)
        origin = f"{entry_point.value} ({package})"
        have_rules(entry_point.module)
        with _noting(self._note, origin, "cannot be imported"):
            self.add_plugin(entry_point.load(), origin)

    def load_file(self, file: Path) -> None:
        """Load a plugin from a single Python file; a failure is noted in `problems`.

        Where it has no hooks, the classes of problems that it defines are its puzzles.
        Raises `UsageError` if there is no such file: that is the caller's mistake.
        """
        module = new_module(file)
        self._files.add(str(file))
        with _noting(self._note, str(file), "cannot be imported"):
            fill(module)
            self.add_plugin(module, str(file), problem_classes(module))

    def add_plugin(
        self,
        plugin: ModuleType | object,
        origin: str,
        plain: Iterable[type[AnyProblem]] | None = None,
    ) -> None:
        """Take everything that `plugin` registers; whatever fails is noted in `problems`.

        The classes `plain`, of a plugin that is a file, are its puzzles if it has no hooks.
        """
        tables: dict[str, _Table[Any]] = {
            "searchkit_register_puzzles": self.puzzles,
            "searchkit_register_heuristics": self.heuristics,
            "searchkit_register_renderers": self.renderers,
            "searchkit_register_engines": self.algorithms,
        }
        wrong = list(misfits(plugin, tables))
        try:
            self._manager.register(plugin, origin)
        except Exception as error:  # a hook with a wrong signature, or registered twice
            if wrong:
                self.problems.append(PluginProblem(origin, wrong[0]))
            else:
                self._note(origin, "does not fit the hooks", error)
            return
        others = [other for other in self._manager.get_plugins() if other is not plugin]
        callers = {hook: self._manager.subset_hook_caller(hook, others) for hook in tables}
        implemented = [hook for hook, caller in callers.items() if caller.get_hookimpls()]
        kept: list[str] = []
        for hook in implemented:
            names: list[str] = []
            with _noting(self._note, origin, f"failed in {hook}", names):
                callers[hook](register=tables[hook].registrar(origin, names))
            kept += names
        self.problems += [PluginProblem(origin, each, tuple(kept)) for each in wrong]
        if not implemented and not wrong:
            self._add_plain(None if plain is None else list(plain), origin)

    def _add_plain(self, classes: Sequence[type[AnyProblem]] | None, origin: str) -> None:
        kept: list[str] = []
        lost: list[str] = []
        if not classes:
            hint = "" if classes is None else ", and no class of problems"
            lost.append(
                f"registers nothing: it has no function marked with @searchkit.hookimpl{hint}"
            )
            classes = ()
        for each in classes:
            try:
                parameters = parameters_of(each)
            except UsageError as error:
                lost.append(f"has a puzzle {each.__name__} that {error}")
                continue
            made = {"summary": summary_of(each), "parameters": parameters, "origin": origin}
            kept.append(self.puzzles.add(each.__name__, each, **made).name)
        self.problems += [PluginProblem(origin, each, tuple(kept)) for each in lost]

    def _note(self, origin: str, what: str, error: BaseException, kept: Iterable[str] = ()) -> None:
        lines = [
            frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == origin
        ]
        said = str(error)
        if isinstance(error, SyntaxError) and error.filename == origin:
            lines, said = [error.lineno], error.msg
        detail = " ".join(said.split()) or "no message"
        message = f"{what}: {type(error).__name__}: {detail}"
        line = lines[-1] if lines else None
        problem = PluginProblem(origin, message, tuple(kept), line)
        if problem not in self.problems:
            self.problems.append(problem)


@cache
def _name_of(package: Distribution) -> str:
    """The name of a package, by its line alone: the parser that `package.name` needs is slow."""
    text = package.read_text("METADATA") or package.read_text("PKG-INFO") or ""
    found = re.search(NAME_LINE, text, re.MULTILINE)
    return found[1] if found else "?"


@cache
def installed() -> Registry:
    """The registry of every installed plugin, which are looked for once."""
    return Registry.load()


def load_plugin_of(algorithm: type[Algorithm]) -> None:
    """Load the installed plugins if nothing has registered an engine for `algorithm` yet."""
    if not is_known(algorithm):
        installed()
