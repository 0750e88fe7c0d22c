"""Machine code on disk: found again, never stale, and no harm when the folder is bad."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import textwrap
from contextlib import nullcontext
from pathlib import Path

import attrs
import pytest
from numba._dispatcher import compute_fingerprint

from searchkit.compiled.specialise import module as modules
from searchkit.compiled.specialise.cache import load_module
from searchkit.compiled.specialise.code_files import CHECKED_BYTES, PREFIX, CodeFiles
from searchkit.compiled.specialise.entries import KernelEntry
from searchkit.compiled.specialise.links import LINKS, Link
from searchkit.compiled.specialise.machine_code import ObjectCode
from searchkit.compiled.specialise.module import specialised
from searchkit.errors import SearchkitWarning
from searchkit_pancakes import Pancakes, stacks
from tests.support.kernels import rank_all

KERNELS = """
    from searchkit.compiled.specialise.names import entry, problem

    @entry
    def begin(distances):
        distances[:] = len(distances)
        distances[0] = 0

    @entry
    def walk(P, operators, distances):
        for state in range(len(distances)):
            if problem.at_goal(P, state):
                return distances[state]
            for operator in range(operators):
                child = problem.apply(P, state, 0, operator)
                if child < len(distances):
                    distances[child] = min(distances[child], distances[state] + 1)
        return -1
"""
"""A kernel file that compiles sooner than an engine, of which one entry is for any problem."""
PUZZLE = """
    import sys
    from typing import NamedTuple
    import numpy as np
    import walking
    from searchkit.compiled.specialise.code_files import CodeFiles
    from searchkit.compiled.specialise.module import specialised, tables_for
    from searchkit.packed import PackedProblem

    STEP = 2

    class Tables(NamedTuple):
        ends: tuple

    def moved(state, operator):
        return state + 1 if operator == 0 else state + STEP

    class Rules:
        def after(self, state, operator):
            return moved(state, operator)

    class Walk(PackedProblem):
        tables = Tables((GOAL,))
        parts = ("rules",)
        rules = Rules()
        def initial_states(self):
            return [0]
        def operators(self, control):
            return range(2)
        def action(self, state, operator):
            return operator
        def at_goal(self, state):
            return state == self.tables.ends[0]
        def apply(self, state, control, operator):
            return moved(state, operator)

    problem, distances = Walk(), np.zeros(32, np.int64)
    module = specialised(problem, None, (walking,))
    module.begin(distances)
    tables = tables_for(module, "ProblemTables", problem)
    cost = module.walk(tables, len(problem.operators(0)), distances)
    print(cost, CodeFiles.made, int("numba" in sys.modules))
"""


def run(folder: Path, script: Path, warning: str = "") -> tuple[int, bool]:
    """How far the goal is, and whether all machine code was loaded, in a process of its own.

    It says the `warning` once, or nothing. What compiles is loaded where it is needed.
    """
    done = subprocess.run(
        [sys.executable, str(script)],
        env=os.environ | {"SEARCHKIT_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("SearchkitWarning: ") == bool(warning)
    assert warning in done.stderr if warning else not done.stderr
    cost, made, with_compiler = map(int, done.stdout.split())
    assert with_compiler or not made
    return cost, not with_compiler


def write_script(folder: Path, puzzle: str) -> Path:
    (folder / "walking.py").write_text(textwrap.dedent(KERNELS))
    path = folder / "puzzle.py"
    path.write_text(textwrap.dedent(puzzle))
    return path


@pytest.fixture
def script(tmp_path):
    def write(old: str = "", new: str = "", goal: int = 12) -> Path:
        assert old in PUZZLE
        return write_script(tmp_path, PUZZLE.replace(old, new).replace("GOAL", str(goal)))

    return write


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the machine code of the script as it is."""
    folder = tmp_path_factory.mktemp("made")
    path = write_script(folder, PUZZLE.replace("GOAL", "12"))
    assert run(folder / "cache", path) == (6, False)
    return folder / "cache"


@pytest.fixture
def folder(tmp_path, made):
    """A copy of it."""
    return shutil.copytree(made, tmp_path / "cache")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob(f"{PREFIX}*")}


