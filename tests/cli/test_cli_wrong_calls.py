"""Wrong calls: one line on stderr that names what is wrong, the right code, no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli_calls import TOYS, Call

WRONG: list[tuple[str, int, str]] = [
    # commands and options
    ("rnu hoppers", 2, "no command 'rnu' did you mean 'run'"),
    ("frobnicate", 2, "no command 'frobnicate'"),
    ("--frobnicate", 2, "--frobnicate"),
    ("run", 2, "PUZZLE"),
    ("run hoppers more", 2, "more"),
    ("run hoppers --al", 2, "--al"),
    ("run hoppers --algo", 2, "--algo argument"),
    ("verify", 2, "FILE"),
    # names
    ("run hopers", 2, "'hopers' did you mean 'hoppers'"),
    ("run 8-puzzle 123456870", 2, "(123456870) a start is given by --start"),
    ("run Hoppers", 2, "'Hoppers' 'hoppers'"),
    ("info chess", 2, "'chess' known"),
    ("explore chess", 2, "'chess'"),
    ("compare chess", 2, "'chess'"),
    ("run hoppers --algo idastr", 2, "algorithm 'idastr' did you mean 'idastar'"),
    ("compare hoppers --algo bsf", 2, "algorithm 'bsf' did you mean 'bfs'"),
    ("run hoppers --heuristic zeroo", 2, "heuristic 'zeroo' did you mean 'zero'"),
    ("run hoppers --algo bfs --heuristic zero", 2, "bfs uses no heuristic astar"),
    ("run line --renderer starz", 2, "renderer 'starz' did you mean 'stars'"),
    ("run jugs --renderer stars", 2, "renderer 'stars'"),
    (f"list --plugin {'X' * 300}", 2, "plugin file does not exist"),
    # parameters
    ("run jugs --param a", 2, "'a' name=value"),
    ("run jugs --param =3", 2, "'=3' name=value"),
    ("run jugs -p a=1 -p a=2", 2, "'a' twice"),
    ("run jugs -p c=1", 2, "jugs 'c' known: a, b, want"),
    ("run jugs -p a=many", 2, "jugs a=many many"),
    ("run hoppers -p model=wrong", 2, "wrong chain"),
    ("run hoppers -p size=3", 2, "hoppers 'size'"),
    # boards and texts
    ("run line --start abc", 2, "start 'abc' line"),
    ("run line --goal abc", 2, "goal 'abc' line"),
    ("run jugs --start 1", 2, "jugs fixed start"),
    ("run jugs --goal 1", 2, "jugs fixed goal"),
    ("run jugs --random", 2, "jugs fixed start"),
    ("run jugs --scramble 3", 2, "jugs fixed start"),
    ("run hoppers --start xyz", 2, "xyz"),
    ("run hoppers --start ooo", 2, "ooo"),
    ("run hoppers --goal ooo/oo/o.o/oo/oooo", 2, "ooo/oo/o.o/oo/oooo"),
    ("run hoppers --scramble 100 --seed 1", 2, "100 dead ends"),
    ("run 8-puzzle --start 12345687", 2, "'12345687' 9"),
    ("run 8-puzzle --start 1234568709", 2, "'9'"),
    ("run 8-puzzle --start 123456880", 2, "8 twice '123456880'"),
    ("run 8-puzzle --start 12345678x", 2, "x"),
    ("run 8-puzzle --goal 1", 2, "'1'"),
    ("run sliding -p size=1x9", 2, "1x9"),
    ("run sliding -p size=big", 2, "big"),
    ("run 8-puzle", 2, "did you mean '8-puzzle'"),
    ("run 8-puzzle --boards x.txt --plot x.svg", 2, "--boards --plot exclude each other"),
    # numbers
    ("run hoppers --max-time soon", 2, "--max-time 'soon' 10s"),
    ("run hoppers --max-time -3s", 2, "--max-time '-3s'"),
    ("run hoppers --max-time 5y", 2, "--max-time '5y'"),
    ("run hoppers --max-memory lots", 2, "--max-memory 'lots' 500MB"),
    ("run hoppers --max-memory 1.2.3MB", 2, "--max-memory '1.2.3MB'"),
    ("run hoppers --max-expansions x", 2, "--max-expansions 'x' whole number"),
    ("run hoppers --max-expansions -1", 2, "--max-expansions -1"),
    ("run hoppers --max-cost 1.5", 2, "--max-cost '1.5'"),
    ("run hoppers --limit 0", 2, "--limit 0 1 or more"),
    ("run line --scramble -4", 2, "--scramble -4"),
    ("run line --random --seed x", 2, "--seed 'x'"),
    ("run line --random --seed ٣", 2, "--seed '٣' whole number"),
    ("run line --random --seed 1__0", 2, "--seed '1__0' whole number"),
    ("run hoppers --max-time ５s", 2, "--max-time '５s'"),
    ("run hoppers --max-memory ５MB", 2, "--max-memory '５MB'"),
    ("run line --scramble 99999999999", 2, "--scramble too large 10,000,000"),
    (f"run line --random --seed {'9' * 5000}", 2, "--seed too large"),
    ("run hoppers --algo beam -o width=0", 2, "width 0 whole number 1 or more"),
    ("run hoppers --algo beam -o width=-1", 2, "width is -1"),
    ("run hoppers --algo iddfs -o cycles=no", 2, "cycles 'no' 'auto' 'path' 'parent'"),
    # heuristics
    ("run 8-puzzle --heuristic max(zero,,zero)", 2, "leaves a heuristic out max(a,b)"),
    ("run 8-puzzle --heuristic max(zero)", 2, "max(a,b)"),
    ("run 8-puzzle --heuristic pdb", 2, "'pdb' pdb:6-6-3"),
    ("run 8-puzzle --heuristic=", 2, "no name"),
    ("run 8-puzzle --heuristic foo", 2, "'foo' manhattan auto pdb: max(a,b)"),
    ("run line --seed 5", 2, "--seed --random"),
    # options that exclude each other
    ("run line --start 1 --random", 2, "--start --random exclude"),
    ("run line --random --scramble 3", 2, "--random --scramble exclude"),
    ("explore line --start 1 --scramble 0", 2, "--start --scramble exclude"),
    ("run hoppers --all --count", 2, "--all --count exclude"),
    ("run hoppers --all --limit 3", 2, "--all --limit exclude"),
    ("run hoppers --moves --draw", 2, "--moves --draw exclude"),
    ("run hoppers --json --draw", 2, "--json --draw exclude"),
    ("run hoppers --count --moves", 2, "--count --moves exclude"),
    ("run hoppers --symmetry some", 2, "--symmetry 'some' auto none"),
    # what does not fit together
    ("run jugs --algo bidirectional", 2, "bidirectional goal_states"),
    ("run costly --algo bfs", 2, "bfs unit costs"),
    ("compare costly --algo astar --algo bfs", 2, "bfs unit costs"),
    ("explore costly", 2, "explore unit costs"),
    ("explore jugs --from goal", 2, "goal_states"),
    # puzzles whose own code fails
    ("run raising", 1, "puzzle raising IndexError the toy is broken toys.py"),
    ("run raising -p part=is_goal", 1, "puzzle raising IndexError"),
    ("run raising -p part=heuristic", 1, "puzzle raising IndexError"),
    ("run raising -p part=initial_states", 1, "puzzle raising IndexError"),
    ("run raising -p part=render", 1, "puzzle raising IndexError"),
    ("run raising -p part=format_action", 1, "puzzle raising IndexError"),
    ("run raising -p part=parse --start 1", 1, "puzzle raising IndexError"),
    ("run raising -p part=random_state --random --seed 1", 1, "puzzle raising IndexError"),
    ("run raising -p part=certificate", 1, "puzzle raising IndexError"),
    ("explore raising", 1, "puzzle raising IndexError"),
    ("compare raising", 1, "puzzle raising IndexError"),
    ("info raising -p part=render", 1, "puzzle raising IndexError"),
    ("run failing-factory", 1, "failing-factory toys.py KeyError"),
    ("run no-problem", 1, "no-problem 42"),
    ("run line --heuristic no-heuristic", 1, "no-heuristic toys.py 0"),
    # files
    ("verify nowhere.json", 2, "nowhere.json No such file"),
    ("verify .", 2, "directory"),
    ("list --plugin nowhere.py", 2, "nowhere.py does not exist"),
    ("--plugin nowhere.py list", 2, "nowhere.py does not exist"),
    ("list --plugin .", 2, "is not a regular file"),
    ("list --plugin /dev/null", 2, "/dev/null is not a regular file"),
]


@pytest.mark.parametrize(("line", "code", "words"), WRONG, ids=[case[0] for case in WRONG])
def test_wrong_call(toys: Call, line: str, code: int, words: str) -> None:
    outcome = toys(*line.split())
    assert outcome.code == code
    assert len(outcome.err_lines) == 1
    assert outcome.err.startswith("searchkit: error: ")
    assert "Traceback" not in outcome.out + outcome.err
    for word in words.split():
        assert word in outcome.err


def test_there_are_many() -> None:
    assert len(WRONG) >= 30


HOOK = "import searchkit\n\n@searchkit.hookimpl\n"
BROKEN: list[tuple[str, str, str]] = [
    ("syntax", "def f(:\n", "cannot be imported SyntaxError"),
    ("import", "import no_such_module_anywhere\n", "cannot be imported no_such_module_anywhere"),
    ("raises", "raise ValueError('two\\nlines')\n", "cannot be imported two lines"),
    ("nothing", "x = 1\n", "registers nothing hookimpl"),
    ("binary", "\0\0", "cannot be imported"),
    (
        "signature",
        f"{HOOK}def searchkit_register_puzzles(registrar): pass\n",
        "must be called register",
    ),
    (
        "hook raises",
        f"{HOOK}def searchkit_register_puzzles(register): 1 / 0\n",
        "searchkit_register_puzzles ZeroDivisionError",
    ),
    (
        "name",
        f"{HOOK}def searchkit_register_puzzles(register): register('a b', int)\n",
        "'a b'",
    ),
    (
        "no factory",
        f"{HOOK}def searchkit_register_puzzles(register): register('a', 7)\n",
        "factory 7",
    ),
]


@pytest.mark.spread
@pytest.mark.parametrize(("text", "words"), [case[1:] for case in BROKEN],
                         ids=[case[0] for case in BROKEN])  # fmt: skip
@pytest.mark.parametrize("command", ["list", "run jugs", "info line", "explore jugs"])
def test_broken_plugin_is_left_out(
    toys: Call, tmp_path: Path, command: str, text: str, words: str
) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    outcome = toys(*command.split(), "--plugin", str(file))
    assert outcome.code == 0
    assert len(outcome.err_lines) == 1
    assert outcome.err.startswith(f"searchkit: warning: plugin {file}")
    assert outcome.err.endswith("; left out\n")
    assert "Traceback" not in outcome.out + outcome.err
    for word in words.split():
        assert word in outcome.err
    assert outcome.out


@pytest.mark.parametrize(("text", "words"), [case[1:] for case in BROKEN],
                         ids=[case[0] for case in BROKEN])  # fmt: skip
def test_its_puzzle_is_missing_in_one_line(
    call: Call, tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    outcome = call("run", "mine", "--plugin", str(file))
    assert outcome.code == 2
    assert len(outcome.err_lines) == 1
    assert outcome.err.startswith(f"searchkit: error: plugin {file}")
    assert "; no puzzle named 'mine'" in outcome.err
    for word in [str(file), *words.split()]:
        assert word in outcome.err


def test_a_method_that_lacks_is_looked_for_among_misspelt_ones(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from searchkit import Problem\n\n\nclass Mine(Problem):\n"
        "    def initial_states(self): return [0]\n"
        "    def sucessors(self, state): return []\n"
        "    def is_goal(self, state): return True\n"
    )
    outcome = call("run", str(file))
    assert outcome.code == 1
    (line,) = outcome.err_lines
    assert "class Mine lacks successors" in line
    assert f"defines sucessors at {file}:6" in line
    assert "did you mean successors?" in line


TWO_UPS = """
from searchkit import Problem, Step


