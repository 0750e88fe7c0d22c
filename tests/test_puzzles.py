"""Puzzles by name, and a method that nothing calls pointed out by `solve`."""

import os
import warnings
from pathlib import Path

import pytest

import searchkit
from searchkit import (
    AStar,
    BreadthFirst,
    ParseError,
    Problem,
    ProblemError,
    Step,
    UnsuitableError,
    UsageError,
    solve,
)
from searchkit.errors import SearchkitWarning, UnknownNameError
from searchkit.explore import explore
from searchkit.packed import ZeroHeuristic
from searchkit.puzzles import with_ends
from searchkit.registry import Registry
from tests.support.honest import Lamps

HANOI = {"plugins": ["examples/hanoi.py"]}


@pytest.fixture(autouse=True)
def in_the_repository(request, monkeypatch):
    monkeypatch.chdir(request.config.rootpath)


def test_start_goal_and_parameters():
    six = searchkit.puzzle("sliding", size="2x3", start="534120", goal="123450")
    start = six.parse("534120")
    assert list(six.initial_states()) == [start]
    assert six.is_goal(six.parse("123450"))
    assert solve(six, BreadthFirst()).cost is not None
    tower = searchkit.puzzle("hanoi", disks=3, pegs="3", **HANOI)
    assert solve(tower, BreadthFirst()).cost == 7


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("8-puzle", {}, UnknownNameError, "did you mean '8-puzzle'?"),
        ("8-puzzle", {"start": "12"}, ParseError, "'12' fills 2 cells"),
        ("8-puzzle", {"goal": "x"}, ParseError, "'x' is not a tile"),
        ("8-puzzle", {"plugins": ["none.py"]}, UsageError, "plugin file 'none.py' does not exist"),
        ("8-puzzle", {"colour": "red"}, UsageError, "colour"),
        ("sliding", {"size": "red"}, UsageError, "red"),
    ],
)
def test_errors_are_one_line(name, options, error, message):
    with pytest.raises(error) as caught:
        searchkit.puzzle(name, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_code_that_fails_is_named(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from searchkit import hookimpl\n"
        "@hookimpl\n"
        "def searchkit_register_puzzles(register):\n"
        "    register('mine', lambda: 1 / 0)\n"
        "    register('other', dict)\n"
    )
    with pytest.raises(ProblemError, match=r"puzzle mine .* cannot be made: ZeroDivisionError"):
        searchkit.puzzle("mine", plugins=[file])
    with pytest.raises(ProblemError, match="is not a Problem"):
        searchkit.puzzle("other", plugins=[file])


def walk(**methods):
    """A problem whose class is new each time, with some more methods."""
    rules = {
        "initial_states": lambda self: [0],
        "successors": lambda self, state: [Step("on", state + 1)],
        "is_goal": lambda self, state: state == 3,
    }
    return type("Walk", (Problem,), {"__module__": "my_puzzle", **rules, **methods})


def test_what_a_puzzle_cannot_do_is_said():
    problem = walk()()
    with pytest.raises(UnsuitableError, match="puzzle walk has a fixed start; give none"):
        with_ends("walk", problem, start="1")
    with pytest.raises(UnsuitableError, match="puzzle walk has a fixed goal; give none"):
        with_ends("walk", problem, goal="1")


def test_states_are_read_as_python_writes_them_where_there_is_no_parse():
    problem = walk(with_start=lambda self, state: [self, state])()
    assert with_ends("walk", problem, start="1") == [problem, 1]
    assert with_ends("walk", problem, start=" -20 ") == [problem, -20]
    for text, why in [("one", "write it as Python does, like 0"), ("'1'", "it is of type str")]:
        with pytest.raises(ParseError, match=f"start .* is not a state of walk: {why}"):
            with_ends("walk", problem, start=text)
    hidden = walk(
        with_start=lambda self, state: self, initial_states=lambda self: [object()],
        successors=lambda self, state: [],
    )()  # fmt: skip
    with pytest.raises(ParseError, match=r"has no parse\(text\), and shows states in a form"):
        with_ends("walk", hidden, start="1")


def test_a_misspelt_capability_is_pointed_out_once_by_solve():
    cls = walk(goal_state=lambda self: [3])
    with pytest.warns(SearchkitWarning, match=r"nothing calls goal_state\b") as seen:
        assert solve(cls(), BreadthFirst()).cost == 3
    assert [each.filename for each in seen] == [__file__]
    assert str(seen[0].message).endswith("did you mean goal_states?")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solve(cls(), BreadthFirst())
        solve(walk(goal_states=lambda self: [3], helper=None, state_goals=None)(), BreadthFirst())


@pytest.mark.parametrize(
    "search", [explore, lambda problem: solve(problem, engine="checked"), solve]
)
def test_each_way_to_search_points_out_where_it_was_called(search):
    cls = type("Mine", (Lamps,), {"__module__": "my_puzzle", "undirectd": True})
    with pytest.warns(
        SearchkitWarning, match="Mine: nothing reads undirectd at .* mean undirected"
    ) as seen:
        search(cls())
    assert [each.filename for each in seen] == [__file__]


def test_a_misspelt_method_of_a_heuristic_is_pointed_out():
    class Mine(ZeroHeuristic):
        def chnge(self, state, control, operator, child):
            return 0

    with pytest.warns(SearchkitWarning, match="Mine: nothing calls chnge at .* mean change"):
        solve(Lamps(), AStar(Mine()))


@pytest.mark.parametrize("name", [each.name for each in Registry.load().puzzles.entries])
def test_no_bundled_puzzle_is_warned_of(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem = searchkit.puzzle(name)
        if problem.costs is searchkit.Costs.UNIT:
            solve(problem, BreadthFirst(), limits=searchkit.Limits(expansions=2))
        assert str(problem).startswith(type(problem).__name__)


def test_what_is_no_definition_is_said_before_it_is_read(tmp_path):
    pipe = tmp_path / "pipe.tws"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match=r"pipe\.tws is not a regular file; give a file"):
        searchkit.puzzle(str(pipe))


PLAIN = """
from searchkit import Problem, Step

class _Way(Problem):
    def initial_states(self):
        return [0]

    def is_goal(self, state):
        return state == self.length

    def successors(self, state):
        return [Step("on", state + 1)]

class Short(_Way):
    "One step."
    length = 1

class Way(_Way):
    def __init__(self, length: int, name="way", *, steps=(1,)):
        self.length = length

class Unfinished(Problem):
    pass
"""


def plain_file(folder, text=PLAIN):
    file = folder / "ways.py"
    file.write_text(text)
    return str(file)


def test_a_python_file_stands_for_the_puzzle_that_it_registers():
    assert str(searchkit.puzzle("examples/knight.py")) == str(
        searchkit.puzzle("knight", plugins=["examples/knight.py"])
    )
    hanoi = searchkit.puzzle("examples/hanoi.py", plugins=["examples/hanoi.py"], disks=2, pegs=3)
    assert solve(hanoi, BreadthFirst()).cost == 3


def test_classes_of_problems_are_the_puzzles_of_a_file_without_hooks(tmp_path):
    file = plain_file(tmp_path)
    assert solve(searchkit.puzzle(f"{file}:Short"), BreadthFirst()).cost == 1
    for length in (5, "5"):
        assert solve(searchkit.puzzle(f"{file}:Way", length=length), BreadthFirst()).cost == 5
    assert solve(searchkit.puzzle("Short", plugins=[file]), BreadthFirst()).cost == 1
    registry = Registry()
    registry.load_file(Path(file))
    short, way = registry.puzzles.entries
    assert (short.name, short.summary, short.parameters) == ("Short", "One step.", [])
    assert [each.name for each in way.parameters] == ["length", "name"]


@pytest.mark.parametrize(
    ("ending", "parameters", "message"),
    [
        ("", {}, r"ways\.py has Short, Way, so say which one: .*ways\.py:Short"),
        (":Unfinished", {}, r"ways\.py has Short, Way, not Unfinished"),
        (":_Way", {}, r"ways\.py has Short, Way, not _Way"),
        (":Way", {}, r"puzzle Way needs length, a whole number; give -p length="),
        (":Way", {"length": "long"}, r"length=long must be a whole number, like 0"),
        (":Way", {"length": 1, "steps": 2}, r"no parameter 'steps'; known: length, name"),
    ],
)
def test_what_is_wrong_with_a_puzzle_of_a_file_is_said(tmp_path, ending, parameters, message):
    with pytest.raises(UsageError, match=message):
        searchkit.puzzle(plain_file(tmp_path) + ending, **parameters)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x =", r"ways\.py:1 cannot be imported: SyntaxError"),
        ("x = 1", r"registers nothing: .*, and no class of problems"),
        (
            PLAIN.replace("length: int", "length: list"),
            r"has a puzzle Way that takes length, which is neither a text nor a number; give it",
        ),
    ],
)
def test_a_file_that_has_no_such_puzzle_says_why(tmp_path, text, message):
    with pytest.raises(UsageError, match=message):
        searchkit.puzzle(plain_file(tmp_path, text) + ":Way", length=1)
    with pytest.raises(UsageError, match=r"nowhere\.py does not exist"):
        searchkit.puzzle("nowhere.py")
