"""Everything the documents show is run, and prints what they say it prints."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from blocks import DOCUMENTS, ROOT, blocks, commands, is_as_shown, output_of, run_python

LANGUAGES = {"python", "console", "sh", "text", "toml", "json"}
"""`sh` is for commands that install or fetch; nothing else is left unrun."""

documents = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS]
)


@documents
def test_blocks_do_what_they_show(path: Path) -> None:
    names: dict[str, Any] = {"__name__": path.stem}
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


def test_every_document_is_on_the_map() -> None:
    index = ROOT / "docs" / "index.md"
    text = index.read_text(encoding="utf-8")
    for path in DOCUMENTS:
        if path not in (index, ROOT / "README.md"):
            assert f"({path.relative_to(index.parent)})" in text


def test_blocks_are_found() -> None:
    languages = Counter(block.language for path in DOCUMENTS for block in blocks(path))
    assert set(languages) <= LANGUAGES
    assert languages["python"] >= 20
    assert languages["console"] >= 20
    assert languages["sh"] <= 6


def test_the_tutorial_ends_with_the_bundled_example() -> None:
    code = (ROOT / "examples" / "first_puzzle.py").read_text(encoding="utf-8")
    tutorial = blocks(ROOT / "docs" / "tutorial" / "first-puzzle.md")
    assert code in [block.text for block in tutorial]


@pytest.mark.parametrize(
    ("shown", "got", "same"),
    [
        ("1 move\n", "1 move\n", True),
        ("1 move\n", "2 moves\n", False),
        ("time  ... s\n", "time  0.123 s\n", True),
        ("", "anything\n", False),
        ("a\n\nb\n", "a\n\nb\n", True),
    ],
)
def test_a_wrong_output_is_noticed(shown: str, got: str, same: bool) -> None:
    assert is_as_shown(shown, got) is same
