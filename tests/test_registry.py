"""Plugins are found, isolated from each other, and named when they collide."""

import types

import pytest

from searchkit import ConflictError, Registry, UnknownNameError, hookimpl


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
    assert registry.puzzles.get("hoppers")


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
    def fail(*_):
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
