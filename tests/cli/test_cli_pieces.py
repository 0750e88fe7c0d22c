"""Files that define permutation puzzles, where the name of a puzzle is taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import searchkit
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import UsageError
from searchkit.pieces import write_kpuzzle, write_tws
from tests.support.cli_calls import Call
from tests.support.piece_puzzles import cube3, loopover, pyraminx, skewb


@pytest.fixture
def cube(tmp_path: Path) -> str:
    file = tmp_path / "cube.tws"
    file.write_text(write_tws(cube3()))
    return str(file)


@pytest.fixture
def tips(tmp_path: Path) -> str:
    file = tmp_path / "pyra.json"
    file.write_text(write_kpuzzle(pyraminx()))
    return str(file)


def test_a_file_is_solved_and_its_document_needs_no_file(call: Call, cube: str) -> None:
    outcome = call("run", cube, "--start", "R U2 F'", "--json", "--engine", "reference")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    assert (document["puzzle"], document["cost"]) == ("pieces", 3)
    assert document["parameters"]["file"] == Path(cube).read_text()
    Path(cube).unlink()
    checked = call("verify", "-", stdin=outcome.out)
    assert (checked.code, checked.err) == (0, "")


def test_moves_are_chosen(call: Call, cube: str) -> None:
    outcome = call("run", cube, "-p", "moves=R,U", "--start", "R2 U'", "--engine", "reference")
    assert outcome.code == 0
    assert "U R2" in outcome.lines
    outcome = call("run", cube, "-p", "powers=no", "--start", "R2", "--engine", "reference")
    assert "R R" in outcome.lines or "R' R'" in outcome.lines


def test_a_flipped_edge_is_certified_and_verified(call: Call, cube: str) -> None:
    start = "corners 0 1 2 3 4 5 6 7 / edges 0+1 1 2 3 4 5 6 7 8 9 10 11"
    outcome = call("run", cube, "--start", start, "--json")
    assert outcome.code == 11
    assert call("verify", "-", stdin=outcome.out).code == 0
    forged = outcome.out.replace('"sum": 1', '"sum": 0')
    assert forged != outcome.out
    assert call("verify", "-", stdin=forged).code != 0


def test_a_random_start_is_drawn(call: Call, tips: str) -> None:
    outcome = call("run", tips, "--random", "--seed", "4", "--engine", "reference", "-q")
    assert outcome.code == 0


THREE = """Set A 3
Move 0
A
2 3 1
End
Move 1
A
2 1 3
End
Move 2
A
1 3 2
End
"""


@pytest.fixture
def numbered(tmp_path: Path) -> str:
    file = tmp_path / "three.tws"
    file.write_text(THREE)
    return str(file)


@pytest.mark.parametrize("ends", [["--start", "0 2 1"], ["--random", "--seed", "3"]])
def test_a_start_whose_pieces_are_names_of_moves(
    call: Call, numbered: str, ends: list[str]
) -> None:
    outcome = call("run", numbered, *ends, "--engine", "reference", "--json")
    assert outcome.code == 0
    document = json.loads(outcome.out)
    if ends[0] == "--start":
        assert (document["start"], document["cost"]) == ("0 2 1", 1)
    checked = call("verify", "-", stdin=outcome.out)
    assert (checked.code, checked.err) == (0, "")


def test_a_file_is_checked(call: Call, numbered: str) -> None:
    outcome = call("check", numbered, "--engine", "reference")
    assert outcome.code == 0
    assert "parameters: holds on 3 parameters of puzzle pieces" in outcome.lines
    assert "texts: holds on the whole space of 6 states" in outcome.lines


def test_info_tells_of_its_states(call: Call, tips: str) -> None:
    outcome = call("info", tips)
    assert outcome.code == 0
    assert "933,120" in outcome.out
    assert "orbit edges" in outcome.out


def test_a_space_is_explored(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "tiles.tws"
    file.write_text(write_tws(loopover().with_moves(["1H", "1V"])))
    outcome = call("explore", str(file), "--engine", "reference")
    assert outcome.code == 0
    assert "60 states" in outcome.out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["no.tws"], "'no.tws' cannot be read: No such file or directory"),
        (["{cube}", "-p", "file=x.tws"], "is a definition, and file=x.tws is another one"),
        (["{cube}", "-p", "moves=Q"], "puzzle 3x3x3 has no move 'Q'; known: U R F D L B"),
        (["{cube}", "--start", "R Q"], "'Q' is not a move of 3x3x3"),
        (["{bad}"], "bad.tws: the definition, line 18: place 9 must be a number from 1 to 8"),
        (["pieces"], "the definition is empty; give a file with lines like 'Set CORNER 8 3'"),
        (["cube.py"], "cube.py does not exist"),
        (["{folder}/x.py"], "x.py is a folder or a device; give a .py file"),
    ],
)
def test_mistakes(call: Call, cube: str, tmp_path: Path, given: list[str], message: str) -> None:
    bad = tmp_path / "bad.tws"
    lines = Path(cube).read_text().splitlines()
    lines[17] = lines[17].replace("8", "9")
    bad.write_text("\n".join(lines))
    (tmp_path / "x.py").mkdir()
    outcome = call("run", *[each.format(cube=cube, bad=bad, folder=tmp_path) for each in given])
    assert outcome.code == 2
    (line,) = outcome.err_lines
    assert message in line


def test_the_library_takes_files(cube: str, tips: str) -> None:
    puzzle = searchkit.puzzle(cube, start="R U")
    assert searchkit.solve(puzzle, searchkit.BreadthFirst()).cost == 2
    assert searchkit.puzzle(tips, moves="a b").operators(0) == range(4)
    with pytest.raises(UsageError, match="another one"):
        searchkit.puzzle(tips, file="x")


def test_databases_are_chosen_and_built_by_themselves(
    call: Call, tips: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the algorithm uses a heuristic, and the puzzle has none of its own."""
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    start = ("--start", "a b' c d a")
    slow = (*start, "--engine", "reference")
    with plainly():
        assert call("run", tips, *slow, "--heuristic", "pdb:auto=1kB").code == 0
    outcome = call("run", tips, *slow, "--heuristic", "auto")
    assert "pdb" not in outcome.out  # those of the default memory are not built
    outcome = call("run", tips, *slow, "--algo", "idastar")
    assert outcome.code == 0
    assert "heuristic  pdb:auto" in outcome.lines
    assert outcome.lines[3] == "a' d' c' b a'"
    assert "axials+edges" in call("pdb", "list").out
    outcome = call("run", tips, *slow)  # they are ready
    assert "heuristic  pdb:auto" in outcome.lines
    outcome = call("run", tips, *start, "--heuristic", "pdb:auto=1B")
    assert outcome.code == 2
    assert "no pattern database of pyraminx fits into 1 B; allow more, like auto=1GB" in outcome.err
    with plainly():
        assert call("pdb", "build", tips, "edges=0-1:places").code == 0
    (row,) = (line for line in call("info", tips).lines if "pdb:auto=" in line)
    assert row.split() == ["pdb:auto=1MB", "axials+edges", "933,120", "7.80"]
    for manifest in tmp_path.glob("patterns/*/manifest.json"):
        manifest.write_text("{}")
    assert any("cannot be read" in line for line in call("info", tips).lines)


def test_info_shows_the_name_in_the_file_and_rows_that_can_be_told_apart(
    call: Call, tmp_path: Path
) -> None:
    file = tmp_path / "some.tws"
    file.write_text(write_tws(skewb()))
    lines = call("info", str(file)).lines
    assert lines[0] == "skewb: a permutation puzzle, as a file defines it"
    assert lines[1] == f"from {file}; unit costs"
    rows = [line.split(maxsplit=2) for line in lines if line.strip().startswith("orbit ")]
    assert len({tuple(row[:2]) + tuple(row[2:]) for row in rows}) == len(rows)
    assert any("4 parts of 1 place, 3 ways to move each" in line for line in lines)
    assert any("of 3 ways to combine what orbits do, moves make 1" in line for line in lines)


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_definition_is_named(call: Call, tmp_path: Path, text: str) -> None:
    file = tmp_path / "some.tws"
    file.write_text(text)
    outcome = call("info", str(file))
    assert outcome.code == 2
    assert f"{file}: the definition is empty; give a file with lines like" in outcome.err
