"""Kernel files are joined by their imports: what is used, and no name twice."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from itertools import count

import numpy as np
import pytest

from searchkit.compiled.best_first.kernels import astar
from searchkit.compiled.best_first.kernels.open_list import Info
from searchkit.compiled.breadth_first.kernels import expansion
from searchkit.compiled.depth_first.kernels import deepening, pruning
from searchkit.compiled.specialise import entries, toolchain
from searchkit.compiled.specialise import module as modules
from searchkit.compiled.specialise.cache import load_module
from searchkit.compiled.specialise.code_files import CodeFiles
from searchkit.compiled.specialise.kernel_text import SOURCE
from searchkit.compiled.specialise.linking import Linker, LinkError
from searchkit.compiled.specialise.module import module_of
from searchkit.compiled.specialise.prepare import specialise
from searchkit.compiled.states.kernels import state_set
from searchkit.errors import CompilationError, SearchkitWarning
from searchkit_pancakes import pancakes
from searchkit_sliding import eight_puzzle

PACKAGES = count()
NAMES = "from searchkit.compiled.specialise.names import entry, heuristic, inlined, parameter\n"


@pytest.fixture
def linked(tmp_path, monkeypatch):
    """Links kernel files, given by their texts, of which `root` is the first; the text."""
    package = f"plugin_{next(PACKAGES)}"
    folder = tmp_path / package / "kernels"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)

    def link(root: str, constants: dict[str, int] | None = None, **others: str) -> str:
        for name, text in {"root": root, **others}.items():
            local = text.replace("from . ", f"from {package}.kernels ")
            local = local.replace("from .", f"from {package}.kernels.")
            (folder / f"{name}.py").write_text(NAMES + local)
        __import__(f"{package}.kernels.root")
        linker = Linker({"MEMORY": 0, **(constants or {})}, ())
        linker.add(sys.modules[f"{package}.kernels.root"])
        return "\n".join(part.text for part in linker.parts())

    yield link
    for name in [each for each in sys.modules if each.startswith(package)]:
        del sys.modules[name]


def test_only_what_entries_reach_is_taken(linked):
    text = linked(
        "from .other import unused\nfrom . import other\n"
        "@entry\ndef run(x):\n    return other.used(x)\n\n"
        "def left(x):\n    return unused(x)\n",
        other="def used(x):\n    return x\n\ndef unused(x):\n    return x\n",
    )
    assert "def run" in text
    assert "def other_used" in text
    assert "unused" not in text
    assert "left" not in text
    assert text.index("/kernels/other.py") < text.index("/kernels/root.py")


def test_constants_are_those_of_the_file_or_its_imports(linked):
    text = linked(
        "from . import other\nPLACE, MORE = range(18, 20)\n@entry\n"
        "def run(info):\n    return info[PLACE + other.PLACE] + info[MORE] + other.g(info)\n",
        other="from enum import IntEnum\nInfo = IntEnum('Info', 'G H', start=5)\nPLACE = 3\n"
        "def g(info):\n    return info[PLACE] * info[Info.H]\n",
    )
    assert "info[21] + info[19] + other_g(info)" in text
    assert "info[3] * info[6]" in text


def test_parameters_decide_what_is_imported_and_what_falls_away(linked):
    root = (
        "WIDE = parameter()\n"
        "if WIDE > 1:\n    from .other import f\nelse:\n    from .another import f\n"
        "@entry\ndef run(x):\n    if WIDE == 1 and x:\n        return f(x)\n"
        "    if not heuristic.MEMORY:\n        return x + (2 if WIDE else 3)\n"
        "    return undefined\n"
    )
    files = {"other": "def f(x):\n    return 1\n", "another": "def f(x):\n    return 2\n"}
    text = linked(root.replace("undefined", "f(x)"), {"WIDE": 1}, **files)
    assert ast.unparse(ast.parse(text)) == ast.unparse(ast.parse(
        "def another_f(x):\n    return 2\n\n"
        "@entry\ndef run(x):\n    if x:\n        return another_f(x)\n"
        "    return x + 2"
    ))  # fmt: skip


@pytest.mark.parametrize(
    ("root", "others", "message"),
    [
        ("@entry\ndef run(x):\n    return y\n", {}, r"root.py:4: y is neither defined nor"),
        (
            "from . import other\n@entry\ndef other_g(x):\n    return other.g(x)\n",
            {"other": "def g(x):\n    return -x\n"},
            r"other_g is in .*root.py as well|other_g is in .*other.py as well",
        ),
        (
            "from . import other\n@entry\ndef f(x):\n    return other.g(x)\n",
            {"other": "@entry\ndef h(x):\n    return -x\n\ndef g(x):\n    return h(x)\n"},
            r"other.py:6: h is an entry, which only Python can call",
        ),
        (
            "from . import other\n@entry\ndef run(other_f):\n    return other.f(other_f)\n",
            {"other": "def f(x):\n    return x\n"},
            r"root.py:5: other_f is a variable as well",
        ),
        (
            "from . import other\n@entry\ndef run(x):\n    return other.g(x)\n",
            {"other": "def f(x):\n    return x\n"},
            r"root.py:5: other.g is not defined",
        ),
        ("N = parameter()\n@entry\ndef run(x):\n    return N\n", {}, "parameter N is not given"),
        ("if entry:\n    N = 1\n", {}, r"root.py:2: what an if tests must be constant"),
        ("def f():\n    pass\n\ndef f():\n    pass\n", {}, "root.py:5: f is defined twice"),
        ("from .other import f as g\n", {"other": "f = 1"}, "g: kernels are imported by their"),
        ("A, B = 1, 'b'\n", {}, "root.py:2: A, B: give what is not a number a line of its own"),
        (
            "from math import pi\n@entry\ndef run(x):\n    return pi * x\n",
            {},
            "root.py:4: pi of math is 3.14.*; kernels use integers of other modules, IntEnums and",
        ),
        (
            "from sys import path\n@entry\ndef run(x):\n    return len(path)\n",
            {},
            "root.py:4: path of sys is .*; kernels use integers of other modules, IntEnums and",
        ),
        (
            "import sys\n@entry\ndef run(x):\n    return sys.maxsize\n",
            {},
            "root.py:4: sys is a module; kernels use integers of other modules, IntEnums and",
        ),
    ],
)
def test_what_is_refused(linked, root, others, message):
    with pytest.raises(LinkError, match=message):
        linked(root, **others)


def test_weights_are_not_mistaken_for_places():
    """A* keeps weights in `info`, deepening has them as constants, by the same names."""
    assert Info.G_WEIGHT == 17
    assert pruning.G_WEIGHT == 0  # a parameter
    for root, given in ((astar, {}), (deepening, {"G_WEIGHT": 7, "H_WEIGHT": 5})):
        constants = dict.fromkeys(
            ("WORDS", "MEMORY", "UNIT_COSTS", "ALWAYS_LEGAL", "STATIC"), 1
        ) | dict.fromkeys(
            ("ASKED", "INCREMENTAL", "FLOATS", "CHILD_LATER", "LEAST_COST", "MOST_COST", "CYCLES",
             "STOP", "FENCED", "KEEPS_OPERATORS", "TABLE", "MASKS", "BETWEEN",
             "PAIRWISE_BOUND", "FOLLOWED", "LISTED"), 0
        ) | dict.fromkeys(
            ("SLOTS", "LINE_WORDS", "LINE_MARKS", "FIRST_MARK", "SPARE", "CHUNK", "ROOTS", "QUEUE",
             "AHEAD", "MOST_ORDER", "MOST_G", "ORDER", "IMAGES", "MOST_LISTED"), 1
        )  # fmt: skip
        linker = Linker(constants | given, ())
        linker.add(root)
        text = "\n".join(part.text for part in linker.parts())
        assert ("weighed_sum(info[17], g, info[18], h)" in text) == (root is astar)
        assert ("slack - 7" in text) == (root is deepening)


def test_entries_that_use_no_kernel_of_the_problem_are_compiled_once_for_all_problems():
    roots = (expansion, state_set)
    tiles, jumps = (
        specialise(problem, None, roots, GOALS=1, WIDEST=4, IMAGES=1).module
        for problem in (eight_puzzle(), pancakes())
    )
    assert tiles is not jumps
    assert tiles.expand is not jumps.expand
    assert tiles.locate is jumps.locate
    assert tiles.locate.__module__ not in (tiles.__name__, jumps.__name__)


def test_a_number_that_changes_within_a_process_is_not_compiled_for_others(tmp_path, monkeypatch):
    """It was put into machine code that was kept for what the number was before."""
    package = f"plugin_{next(PACKAGES)}"
    folder = tmp_path / package / "kernels"
    folder.mkdir(parents=True)
    (tmp_path / package / "numbers.py").write_text("STEP = 1\n")
    text = "@entry\ndef after(x):\n    return x + STEP\n"
    (folder / "root.py").write_text(f"{NAMES}from {package}.numbers import STEP\n{text}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("SEARCHKIT_CACHE_DIR", str(tmp_path / "cache"))
    root = import_module(f"{package}.kernels.root")
    numbers = import_module(f"{package}.numbers")
    linked = module_of({}, (root,))
    assert module_of({}, (root,)) is linked
    # As in another process, which finds the link.
    monkeypatch.setattr(modules, "_made", {})
    monkeypatch.setattr(entries, "_known", {})
    monkeypatch.delitem(sys.modules, linked.__name__)
    module = module_of({}, (root,))
    assert SOURCE not in vars(module)
    numbers.STEP = 77
    with pytest.raises(CompilationError, match=r"STEP of .*numbers has changed since .*; start"):
        module.after(2)
    assert module_of({}, (root,)).after(2) == 79
    numbers.STEP = 1
    assert module_of({}, (root,)).after(2) == 3


@pytest.mark.parametrize("name", ["compilers", "inference", "values", "lowering", "text"])
def test_the_name_of_a_module_covers_how_it_is_compiled(name, tmp_path, monkeypatch):
    text = "# the same module\nseven = 7\n"
    module = load_module(text)
    (usual,) = (each for each in toolchain.COMPILERS if each.stem == name)
    other = tmp_path / usual.name
    other.write_text(usual.read_text() + "# another way\n")
    assert load_module(text) is module
    files = [other if each is usual else each for each in toolchain.COMPILERS]
    monkeypatch.setattr(toolchain, "COMPILERS", files)
    assert load_module(text) is not module


PARTS = """
import numpy as np
from searchkit.compiled.specialise.kernels.prelude import called, entry


