"""The drawing of the house in docs/design.md is the house: its rooms, and that imports go down."""

import ast
import re
from pathlib import Path

import pytest

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


def room_of(path: Path) -> str:
    """The room of a module of the core, as the drawing writes it."""
    parts = path.relative_to(CORE).parts
    if len(parts) == 1:
        return parts[0]
    family = "/".join(parts[:2]) + "/"
    return family if family in FLOOR else parts[0] + "/"


def modules() -> list[Path]:
    return [
        path
        for path in sorted(CORE.rglob("*.py"))
        if "kernels" not in path.parts and "templates" not in path.parts
    ]


def imported(path: Path) -> set[Path]:
    """The modules of the core that a module imports when it is imported, or for its types."""
    found = set()
    todo: list[ast.AST] = [ast.parse(path.read_text())]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("searchkit"):
            for alias in node.names:
                found |= files_of(f"{node.module}.{alias.name}") or files_of(str(node.module))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found |= files_of(alias.name)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo += ast.iter_child_nodes(node)
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


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(CORE)))
def test_imports_go_down(path):
    room = room_of(path)
    for other in imported(path):
        below = room_of(other)
        if {room, below} & SURFACE or room == below:
            continue
        assert FLOOR[room] < FLOOR[below], f"{room} imports {below}, which does not lie below it"