class Stairs(Problem):
    def initial_states(self):
        return [0]

    def successors(self, state):
        yield Step("up", state + 1)
        yield Step("up", state + 2)
        yield Step("down", state - 1)
        yield Step("down", state - 1)

    def is_goal(self, state):
        return state == GOAL
"""


def test_moves_that_do_not_tell_a_solution_are_pointed_out(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "stairs.py"
    file.write_text(TWO_UPS.replace("GOAL", "3"))
    outcome = call("run", str(file), "--moves", "--quiet")
    assert outcome.code == 0
    assert outcome.out == "up up\n"
    (line,) = outcome.err_lines
    assert "the moves are ambiguous: step 1 of the solution, up," in line
    file.write_text(TWO_UPS.replace("GOAL", "-2"))
    outcome = call("run", str(file), "--moves", "--quiet")
    assert (outcome.out, outcome.err) == ("down down\n", "")


def test_a_plugin_file_wins_over_what_is_installed(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"{HOOK}def searchkit_register_puzzles(register):\n"
        "    from searchkit_peg import hoppers\n"
        "    register('8-puzzle', hoppers, summary='developed here')\n"
    )
    for words in (["run", str(file)], ["run", "8-puzzle", "--plugin", str(file)]):
        outcome = call(*words, "--moves")
        assert outcome.code == 0
        assert outcome.out.startswith("[")


def test_same_name_in_two_plugins(toys: Call, tmp_path: Path) -> None:
    file = tmp_path / "twin.py"
    file.write_text(f"{HOOK}def searchkit_register_puzzles(register): register('jugs', int)\n")
    outcome = toys("run", "jugs", "--plugin", str(file))
    assert outcome.code == 2
    assert len(outcome.err_lines) == 1
    assert "'jugs' is registered twice" in outcome.err
    assert TOYS in outcome.err
    assert str(file) in outcome.err
    assert toys("run", "line", "--plugin", str(file)).code == 0


def test_debug_shows_the_traceback(toys: Call) -> None:
    outcome = toys("run", "raising", "--debug")
    assert outcome.code == 1
    assert "Traceback" in outcome.err
    assert outcome.err_lines[-1].startswith("searchkit: error: puzzle raising")