@called
def row(table, i):
    return table[i]


@called
def pair(table):
    return row(table, 0), row(table, 1)


@called
def made(n):
    return np.zeros(n, dtype=np.int64)


@called
def checked(table, i):
    if i >= 2:
        raise IndexError("no row", i)
    return row(table, i)[0]


@entry
def rows(table):
    first, second = pair(table)
    for i in range(100):
        first, second = pair(table)
        own = made(2)
        own[0] = checked(table, i % 2)
    return first, second, own


@entry
def row_of(table, i):
    return checked(table, i)
"""


def test_functions_that_only_kernels_call_may_hand_arrays_on(monkeypatch, collect):
    """Each reference to an array is counted where somebody keeps it; errors are raised."""
    monkeypatch.setattr(CodeFiles, "has_warned", True)  # no file holds what returns arrays
    module = load_module(PARTS)
    table = np.arange(6).reshape(2, 3)
    held = sys.getrefcount(table)
    first, second, own = module.rows(table)
    assert [first.tolist(), second.tolist(), own.tolist()] == [[0, 1, 2], [3, 4, 5], [3, 0]]
    del first, second
    collect()
    assert sys.getrefcount(table) == held
    with pytest.raises(IndexError, match="no row"):
        module.row_of(table, 2)
    for part in module.row.overloads.values():
        assert part.library.get_pointer_to_function(part.fndesc.llvm_func_name) == 0


def test_texts_are_shown_where_a_folder_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_KERNEL_SOURCE", str(tmp_path / "texts"))
    module = load_module("# a module\nseven = 7\n")
    (path,) = (tmp_path / "texts").iterdir()
    assert path.stem == module.__name__
    assert path.read_text() == "# a module\nseven = 7\n"
    monkeypatch.setenv("SEARCHKIT_KERNEL_SOURCE", str(path / "below"))
    with pytest.warns(SearchkitWarning, match="SEARCHKIT_KERNEL_SOURCE: cannot write to .*below"):
        load_module("# another module\n")
