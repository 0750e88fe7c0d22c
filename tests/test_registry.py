"""Plugins are found, isolated from each other, and named when they collide."""

import subprocess
import sys
import types
from typing import Protocol

import numpy as np
import pytest

from searchkit import (
    Algorithm,
    PackedProblem,
    Parameter,
    Problem,
    UnsuitableError,
    UsageError,
    hookimpl,
    solve,
)
from searchkit.authors.blame import blaming
from searchkit.engine import Engine
from searchkit.errors import ConflictError, UnknownNameError
from searchkit.premises.near_misses import near_misses
from searchkit.puzzles import find_puzzle
from searchkit.registry import PuzzleEntry, Registry
from searchkit.running.task import Outcome
from searchkit.solve_many import solve_many
from tests.support.row_sorting import SORTED, RowSorting


def plugin(**hooks):
    module = types.ModuleType("a_plugin")
    for name, function in hooks.items():
        setattr(module, name, hookimpl(function))
    return module


def file_with(tmp_path, text):
    path = tmp_path / "plugin_file.py"
    path.write_text(text)
    return path


def test_bundled_puzzles_come_through_entry_points():
    registry = Registry.load()
    assert registry.problems == []
    names = {entry.name: entry.origin for entry in registry.puzzles.entries}
    assert {"6-puzzle", "8-puzzle", "15-puzzle", "sliding", "hoppers"} <= set(names)
    assert "searchkit_peg" in names["hoppers"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import sys\nsys.exit(3)", "SystemExit"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("class Mine(BaseException): pass\nraise Mine", "Mine"),
        ("def f(:", "SyntaxError"),
        ("import not_a_module_of_anyone", "ModuleNotFoundError"),
        ("x = 1", "hookimpl"),
    ],
)
def test_a_broken_file_is_one_line_and_the_rest_goes_on(tmp_path, text, words):
    registry = Registry.load([file_with(tmp_path, text)])
    (problem,) = registry.problems
    assert words in problem.message
    assert "\n" not in problem.message
    assert "plugin_file.py" in problem.origin
    line = "" if "hookimpl" in words else f":{text.count(chr(10)) + 1}"
    assert str(problem).startswith(f"plugin {problem.origin}{line} ")
    with pytest.raises(UnknownNameError, match=r"^plugin .*plugin_file\.py.* no puzzle named"):
        find_puzzle(registry, "no-such-puzzle")
    assert registry.puzzles.get("hoppers")


@pytest.mark.parametrize("classes", [None, []])
def test_of_a_file_alone_it_is_said_that_it_has_no_class_of_problems(classes):
    """Those of an installed package are not looked at."""
    registry = Registry()
    registry.add_plugin(plugin(), "here", classes)
    (problem,) = registry.problems
    assert "registers nothing: it has no function marked with @" in problem.message
    assert problem.message.endswith(", and no class of problems") == (classes is not None)


def test_a_hook_that_fails_half_way_keeps_what_it_registered():
    def searchkit_register_puzzles(register):
        register("first", lambda: None)
        register("second of two words", lambda: None)

    registry = Registry()
    registry.add_plugin(plugin(searchkit_register_puzzles=searchkit_register_puzzles), "here")
    assert registry.puzzles.get("first")
    (problem,) = registry.problems
    assert "second of two words" in problem.message
    assert problem.kept == ("first",)


@pytest.mark.parametrize(
    "name", ["--all", "-x", "", " ", "a b", "a\nb", "bell\a", "\x1b[31mred", "a\u200bb", 7, None]
)
def test_names_that_are_no_words_are_refused(name):
    hooks = {"searchkit_register_puzzles": lambda register: register(name, lambda: None)}
    registry = Registry()
    registry.add_plugin(plugin(**hooks), "here")
    assert registry.puzzles.entries == []
    (problem,) = registry.problems
    assert "is not a word" in problem.message
    assert problem.message.isprintable()
    assert problem.kept == ()


class Custom(BaseException):
    """Neither an Exception nor one of Python's own."""


@pytest.mark.parametrize("error", [SystemExit(0), GeneratorExit(), Custom("mine")], ids=repr)
@pytest.mark.parametrize("place", ["hook", "suits"])
def test_no_exception_of_a_plugin_gets_out(error, place):
    def fail(register):
        raise error

    hooks = {"searchkit_register_puzzles": fail}
    if place == "suits":
        hooks = {"searchkit_register_heuristics": lambda register: register("h", fail, suits=fail)}
    registry = Registry()
    registry.add_plugin(plugin(**hooks), "here")
    registry.heuristics.suiting(object())
    (problem,) = registry.problems
    assert type(error).__name__ in problem.message


