"""Where numba has no wheels, all answers are the same, and one line says what is missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from searchkit.cli.app import app
from tests.support.cli_calls import runner

ROOT = Path(__file__).parents[2]
WITHOUT = ROOT / "tests" / "support" / "without_numba.py"
NOTE = "searchkit: note: no numba: reference engines, slower"
REFUSED = "searchkit: error: no compiled engine for this problem: numba is not installed"
NEEDED = (
    "searchkit: error: machine code cannot be used here: numba is not installed; "
    "engine='reference', and heuristics whose tables are built, do without"
)
TOO_LARGE = (
    "searchkit: error: numba is not installed: a pattern database of 5,765,760 entries needs "
    "machine code to be built; without, one may have 100,000"
)


@attrs.frozen
class Called:
    """A call, how it must end, what it must say, and its lines on stderr."""

    words: str
    says: str = ""
    errors: tuple[str, ...] = (NOTE,)
    code: int = 0


CALLS = [
    Called("run hoppers --algo iddfs --count", "18 solutions, 7 moves"),
    Called("run hoppers -q", "[0,6]", ()),
    Called("run hoppers --engine reference", "7 moves, optimal", ()),
    Called("run 8-puzzle --start 123450786 --engine checked", "1 move, optimal", ()),
    Called("run jugs.py", "7 moves, optimal"),
    Called("run 8-puzzle --start 123456870", "unsolvable: odd permutation", code=11),
    Called("run 8-puzzle --engine compiled", "", (REFUSED,), 2),
    Called("run jugs.py --engine compiled", "", (REFUSED,), 2),
    Called("explore 6-puzzle --engine compiled", "", (REFUSED,), 2),
    Called("compare 6-puzzle --algo bfs --engine compiled", "", (REFUSED,), 2),
    Called("compare 6-puzzle --algo bfs --algo astar --repeat 1", "15"),
    Called("explore 6-puzzle", "5,040 states"),
    Called("explore 6-puzzle --checkpoint more",
           errors=(NOTE, "searchkit: error: no table can be written: numba is not installed"),
           code=2),
    Called("table layers --state 2154306", "15 moves", ()),
    Called("check 6-puzzle --states 20 --law successors --law keys", "2 laws: 2 hold"),
    Called("check-heuristic 6-puzzle", "admissible: proved for all 5,040 states"),
    Called("info 8-puzzle", "machine code: numba is not installed", ()),
    Called("info jugs.py", "machine code: numba is not installed", ()),
    Called("list", "hoppers", ()),
    Called("play 8-puzzle --start 123450786", "ended after 0 moves"),
    Called("new my-puzzle --single", "my_puzzle.py", ()),
    Called("pdb list", "1.2.3.4.5", ()),
    Called("run 8-puzzle --heuristic pdb:5-3", "31 moves, optimal"),
    Called("run 8-puzzle --algo stages", "moves"),
    Called("pdb build 6-puzzle 3-3", "210 entries", ()),
    Called("pdb build 6-puzzle 4-2 --compressed", "840 entries", ()),
    Called("run 6-puzzle --heuristic pdb:3-3", "15 moves, optimal"),
    Called("pdb build 15-puzzle 6-6-3", "", (TOO_LARGE,), 2),
    Called("pdb build cube3 cosets:2", "", (NEEDED,), 2),
    Called("verify solution.json", "ok: 1 solution verified", ()),
    Called("doctor", "note   compiled   no numba: reference engines, slower", ()),
]  # fmt: skip
SCRIPT = """
import json, sys
from searchkit.cli.app import app
from tests.support.cli_calls import runner
for words in json.load(sys.stdin):
    done = runner().invoke(app, words.split(), input="")
    print(json.dumps([words, done.exit_code, done.stdout, done.stderr]))
assert not any(name.partition(".")[0] in ("numba", "llvmlite") for name in sys.modules)
"""


TESTED = (
    "tests/engines/test_reference_loops.py",
    "tests/engines/test_results.py",
    "tests/sliding/test_sliding_notation.py",
    "tests/test_puzzles.py",
)
"""Tests that ask for no machine code, and so must pass without."""


def run(*words: str, cwd: Path, text: str = "") -> str:
    done = subprocess.run(
        [sys.executable, str(WITHOUT), *words],
        cwd=cwd, env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """How each call ends, all in one process; tables are those that machine code has made."""
    folder = tmp_path_factory.mktemp("calls")
    with pytest.MonkeyPatch.context() as patches:
        patches.setenv("SEARCHKIT_DATA_DIR", str(folder / "data"))
        patches.chdir(folder)
        for words in ("explore 6-puzzle --checkpoint layers -q", "pdb build 8-puzzle 5-3 -q"):
            assert runner().invoke(app, words.split()).exit_code == 0
        solved = runner().invoke(app, ["run", "8-puzzle", "--start", "123450786", "--json"])
        Path("solution.json").write_text(solved.stdout)
        shutil.copy(ROOT / "examples" / "jugs.py", "jugs.py")
        Path("calls.py").write_text(SCRIPT)
        told = run("calls", cwd=folder, text=json.dumps([each.words for each in CALLS]))
    return {words: (code, out, err) for words, code, out, err in map(json.loads, told.splitlines())}


@pytest.mark.parametrize("each", CALLS, ids=lambda each: each.words)
def test_each_command(outcomes: dict[str, tuple[int, str, str]], each: Called) -> None:
    code, out, err = outcomes[each.words]
    notes = (line for line in err.splitlines() if line.startswith("searchkit:"))
    # How long tables take is told where it takes a second, as on a busy machine.
    said = tuple(line for line in notes if not line.startswith("searchkit: note: ") or line == NOTE)
    assert (code, said) == (each.code, each.errors)
    assert each.says in out + err


@pytest.mark.slow
def test_tests_that_need_no_machine_code_pass() -> None:
    options = ("-q", "-n", "0", "-p", "no:cacheprovider", "--tb=short")
    assert " failed" not in run("pytest", *options, *TESTED, cwd=ROOT)
