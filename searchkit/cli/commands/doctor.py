"""`searchkit doctor`: whether all that searches rest on is there, and works."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import attrs
import click

import searchkit
from searchkit import BreadthFirst, solve
from searchkit.cli.support.command import WITHOUT_NUMBA, new_command
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import JSON
from searchkit.comparison.comparison import version_of
from searchkit.compiled.specialise.code_files import take_inventory
from searchkit.compiled.specialise.own_folder import cache_directory
from searchkit.compiled.specialise.toolchain import llvm
from searchkit.engine import EngineChoice
from searchkit.errors import NoCompilerError
from searchkit.heuristics.patterns.library import Library
from searchkit.packed import PackedProblem
from searchkit.registry import Registry
from searchkit.running.compiler import numba_folder
from searchkit.running.free_memory import default_memory, free_memory
from searchkit.running.processors import processors
from searchkit.texts.amounts import memory, one_line, plural, seconds
from searchkit.texts.harmless import harmless, to_json
from searchkit.verify import verify_solution

FORMAT = "searchkit-doctor/1"
OK, NOTE, FAILS = "ok", "note", "fails"
PROGRAM = "searchkit.cli:main"
"""The entry point by which the package is known under which searchkit is installed."""
NAME_AND_EXTRA = re.compile(r"([\w.-]+)[^;]*(?:;.*extra\s*==\s*.(\w+).)?")
LARGEST, FEWEST, WAYS = 1000, 14, 2
"""From 1 to 1,000 by doubling and adding one: a doubling for each further binary digit, an addition
for each further 1 of it; of 1, 2 is made in two ways."""


@new_command("doctor", JSON)
def command(**options: Any) -> ExitCode:
    """Show versions, machine, cache and plugins, and try one search by each kind of engine.

    A line each: ok, note (all is right, but slower, or was mended), or fails. Damaged files of the
    cache are removed.
    """
    found = []
    for each in findings(options["plugin"]):
        found.append(each)
        if not options["json"]:
            text = harmless(one_line(each.text))
            click.echo(f"{each.status:<5}  {each.name:<9}  {text}")
    is_well = all(each.status != FAILS for each in found)
    if options["json"]:
        rows = [attrs.asdict(each) for each in found]
        click.echo(to_json({"format": FORMAT, "ok": is_well, "findings": rows}, indent=2))
    return ExitCode.OK if is_well else ExitCode.BUG


@attrs.frozen
class Finding:
    """One line: what was looked at, whether it is as it should be, and what there is."""

    name: str
    status: str
    text: str


class Doubling(PackedProblem[str]):
    """From 1 to `LARGEST` by doubling and adding one."""

    words = 1

    def initial_states(self) -> Sequence[int]:
        """The number 1."""
        return [1]

    def operators(self, control: int) -> Sequence[int]:
        """Adding one, and doubling."""
        return range(2)

    def action(self, state: Any, operator: int) -> str:
        """What it is called."""
        return "double" if operator else "add one"

    def at_goal(self, state: Any) -> bool:
        """Whether it is the number that is wanted."""
        return bool(state == LARGEST)

    def legal(self, state: Any, control: int, operator: int) -> bool:
        """Whether it is smaller than that."""
        return bool(state < LARGEST)

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """The next number, or twice the number."""
        return 2 * state if operator else state + 1


def findings(files: Sequence[Path]) -> Iterator[Finding]:
    """All that is found, in the order of what rests on what; `files` are plugins."""
    yield Finding("searchkit", OK, f"{searchkit.__version__}, in {Path(searchkit.__file__).parent}")
    kind, version = platform.python_implementation(), platform.python_version()
    yield Finding("python", OK, f"{kind} {version}, {sys.executable}")
    yield from _packages()
    yield Finding("machine", OK, _machine())
    most = memory(default_memory())
    yield Finding("memory", OK, f"{memory(free_memory())} free; a search takes {most} at most")
    yield _cache()
    library = Library()
    tables = plural(len(library.names()), "pattern database")
    yield Finding("tables", OK, f"{library.folder}: {tables}")
    yield from _plugins(files)
    yield self_test("reference")
    yield self_test("compiled")


def _packages() -> Iterator[Finding]:
    """The versions of what searchkit needs, and of what it can use."""
    package = _package()
    if package is None:
        text = "searchkit is not installed, so that its plugins are not found; use pip install"
        yield Finding("packages", FAILS, text)
        return
    found: dict[bool, dict[str, str | None]] = {True: {}, False: {}}
    for line in package.requires or ():
        match = NAME_AND_EXTRA.match(line)
        if match and match[2] not in ("compiled", "dev", "docs"):
            found[match[2] is None][match[1]] = version_of(match[1])
    own, more = found[True], found[False]
    if own.get("numba"):
        own["llvmlite"] = version_of("llvmlite")
    missing = [name for name, version in own.items() if version is None and name != "numba"]
    text = ", ".join(f"{name} {version}" for name, version in own.items() if version)
    lacking = f"; missing: {', '.join(missing)}" if missing else ""
    yield Finding("packages", FAILS if missing else OK, f"{text}{lacking}")
    here = ", ".join(f"{name} {version}" for name, version in more.items() if version)
    yield Finding("extras", OK, here or "none")


def _package() -> metadata.Distribution | None:
    programs = metadata.entry_points(group="console_scripts", name="searchkit")
    return next((each.dist for each in programs if each.value == PROGRAM), None)


def _machine() -> str:
    """The system, the processor as compilers name it, and how much of it may be used."""
    try:
        name = str(llvm().get_host_cpu_name())
    except NoCompilerError:
        name = platform.processor()
    cores = plural(processors(), "core")
    system = f"{platform.system()} {platform.release()}"
    return f"{system}, {platform.machine()} {name}".rstrip() + f"; {cores} to be used"


def _cache() -> Finding:
    """The folder of machine code; what is damaged there is removed."""
    found = take_inventory()
    removed = f"; {plural(found.removed, 'damaged file')} removed" if found.removed else ""
    refusal = "" if found.refusal is None else f"; {found.refusal}"
    text = f"{cache_directory()}: {plural(found.files, 'file')}, {memory(found.bytes)}"
    status = FAILS if refusal else NOTE if removed else OK
    return Finding("cache", status, f"{text}{removed}{refusal}")


def _plugins(files: Sequence[Path]) -> Iterator[Finding]:
    """How many there are, and each that was left out, or of which a part was."""
    registry = Registry.load(files)
    tables = registry.puzzles, registry.algorithms, registry.heuristics, registry.renderers
    origins = {entry.origin for table in tables for entry in table.entries} - {"searchkit"}
    puzzles = plural(len(registry.puzzles.entries), "puzzle")
    yield Finding("plugins", OK, f"{plural(len(origins), 'plugin')} with {puzzles}")
    for problem in registry.problems:
        kept = f"; kept: {', '.join(problem.kept)}" if problem.kept else "; left out"
        yield Finding("plugin", FAILS, f"{problem}{kept}".removeprefix("plugin "))


def self_test(engine: EngineChoice) -> Finding:
    """One search whose answer is known, by engines of a kind; its solution is replayed."""
    if engine == "compiled" and numba_folder() is None:
        return Finding(engine, NOTE, WITHOUT_NUMBA)
    problem = Doubling()
    try:
        result = solve(problem, BreadthFirst(), engine=engine, want="all")
        solutions = list(result.solutions or ())
        for each in solutions:
            verify_solution(problem, each)
    except NoCompilerError as error:
        return Finding(engine, FAILS, str(error))
    except Exception as error:  # whatever it is, it is what was looked for
        return Finding(engine, FAILS, f"{type(error).__name__}: {error}")
    found = f"{result.cost} steps, {plural(len(solutions), 'solution')}"
    if (result.cost, len(solutions)) != (FEWEST, WAYS):
        return Finding(engine, FAILS, f"WRONG: {found}; it is {FEWEST} steps, {WAYS} solutions")
    took = seconds(result.statistics.seconds + result.statistics.setup_seconds)
    return Finding(engine, OK, f"{found}, as expected; {took}")
