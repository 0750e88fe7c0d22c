"""Dependencies point one way, no plugin is named in the core, and few names are at the top."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import searchkit
from tests.support.sources import statements, tree_of

ROOT = Path(__file__).parent.parent
CORE = ROOT / "searchkit"
SOURCES = sorted([*CORE.rglob("*.py"), *(ROOT / "plugins").rglob("*.py")])
FOLDERS = sorted({path.parent for path in SOURCES})


def imported_modules(path: Path) -> set[str]:
    names = set()
    for node in statements(tree_of(path)):
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


@pytest.mark.parametrize("folder", FOLDERS, ids=relative)
def test_dependencies_point_one_way(folder):
    for path in sorted(folder.glob("*.py")):
        keeps_the_direction(path)


def keeps_the_direction(path: Path) -> None:
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


def test_no_plugin_is_named_in_the_core():
    names = re.compile(
        r"hoppers|sliding|15-puzzle|solitaire|cube|pancake|top-?spin|stage", re.IGNORECASE
    )
    naming = [relative(path) for path in CORE.rglob("*.py") if names.search(path.read_text())]
    assert naming == []


LISTING = [path for path in CORE.rglob("__init__.py") if "__all__" in path.read_text()]


@pytest.mark.parametrize("path", sorted(LISTING), ids=relative)
def test_packages_have_what_they_list(path):
    """Names that come from modules when they are asked for, too."""
    package = import_module(relative(path).removesuffix("/__init__.py").replace("/", "."))
    assert [name for name in package.__all__ if not hasattr(package, name)] == []


def test_few_names_are_at_the_top():
    assert len(searchkit.__all__) == len(set(searchkit.__all__)) <= 41


def test_the_page_of_the_library_lists_what_is_public():
    """Modules at the root are public, and `searchkit` exports what the page shows."""
    page = (ROOT / "docs/reference/api.md").read_text()
    rows = "".join(line for line in page.splitlines() if line.startswith("- `searchkit."))
    roots = {path.stem for path in CORE.glob("*.py")} - {"__init__", "__main__"}
    assert set(re.findall(r"`searchkit\.(\w+)`", rows)) == roots
    shown = re.findall(r"^::: (searchkit\.[\w.]+)$", page, re.MULTILINE)
    whole = {name for name in shown if name in MODULES}
    listed = {name.rpartition(".")[2] for name in shown}
    for name in searchkit.__all__:
        of_module = getattr(getattr(searchkit, name), "__module__", "")
        assert name in listed or of_module in whole, f"{name} is not on the page"
    ours = {name for name in shown if name.count(".") == 1} - MODULES.keys()
    assert {name.partition(".")[2] for name in ours} <= set(searchkit.__all__)


@pytest.mark.parametrize("path", sorted((ROOT / "plugins").rglob("*.py")), ids=relative)
def test_plugins_use_what_the_page_lists(path):
    """Puzzles use what is public, and engines also what is listed for their authors."""
    page = (ROOT / "docs/reference/api.md").read_text().partition("\n## ")[0]
    public, _, for_engines = page.partition("\n### For authors of engines\n")
    listed = public + for_engines * relative(path).startswith("plugins/searchkit_stages/")
    allowed = tuple(f"{name}." for name in re.findall(r"`(searchkit\.[\w.]+)`", listed))
    for node in statements(tree_of(path)):
        for module in modules_of(node) - {"searchkit"}:
            assert f"{module}.".startswith(allowed), f"{module} is inside"


MODULES = {
    relative(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."): path
    for path in sorted(CORE.rglob("*.py"))
}
FOR_JUPYTER = "searchkit.render.notebook"
"""The one module that those below it import, in `_repr_html_`: to show themselves is a method of
theirs by Jupyter's protocol, and drawing needs them."""


def modules_of(node: ast.AST) -> set[str]:
    """The modules of searchkit that an import statement names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & MODULES.keys()
    if not isinstance(node, ast.ImportFrom) or node.module is None:
        return set()
    found = {f"{node.module}.{alias.name}" for alias in node.names}
    return {name if name in MODULES else node.module for name in found} & MODULES.keys()


def arrows(*, of_functions: bool) -> dict[str, set[str]]:
    """Which modules each imports, also for typing only; with or without imports in functions."""
    found = {}
    for module, path in MODULES.items():
        inside = statements(tree_of(path), of_functions=of_functions)
        found[module] = set().union(*map(modules_of, inside)) - {module}
    return found


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules that are left when those that import none that is left are taken away, again."""
    left = dict(graph)
    while True:
        done = [module for module, others in left.items() if not others & left.keys()]
        if not done:
            return sorted(left)
        for module in done:
            del left[module]


def test_circles_are_seen():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert "searchkit.problem" in arrows(of_functions=False)["searchkit.packed"]


def test_no_modules_import_each_other_in_a_circle():
    assert circle(arrows(of_functions=False)) == []


def test_imports_in_functions_hide_no_circle():
    graph = arrows(of_functions=True)
    for module in graph:
        graph[module].discard(FOR_JUPYTER)
    assert circle(graph) == []
