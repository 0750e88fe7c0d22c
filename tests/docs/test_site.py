"""The site is built without a warning, and its gallery plays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.docs_blocks import ROOT


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
    gallery = (tmp_path / "gallery.html").read_text(encoding="utf-8")
    players = re.findall(r'<iframe[^>]* src="([^"]+)"', gallery)
    assert len(players) == 5
    for player in players:
        page = (tmp_path / player).read_text(encoding="utf-8")
        assert "<svg" in page
    library = (tmp_path / "reference" / "api.html").read_text(encoding="utf-8")
    assert "Search <code>problem</code> with <code>algorithm</code>." in library
