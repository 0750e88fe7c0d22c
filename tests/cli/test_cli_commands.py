"""What the commands print, and where."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import searchkit
from searchkit.later import Later
from searchkit.registry import installed
from searchkit_pancakes.puzzle import MOST_PANCAKES
from searchkit_peg.boards import BOARDS
from tests.support.cli_calls import HERE, TOYS, Call, start_process
from tests.support.compared_rows import compared_rows


def test_help_names_commands_and_exit_codes(call: Call) -> None:
    outcome = call("--help")
    assert outcome.code == 0
    for word in ["run", "list", "info", "compare", "explore", "verify", "11 proved unsolvable"]:
        assert word in outcome.out
    assert call("--version").out == f"searchkit, version {searchkit.__version__}\n"


@pytest.mark.parametrize("command", ["run", "list", "info", "compare", "explore", "verify"])
def test_help_of_each_command(call: Call, command: str) -> None:
    outcome = call(command, "--help")
    assert outcome.code == 0
    assert ("--plugin" if command in ("list", "info", "verify") else "--help-all") in outcome.out


@pytest.mark.parametrize("module", [True, False])
def test_real_processes(module: bool) -> None:
    process = start_process("run", "jugs", "--moves", "--plugin", TOYS, module=module)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")
    assert out == "fill B, B to A, empty A, B to A, fill B, B to A\n"


def test_help_and_list_import_nothing_heavy() -> None:
    code = (
        "import sys\nfrom searchkit.cli.app import app\n"
        "try:\n    app.main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = ('rich', 'numba', 'numpy', 'scipy', 'asyncio')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.splitlines()[-1] == "[]"


SEARCH = """
import sys
sys.argv = ["searchkit", "run", *{arguments}, "--max-cost", "1"]
from searchkit.cli import main
try:
    main()
except SystemExit:
    pass
