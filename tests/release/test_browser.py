"""searchkit in Python for browsers (Pyodide), under Node.js: without numba, numpy and threads."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from html import unescape
from importlib.metadata import distribution
from pathlib import Path

import platformdirs
import pytest

from tests.support.docs_blocks import ROOT, blocks

FOLDER = Path(f"{platformdirs.user_cache_dir('searchkit-tests')}-pyodide")
"""Where `npm install --prefix FOLDER pyodide` puts it."""
PYODIDE = FOLDER / "node_modules" / "pyodide" / "pyodide.mjs"
NEEDED = (
    "attrs", "click", "jinja2", "markdown-it-py", "markupsafe", "mdurl", "platformdirs", "pluggy",
    "pygments", "rich",
)  # fmt: skip
"""What searchkit needs of packages in plain Python: all but numpy and numba."""
CALL = """
from searchkit.cli.app import app
app.main({words})
"""
CALLS = {
    "run hoppers --algo iddfs --count": "18",
    "run 8-puzzle --start 123450786 --moves": "6",
    "run 8-puzzle --start 123456870": "unsolvable: odd permutation",
    "run jugs.py": "7 moves, optimal",
    "run jugs.py --engine compiled": "no compiled engine for this problem: numba is not inst",
    "explore 6-puzzle --limit 0": "5,040 states",
    "list": "hoppers",
}
"""What is said, by a call; the file is the puzzle of the page."""


def page() -> str:
    """The puzzle that the page shows first."""
    text = (ROOT / "docs" / "try.md").read_text(encoding="utf-8")
    (puzzle,) = re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", text, re.DOTALL)
    return unescape(puzzle)


def test_the_page_shows_the_puzzle_of_the_readme() -> None:
    code = [block.text for block in blocks(ROOT / "README.md") if block.language == "python"]
    assert page().startswith(code[0])
    asked = [line.removeprefix(">>> ") for line in code[1].splitlines() if line.startswith(">>> ")]
    assert page().splitlines()[-len(asked) :] == asked


def test_the_page_loads_the_pyodide_that_is_tested() -> None:
    script = (ROOT / "docs" / "site" / "try.js").read_text(encoding="utf-8")
    (version,) = re.findall(r"cdn\.jsdelivr\.net/pyodide/v([\d.]+)/", script)
    assert f"pyodide@{version} " in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of searchkit and of what it needs, as they are installed."""
    path = tmp_path_factory.mktemp("browser") / "packages.zip"
    with zipfile.ZipFile(path, "w") as file:
        for package in NEEDED:
            for each in distribution(package).files or ():
                is_source = each.suffix in (".py", ".txt", "") and ".." not in each.parts
                if is_source and Path(str(each.locate())).is_file():
                    file.write(str(each.locate()), str(each))
        for root in (ROOT / "searchkit", *sorted((ROOT / "plugins").glob("searchkit_*"))):
            for source in sorted(root.rglob("*")):
                if source.is_file() and "__pycache__" not in source.parts:
                    file.write(source, source.relative_to(root.parent))
        own = distribution("searchkit-statespace")
        for name in ("METADATA", "entry_points.txt"):
            file.writestr(f"searchkit_statespace-0.dist-info/{name}", own.read_text(name) or "")
    return path


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not here")
@pytest.mark.skipif(not PYODIDE.exists(), reason="pyodide is not here; .ci/run installs it")
def test_the_page_and_the_command_line_run_in_it(archive: Path) -> None:
    programs = [page(), *(CALL.format(words=words.split()) for words in CALLS)]
    programs[4] = f"open('jugs.py', 'w').write({page()!r})\n{programs[4]}"
    programs.append("import sys; print('numpy' in sys.modules, 'numba' in sys.modules)")
    done = subprocess.run(
        ["node", str(ROOT / "tests/release/pyodide.mjs"), str(PYODIDE),
         str(ROOT / "docs/site/try.js"), str(archive)],
        input=json.dumps(programs), capture_output=True, text=True, check=False,
        env=os.environ | {"NODE_NO_WARNINGS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    first, *others, loaded = json.loads(done.stdout)
    assert first == "solved 7 8→5 5→3 3→8 5→3 8→5 5→3 3→8\n"
    for (words, says), said in zip(CALLS.items(), others, strict=True):
        assert says in said, words
        assert "Traceback" not in said
        assert said.count("no numba: reference engines, slower") == (
            words.startswith(("run", "explore")) and "compiled" not in words
        )
    assert loaded == "False False\n"