def test_a_second_process_finds_the_machine_code(folder, script):
    before = files(folder)
    assert run(folder, script()) == (6, True)
    assert files(folder) == before


@pytest.mark.parametrize(
    ("old", "new", "cost", "loaded"),
    [
        ("state + 1 if", "state + 3 if", 4, False),  # a function that a kernel of a part calls
        pytest.param(
            "STEP = 2", "STEP = 4", 3, False, marks=pytest.mark.slow
        ),  # a constant it uses
        ("range(2)", "range(1)", 12, True),  # the lists of operators are no machine code
        pytest.param(
            "== self.tables", "- 2 == self.tables", 7, False, marks=pytest.mark.slow
        ),  # a kernel
    ],
)
def test_an_edit_is_never_run_as_it_was(folder, script, old, new, cost, loaded):
    assert run(folder, script(old, new)) == (cost, loaded)
    assert run(folder, script()) == (6, True)


def test_numba_is_whole_when_it_is_imported_later(folder, script):
    """It had no attributes for what was loaded before it, and without it."""
    looks = "import numba; numba._helperlib, numba._dynfunc, numba.core.runtime._nrt_python"
    assert run(folder, script("print(cost", f"{looks}\n    print(cost")) == (6, False)


ASSERTING = """
    import ast
    import sys
    from searchkit.compiled.specialise.toolchain import compiler_parts, digest
    from searchkit.kernel_language.definition import definition_of
    from searchkit.kernel_language.site import Site

    def checked(state):
        for bit in range(3):
            assert bit < 2
        return state

    made = definition_of(checked, Site("checked", __file__))
    asserts = sum(isinstance(node, ast.Assert) for node in ast.walk(made))
    print(asserts, digest(*compiler_parts()))
"""


def test_machine_code_has_asserts_where_python_runs_them(tmp_path):
    """What was made by `python -O` was run by other processes: asserts were not heard."""
    path = tmp_path / "asserting.py"
    path.write_text(textwrap.dedent(ASSERTING))
    (usual, name), (less, other) = (
        subprocess.check_output([sys.executable, *flags, str(path)], text=True).split()
        for flags in ((), ("-O",))
    )
    assert (usual, less) == ("1", "0")
    assert name != other


def test_other_contents_of_tables_use_the_same_machine_code(folder, script):
    assert run(folder, script(goal=9)) == (5, True)


@pytest.mark.parametrize(
    "damage", [b"rubbish", *(pytest.param(each, marks=pytest.mark.slow) for each in (b"", None))]
)
def test_damaged_files_are_made_again(folder, script, damage):
    good = files(folder)
    assert good
    for name, data in good.items():
        middle = len(data) // 2
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        (folder / name).write_bytes(flipped if damage is None else damage)
    assert run(folder, script()) == (6, False)
    assert files(folder).keys() == good.keys()
    assert run(folder, script()) == (6, True)


SEVEN = """
from searchkit.compiled.specialise.kernels.prelude import entry

@entry
def times_seven(x):
    return 7 * x
"""
"""One function that compiles at once."""
BROKEN = [b"", b"[", b"5", b"{}", b"\0\0\0\0015", b"\0\0\0\7[5,5,5]", b"77"]
"""Heads of files that are none."""


@pytest.mark.slow
def test_files_with_a_broken_head_are_made_again(folder, script):
    """Though their checksum fits."""
    good = files(folder)
    for name in good:
        (folder / name).write_bytes(hashlib.sha256(b"{}").digest() + b"{}")
    assert run(folder, script(), "machine code of begin cannot be loaded") == (6, False)
    assert files(folder).keys() == good.keys()


@pytest.mark.parametrize("content", BROKEN)
def test_machine_code_with_a_broken_head_is_made_again(tmp_path, monkeypatch, content):
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(CodeFiles, "has_warned", False)
    known = load_module(SEVEN).times_seven
    again = [KernelEntry(known.__module__, "times_seven", known.dispatcher) for _ in range(3)]
    assert again[0](6) == 42
    (path,) = tmp_path.glob(f"{PREFIX}*")
    good = path.read_bytes()
    path.write_bytes(hashlib.sha256(content).digest() + content)
    before = CodeFiles.made
    with pytest.warns(SearchkitWarning, match="machine code of times_seven cannot be loaded"):
        assert again[1](6) == 42
    assert CodeFiles.made == before + 1
    assert path.read_bytes() == good
    assert again[2](6) == 42
    assert CodeFiles.made == before + 1


