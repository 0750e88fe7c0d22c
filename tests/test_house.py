"""The drawing of the house in docs/design.md is the house: its rooms, their sizes, and that imports
go down. Classes and functions in it stay small."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.sources import statements, tree_of

ROOT = Path(__file__).parent.parent
CORE = ROOT / "searchkit"
FLOORS = [
    re.findall(r"[\w/]+(?:/|\.py)(?=\s|$)", line)
    for line in re.search(
        r"```text\n(plugins/.*?)```", (ROOT / "docs/design.md").read_text(), re.DOTALL
    )[1].splitlines()
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
SURFACE = {"__init__.py", "__main__.py"}
ROOT_FILES = "files at the root"
PAGE = (ROOT / "docs/design.md").read_text()
BUDGETS = {
    room.strip("` "): int(lines.replace(",", ""))
    for room, lines in re.findall(r"([`\w/ ]+) \| ([\d,]+) \|", PAGE.partition("## Algorithms")[0])
}

MOST_METHODS = 40
MOST_BASES = 4
MOST_LINES = 80
MOST_PARAMETERS = 8
PROTOCOL = {"problem", "packed", "capabilities", "heuristic", "pattern_space"}
"""Modules that say what a problem may define; to define much of it is no fault of a class."""


def room_of(path: Path) -> str:
    """The room of a module of the core, as the drawing writes it."""
    parts = path.relative_to(CORE).parts
    if len(parts) == 1:
        return parts[0]
    family = "/".join(parts[:2]) + "/"
    return family if family in FLOOR else parts[0] + "/"


@cache
def modules() -> list[Path]:
    return [
        path
        for path in sorted(CORE.rglob("*.py"))
        if "kernels" not in path.parts and "templates" not in path.parts
    ]


def imported(path: Path) -> set[Path]:
    """The modules of the core that a module imports when it is imported, or for its types."""
    found = set()
    for node in statements(tree_of(path), of_functions=False):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("searchkit"):
            for alias in node.names:
                found |= files_of(f"{node.module}.{alias.name}") or files_of(str(node.module))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found |= files_of(alias.name)
    return found


def files_of(name: str) -> set[Path]:
    path = ROOT / name.replace(".", "/")
    files = (path.with_suffix(".py"), path / "__init__.py")
    return {each for each in files if each.exists() and each.is_relative_to(CORE)}


def test_every_room_is_drawn_and_every_drawn_room_is_there():
    folders = {f"{path.parent.name}/" for path in CORE.glob("*/__init__.py")}
    files = {path.name for path in CORE.glob("*.py")} - SURFACE
    families = {f"compiled/{path.parent.name}/" for path in CORE.glob("compiled/*/__init__.py")}
    others = {"pieces/cosets/", "plugins/", "examples/"}
    assert set(FLOOR) == folders | files | families | others


def test_the_guide_for_contributors_names_every_room():
    guide = (ROOT / "docs/contributing.md").read_text()
    rooms = {path.parent.name for path in CORE.glob("*/__init__.py")}
    assert set(re.findall(r"`searchkit/(\w+)/`", guide.partition("\n## To add ")[0])) == rooms


@pytest.mark.parametrize("room", sorted({room_of(path) for path in modules()}))
def test_imports_go_down(room):
    for path in modules():
        if room_of(path) == room:
            for below in {room_of(other) for other in imported(path)}:
                if not {room, below} & SURFACE and room != below:
                    assert FLOOR[room] < FLOOR[below], f"{path} imports {below}, not below {room}"


@cache
def lines_by_room() -> Counter[str]:
    found: Counter[str] = Counter()
    for path in CORE.rglob("*.py"):
        room = room_of(path)
        found[room if room.endswith("/") else ROOT_FILES] += len(path.read_text().splitlines())
    return found


def test_every_room_has_a_budget():
    assert BUDGETS.keys() == lines_by_room().keys()


@pytest.mark.parametrize("room", sorted(BUDGETS))
def test_rooms_keep_their_budgets(room):
    """Whoever needs more changes the table in docs/design.md, and says why in the commit."""
    assert lines_by_room()[room] <= BUDGETS[room]


Class = tuple[str, str]
"""A module of the core, without `searchkit.`, and the name of a class in it."""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(CORE).with_suffix("").parts).removesuffix(".__init__")


@cache
def trees() -> dict[str, ast.Module]:
    return {module_of(path): tree_of(path) for path in modules()}


@cache
def classes() -> dict[Class, tuple[list[Class], set[str]]]:
    """The bases of each class within the core, and its own methods."""
    return {
        (module, node.name): (
            [origin(module, ast.unparse(base).partition("[")[0]) for base in node.bases],
            {each.name for each in node.body if isinstance(each, ast.FunctionDef)},
        )
        for module, tree in trees().items()
        for node in statements(tree)
        if isinstance(node, ast.ClassDef)
    }


def origin(module: str, name: str) -> Class:
    """Where a name that a module uses comes from."""
    for node in trees()[module].body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("searchkit."):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return str(node.module).removeprefix("searchkit."), alias.name
    return module, name


def above(each: Class) -> Iterator[list[Class]]:
    """The ways from a class up to one that has no base in the core."""
    bases = [base for base in classes()[each][0] if base in classes()]
    for base in bases:
        yield from ([each, *way] for way in above(base))
    if not bases:
        yield [each]


def test_classes_are_read():
    ways = list(above(("packed", "CarriedHeuristic")))
    assert ways == [
        [("packed", "CarriedHeuristic"), ("packed", "PackedHeuristic"), ("heuristic", "Heuristic")]
    ]
    assert len(classes()) > 300


def test_no_class_inherits_through_more_than_four():
    deep = {each for each in classes() for way in above(each) if len(way) > MOST_BASES + 1}
    assert deep == set()


def test_no_class_has_more_than_forty_methods_with_its_bases():
    of_protocol = {
        name
        for (module, _), (_, names) in classes().items()
        if module in PROTOCOL
        for name in names
    }
    large = {}
    for each in classes():
        names = {name for way in above(each) for one in way for name in classes()[one][1]}
        if len(names - of_protocol) > MOST_METHODS:
            large[each] = len(names - of_protocol)
    assert large == {}


def test_no_function_is_longer_than_eighty_lines():
    """Those of kernels are: machine code is made of them, and calls of functions are in the way."""
    long = {
        f"{module}.{node.name}"
        for module, tree in trees().items()
        for node in statements(tree)
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= MOST_LINES
    }
    assert long == set()


def test_no_function_has_more_than_eight_parameters():
    """What belongs together is a record, such as `Engine`. Those of kernels hand over arrays."""
    many = {
        f"{module}.{node.name}": parameters
        for module, tree in trees().items()
        for node in statements(tree)
        if isinstance(node, ast.FunctionDef)
        and (parameters := parameters_of(node)) > MOST_PARAMETERS
    }
    assert many == {}


def parameters_of(function: ast.FunctionDef) -> int:
    """How many parameters a function has, without `self`."""
    given = function.args
    named = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    starred = [each for each in (given.vararg, given.kwarg) if each is not None]
    return len([name for name in named if name not in ("self", "cls")]) + len(starred)