def test_two_puzzles_of_one_name_are_an_error_that_names_both():
    registry = Registry()
    for origin in ("this one", "that one"):
        hooks = {"searchkit_register_puzzles": lambda register: register("twin", lambda: None)}
        registry.add_plugin(plugin(**hooks), origin)
    with pytest.raises(ConflictError, match="this one and that one"):
        registry.puzzles.get("twin")


def test_suits_that_fails_is_noted_and_left_out():
    def searchkit_register_heuristics(register):
        register("bad", lambda problem: None, suits=lambda problem: problem.nothing)

    registry = Registry.load()
    hooks = {"searchkit_register_heuristics": searchkit_register_heuristics}
    registry.add_plugin(plugin(**hooks), "here")
    hoppers = registry.puzzles.get("hoppers").create()
    assert registry.heuristics.get("regions", hoppers)
    with pytest.raises(UnknownNameError, match="bad"):
        registry.heuristics.get("bad", hoppers)
    (problem,) = registry.problems
    assert "suits" in problem.message
    assert "bad" in problem.message


class Nothing(Problem):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return []

    def is_goal(self, state):
        return True


def loaded(**functions):
    """What is wrong with a plugin of these functions, which are not marked."""
    module = types.ModuleType("a_plugin")
    vars(module).update(functions)
    registry = Registry()
    registry.add_plugin(module, "here")
    return registry


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        (
            {"searchkit_register_puzzle": hookimpl(lambda register: None)},
            (
                "defines searchkit_register_puzzle, which is not a hook; did you mean "
                "searchkit_register_puzzles?"
            ),
        ),
        (
            {"searchkit_register_heuristic": lambda register: None},
            (
                "defines searchkit_register_heuristic, which is not a hook; did you mean "
                "searchkit_register_heuristics?"
            ),
        ),
        (
            {"searchkit_register_puzzles": lambda register: None},
            "defines searchkit_register_puzzles without @searchkit.hookimpl; mark it with that",
        ),
        (
            {"searchkit_register_puzzles": hookimpl(lambda reg: None)},
            (
                "defines searchkit_register_puzzles(reg), but a hook has one argument, and that "
                "must be called register"
            ),
        ),
        (
            {"searchkit_register_puzzles": hookimpl(lambda: None)},
            (
                "defines searchkit_register_puzzles(), but a hook has one argument, and that must "
                "be called register"
            ),
        ),
    ],
)
def test_misspelt_hooks(functions, message):
    (problem,) = loaded(**functions).problems
    assert problem.message == message


def test_a_misspelt_hook_does_not_take_the_others_along():
    registry = loaded(
        searchkit_register_puzzles=hookimpl(lambda register: register("fine", lambda: None)),
        searchkit_register_renderer=hookimpl(lambda register: None),
    )
    assert registry.puzzles.get("fine")
    (problem,) = registry.problems
    assert "did you mean searchkit_register_renderers" in problem.message
    assert problem.kept == ("fine",)


@pytest.mark.parametrize(
    ("factory", "parameters", "message"),
    [
        (Nothing(), [], "the factory of puzzle p is a problem; give what makes one"),
        (Nothing, Parameter("size", 3), "are not a list"),
        (Nothing, ["size"], "'size'; each must be a Parameter"),
        (Nothing, [Parameter("size", 3), Parameter("size", 4)], "two parameters named size"),
    ],
)
def test_puzzles_that_cannot_be_registered(factory, parameters, message):
    hook = hookimpl(lambda register: register("p", factory, parameters=parameters))
    (problem,) = loaded(searchkit_register_puzzles=hook).problems
    assert message in problem.message


@pytest.mark.parametrize(
    ("default", "given", "value"),
    [
        (3, "12", 12),
        (3, " -4 ", -4),
        (3, 5, 5),
        (0.5, "2", 2.0),
        (0.5, "1e3", 1000.0),
        (True, "no", False),
        (False, "True", True),
        ("a", "7", "7"),
        ("a", 7, "7"),
    ],
)
def test_values_have_the_type_of_the_default(default, given, value):
    found = Parameter("it", default).value(given)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("default", "given"),
    [(3, "x"), (3, ""), (3, "1.5"), (3, "1_000"), (3, "²"), (3, "9" * 31), (3, 2.5),
     (0.5, "nan"), (0.5, "1e999"), (True, "maybe"), (True, "1")],
)  # fmt: skip
def test_other_values_are_refused(default, given):
    entry = PuzzleEntry("p", lambda it: Nothing(), "", (Parameter("it", default),), "here")
    with pytest.raises(UsageError, match=r"puzzle p: parameter it=.* must be .*, like "):
        entry.create(it=given)


