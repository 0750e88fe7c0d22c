"""Dependencies point one way, no plugin is named in the core, and files stay small."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ROOT / "searchkit"
SOURCES = sorted([*CORE.rglob("*.py"), *(ROOT / "plugins").rglob("*.py")])


def imported_modules(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_sources_are_found():
    assert len(SOURCES) > 30


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_dependencies_point_one_way(path):
    imports = imported_modules(path)
    package = relative(path).split("/")[1] if relative(path).startswith("searchkit/") else ""
    if relative(path).startswith("searchkit/"):
        assert not any(name.startswith("searchkit_") for name in imports)
    else:  # of a plugin: one that has an algorithm may be known to puzzles, and nothing to it
        own = relative(path).split("/")[1]
        plugins = {name.split(".")[0] for name in imports if name.startswith("searchkit_")}
        assert plugins <= ({own} if own == "searchkit_stages" else {own, "searchkit_stages"})
    if package not in {"cli", "__main__.py"}:
        assert not any(name.startswith(("searchkit.cli", "click", "rich")) for name in imports)
    if package != "testing":
        assert not any(name.split(".")[0] in ("pytest", "hypothesis") for name in imports)
        assert not any(name.startswith("searchkit.testing") for name in imports)
    if package == "reference":
        knows = {"solve", "driver", "registry", "explore", "verify", "transforms"}
        assert not any(name.split(".")[1:2] and name.split(".")[1] in knows for name in imports)
    if package == "verify.py":
        assert not any("reference" in name or "solutions" in name for name in imports)


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=relative)
def test_no_plugin_is_named_in_the_core(path):
    assert not re.search(
        r"hoppers|sliding|15-puzzle|solitaire|cube|pancake|top-?spin|stage",
        path.read_text(),
        re.IGNORECASE,
    )


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_files_are_small(path):
    assert len(path.read_text().splitlines()) <= 600
