"""`searchkit new`: the project works, passes its own tests, and is whole or not there."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Registry, UsageError
from searchkit.scaffold import Names, new_project, project
from tests.support.cli_calls import Call

ROOT = Path(__file__).parents[2]
LONGEST = "a-name-of-forty-characters-and-no-more12"
PROJECTS = [("my-puzzle", False), ("seven-lamps", True), (LONGEST, False), (LONGEST, True)]


def run(*command: str | Path, cwd: Path, path: Path | None = None) -> str:
    environment = os.environ | {"COLUMNS": "120", "PYTHONPATH": str(path or cwd)}
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        cwd=cwd, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def note_entry_points(folder: Path, where: Path) -> None:
    """What an installer writes: with it on the path, the plugin is found."""
    about = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    installed = where / f"{about['name'].replace('-', '_')}-0.1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\n")
    points = [f"{name} = {value}" for name, value in about["entry-points"]["searchkit"].items()]
    (installed / "entry_points.txt").write_text("\n".join(["[searchkit]", *points]))


@pytest.mark.parametrize(("name", "compiled"), PROJECTS)
def test_the_project_is_clean(tmp_path: Path, name: str, compiled: bool) -> None:
    folder = new_project(name, tmp_path, compiled=compiled)
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]
    run("ruff", "check", "--no-cache", ".", cwd=folder)
    run("ruff", "format", "--no-cache", "--check", ".", cwd=folder)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_project_works_as_a_plugin(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    name = "odd-lamps" if compiled else "odd-knight"
    outcome = call("new", name, "--into", str(tmp_path), *(["--compiled"] if compiled else []))
    assert outcome.code == 0, outcome.err
    folder = tmp_path / f"searchkit-{name}"
    assert outcome.lines[0] == str(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.syspath_prepend(str(tmp_path))
    note_entry_points(folder, tmp_path)
    registry = Registry.load()
    assert registry.problems == []
    origin = f"searchkit_{name.replace('-', '_')} (searchkit-{name})"
    assert registry.puzzles.get(name).origin == origin
    assert origin in call("list").out
    moves = {"odd-lamps": 5, "odd-knight": 6}[name]
    assert len(call("run", name, "--moves").out.split()) == moves
    checked = call("check", name, "--engine", "reference")
    assert checked.code == 0, checked.out
    assert "BROKEN" not in checked.out
    refused = call("run", name, "-p", "size=x")
    assert (refused.code, len(refused.err_lines)) == (2, 1)
    again = call("new", name, "--into", str(tmp_path))
    assert again.code == 2
    assert "already" in again.err


def test_its_own_tests_pass(tmp_path: Path) -> None:
    folder = new_project("odd-tests", tmp_path)
    test = folder / "tests" / "test_odd_tests.py"
    assert [line for line in test.read_text().splitlines() if line] == [
        "from searchkit.testing import PuzzleTests",
        "import searchkit_odd_tests",
        "class TestOddTestsPuzzle(PuzzleTests):",
        "    plugin = searchkit_odd_tests",
    ]
    told = run("pytest", "-q", "-p", "no:cacheprovider", cwd=folder)
    assert "18 passed, 14 skipped" in told


def test_its_tests_fail_when_the_rules_are_broken(tmp_path: Path) -> None:
    folder = new_project("odd-bug", tmp_path)
    module = folder / "searchkit_odd_bug" / "__init__.py"
    text = module.read_text()
    assert "(-2, 1), (-1, 2))" in text
    module.write_text(text.replace("(-2, 1), (-1, 2))", "(-2, 1), (-1, 3))"))
    with pytest.raises(AssertionError) as caught:
        run("pytest", "-q", "-p", "no:cacheprovider", "-k", "undirected or costs", cwd=folder)
    told = str(caught.value)
    assert "1 failed, 1 passed" in told
    assert "undirected: FAILS" in told
    assert f"{module}:" in told
    assert "Traceback" not in told


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True])
def test_pip_installs_it(tmp_path: Path, compiled: bool) -> None:
    pytest.importorskip("hatchling")
    folder = new_project("odd-install", tmp_path, compiled=compiled)
    site = tmp_path / "site"
    run("pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index",
        "--target", site, folder, cwd=tmp_path)  # fmt: skip
    assert "odd-install" in run("searchkit", "list", cwd=tmp_path, path=site)
    assert "optimal" in run("searchkit", "run", "odd-install", cwd=tmp_path, path=site)
    checked = run("searchkit", "check", "odd-install", cwd=tmp_path, path=site)
    assert checked.splitlines()[-1].startswith(f"32 laws: {23 if compiled else 18} hold")
    run("mypy", cwd=folder)
    run("pytest", "-q", "-p", "no:cacheprovider", cwd=folder, path=site)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("My-puzzle", "small letters"),
        ("my puzzle", "small letters"),
        ("my--puzzle", "small letters"),
        ("7-jugs", "small letters"),
        ("../jugs", "small letters"),
        ("", "small letters"),
        ("ünder", "small letters"),
        ("a" * 41, "40 characters"),
        ("hoppers", "there is a puzzle 'hoppers' already"),
        ("cube", "there is a package searchkit_cube already"),
    ],
)
def test_names_that_will_not_do(call: Call, tmp_path: Path, name: str, words: str) -> None:
    outcome = call("new", "--into", str(tmp_path), "--", name)
    assert outcome.code == 2
    assert len(outcome.err_lines) == 1
    assert words in outcome.err
    assert list(tmp_path.iterdir()) == []


@given(st.from_regex(r"[a-z][a-z0-9]{0,6}(-[a-z0-9]{1,6}){0,3}", fullmatch=True))
def test_legal_names_make_legal_code(name: str) -> None:
    names = Names(name)
    assert names.package.isidentifier()
    assert names.class_name.isidentifier()
    for compiled in (False, True):
        texts = project.rendered(names, compiled=compiled)
        compile(texts[f"{names.package}/__init__.py"], name, "exec")
        points = tomllib.loads(texts["pyproject.toml"])["project"]["entry-points"]["searchkit"]
        assert points == {name: names.package}


def test_folders_that_will_not_do(call: Call, tmp_path: Path) -> None:
    (tmp_path / "searchkit-full").mkdir()
    (tmp_path / "file").write_text("")
    for name, into, words in [
        ("full", tmp_path, "exists already"),
        ("other", tmp_path / "none", "there is no folder"),
        ("other", tmp_path / "file", "there is no folder"),
    ]:
        outcome = call("new", name, "--into", str(into))
        assert outcome.code == 2
        assert len(outcome.err_lines) == 1
        assert words in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "searchkit-full"]


@pytest.mark.parametrize("failing", ["mkdtemp", "write_text", "rename"])
def test_nothing_is_left_where_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fail(*args: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    written = []
    plain = Path.write_text

    def write_some(path: Path, text: str, **more: str) -> int:
        written.append(path)
        if len(written) == 3:
            fail()
        return plain(path, text, **more)  # type: ignore[arg-type]

    if failing == "mkdtemp":
        monkeypatch.setattr(project.tempfile, "mkdtemp", fail)
    else:
        monkeypatch.setattr(Path, failing, write_some if failing == "write_text" else fail)
    with pytest.raises(UsageError, match="No space left on device; choose another folder"):
        new_project("my-puzzle", tmp_path)
    assert list(tmp_path.iterdir()) == []