@pytest.mark.parametrize("default", ["3", "-1", "0.5", "1e6"])
def test_a_default_that_reads_as_a_number_is_no_text(default):
    with pytest.raises(UsageError, match="is a text that reads as a number; write"):
        Parameter("size", default)
    assert Parameter("size", default, text=True).value("4") == "4"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "max size", "default": 3}, "cannot be the name of an argument"),
        ({"name": "size", "default": None}, "give a text, an int, a float or a bool"),
        ({"name": "size", "default": 3, "text": True}, "is a text, but its default 3 is not"),
    ],
)
def test_parameters_that_make_no_sense(options, message):
    with pytest.raises(UsageError, match=message):
        Parameter(**options)


class HasShortcuts(Protocol):
    def shortcut_plans(self): ...


def new_algorithm():
    """An algorithm that no other test knows."""

    class Teleport(Algorithm):
        name = "teleport"
        summary = "is there at once"
        capabilities = (HasShortcuts,)

        def check(self, problem):
            if not isinstance(problem, PackedProblem):
                raise UnsuitableError("teleport needs a pad")

    return Teleport


def reference(task):
    yield
    return Outcome()


def many(problem, algorithm, starts):
    """One-step solutions of rows that are sorted but for a swap; none of others."""

    def solved(some):
        paths = [[start, SORTED] if start else [] for start in some]
        begins = np.cumsum([0, *map(len, paths)])
        return np.array([state for path in paths for state in path], dtype=np.int64), begins

    return solved


def with_engines(algorithm, **engines):
    def searchkit_register_engines(register):
        for kind, engine in engines.items():
            register(algorithm, engine, kind=kind)

    registry = Registry()
    registry.add_plugin(plugin(searchkit_register_engines=searchkit_register_engines), "here")
    assert registry.problems == []
    return registry


def test_an_algorithm_with_several_engines_is_listed_once():
    registry = with_engines(new_algorithm(), reference=reference, compiled=reference, many=many)
    assert registry.algorithms.get("teleport").origin == "here"


def test_an_engine_for_many_starts_is_for_them_alone():
    algorithm = new_algorithm()
    with_engines(algorithm, many=many)
    swapped = RowSorting(SORTED).successors(SORTED)[0].state
    found = solve_many(RowSorting(), [swapped, 0], algorithm(), engine=Engine(threads=2))
    assert found.costs.tolist() == [1, -1]
    assert found[0].actions == ("swap 0",)
    with pytest.raises(UnsuitableError, match="no engine is registered"):
        found[1]  # nothing tells why it has no solution
    with pytest.raises(UnsuitableError, match="no engine is registered"):
        solve(RowSorting(), algorithm())


def test_what_an_algorithm_of_a_plugin_refuses_is_not_a_failure_of_the_problem():
    algorithm = new_algorithm()
    with_engines(algorithm, reference=reference)
    with pytest.raises(UnsuitableError, match="a pad"), blaming(Nothing()):
        algorithm().check(Nothing())


def test_a_misspelt_capability_of_a_plugin_is_pointed_out():
    class Mine(Nothing):
        def shortcut_plan(self): ...

    with_engines(new_algorithm(), reference=reference)
    assert list(near_misses(Mine)) == [("shortcut_plan", "shortcut_plans")]


def test_engines_of_an_installed_plugin_are_found_without_a_registry():
    said = run_python(
        "from searchkit import solve; from searchkit_sliding import six_puzzle; "
        "from searchkit_stages import Stages; print(solve(six_puzzle(), Stages()).cost)"
    )
    assert said == "15\n"


@pytest.mark.parametrize("how", ["None", "types.ModuleType('searchkit_stages')"])
def test_sliding_puzzles_do_without_the_plugin_of_stages(how):
    said = run_python(
        f"import sys, types; sys.modules['searchkit_stages'] = {how}; "
        "from searchkit import AStar, solve; from searchkit.registry import Registry; "
        "registry = Registry.load(); "
        "print(len(registry.problems), solve(registry.puzzles.get('8-puzzle').create(), "
        "AStar()).cost, 'stages' in [each.name for each in registry.algorithms.entries])"
    )
    assert said == "1 31 False\n"


def run_python(code):
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout


def test_packages_list_what_they_import_later():
    """Completion and `help` know every name, though a new process has imported few of them."""
    code = (
        "from importlib import import_module\n"
        "for name in ('searchkit', 'searchkit_peg', 'searchkit_sliding', 'searchkit_cube'):\n"
        "    package = import_module(name)\n"
        "    assert set(package.__all__) <= set(dir(package)), name\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
