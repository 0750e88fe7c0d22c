"""What a forge shows and runs: it can be read, and says what is so."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / ".github").rglob("*.yml")), ROOT / "CITATION.cff"]
PAGES = [ROOT / name for name in ("SECURITY.md", "CONTRIBUTING.md")]


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_can_be_read(path: Path) -> None:
    assert isinstance(read(path), dict)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert links
    for target in links:
        assert (ROOT / target).exists()


def test_the_workflow_runs_what_is_here_on_pythons_that_are_tried() -> None:
    text = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    jobs = read(ROOT / ".github/workflows/tests.yml")["jobs"]
    matrix = jobs["tests"]["strategy"]["matrix"]
    pythons = runpy.run_path(str(ROOT / ".ci/versions.py"))["PYTHONS"]
    assert set(matrix["python"]) <= set(pythons)
    assert all(each["untried"] for each in matrix["include"])
    for file in re.findall(r"run: python (\S+\.py)", text):
        assert (ROOT / file).exists()


def test_issues_ask_for_what_doctor_says() -> None:
    (field,) = (
        each
        for each in read(ROOT / ".github/ISSUE_TEMPLATE/wrong-answer.yml")["body"]
        if each["id"] == "doctor"
    )
    assert "searchkit doctor --json" in field["attributes"]["label"]
