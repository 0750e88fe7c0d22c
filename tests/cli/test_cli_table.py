"""`searchkit explore --checkpoint FOLDER` and `searchkit table FOLDER`."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.support.exit_codes import ExitCode
from searchkit.explore import Checkpoint, explore
from searchkit.tables.signed import digest
from searchkit_sliding import six_puzzle
from tests.support.cli_calls import Call, Outcome

FIXED = '''
from searchkit import Parameter, hookimpl
from searchkit.packed import PackedProblem


class Lamps(PackedProblem):
    """Six lamps and a switch for each; neither start nor goal can be chosen."""

    undirected = True

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [63]

    def operators(self, control):
        return range(6)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 63

    def apply(self, state, control, operator):
        return state ^ (1 << operator)


class Rules(PackedProblem):
    """Walk along the numbers to 40 by steps of one size."""

    def initial_states(self):
        return [0]

    def operators(self, control):
        return range(1)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 40

    def legal(self, state, control, operator):
        return state < 40

    def apply(self, state, control, operator):
        return state + STEP


class Wide(Rules):
    words = 2

    def initial_states(self):
        return [(0, 0)]

    def at_goal(self, state):
        return state[0] == 40

    def legal(self, state, control, operator):
        return state[0] < 40

    def apply(self, state, control, operator):
        return state[0] + STEP, state[1]


@hookimpl
def searchkit_register_puzzles(register):
    register("lamps", Lamps)
    register("rules", Rules)
    register("wide", Wide)
'''


@pytest.fixture
def plugin(tmp_path: Path) -> Callable[[int], str]:
    """A plugin file whose steps are of some size."""

    def write(step: int = 1) -> str:
        file = tmp_path / f"plugin{step}.py"
        file.write_text(FIXED.replace("STEP", str(step)))
        return str(file)

    return write


@pytest.fixture
def save(call: Call, tmp_path: Path) -> Callable[..., Path]:
    """Explore into a new folder."""

    def explore_into(*args: str, code: ExitCode = ExitCode.OK) -> Path:
        folder = tmp_path / f"table{len(list(tmp_path.iterdir()))}"
        outcome = call("explore", *args, "--checkpoint", str(folder))
        assert (outcome.code, outcome.err) == (code, "")
        return folder

    return explore_into


def refused(outcome: Outcome, *words: str, code: ExitCode = ExitCode.BAD_INPUT) -> None:
    """One line that says all the words, and nothing else."""
    assert (outcome.code, outcome.out, len(outcome.err_lines)) == (code, "", 1)
    assert outcome.err.startswith("searchkit: error: ")
    for each in words:
        assert each in outcome.err


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def change(folder: Path, update: Callable[[Any], Any]) -> None:
    found = json.loads((folder / "manifest.json").read_text())
    update(found)
    found.pop("check")
    found["check"] = digest(found)
    (folder / "manifest.json").write_text(json.dumps(found))


def test_layers(call: Call, save: Any) -> None:
    folder = save("sliding", "-p", "size=2x3")
    outcome = call("table", str(folder))
    assert (outcome.code, outcome.err) == (ExitCode.OK, "")
    assert outcome.lines[0].split() == ["moves", "from", "the", "goal", "states"]
    assert [line.split() for line in outcome.lines[2:5]] == [["0", "1"], ["1", "2"], ["2", "3"]]
    assert outcome.lines[-1].startswith("sliding: 360 states in 22 layers, ")
    assert outcome.lines[-1].endswith("kB, complete")


def test_what_is_not_complete(call: Call, save: Any) -> None:
    folder = save("8-puzzle", "--max-cost", "5", code=ExitCode.GAVE_UP)
    outcome = call("table", str(folder), "--state", "123456780", "--state", "867254301")
    assert outcome.lines == ["123456780: 0 moves from the goal", "867254301: in no layer so far"]
    shown = call("table", str(folder))
    assert "8-puzzle: 51 states in 6 layers" in shown.lines[-1]
    assert shown.lines[-1].endswith("not complete: explore goes on from here")


def test_states(call: Call, save: Any) -> None:
    folder = save("8-puzzle")
    states = ["123456780", "123450786", "867254301", "123456870"]
    args = [word for state in states for word in ("--state", state)]
    outcome = call("table", str(folder), *args)
    assert (outcome.code, outcome.err) == (ExitCode.OK, "")
    assert outcome.lines[:2] == [
        "123456780: 0 moves from the goal",
        "123450786: 1 move from the goal: 6",
    ]
    assert outcome.lines[2].startswith("867254301: 31 moves from the goal: ")
    assert outcome.lines[3:] == ["123456870: in no layer"]
    moves = call("table", str(folder), *args, "--moves")
    assert moves.lines[:2] == ["0", "1 6"]
    assert moves.lines[2].split() == ["31", *outcome.lines[2].rpartition(":")[2].split()]
    assert moves.lines[3:] == ["123456870: in no layer"]


def test_solutions_of_a_table_verify(call: Call, save: Any) -> None:
    """What `run` finds is as long; both replay."""
    folder = save("6-puzzle")
    for start in ("2154306", "6543210"):
        run = call("run", "6-puzzle", "--start", start, "--moves")
        table = call("table", str(folder), "--state", start, "--moves")
        assert len(run.out.split()) == int(table.out.split()[0])
        state = six_puzzle().parse(start)
        for tile in table.out.split()[1:]:
            steps = {str(step.action): step.state for step in six_puzzle().successors(state)}
            state = steps[tile]
        assert state == six_puzzle().goal


@pytest.mark.slow_variants("chain")
@pytest.mark.parametrize("model", ["chain", "jumps"])
def test_symmetry(call: Call, save: Any, model: str) -> None:
    folder = save("hoppers", "-p", f"model={model}", "--symmetry", "auto")
    outcome = call("table", str(folder))
    assert outcome.lines[0].split()[-2:] == ["states", "canonical"]
    rows = [[int(cell.replace(",", "")) for cell in line.split()] for line in outcome.lines[2:-2]]
    assert sum(row[1] for row in rows) == 2344
    assert sum(row[2] for row in rows) < 400
    corners = ["pegs 0", "pegs 2", "pegs 10", "pegs 12"]
    states = [word for state in ["vacant 0", *corners] for word in ("--state", state)]
    said = call("table", str(folder), *states)
    assert (said.code, said.err) == (ExitCode.OK, "")
    assert said.lines[0].endswith(": in no layer")
    ways = [line.partition(": ")[2].split() for line in said.lines[1:]]
    assert {tuple(way[:5]) for way in ways} == {(ways[0][0], "moves", "from", "the", "start:")}
    assert len({tuple(way) for way in ways}) == len(corners)
    if model == "jumps":
        assert [len(way) for way in ways] == [5 + 11] * 4


def test_check(call: Call, save: Any) -> None:
    folder = save("sliding", "-p", "size=2x3")
    outcome = call("table", str(folder), "--check")
    assert outcome.lines[-1] == "ok: 22 files checked"
    checked = call("table", str(folder), "--check", "--state", "123450", "--moves")
    assert checked.lines == ["0"]
    file = folder / "layer-0011-000.keys"
    data = bytearray(file.read_bytes())
    data[-3] ^= 1
    file.write_bytes(data)
    refused(call("table", str(folder)), f"{file} has changed since it was written")
    refused(call("table", str(folder), "--check"), f"{file} has changed since it was written")
    refused(
        call("explore", "sliding", "-p", "size=2x3", "--checkpoint", str(folder)),
        f"{file} has changed since it was written",
    )


def test_start_goal_and_parameters_are_those_that_were_explored(call: Call, save: Any) -> None:
    folder = save("sliding", "-p", "size=2x3", "--goal", "012345", "--start", "123450")
    said = call("table", str(folder), "--state", "012345", "--state", "102345", "--moves")
    assert said.lines == ["0", "1 1"]
    folder = save("8-puzzle", "--from", "start", "--start", "123456708", "--max-cost", "2",
                  code=ExitCode.GAVE_UP)  # fmt: skip
    said = call("table", str(folder), "--state", "123456708", "--state", "123456780")
    assert said.lines == [
        "123456708: 0 moves from the start",
        "123456780: 1 move from the start: 8",
    ]


def test_a_puzzle_whose_start_and_goal_are_fixed(call: Call, save: Any, plugin: Any) -> None:
    folder = save("lamps", "--plugin", plugin())
    outcome = call("table", str(folder), "--plugin", plugin())
    assert outcome.lines[-1].startswith("lamps: 64 states in 7 layers")
    said = call("table", str(folder), "--plugin", plugin(), "--state", "3", "--state", "63")
    assert said.lines == ["3: 4 moves from the goal: 2 3 4 5", "63: 0 moves from the goal"]
    said = call("table", str(folder))
    refused(said, f"{folder}: no puzzle named 'lamps'")
    assert said.err.endswith(
        f"it was made by rules in {Path(plugin()).name}: give it by --plugin\n"
    )


JUGS = """
from dataclasses import dataclass
from enum import Enum

