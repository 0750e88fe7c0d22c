"""The lessons are notebooks that run from top to bottom, and print what is stored in them."""

from __future__ import annotations

import contextlib
import io
import json
import linecache
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.docs_blocks import ROOT

COURSE = ROOT / "docs" / "course"
LESSONS = sorted(COURSE.glob("*.ipynb"))
SOLUTION = re.compile(
    r"<details>\n<summary>Solution</summary>\n\n```python\n(.+?)```\n\n```text\n(.+?)```\n"
    r"(?:.*\n)?\n</details>",
    re.DOTALL,
)
lessons = pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])


def cells_of(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def tags(cell: dict[str, Any]) -> list[str]:
    found: list[str] = cell["metadata"].get("tags", [])
    return found


def stored(cell: dict[str, Any]) -> str:
    return "".join(line for output in cell["outputs"] for line in output["text"])


def printed(code: str, place: str, names: dict[str, Any]) -> str:
    """What the code prints; its source is where that of a notebook's cells is found."""
    linecache.cache[place] = (len(code), None, code.splitlines(keepends=True), place)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, place, "exec"), names)
    return out.getvalue()


def check(cells: list[dict[str, Any]]) -> None:
    """Run all cells and solutions in order, and compare what they print."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        place, source = f"<{cell['id']}>", "".join(cell["source"])
        if cell["cell_type"] == "code":
            assert printed(source, place, names) == stored(cell), place
        elif "solution" in tags(cell):
            match = SOLUTION.fullmatch(source)
            assert match is not None, place
            assert printed(match[1], place, names) == match[2], place


@pytest.mark.spread("1-state-spaces", "5-a-puzzle-of-your-own")
@lessons
def test_cells_and_solutions_print_what_is_stored(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    check(cells_of(path))


def test_a_wrong_output_is_noticed() -> None:
    cells = cells_of(LESSONS[0])[:5]
    check(cells)
    cells[-1]["outputs"][0]["text"][0] = "cost 6 optimal True\n"
    with pytest.raises(AssertionError, match=cells[-1]["id"]):
        check(cells)


def test_a_wrong_solution_is_noticed() -> None:
    right = (
        "<details>\n<summary>Solution</summary>\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n"
    )
    for source in (right + "\n</details>", right + "\nWhy.\n\n</details>"):
        cell = {"cell_type": "markdown", "id": "a", "metadata": {"tags": ["solution"]}}
        check([cell | {"source": [source]}])
        with pytest.raises(AssertionError):
            check([cell | {"source": [source.replace("\n1\n", "\n2\n")]}])


@lessons
def test_a_lesson_is_a_notebook_of_the_right_form(path: Path) -> None:
    book = json.loads(path.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in book["cells"]:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])
        fields = {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] == "code":
            fields |= {"execution_count", "outputs"}
            assert all(output["output_type"] == "stream" for output in cell["outputs"])
        assert set(cell) == fields
        assert all(line.endswith("\n") for line in cell["source"][:-1])


@lessons
def test_a_lesson_says_what_it_teaches_and_has_three_exercises(path: Path) -> None:
    cells = cells_of(path)
    assert "After this lesson you will be able to\n" in cells[0]["source"]
    solutions = [at for at, cell in enumerate(cells) if "solution" in tags(cell)]
    assert len(solutions) == 3
    for number, at in enumerate(solutions, start=1):
        task, empty = cells[at - 2], cells[at - 1]
        assert task["source"][0] == f"## Exercise {number}\n"
        assert tags(empty) == ["exercise"]
        assert empty["source"] == [f"# Exercise {number}: your code"]


@lessons
def test_links_of_a_lesson_lead_somewhere(path: Path) -> None:
    text = "".join("".join(c["source"]) for c in cells_of(path) if c["cell_type"] == "markdown")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (path.parent / target).exists(), target


def test_the_page_of_the_course_lists_all_lessons() -> None:
    page = (COURSE / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((\S+\.ipynb)\)", page) == [path.name for path in LESSONS]
    assert len(LESSONS) == 5
