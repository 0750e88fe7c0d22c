"""Everything the documents show is run, and prints what they say it prints."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from searchkit.compiled.specialise.plain import plainly
from searchkit.registry import Registry
from tests.support.docs_blocks import (
    DOCUMENTS,
    ROOT,
    blocks,
    commands,
    is_as_shown,
    output_of,
    run_python,
)

PACKAGE = ROOT / "examples" / "searchkit-lights"
LANGUAGES = {"python", "console", "sh", "text", "toml", "json"}
"""`sh` is for commands that install, fetch, or take minutes; nothing else is left unrun."""

NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]
documents = pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
SLOW = {
    "check-a-heuristic", "good-solutions", "make-it-optimal", "pattern-databases",
    "prove-an-answer", "the-cube",
}  # fmt: skip
"""Pages that take seconds."""
PLAIN = {"pattern-spaces"}
"""Pages of small puzzles whose searches take less time in Python than their machine code."""


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.slow if path.stem in SLOW else ()) for path in DOCUMENTS],
    ids=NAMES,
)
def test_blocks_do_what_they_show(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(PACKAGE))
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path / "data"))
    plugins = tmp_path / "plugins"  # where a reader keeps them
    plugins.mkdir()
    monkeypatch.setenv("PLUGINS", str(plugins))
    names: dict[str, Any] = {"__name__": path.stem}
    with plainly() if path.stem in PLAIN else nullcontext():
        run_blocks(path, names)


def run_blocks(path: Path, names: dict[str, Any]) -> None:
    for block in blocks(path):
        if block.language == "python":
            run_python(block, names)
        elif block.language == "console":
            for command, shown in commands(block):
                got = output_of(command)
                if not is_as_shown(shown, got):
                    difference = difflib.ndiff(shown.splitlines(), got.splitlines())
                    pytest.fail(f"{path}:{block.line}: $ {command}\n" + "\n".join(difference))


@documents
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path}: {target}"


def test_every_document_is_in_the_navigation() -> None:
    navigation = re.findall(r"^ +- (?:\w+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M)
    documents = [str(path.relative_to(ROOT / "docs")) for path in DOCUMENTS[1:]]
    assert sorted(navigation) == sorted(documents)


def test_blocks_are_found() -> None:
    languages = Counter(block.language for path in DOCUMENTS for block in blocks(path))
    assert set(languages) <= LANGUAGES
    assert languages["python"] >= 20
    assert languages["console"] >= 20
    assert languages["sh"] <= 12


@pytest.mark.parametrize(
    ("document", "example"),
    [
        ("first-puzzle.md", "first_puzzle.py"),
        ("make-it-fast.md", "fast_pancakes.py"),
        ("make-it-fast.md", "rush_hour.py"),
    ],
)
def test_tutorials_show_the_bundled_examples(document: str, example: str) -> None:
    code = (ROOT / "examples" / example).read_text(encoding="utf-8")
    tutorial = blocks(ROOT / "docs" / "tutorial" / document)
    assert code in [block.text for block in tutorial]


def test_the_guide_to_plugins_shows_the_whole_package() -> None:
    guide = blocks(ROOT / "docs" / "howto" / "write-a-plugin.md")
    code = (PACKAGE / "searchkit_lights" / "__init__.py").read_text(encoding="utf-8")
    parts = [block.text for block in guide if block.text in code]
    assert code.replace("\n", "") == "".join(parts).replace("\n", "")
    project = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8")
    assert project in [block.text for block in guide if block.language == "toml"]


def test_the_package_of_the_guide_is_found_through_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = tmp_path / "searchkit_lights-0.1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\n")
    points = [f"{name} = {value}" for name, value in project["entry-points"]["searchkit"].items()]
    (installed / "entry_points.txt").write_text("\n".join(["[searchkit]", *points]))
    monkeypatch.syspath_prepend(str(PACKAGE))
    monkeypatch.syspath_prepend(str(tmp_path))
    registry = Registry.load()
    assert registry.problems == []
    assert registry.puzzles.get("lights").origin == "searchkit_lights (searchkit-lights)"


@pytest.mark.parametrize(
    ("shown", "got", "same"),
    [
        ("1 move\n", "1 move\n", True),
        ("1 move\n", "2 moves\n", False),
        (
            "memory   seconds\n────────────────────\n3.1 kB     0.123\n",
            "  memory   seconds\n─────────────────────\n 14.0 MB     4.123\n",
            True,
        ),
        ("time  0.120 s\n", "time  14.3 s\n", True),
        ("time  0.120 s\n", "time  none\n", False),
        ("stored 5 ...\n", "stored 5 at most\n", True),
        ("", "anything\n", False),
        ("a\n\nb\n", "a\n\nb\n", True),
    ],
)
def test_a_wrong_output_is_noticed(shown: str, got: str, same: bool) -> None:
    assert is_as_shown(shown, got) is same
