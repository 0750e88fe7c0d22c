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

from searchkit import UsageError
from searchkit.registry import Registry
from searchkit.scaffold import LIKE, Names, new_file, new_project, project
from tests.support.cli_calls import Call

ROOT = Path(__file__).parents[2]
LONGEST = "a-name-of-forty-characters-and-no-more12"
MOVES = {"graph": 6, "grid": 11, "permutation": 4, "rush": 51}
"""How many moves the puzzle takes that a new project begins with."""
FEW_LAWS = ["--states", "50", "--law", "successors", "--law", "undirected", "--law", "texts"]


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


def test_the_projects_are_clean(tmp_path: Path) -> None:
    for kind in LIKE:
        for name in (f"my-{kind}", LONGEST[: -len(kind)] + kind):
            folder = new_project(name, tmp_path, like=kind)
            new_file(name, tmp_path, like=kind)
            assert (folder / "pyproject.toml").is_file()
    assert len(list(tmp_path.iterdir())) == 4 * len(LIKE)
    run("ruff", "check", "--no-cache", ".", cwd=tmp_path)
    run("ruff", "format", "--no-cache", "--line-length=100", "--check", ".", cwd=tmp_path)


def test_every_kind_is_an_example_that_a_wheel_holds() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = about["tool"]["hatch"]["build"]["targets"]["wheel"]
    files = [f"{Names(puzzle).module}.py" for puzzle in LIKE.values()]
    assert wheel["force-include"] == {
        f"examples/{name}": f"searchkit/scaffold/examples/{name}" for name in files
    }
    assert all((ROOT / "examples" / name).is_file() for name in files)
    assert set(MOVES) == set(LIKE)


@pytest.mark.slow_variants("rush")
@pytest.mark.parametrize("kind", LIKE)
def test_the_project_works_as_a_plugin(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    name = f"odd-{kind[:4]}"
    outcome = call("new", name, "--into", str(tmp_path), "--like", kind)
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
    assert len(call("run", name, "--moves").out.split()) == MOVES[kind]
    again = call("new", name, "--into", str(tmp_path))
    assert again.code == 2
    assert "already" in again.err


@pytest.mark.slow_variants("rush")
@pytest.mark.parametrize("kind", LIKE)
def test_one_file_is_a_plugin(tmp_path: Path, call: Call, kind: str) -> None:
    into = ["--into", str(tmp_path), "--single", "--like", kind]
    file = tmp_path / "odd_file.py"
    outcome = call("new", "odd-file", *into)
    assert outcome.lines[0] == str(file)
    assert list(tmp_path.iterdir()) == [file]
    for line, *few in ((outcome.lines[2],), (outcome.lines[3], *FEW_LAWS)):
        done = call(*line.split()[3:], "--engine", "reference", *few)
        assert (done.code, done.err) == (0, "")
        assert "BROKEN" not in done.out
    assert len(outcome.lines) == 4
    assert "examples" not in file.read_text()
    again = call("new", "odd-file", *into)
    assert (again.code, len(again.err_lines)) == (2, 1)
    assert "exists already" in again.err


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
    assert "18 passed, 15 skipped" in told


@pytest.mark.slow
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
@pytest.mark.parametrize("kind", LIKE)
def test_pip_installs_it(tmp_path: Path, kind: str) -> None:
    pytest.importorskip("hatchling")
    folder = new_project("odd-install", tmp_path, like=kind)
    site = tmp_path / "site"
    run("pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index",
        "--target", site, folder, cwd=tmp_path)  # fmt: skip
    assert "odd-install" in run("searchkit", "list", cwd=tmp_path, path=site)
    assert "optimal" in run("searchkit", "run", "odd-install", cwd=tmp_path, path=site)
    checked = run("searchkit", "check", "odd-install", cwd=tmp_path, path=site)
    assert "BROKEN" not in checked
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


@given(
    st.from_regex(r"[a-z][a-z0-9]{0,6}(-[a-z0-9]{1,6}){0,3}", fullmatch=True),
    st.sampled_from(sorted(LIKE)),
)
def test_legal_names_make_legal_code(name: str, kind: str) -> None:
    names = Names(name)
    assert names.package.isidentifier()
    assert names.class_name.isidentifier()
    texts = project.rendered(names, kind)
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
