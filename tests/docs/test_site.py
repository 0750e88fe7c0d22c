"""The site is built without a warning, its gallery plays, and its picture is what it says."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.support.docs_blocks import ROOT

PICTURE = ROOT / "docs" / "site" / "picture.svg"


@pytest.mark.slow
def test_the_site_is_built(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    home = (tmp_path / "index.html").read_text(encoding="utf-8")
    doors = re.findall(r"<h2[^>]*>(\w[\w ]*)<", home)
    assert doors == ["Student", "Puzzle author", "Researcher"]
    assert 'src="site/picture.svg"' in home
    assert (tmp_path / "site" / "picture.svg").read_bytes() == PICTURE.read_bytes()
    lessons = sorted((ROOT / "docs" / "course").glob("*.ipynb"))
    copies = [tmp_path / "course" / lesson.name for lesson in lessons]
    assert [copy.read_bytes() for copy in copies] == [each.read_bytes() for each in lessons]
    course = (tmp_path / "course" / "index.html").read_text(encoding="utf-8")
    assert all(f'href="{lesson.name}"' in course for lesson in lessons)
    gallery = (tmp_path / "gallery.html").read_text(encoding="utf-8")
    players = re.findall(r'<iframe[^>]* src="([^"]+)"', gallery)
    assert len(players) == 6
    for player in players:
        page = (tmp_path / player).read_text(encoding="utf-8")
        assert "<svg" in page
    library = (tmp_path / "reference" / "api.html").read_text(encoding="utf-8")
    assert "Searches a problem: one algorithm, one result." in library


def test_the_picture_is_what_its_script_draws() -> None:
    spec = importlib.util.spec_from_file_location("picture", PICTURE.with_suffix(".py"))
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.picture() == PICTURE.read_text(encoding="utf-8")


def test_the_picture_stands_alone_and_heeds_its_reader() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    root = ET.fromstring(text)
    assert "picture.svg" in (ROOT / "README.md").read_text(encoding="utf-8")
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "style", "g", "rect", "line", "ellipse", "text"}
    assert text.count("http") == 1  # the name of the format
    assert "url(" not in text
    assert "@media (prefers-color-scheme: dark)" in text
    assert "@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }" in text
