"""Whatever the code of a plugin does, one line says whose it is, and the exit code is right."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from searchkit.cli.support.exit_codes import ExitCode
from tests.support.cli_calls import HERE, Call, Outcome

HEAD = """
import sys
import attrs
from searchkit import *; from searchkit.errors import *; from searchkit.certificates import *
from searchkit.running.task import Outcome

def leave(*_):
    {what}

class Walk(Problem):
    def initial_states(self): return [0]
    def successors(self, state): return [Step("go", state + 1)]
    def is_goal(self, state): return state == 2
    def parse(self, text): return int(text)
    def with_start(self, state): return self
    def certificate(self, state): return None
    def random_state(self, rng): return 0
"""
PUZZLE = """
    {part} = leave

@hookimpl
def searchkit_register_puzzles(register):
    register("mine", Walk)
"""

Run = Callable[..., Outcome]


@pytest.fixture
def run(call: Call, tmp_path: Path) -> Run:
    """Call the command line with a plugin of the given text."""

    def run(text: str, *args: str, **more: str) -> Outcome:
        file = tmp_path / "mine.py"
        file.write_text(text)
        return call(*args, "--plugin", str(file), **more)

    return run


PARTS = ["initial_states", "successors", "is_goal", "key", "heuristic", "certificate", "render"]
RAISED = [
    ("sys.exit()", "SystemExit"),
    ("sys.exit(0)", "SystemExit: 0"),
    ("raise GeneratorExit", "GeneratorExit"),
    ("raise type('Mine', (BaseException,), {})('my own')", "Mine: my own"),
    ("raise UsageError('bad')", "UsageError: bad"),
    ("raise SearchkitError('bad')", "SearchkitError: bad"),
    ("raise OSError(28, 'No space')", "OSError: [Errno 28] No space"),
    ("raise BrokenPipeError", "BrokenPipeError"),
]


@pytest.mark.slow_variants("sys.exit()-initial_states")
@pytest.mark.spread
@pytest.mark.parametrize("part", [*PARTS, "format_state", "format_action"])
@pytest.mark.parametrize(("what", "words"), RAISED, ids=[case[0] for case in RAISED])
def test_what_a_puzzle_raises(run: Run, part: str, what: str, words: str) -> None:
    outcome = run(HEAD.format(what=what) + PUZZLE.format(part=part), "run", "mine")
    assert outcome.code == 1
    assert len(outcome.err_lines) == 1
    assert outcome.err.startswith(f"searchkit: error: puzzle mine: Walk failed: {words} at ")
    assert outcome.err.count("mine: ") == 1


def test_a_failing_puzzle_is_sent_to_check(run: Run, call: Call, tmp_path: Path) -> None:
    text = HEAD.format(what="1 / 0") + PUZZLE.format(part="successors")
    told = run(text, "run", "mine").err
    command = told.rpartition("; `searchkit ")[2].removesuffix("` tells more\n")
    assert command == f"check mine --plugin {tmp_path / 'mine.py'}"
    checked = call(*command.split())
    assert checked.code == 1
    assert "ZeroDivisionError" in checked.out
    assert "tells more" not in checked.out + checked.err


def test_a_file_given_as_a_puzzle_is_what_check_is_sent_to(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "my walk.py"
    file.write_text(
        "from searchkit import Problem\n"
        "class Walk(Problem):\n"
        "    def initial_states(self): return [0]\n"
        "    def successors(self, state): raise ValueError('boom')\n"
        "    def is_goal(self, state): return False\n"
    )
    for given in (str(file), f"{file}:Walk"):
        told = call("run", given).err
        command = shlex.split(told.rpartition("; `searchkit ")[2].removesuffix("` tells more\n"))
        assert command == ["check", given]
        checked = call(*command)
        assert (checked.code, "raises ValueError: boom" in checked.out) == (1, True)


@pytest.mark.spread("info-7", "run-lambda state: 1")
@pytest.mark.parametrize("value", ["lambda state: 1", "7", "None"])
@pytest.mark.parametrize("command", ["run", "info", "check"])
def test_a_default_heuristic_that_is_none_is_named(run: Run, value: str, command: str) -> None:
    part = f"def default_heuristic(self): return {value}\n    other"
    outcome = run(HEAD.format(what="pass") + PUZZLE.format(part=part), command, "mine")
    assert outcome.code == 1
    assert "searchkit: bug" not in outcome.err
    told = " ".join((outcome.out + outcome.err).split())
    assert "which is not a Heuristic; a rule that takes a state is the method heuristic" in told
    assert "mine.py:19 in default_heuristic)" in told


@pytest.mark.parametrize("value", ["None", "'many'", "-1", "float('nan')"])
def test_what_is_no_estimate_chooses_no_algorithm(run: Run, value: str) -> None:
    part = f"def heuristic(self, state): return {value}\n    other"
    outcome = run(HEAD.format(what="pass") + PUZZLE.format(part=part), "run", "mine")
    assert (outcome.code, len(outcome.err_lines)) == (1, 1)
    assert "breaks the law heuristics: heuristic problem gives " in outcome.err
    assert "mine.py:19 in heuristic)" in outcome.err


def test_names_that_are_nearly_right(run: Run) -> None:
    text = HEAD.format(what="pass") + PUZZLE.format(part="heuristics")
    outcome = run(text, "run", "mine", "--moves")
    assert outcome.code == 0
    assert outcome.err.startswith("searchkit: warning: puzzle mine: nothing calls heuristics at ")
    assert outcome.err.endswith("; did you mean heuristic?\n")
    assert run(text, "run", "mine", "--quiet").err == ""


@pytest.mark.parametrize(("what", "words"), RAISED[:4], ids=[case[0] for case in RAISED[:4]])
def test_what_a_factory_raises(run: Run, what: str, words: str) -> None:
    text = HEAD.format(what=what) + PUZZLE.format(part="other").replace("Walk)", "leave)")
    outcome = run(text, "run", "mine")
    assert (outcome.code, len(outcome.err_lines)) == (1, 1)
    assert "puzzle mine (from " in outcome.err
    assert words.partition(":")[0] in outcome.err


@pytest.mark.parametrize("part", ["parse", "with_start"])
def test_what_may_refuse_is_bad_input(run: Run, part: str) -> None:
    text = HEAD.format(what="raise UsageError('not this one')") + PUZZLE.format(part=part)
    outcome = run(text, "run", "mine", "--start", "1")
    assert (outcome.code, outcome.err) == (2, "searchkit: error: not this one\n")
    assert run(text.replace("UsageError", "SystemExit"), "run", "mine", "--start", "1").code == 1


HEURISTIC = """
@hookimpl
def searchkit_register_heuristics(register):
    register("h", leave, suits=lambda problem: True)