ours = [name for name in sys.modules if name.startswith("searchkit")]
print(*ours, *{"rich", "numba", "numpy", "email.parser", "secrets"} & {*sys.modules})
"""


@pytest.mark.parametrize(
    ("arguments", "plugin", "module", "most"),
    [
        (["hoppers", "--algo", "iddfs"], "searchkit_peg", "solitaire", 145),
        (["8-puzzle", "--algo", "bfs"], "searchkit_sliding", "puzzle", 157),
    ],
)
def test_a_search_imports_the_modules_of_one_puzzle_and_what_it_uses(
    arguments: list[str], plugin: str, module: str, most: int
) -> None:
    command = [sys.executable, "-c", SEARCH.replace("{arguments}", repr(arguments))]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    names = out.stdout.splitlines()[-1].split()
    assert [name for name in names if not name.startswith("searchkit")] == []
    rooms = {name.split(".")[1] for name in names if name.startswith("searchkit.")}
    unused = {"checked", "checks", "documents", "explore", "interop", "render", "tables"}
    assert not rooms & unused
    translation = {name for name in names if name.startswith("searchkit.translation.")}
    assert translation == {"searchkit.translation.lazily"}
    assert [name for name in names if name.startswith("searchkit.compiled.")] == [
        "searchkit.compiled.plan"
    ]
    of_plugins = {name for name in names if name.startswith("searchkit_") and "." in name}
    of_others = {name for name in of_plugins if not name.startswith(f"{plugin}.")}
    assert of_others == {"searchkit_stages.stage"}
    assert f"{plugin}.{module}" in of_plugins
    assert len(names) < most


def test_the_names_in_the_registry_are_found_where_they_are_said_to_be() -> None:
    registry = installed()
    later = [each.factory for each in (*registry.puzzles.entries, *registry.heuristics.entries)]
    later += [each.render for each in registry.renderers.entries]
    assert sum(isinstance(each, Later) for each in later) > 20
    for each in later:
        if isinstance(each, Later):
            assert callable(each.__wrapped__)


def test_what_is_said_of_parameters_without_an_import_is_true() -> None:
    puzzles = installed().puzzles
    assert puzzles.get("peg").parameters[0].help.startswith(", ".join(BOARDS))
    for name in ("pancakes", "burnt-pancakes"):
        assert puzzles.get(name).parameters[0].help.endswith(f" to {MOST_PANCAKES}")


def test_list(toys: Call) -> None:
    outcome = toys("list")
    assert (outcome.code, outcome.err) == (0, "")
    for word in ["Puzzles", "hoppers", "jugs", TOYS, "idastar", "zero", "stars", "Renderers"]:
        assert word in outcome.out


def test_info(toys: Call) -> None:
    outcome = toys("info", "hoppers")
    assert (outcome.code, outcome.err) == (0, "")
    for word in ["model", "●", "symmetries", "the default", "slow_rules"]:
        assert word in outcome.out
    outcome = toys("info", "costly")
    assert "no: bfs needs unit costs" in outcome.out
    assert "one of 2" in outcome.out
    assert "yes, the default" in outcome.out


def test_run_shows_boards_moves_and_work(toys: Call) -> None:
    outcome = toys("run", "hoppers", "--algo", "iddfs", "-v")
    assert outcome.code == 0
    assert all(line.startswith("iddfs: iteration ") for line in outcome.err_lines)
    for word in ["●   ○   ●", "7 moves, optimal", "iddfs", "expanded", "stored", "bound"]:
        assert word in outcome.out
    outcome = toys("run", "line", "--draw", "--renderer", "stars")
    assert "start   left   left   left" in outcome.out
    assert "***     **     *" in outcome.out
    quiet = toys("run", "line", "--quiet")
    assert quiet.out == "3\n\nleft left left\n\n0\n"


def test_costs_that_are_not_moves(toys: Call) -> None:
    assert "cost 7 in 3 moves, optimal" in toys("run", "costly").out
    assert "2 solutions, cost 7, optimal" in toys("run", "costly", "--all").out
    assert toys("run", "costly", "--all").listed == ["st tg", "st tt2 t2h"]


def test_default_algorithm(toys: Call) -> None:
    def used(*args: str) -> str:
        name = json.loads(toys("run", *args, "--json").out)["algorithm"]
        assert isinstance(name, str)
        return name

    assert used("line") == "astar"
    assert used("jugs") == "bfs"
    assert used("costly") == "ucs"
    assert used("jugs", "--heuristic", "zero") == "astar"


def test_seed_is_told_and_repeats(toys: Call) -> None:
    for draw in [["--random"], ["--scramble", "6"]]:
        first = toys("run", "line", *draw)
        assert len(first.err_lines) == 1
        seed = first.err.split("--seed ")[1].split()[0]
        again = toys("run", "line", *draw, "--seed", seed)
        assert again.err == ""
        assert again.out.split("time")[0] == first.out.split("time")[0]


def test_scramble_walks_back_from_the_goal(toys: Call) -> None:
    outcome = toys("run", "hoppers", "--scramble", "3", "--seed", "2", "--json")
    assert json.loads(outcome.out)["cost"] <= 3
    assert (
        json.loads(toys("run", "line", "--scramble", "0", "--seed", "2", "--json").out)["cost"] == 0
    )


def test_limits_can_be_written_in_many_ways(toys: Call) -> None:
    for option, values in {
        "--max-time": ["10s", "2m", "1h30m", "1.5h", "500ms", "10", "1 min"],
        "--max-memory": ["500MB", "2GiB", "1.5G", "100000", "64k", "1 tb"],
        "--max-expansions": ["100000", "100_000"],
        "--max-cost": ["6"],
    }.items():
        for value in values:
            assert toys("run", "jugs", option, value, "--moves").code == 0


def test_compare(toys: Call) -> None:
    outcome = toys("compare", "6-puzzle")
    assert (outcome.code, outcome.err) == (0, "")
    for word in ["bfs", "bidirectional", "astar", "ucs", "iddfs", "idastar", "stored"]:
        assert word in outcome.out
    rows = compared_rows(toys("compare", "hoppers", "--json").out)
    assert [row["cost"] for row in rows] == [7] * 7
    chosen = toys("compare", "jugs", "--algo", "astar", "--algo", "bfs", "--json")
    assert [row["algorithm"] for row in compared_rows(chosen.out)] == ["astar", "bfs"]
    left_out = toys("compare", "jugs")
    assert "bidirectional left out" in left_out.out


def test_compare_with_heuristics(toys: Call) -> None:
    outcome = toys(
        "compare", "line", "--heuristic", "zero", "--heuristic", "problem", "--algo", "astar",
        "--json",
    )  # fmt: skip
    rows = compared_rows(outcome.out)
    assert [row["heuristic"] for row in rows] == ["zero", "problem"]


def test_an_estimate_that_was_found_too_large_is_no_disagreement(
    toys: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    from searchkit.registry import PuzzleEntry  # noqa: PLC0415

    create = PuzzleEntry.create

    def inadmissible(entry: PuzzleEntry, **values: str) -> object:
        problem = create(entry, **values)
        problem.heuristic = lambda state: {"t2": 90}.get(state, 0)  # type: ignore[method-assign]
        problem.edges = {"s": [("t2", 1), ("g", 9)], "t2": [("g", 1)]}  # type: ignore[attr-defined]
        return problem

    monkeypatch.setattr(PuzzleEntry, "create", inadmissible)
    outcome = toys("compare", "costly")
    assert outcome.code == 0
    assert outcome.err == ""
    assert "9" in outcome.out  # what A* finds, which is not proved optimal


def test_explore(toys: Call) -> None:
    outcome = toys("explore", "jugs")
    assert (outcome.code, outcome.err) == (0, "")
    assert "16 states, the farthest 7 moves away" in outcome.out
    assert "2 farthest states:" in outcome.out
    document = json.loads(toys("explore", "hoppers", "--json").out)
    assert document["states"] == 2344
    assert document["complete"] is True
    few = toys("explore", "hoppers", "--limit", "3")
    assert "10 farthest states, 3 of them shown:" in few.out
    assert "farthest state" not in toys("explore", "jugs", "--limit", "0").out


ENDLESS = ("run", "endless", "-p", "pause=0.01", "--max-time", "2s", "--plugin", TOYS)


class Watched:
    """An endless search of two seconds in a process whose stderr is a terminal."""

    def __init__(self, *options: str) -> None:
        self._ours, theirs = pty.openpty()
        self._process = start_process(*ENDLESS, *options, stderr=theirs)
        os.close(theirs)

    def seen(self) -> bytes:
        """What the terminal was sent, when the process has ended."""
        seen = b""
        with suppress(OSError):  # the other end is closed
            while chunk := os.read(self._ours, 4096):
                seen += chunk
        os.close(self._ours)
        self._process.communicate(timeout=300)
        assert self._process.returncode == 23
        return seen


def test_progress_is_shown_on_a_terminal_alone() -> None:
    """All three run at once: most of the time they wait."""
    piped = start_process(*ENDLESS)
    loud, quiet = Watched(), Watched("--quiet")
    assert piped.communicate(timeout=300)[1] == ""
    assert piped.returncode == 23
    assert b"expanded" in loud.seen()
    assert b"expanded" not in quiet.seen()


def test_no_color_and_columns(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    narrow = call("run", "hoppers", "--algo", "astar", "--draw").out
    assert "\x1b" not in narrow
    assert max(map(len, narrow.splitlines())) <= 40


def test_a_terminal_without_unicode() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "searchkit", "run", "hoppers"],
        capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert (process.returncode, process.stderr) == (0, "")


SIX_PUZZLE_LAYERS = [1, 3, 9, 22, 42, 86, 183, 327, 516, 676, 783, 902, 834, 480, 152, 24]
EIGHT_PUZZLE_LAYERS = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
    10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
]  # fmt: skip


def test_explore_6_puzzle(call: Call) -> None:
    document = json.loads(call("explore", "6-puzzle", "--json").out)
    assert document["layers"] == SIX_PUZZLE_LAYERS
    assert (document["states"], document["depth"]) == (5040, 15)
    farthest = (HERE / "data" / "farthest_6_puzzle.txt").read_text().split()
    assert sorted(document["farthest"]) == sorted(farthest)
    shown = call("explore", "6-puzzle")
    assert "5,040 states, the farthest 15 moves away" in shown.out
    assert "24 farthest states:" in shown.out
    for state in farthest:
        assert state in shown.out


@pytest.mark.slow
def test_explore_8_puzzle(call: Call) -> None:
    document = json.loads(call("explore", "8-puzzle", "--json").out)
    assert document["layers"] == EIGHT_PUZZLE_LAYERS
    assert (document["states"], document["depth"]) == (181440, 31)
    assert sorted(document["farthest"]) == ["647850321", "867254301"]
    assert document["origin"] == "goal"


def test_compare_6_puzzle(call: Call) -> None:
    options = ["6-puzzle", "--max-expansions", "6_000", "--engine", "reference"]
    outcome = call("compare", *options)
    assert (outcome.code, outcome.err) == (0, "")
    assert "gave up (expansions)" in outcome.out
    rows = compared_rows(call("compare", *options, "--json").out)
    costs = {row["algorithm"]: row["cost"] for row in rows}
    assert costs == {
        "bfs": 15, "bidirectional": 15, "astar": 15, "ucs": 15, "iddfs": None, "idastar": 15,
            "bida": 15,
    }  # fmt: skip


def test_a_default_heuristic_alone_makes_a_star_the_default(call: Call) -> None:
    plugin = str(Path(__file__).parents[2] / "examples" / "fast_pancakes.py")
    shown = json.loads(call("run", "--plugin", plugin, "fast-pancakes", "--json").out)
    assert (shown["algorithm"], shown["heuristic"]) == ("astar", "estimate")
    assert shown["statistics"]["expanded"] < 1000
    suits = call("info", "--plugin", plugin, "fast-pancakes").out.splitlines()
    assert [line.split()[0] for line in suits if "yes, the default" in line] == ["astar"]
