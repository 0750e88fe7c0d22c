"""A process that has loaded the compiler ends quickly; objects that have something to do do it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BEGIN = """
import atexit, gc, sys
atexit.register(lambda: print("frozen" if gc.get_freeze_count() else "looked through"))
from searchkit.compiled.specialise.toolchain import llvm
class Circle:
    def __init__(self): self.me = self
"""
FILE = """
circle = Circle()
circle.file = open(sys.argv[1], "w")
circle.file.write("last line")
"""
DEL = """
Circle.__del__ = lambda self: print("gone")
circle = Circle()
"""
LOOP = """
def loop():
    try:
        yield
    finally:
        print("ended")
circle = Circle()
circle.loop = loop()
next(circle.loop)
"""
FOREIGN = """
from importlib.machinery import ExtensionFileLoader
foreign = type(sys)("foreign")
foreign.__loader__ = ExtensionFileLoader("foreign", "foreign.so")
sys.modules["foreign"] = foreign
"""


def printed(tmp_path: Path, text: str) -> list[str]:
    """What a process prints that runs a text, and then loads what links machine code."""
    script = BEGIN + text + "llvm()\n"
    command = [sys.executable, "-c", script, str(tmp_path / "file"), "1"]
    environment = os.environ | {"SEARCHKIT_CACHE_DIR": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert not ended.stderr
    return ended.stdout.split("\n")[:-1]


def test_its_objects_are_not_looked_through(tmp_path: Path) -> None:
    """Nor are those of numba, which has loops that wait."""
    compiling = """
from searchkit.compiled.specialise.cache import load_module
text = "from searchkit.compiled.specialise.kernels.prelude import entry\\n"
load_module(text + "@entry\\ndef more(number): return number + 1\\n").more(int(sys.argv[2]))
"""
    assert printed(tmp_path, compiling) == ["frozen"]


@pytest.mark.slow_variants("loop")
@pytest.mark.parametrize(
    ("text", "last"), [(DEL, ["gone"]), (LOOP, ["ended"]), (FOREIGN, [])], ids=["del", "loop", "c"]
)
def test_objects_that_have_to_do_something_do_it(
    tmp_path: Path, text: str, last: list[str]
) -> None:
    assert printed(tmp_path, text) == ["looked through", *last]


def test_files_get_their_last_lines(tmp_path: Path) -> None:
    assert printed(tmp_path, FILE) == ["looked through"]
    assert (tmp_path / "file").read_text() == "last line"