"""


def test_a_heuristic_factory_that_exits(run: Run) -> None:
    text = HEAD.format(what="sys.exit(0)") + PUZZLE.format(part="other") + HEURISTIC
    outcome = run(text, "run", "mine", "--heuristic", "h")
    assert (outcome.code, len(outcome.err_lines)) == (1, 1)
    assert "puzzle mine" in outcome.err


@pytest.mark.parametrize("what", ["sys.exit(0)", "raise GeneratorExit"])
def test_a_plugin_that_exits_is_left_out(run: Run, what: str) -> None:
    outcome = run(HEAD.format(what=what) + "\nleave()\n", "list")
    assert outcome.code == 0
    assert "cannot be imported" in outcome.err
    assert outcome.err.endswith("; left out\n")


def test_half_a_registration_says_what_is_kept(run: Run) -> None:
    text = HEAD.format(what="pass") + PUZZLE.format(part="other") + "    1 / 0\n"
    outcome = run(text, "run", "mine", "--moves")
    assert (outcome.code, outcome.out) == (0, "go go\n")
    assert outcome.err.endswith("; the rest left out, kept: mine\n")


def test_texts_of_several_lines_stay_on_one(run: Run) -> None:
    text = HEAD.format(what="return 'one\\n  two'") + PUZZLE
    outcome = run(text.format(part="format_action"), "run", "mine", "--all", "--moves")
    assert outcome.lines == ["one two, one two"]
    text = HEAD.format(what="return Certificate('mine', 'one\\n  two')") + PUZZLE
    text = text.replace("state == 2", "False")
    outcome = run(text.format(part="certificate"), "run", "mine", "--moves")
    assert (outcome.code, outcome.err) == (11, "unsolvable: one two\n")


ENGINE = """
@attrs.frozen
class Mine(Algorithm):
    name = "own"
    summary = "of a plugin"
    {option}

