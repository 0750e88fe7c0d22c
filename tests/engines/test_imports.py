"""A search loads what it uses: each module more is time that every process takes to begin."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from threading import Event
from types import ModuleType
from typing import Any

import pytest

import searchkit.reference.idastar
from searchkit import IDAStar
from searchkit.solving.engines import engine_of

SEARCH = """
from searchkit import AStar, BreadthFirst, IDAStar, Problem, Step, solve

class Walk(Problem):
    undirected = True

    def initial_states(self):
        return [5]

    def successors(self, state):
        return [Step("left", state - 1), Step("right", state + 1)]

    def is_goal(self, state):
        return state == 0

    def heuristic(self, state):
        return abs(state)

result = solve(Walk(), {algorithm}, engine="{engine}")
assert result.cost == 5 and result.optimal, result
"""
SELDOM_USED = {
    "click", "concurrent.futures", "decimal", "difflib", "fractions", "hashlib",
    "importlib.metadata", "json", "logging", "numba", "numpy", "pathlib", "pickle",
    "platformdirs", "pluggy", "random", "rich", "shutil", "socket", "subprocess", "tempfile",
    "urllib.parse", "uuid",
}  # fmt: skip
"""What few searches use, and takes a millisecond or more to import."""
ROOMS = {
    "checked", "checks", "cli", "comparison", "documents", "explore", "fields", "heuristics",
    "interop", "kernel_language", "pieces", "plots", "registry", "render", "scaffold", "tables",
    "testing", "transforms", "translation", "verify",
}  # fmt: skip


def loaded_by(code: str, file: Path | None = None) -> set[str]:
    """The modules that a process has in the end, without those that Python begins with.

    It runs the code, or a file of it, whose source can be looked at.
    """
    code = f"import sys\nbefore = {{*sys.modules}}\n{code}\nprint(*{{*sys.modules}} - before)"
    if file is not None:
        file.write_text(code)
    arguments = ["-c", code] if file is None else [str(file)]
    command = [sys.executable, *arguments]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(out.stdout.split())


def search(algorithm: str, engine: str) -> str:
    return SEARCH.replace("{algorithm}", algorithm).replace("{engine}", engine)


def rooms_of(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("searchkit.")}


@pytest.mark.parametrize(
    ("algorithm", "engine"),
    [
        ("BreadthFirst()", "reference"),
        ("AStar()", "reference"),
        ("IDAStar()", "reference"),
        ("AStar()", "auto"),  # which is done in its trial
    ],
)
def test_a_plain_search_loads_what_it_uses(algorithm: str, engine: str) -> None:
    modules = loaded_by(search(algorithm, engine))
    assert sorted(modules & SELDOM_USED) == []
    modules -= {"searchkit.translation", "searchkit.translation.lazily"}
    assert sorted(rooms_of(modules) & ROOMS) == []
    inner = {name for name in modules if name.startswith("searchkit.compiled.")}
    assert inner == {"searchkit.compiled.plan"}
    assert len({name for name in modules if name.startswith("searchkit")}) < 78


def test_the_package_alone_loads_no_search() -> None:
    modules = loaded_by("import searchkit")
    assert sorted(modules & SELDOM_USED) == []
    assert sorted(rooms_of(modules) & {"solve", "solving", "premises", "reference"}) == []
    assert len({name for name in modules if name.startswith("searchkit")}) < 30


def test_compiled_engines_load_neither_a_compiler_nor_other_engines() -> None:
    """The modules of engines; they have no machine code yet."""
    modules = loaded_by("""
import searchkit.compiled.by_layers
import searchkit.compiled.best_first.astar
import searchkit.compiled.breadth_first.bfs
import searchkit.compiled.depth_first.deepening
""")
    seldom = {"concurrent.futures", "logging", "numba", "llvmlite", "socket", "tempfile", "uuid"}
    assert sorted(modules & seldom) == []
    others = ("searchkit.compiled.layers.", "searchkit.executors.parcels", "searchkit.tables.")
    assert sorted(name for name in modules if name.startswith(others)) == []
    assert "searchkit.compiled.breadth_first.symmetric" not in modules


def test_a_search_that_finds_its_machine_code_loads_no_compiler(tmp_path: Path) -> None:
    code, file = search("BreadthFirst()", "compiled"), tmp_path / "walk.py"
    loaded_by(code, file)  # makes it, if it is not there
    modules = loaded_by(code, file)
    seldom = {
        "concurrent.futures", "difflib", "logging", "numba", "numpy.ma", "numpy.random", "pluggy",
        "socket", "subprocess", "uuid",
    }  # fmt: skip
    assert "numpy" in modules
    assert sorted(modules & seldom) == []
    others = ("searchkit.compiled.layers.", "searchkit.executors.parcels", "searchkit.tables.table")
    assert sorted(name for name in modules if name.startswith(others)) == []


def test_a_thread_waits_for_what_another_is_importing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module has its name before it has what it defines."""
    name, begun, is_over = "searchkit.reference.idastar", Event(), Event()

    class Slowly:
        @staticmethod
        def find_spec(full: str, path: Any, target: Any = None) -> ModuleSpec | None:
            spec = PathFinder.find_spec(full, path) if full == name else None
            if spec is not None and spec.loader is not None:
                load = spec.loader.exec_module

                def loaded(module: ModuleType) -> None:
                    begun.set()
                    is_over.wait(60)
                    load(module)

                monkeypatch.setattr(spec.loader, "exec_module", loaded)
            return spec

    monkeypatch.setattr(searchkit.reference, "idastar", searchkit.reference.idastar)
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Slowly, *sys.meta_path])
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(engine_of, IDAStar, "reference")
        assert begun.wait(60)
        second = threads.submit(engine_of, IDAStar, "reference")
        wait([second], 0.1)
        is_over.set()
        assert first.result() is second.result()
