"""Who answers what while rules are translated: the table says so, and nobody asks around it."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import attrs
import pytest

from searchkit.fields.rules import OF_FIELDS
from searchkit.translation import rooms
from searchkit.translation.rooms import OF_OBJECTS, PLAIN, answers
from searchkit.translation.translator import Forms

ROOMS = sorted(Path(rooms.__file__).parent.glob("*.py"))
OPTIONS = {"unpack", "pack", "step_form"}
ROWS = {"entries", "statements", "expressions", "calls", "row_methods", "set_methods"}
NAMES = {
    each.name
    for each in attrs.fields(Forms)
    if each.name not in OPTIONS | ROWS and each.type != "bool"
}


def chains():
    """For each form, the rooms that answer it, the first one first."""
    for name in sorted(NAMES):
        found = [room.__name__.rpartition(".")[2] for room in rooms.ROOMS if name in answers(room)]
        yield name, found[::-1]


CHAINS = [(name, chain) for name, chain in chains() if len(chain) > 1]


def tree_of(room):
    return ast.parse(Path(import_module(f"searchkit.translation.{room}").__file__).read_text())


def handed_on(room, name):
    """The rooms that a function hands on to."""
    [function] = [
        each
        for each in tree_of(room).body
        if isinstance(each, ast.FunctionDef) and each.name == name
    ]
    return {
        ast.unparse(each.value)
        for each in ast.walk(function)
        if isinstance(each, ast.Attribute) and each.attr == name
    } & {each.stem for each in ROOMS}


def test_several_rooms_answer():
    assert len(CHAINS) > 20


@pytest.mark.parametrize(("name", "chain"), CHAINS, ids=[name for name, _ in CHAINS])
def test_each_room_hands_on_to_the_next(name, chain):
    for room, following in zip(chain, [*chain[1:], None], strict=True):
        assert handed_on(room, name) == ({following} if following else set())


def handed_on_to(function):
    """The functions of the same name in other rooms that a function calls."""
    name, space = function.__name__, function.__globals__
    tree = ast.parse(inspect.getsource(function))
    uses = [each for each in ast.walk(tree) if isinstance(each, ast.Attribute)]
    rooms = [space.get(each.value.id) for each in uses if of_room(each, name)]
    return {vars(room)[name] for room in rooms if inspect.ismodule(room)}


def of_room(node, name):
    return node.attr == name and isinstance(node.value, ast.Name)


def answers_of(forms):
    """All that is asked, by name, or by table and row."""
    rows = {(name, key): each for name in ROWS for key, each in getattr(forms, name).items()}
    return {name: getattr(forms, name) for name in NAMES} | rows


@pytest.mark.parametrize(
    ("above", "below"),
    [(OF_FIELDS, OF_OBJECTS), (OF_OBJECTS, PLAIN)],
    ids=["fields", "objects"],
)
def test_nobody_is_passed_over(above, below):
    """What rules on fields hand on goes to those on objects, and from there to plain ones."""
    before = answers_of(below)
    for name, function in answers_of(above).items():
        todo, met = [function] if function is not before.get(name) else [], set()
        while todo:
            for each in handed_on_to(todo.pop()):
                is_above = each.__module__.startswith("searchkit.fields.") or (
                    below is PLAIN and each.__module__ == "searchkit.translation.objects"
                )
                (todo.append if is_above else met.add)(each)
        assert met <= {before.get(name)}, name


def test_a_room_that_has_an_answer_of_its_own_is_asked():
    """A function of the name of a form in a file that is no room would never be called."""
    every = {getattr(forms, name) for forms in (PLAIN, OF_OBJECTS, OF_FIELDS) for name in NAMES}
    chained = {(name, room) for name, chain in CHAINS for room in chain}
    for file in ROOMS:
        module = import_module(f"searchkit.translation.{file.stem}")
        for name in NAMES & vars(module).keys():
            own = vars(module)[name]
            if getattr(own, "__module__", "") == module.__name__ and is_of_translator(own):
                assert own in every or (name, file.stem) in chained, f"{file.stem}.{name}"


def is_of_translator(function):
    code = getattr(function, "__code__", None)
    return code is not None and code.co_varnames[:1] == ("t",)


@pytest.mark.parametrize("node", [ast.stmt, ast.expr])
def test_rows_are_of_syntax(node):
    rows = PLAIN.statements if node is ast.stmt else PLAIN.expressions
    assert rows
    assert all(issubclass(each, node) for each in rows)


def test_methods_are_pythons():
    assert [name for name in PLAIN.set_methods if not hasattr(set, name)] == []
    kinds = (list, tuple, str, import_module("collections").deque)
    assert [n for n in PLAIN.row_methods if not any(hasattr(kind, n) for kind in kinds)] == []
