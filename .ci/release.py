"""Build what is published, and try it as those who install it would.

    python3 .ci/release.py

The wheel and the source archive are built from this folder, and once more from what is committed:
they must have the same bytes. Then `twine check` reads them, and the wheel is installed in an empty
environment for each Python that is here, and with the lowest versions, by pip, uvx and pipx, and
called. If all went well, they lie in `dist/`, and the last line is the command that publishes them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from versions import ROOT, interpreter, lowest, runs

TOOLS = ("build", "twine", "uv", "pipx")
SMOKE = (
    ("searchkit", "--version"),
    ("searchkit", "list"),
    ("searchkit", "doctor"),
    ("searchkit", "run", "hoppers", "--algo", "iddfs", "--count"),
    ("searchkit", "run", "8-puzzle", "--engine", "compiled", "--html", "page.html"),
    ("searchkit", "new", "my-puzzle", "--single"),
    ("searchkit", "run", "my_puzzle.py"),
    ("searchkit", "explore", "6-puzzle"),
)
"""Calls that need each kind of file of the wheel: plugins, kernels, templates, pages."""


def call(*words: str | Path, cwd: Path = ROOT, **more: str) -> str:
    """What a command prints; where it fails, that is shown, and all ends."""
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, env=os.environ | more, check=False, capture_output=True,
        text=True,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def built(tools: Path, tree: Path, into: Path, epoch: str) -> dict[str, bytes]:
    """The files that are published, by their names."""
    call(tools / "python", "-m", "build", "-o", into, tree, SOURCE_DATE_EPOCH=epoch)
    return {each.name: each.read_bytes() for each in sorted(into.iterdir())}


def committed(into: Path) -> Path:
    """A folder with what is committed, and nothing else."""
    call("git", "archive", "-o", into / "tree.tar", "HEAD")
    shutil.unpack_archive(into / "tree.tar", into / "tree")
    return into / "tree"


def environment(folder: Path, python: str, wheel: Path, constraints: str = "") -> Path:
    """A new environment with nothing but the wheel and what it needs; where its programs are."""
    call(python, "-m", "venv", folder)
    (folder / "constraints.txt").write_text(constraints, encoding="utf-8")
    pip = (folder / "bin/python", "-m", "pip")
    call(*pip, "install", "-q", "-c", folder / "constraints.txt", wheel, cwd=folder)
    call(*pip, "check", cwd=folder)
    return folder / "bin"


def smoke(programs: Path, work: Path) -> None:
    """Call what was installed, in an empty folder."""
    work.mkdir()
    for program, *words in SMOKE:
        call(programs / program, *words, cwd=work, SEARCHKIT_CACHE_DIR=str(work / "cache"))


def main() -> int:
    """Do it all, and say how each step ended."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        call(sys.executable, "-m", "venv", folder / "tools")
        tools = folder / "tools/bin"
        call(tools / "python", "-m", "pip", "install", "-q", *TOOLS)
        epoch = call("git", "log", "-1", "--format=%ct").strip()
        files = built(tools, ROOT, folder / "dist", epoch)
        if files != built(tools, committed(folder), folder / "again", epoch):
            sys.exit("FAILED: what is committed makes other files; see `git status`")
        print("built twice, with the same bytes:", *files, flush=True)
        call(tools / "twine", "check", "--strict", *(folder / "dist" / each for each in files))
        print("twine check: passed", flush=True)
        wheel = next((folder / "dist").glob("*.whl"))
        for number, (title, version, is_lowest) in enumerate(runs()):
            python = interpreter(version)
            if python is None:
                print(f"{title}: untried, python{version} is not here", flush=True)
                continue
            place = folder / f"environment-{number}"
            programs = environment(place, python, wheel, lowest() if is_lowest else "")
            smoke(programs, place / "work")
            shutil.rmtree(place)
            print(f"{title}: installed, and {len(SMOKE)} calls passed", flush=True)
        own = {"UV_TOOL_DIR": f"{folder}/uv", "PIPX_HOME": f"{folder}/pipx"}
        own |= {"UV_CACHE_DIR": f"{folder}/uv-cache", "UV_PYTHON": sys.executable}
        for words in (("uvx", "--from", wheel), ("pipx", "run", "--spec", wheel)):
            program, *options = words
            call(tools / program, *options, "searchkit", "run", "hoppers", cwd=folder, **own)
            print(
                f"{program}: `{program} {options[0]} ... searchkit run hoppers` passed", flush=True
            )
        shutil.copytree(folder / "dist", ROOT / "dist", dirs_exist_ok=True)
    print("To publish them:  pipx run twine upload", *(f"dist/{each}" for each in files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