from searchkit import Problem, Step


class Wine(Enum):
    RED = 1
    WHITE = 2


@dataclass(frozen=True)
class Held:
    amounts: tuple
    wine: Wine
    broken: frozenset = frozenset()


class Jugs(Problem):
    sizes = (7, 5, 3)

    def initial_states(self):
        return [Held((7, 0, 0), Wine.RED)]

    def is_goal(self, state):
        return 6 in state.amounts

    def successors(self, state):
        for i, amount in enumerate(state.amounts):
            for j, size in enumerate(self.sizes):
                poured = min(amount, size - state.amounts[j])
                if i != j and poured:
                    after = list(state.amounts)
                    after[i] -= poured
                    after[j] += poured
                    yield Step(f"{i}>{j}", Held(tuple(after), state.wine, frozenset({j})))
"""


def test_states_without_a_parse_are_written_as_in_python(call: Call, tmp_path: Path) -> None:
    file, folder = tmp_path / "jugs.py", tmp_path / "layers"
    file.write_text(JUGS)
    assert call("explore", str(file), "--checkpoint", str(folder)).code == ExitCode.OK
    table = ["table", str(folder), "--plugin", str(file), "--state"]
    poured = "Held(amounts=(2, 5, 0), wine=<Wine.RED: 1>, broken=frozenset({1}))"
    said = call(*table, poured, "--state", "Held((2, 5, 0), Wine.WHITE)")
    assert said.lines == [
        f"{poured}: 1 move from the start",
        "Held(amounts=(2, 5, 0), wine=<Wine.WHITE: 2>, broken=frozenset()): in no layer",
    ]
    assert said.err.startswith("searchkit: note: Jugs is not undirected and lists no predecessors")
    assert call("-q", *table, poured).err == ""
    refused(call(*table, "(2, 5, 0)"), "it is of type tuple; write it like Held(amounts=(7, 0, 0)")
    refused(call(*table, "open('x')"), "write it as Python does, like Held(amounts=(7, 0, 0)")
    refused(call(*table, poured, "--moves"), "the table tells distances only; drop --moves")


def test_going_on(call: Call, save: Any, tmp_path: Path) -> None:
    args = ("sliding", "-p", "size=2x3")
    whole = save(*args)
    folder = save(*args, "--max-cost", "3", code=ExitCode.GAVE_UP)
    again = call("explore", *args, "--checkpoint", str(folder))
    assert (again.code, again.err) == (ExitCode.OK, "")
    assert content(folder) == content(whole)
    for extra in (["--max-expansions", "1"], ["--max-time", "1ms"], []):
        outcome = call("explore", *args, "--checkpoint", str(folder), *extra)
        assert outcome.code == ExitCode.OK
        assert "360 states, the farthest 21 moves away" in outcome.out
    document = json.loads(call("explore", *args, "--checkpoint", str(folder), "--json").out)
    assert (document["states"], document["complete"]) == (360, True)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["6-puzzle"], "goal = '123450' there and '1234560' here"),
        (["sliding", "-p", "size=3x2"], "'edges': '', 'moves': 'tile', 'size': '2x3'} there"),
        (["sliding", "-p", "size=2x3", "--start", "123450"], "start ="),
        (["sliding", "-p", "size=2x3", "--from", "start"], "origin = 'goal' there and 'start'"),
        (["sliding", "-p", "size=2x3", "--goal", "012345"], "goal = '123450' there and '012345'"),
        (["lamps"], "holds another exploration"),
        (["sliding", "-p", "size=2x3", "--symmetry", "auto"], "Symmetry.bits"),
        (["sliding", "-p", "size=2x3", "--engine", "reference"], "reference engine was asked for"),
        (["sliding", "-p", "size=2x3", "--paths"], "no table can be written"),
        (["sliding", "-p", "size=5x5"], "holds another exploration"),
        (["wide"], "holds another exploration"),
        (["hoppers", "-p", "model=mover"], "zero-one costs; take single steps instead of chains"),
        (
            ["hoppers", "--workers", "2"],
            "workers cannot share; take single steps instead of chains (model=jumps)",
        ),
    ],
)
def test_another_exploration_is_refused(
    call: Call, save: Any, plugin: Any, args: list[str], words: str
) -> None:
    folder = save("sliding", "-p", "size=2x3", "--max-cost", "3", code=ExitCode.GAVE_UP)
    before = content(folder)
    outcome = call("explore", *args, "--plugin", plugin(), "--checkpoint", str(folder))
    refused(outcome, words)
    assert content(folder) == before


def test_changed_rules_are_refused(call: Call, save: Any, plugin: Any) -> None:
    folder = save("rules", "--plugin", plugin(1), "--max-cost", "4", code=ExitCode.GAVE_UP)
    before = content(folder)
    outcome = call("explore", "rules", "--plugin", plugin(7), "--checkpoint", str(folder))
    refused(outcome, f"{folder} was made by other rules: the file that defines Rules has changed")
    assert content(folder) == before
    assert call("explore", "rules", "--plugin", plugin(1), "--checkpoint", str(folder)).code == 0


WALKER = '''"""Walks over a torus."""

from searchkit import Problem, Step


class Walker(Problem):
    undirected = True

    def initial_states(self):
        return [(0, 0)]

    def is_goal(self, state):
        return state == (6, 6)

    def successors(self, state):
        a, b = state
        for x, y in [(a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)]:
            if (a, b) != (5, 5) and (x % 12, y % 12) != (5, 5):
                yield Step("go", (x % 12, y % 12))
'''


@pytest.mark.parametrize("workers", [[], ["--workers", "2"]])
def test_a_change_of_the_file_that_shows_only_in_later_layers_is_refused(
    call: Call, tmp_path: Path, workers: list[str]
) -> None:
    file, folder = tmp_path / "walker.py", tmp_path / "layers"
    file.write_text(WALKER)
    explore = ["explore", str(file), "--checkpoint", str(folder), *workers]
    assert call(*explore, "--max-depth", "4").code == ExitCode.GAVE_UP
    before = content(folder)
    file.write_text(WALKER.replace("(5, 5)", "(7, 7)"))
    refused(call(*explore), f"{folder} was made by other rules", "Walker has changed since")
    outcome = call("table", str(folder), "--plugin", str(file))
    refused(outcome, f"{folder} was made by other rules", "Walker has changed since")
    assert content(folder) == before
    file.write_text(WALKER.replace("yield", "# a comment\n\n                yield"))
    moved = file.rename(tmp_path / "moved.py")
    outcome = call("explore", str(moved), *explore[2:])
    assert outcome.code == ExitCode.OK
    assert "143 states" in outcome.out
    refused(
        call("table", str(folder)), f"{folder}: no", "it was made by rules in walker.py: give it by"
    )


def test_a_table_that_cannot_be_walked_back_in(call: Call, save: Any, plugin: Any) -> None:
    folder = save("rules", "--plugin", plugin(1))
    outcome = call("table", str(folder), "--plugin", plugin(1))
    assert outcome.lines[-1].startswith("rules: 41 states in 41 layers")


DAMAGE: list[tuple[Callable[[Path], Any], str]] = [
    (shutil.rmtree, "cannot be read as the manifest of a table: No such file or directory; give"),
    (
        lambda folder: (folder / "manifest.json").write_bytes(b""),
        "of a table: it is not JSON; give",
    ),
    (lambda folder: (folder / "manifest.json").write_bytes(b"[]"), "damaged: it holds no names"),
    (
        lambda folder: change(folder, lambda it: it.pop("format")),
        "damaged: it lacks 'format'; explore again",
    ),
    (lambda folder: (folder / "manifest.json").unlink(), "cannot be read as the manifest"),
    (lambda folder: (folder / "manifest.json").write_bytes(b"\x93\0{"), "cannot be read as the"),
    (lambda folder: change(folder, lambda it: it.update(format="x/2")), "this version reads"),
    (lambda folder: change(folder, lambda it: it.pop("layers")), "is not a manifest of a table"),
    (
        lambda folder: change(folder, lambda it: it["layers"][1].update(file="../evil")),
        "not a manifest",
    ),
    (
        lambda folder: (folder / "layer-0002-000.keys").unlink(),
        "layer-0002-000.keys cannot be read",
    ),
    (
        lambda folder: os.truncate(folder / "layer-0002-000.keys", 140),
        "it has 140 bytes",
    ),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGE)
def test_damaged_tables(call: Call, save: Any, damage: Any, words: str) -> None:
    folder = save("sliding", "-p", "size=2x3", "--max-cost", "3", code=ExitCode.GAVE_UP)
    damage(folder)
    before = content(folder) if folder.exists() else None
    refused(call("table", str(folder)), words)
    refused(call("table", str(folder), "--check", "--state", "123450"), words)
    assert (content(folder) if folder.exists() else None) == before
    if before is not None and "manifest.json" in before:
        refused(call("explore", "sliding", "-p", "size=2x3", "--checkpoint", str(folder)), words)
        assert content(folder) == before


def test_layers_whose_manifest_is_lost_are_not_overwritten(call: Call, save: Any) -> None:
    folder = save("sliding", "-p", "size=2x3", "--max-cost", "3", code=ExitCode.GAVE_UP)
    (folder / "manifest.json").unlink()
    before = content(folder)
    outcome = call("explore", "8-puzzle", "--checkpoint", str(folder))
    refused(outcome, "holds other files (layer-0000-000.keys); give an empty folder")
    assert content(folder) == before


IDENTITIES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda it: it.pop("puzzle"), "was not written by the command explore"),
    (lambda it: it.update(puzzle=None), "was not written by the command explore"),
    (lambda it: it.update(puzzle="chess"), "no puzzle named 'chess'"),
    (lambda it: it.update(parameters=[1, 2]), "parameters are [1, 2]"),
    (lambda it: it.update(parameters={"size": "9999"}), "9999"),
    (lambda it: it.update(parameters={"colour": "red"}), "colour"),
    (lambda it: it.update(goal="nonsense"), "nonsense"),
    (lambda it: it.update(goal="543210"), "explored from the goal 123450"),
    (lambda it: it.update(start="1"), "'1' fills 1 cells"),
    (lambda it: it.pop("origin"), "does not say where the exploration began"),
    (lambda it: it.pop("roots"), "does not say where the exploration began"),
    (lambda it: it.update(problem="Jugs"), "holds states of 'Jugs', not of SlidingPuzzle"),
]


@pytest.mark.parametrize(("update", "words"), IDENTITIES)
def test_odd_identities(call: Call, save: Any, update: Any, words: str) -> None:
    folder = save("sliding", "-p", "size=2x3", "--max-cost", "3", code=ExitCode.GAVE_UP)
    change(folder, lambda found: update(found["identity"]))
    refused(call("table", str(folder), "--state", "123450"), words)


def test_a_table_made_in_python(call: Call, tmp_path: Path) -> None:
    explore(six_puzzle(), checkpoint=tmp_path / "own")
    refused(call("table", str(tmp_path / "own")), "open it in Python with searchkit.tables.Table")
    explore(
        six_puzzle(), checkpoint=Checkpoint(tmp_path / "named", identity={"puzzle": "6-puzzle"})
    )
    outcome = call("table", str(tmp_path / "named"), "--state", "1234560")
    assert outcome.lines == ["1234560: 0 moves from the goal"]


def test_wrong_usage(call: Call, save: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(call("table"), "Missing argument 'FOLDER|URL'")
    refused(call("table", str(tmp_path / "file")), "is a file")
    refused(call("explore", "8-puzzle", "--checkpoint", str(tmp_path / "file")), "is a file")
    folder = save("sliding", "-p", "size=2x3", "--max-cost", "3", code=ExitCode.GAVE_UP)
    for state, words in [("12345", "'12345'"), ("123455", "'123455'"), ("", "empty")]:
        refused(call("table", str(folder), "--state", state), words)


def test_a_folder_that_cannot_be_made(call: Call, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    place = tmp_path / "file" / "table"
    outcome = call("explore", "8-puzzle", "--checkpoint", str(place))
    refused(outcome, str(place), "give a folder that can be written to", code=ExitCode.BUG)
    assert (tmp_path / "file").read_text() == "mine"


def test_the_option_has_two_names(call: Call, save: Any, tmp_path: Path) -> None:
    one = save("sliding", "-p", "size=2x2")
    call("explore", "sliding", "-p", "size=2x2", "--checkpoint", str(tmp_path / "two"))
    assert content(one) == content(tmp_path / "two")
