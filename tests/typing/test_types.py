"""The types of a problem are those of its solutions: mypy sees it, and it sees mistakes."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import searchkit.algorithms.values

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def test_names_that_a_star_imports_are_known_to_mypy() -> None:
    """It reads a list of names only where they are written out."""
    assert set(searchkit.algorithms.values.__all__) <= set(searchkit.__all__)
    tree = ast.parse(Path(searchkit.__file__).read_text())
    (written,) = (
        ast.literal_eval(each.value)
        for each in tree.body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "__all__"
    )
    assert written == searchkit.__all__


def test_options_are_made_where_mypy_sees_that_they_are_given_by_name() -> None:
    """`AStar(Manhattan())` was an error to it: it does not look into what makes a field."""
    tree = ast.parse(Path(searchkit.algorithms.values.__file__).read_text())
    made = {
        ast.unparse(each.value.func)
        for kind in tree.body
        if isinstance(kind, ast.ClassDef)
        for each in kind.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.value, ast.Call)
    }
    assert made == {"attrs.field"}


@pytest.mark.slow
def test_types_go_through_a_search_and_mistakes_are_found() -> None:
    pytest.importorskip("mypy")
    files = [HERE / "sound.py", HERE / "mistaken.py"]
    command = [sys.executable, "-m", "mypy", "--strict", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    found = {
        (name, int(line))
        for name, line in re.findall(r"(\w+\.py):(\d+): error", done.stdout + done.stderr)
    }
    wanted = {
        (file.name, number)
        for file in files
        for number, line in enumerate(file.read_text().splitlines(), start=1)
        if line.endswith("# mistake")
    }
    assert len(wanted) == 6
    assert found == wanted, done.stdout + done.stderr