@pytest.mark.parametrize("content", BROKEN)
def test_links_with_a_broken_head_are_none(tmp_path, monkeypatch, content):
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    link = Link("module", {}, {}, {}, [], [], [], "prints")
    link.write("key")
    assert Link.read("key") == link
    CodeFiles.write(f"{LINKS}key", content)
    assert Link.read("key") is None


@pytest.mark.slow
def test_a_folder_that_cannot_be_made_costs_time_only(tmp_path, script):
    (tmp_path / "file").write_text("in the way")
    folder = tmp_path / "file" / "cache"
    warning = f"machine code cannot be kept in {folder}: Not a directory; it is made again, unless"
    assert run(folder, script(), warning) == (6, False)


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o500)
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(folder))
    monkeypatch.setattr(CodeFiles, "has_warned", False)
    known = load_module(SEVEN).times_seven
    told = nullcontext()
    if not os.access(folder, os.W_OK):
        told = pytest.warns(SearchkitWarning, match="Permission denied; it is made again, unless")
    try:
        with told:
            assert KernelEntry(known.__module__, "times_seven", known.dispatcher)(6) == 42
    finally:
        folder.chmod(0o700)


def test_two_processes_at_once(tmp_path, script):
    folder = tmp_path / "cache"
    path = script()
    environment = os.environ | {"SEARCHKIT_CACHE_DIR": str(folder)}
    running = [
        subprocess.Popen(
            [sys.executable, str(path)], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for process in running:
        out, _ = process.communicate(timeout=300)
        assert process.returncode == 0
        assert out.split()[0] == "6"
    assert not [name for name in files(folder) if name.endswith(".tmp")]
    assert run(folder, path) == (6, True)


def test_tables_of_different_modules_are_never_taken_for_one_type():
    """numba asked for the types of all arguments again at each call, for 0.3 ms."""
    text = "import collections\nTables = collections.namedtuple('Tables', ['ends'])\n# {}\n"
    modules = [load_module(text.format(name)) for name in ("one", "other", "one")]
    prints = [compute_fingerprint(module.Tables(1)) for module in modules]
    assert prints[0] == prints[2] != prints[1]


def test_files_hold_machine_code_alone(tmp_path, monkeypatch):
    """The text that it was made of was half of the files, and a third of the time to load them."""
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    assert load_module(SEVEN).times_seven(6) == 42
    (path,) = tmp_path.glob(f"{PREFIX}*")
    packed = path.read_bytes()[CHECKED_BYTES:]
    found = ObjectCode.unpacked(packed)
    assert len(found.code) > 1000
    assert len(packed) - len(found.code) < 1000
    assert found.packed() == packed


def test_what_was_linked_for_another_class_is_linked_again(tmp_path, monkeypatch):
    """The first methods were alike, but one of the others was not there: an error, not a link."""
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path))
    puzzle, read, found = Pancakes.of(stacks(3, False)), Link.read, []

    def of_another(key):
        link = read(key)
        found.append(link)
        return link and attrs.evolve(link, methods=[*link.methods, ("problem", "gone")])

    monkeypatch.setattr(Link, "read", of_another)
    for _ in range(2):
        monkeypatch.setattr(modules, "_made", {})
        module = specialised(puzzle, None, (rank_all,))
        assert "problem_gone" not in vars(module)
    assert found[0] is None
    assert found[1] is not None


def test_what_was_linked_is_linked_again_where_its_file_is_damaged(folder, script):
    (path,) = folder.glob(f"{LINKS}*")
    before = path.read_bytes()
    path.write_bytes(before[:-1])
    assert run(folder, script()) == (6, False)
    assert path.read_bytes() == before
    assert run(folder, script()) == (6, True)