def engine(task):
    yield
    return {outcome}

@hookimpl
def searchkit_register_engines(register):
    register(Mine, engine, kind={kind!r})
"""


@pytest.mark.parametrize(
    ("option", "outcome", "kind", "code", "words"),
    [
        ("", "None", "reference", 1, "the engine of own returned None"),
        ("", "Outcome(cost=1)", "reference", 1, "puzzle mine: Walk: the solution cannot be"),
        ("", "Outcome()", "turbo", 1, "own found no solution, but from 0 the goal 2 is 2 steps"),
        ("", "Outcome()", "compiled", 2, "own has a compiled engine only: Walk is not a Packed"),
        ("w: int", "Outcome()", "reference", 2, "own cannot be made as it is"),
    ],
)
def test_engines(run: Run, option: str, outcome: str, kind: str, code: int, words: str) -> None:
    text = HEAD.format(what="pass") + PUZZLE.format(part="other")
    text += ENGINE.format(option=option, outcome=outcome, kind=kind)
    said = run(text, "run", "mine", "--algo", "own")
    assert said.code == code
    assert words in said.err
    assert len(said.err_lines) == (1 if words else 0)
    assert "report this" not in said.err
    if option:
        assert "own left out: own cannot be made" in run(text, "compare", "mine").out
        assert "no: own cannot be made" in " ".join(run(text, "info", "mine").out.split())


LADDER = """
import time
from searchkit import *; from searchkit.errors import *; from searchkit.certificates import *

class Ladder(Problem):
    def initial_states(self): return [0]
    def is_goal(self, state): return state == {rungs}
    def successors(self, state):
        return [Step("left", state + 1), Step("right", state + 1)] if state < {rungs} else []
    def format_action(self, action):
        time.sleep({pause})
        return action

@hookimpl
def searchkit_register_puzzles(register):
    register("mine", Ladder)
"""


def test_counts_of_any_length_are_printed(run: Run) -> None:
    text = LADDER.format(rungs=20_000, pause=0)
    for form in ([], ["--json"]):
        outcome = run(text, "run", "mine", "--algo", "bfs", "--count", "-q", *form)
        assert outcome.code == 0
        assert outcome.err == ""
        assert "39802768403379665923543072061912024537047727804924259387134" in outcome.out
        assert len(max(outcome.lines, key=len)) > 6020


@pytest.mark.parametrize("form", [[], ["--moves"], ["--json"], ["--draw"]])
def test_listing_keeps_to_the_time_limit(run: Run, form: list[str]) -> None:
    text = LADDER.format(rungs=20, pause=0.001)
    outcome = run(text, "run", "mine", "--algo", "bfs", "--all", "--max-time", "500ms", *form)
    assert outcome.code == 23
    assert "left left left" in outcome.out or '"left", "left"' in outcome.out
    if form == ["--json"]:
        assert '"status": "limit reached"' in outcome.out
        assert '"complete": false' in outcome.out
        verified = run(text, "verify", "-", stdin=outcome.out)
        assert (verified.code, verified.err) == (0, "")
    else:
        said = outcome.err if form == ["--moves"] else outcome.out
        assert "of 1,048,576 solutions listed, 20 moves, optimal; gave up at the time" in said


def test_a_worker_names_the_line(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("searchkit.compiled.layers.sorted_files.ALONE", 10)
    plugin = HERE / "plugins" / "heaps.py"
    outcome = call(
        "explore", "wrong-heaps", "--plugin", str(plugin), "--workers", "1", "--max-depth", "5",
        "--checkpoint", str(tmp_path / "table"),
    )  # fmt: skip
    assert outcome.code == ExitCode.GAVE_UP
    outcome = call(
        "explore", "wrong-heaps", "--plugin", str(plugin), "--workers", "2", "--max-depth", "5",
        "--checkpoint", str(tmp_path / "other"),
    )  # fmt: skip
    text = '            raise RuntimeError("six heaps are too many")'
    line = 1 + plugin.read_text().splitlines().index(text)
    assert outcome.code == ExitCode.BUG
    assert f"six heaps are too many at {plugin}:{line} in operators" in outcome.err
    assert len(outcome.err_lines) == 1
