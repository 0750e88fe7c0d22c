"""Run the tests with each Python that searchkit is for and is here, and with the lowest versions.

    python3 .ci/versions.py [arguments of pytest]

The lowest versions are those that `pyproject.toml` allows of all that is needed. A Python is found
on the `PATH`, or among those of pyenv and uv. Each run has a fresh environment. Without arguments
all tests are run, which takes some minutes for each.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
BOUND = re.compile(r"([\w.-]+)(?:\[\w+\])?>=([\w.]+)(?:\s*;.*)?")


def lowest() -> str:
    """What pip is told to take: of each package the version that its bound names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    found = map(BOUND.fullmatch, chain(project["dependencies"], *extras))
    return "".join(f"{bound[1]}=={bound[2]}\n" for bound in found if bound)


def interpreter(version: str) -> str | None:
    """A Python of that version which runs; None if there is none."""
    runs = (each for each in _places(version) if not _call(each, "-c", "").returncode)
    return next(runs, None)


def _places(version: str) -> Iterator[str]:
    name = f"python{version}"
    on_path = shutil.which(name)
    if on_path is not None:
        yield on_path
    home = Path.home()
    pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv") / "versions"
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or home / ".local/share/uv/python")
    for folder, pattern in ((pyenv, f"{version}.*"), (uv, f"cpython-{version}.*")):
        yield from map(str, sorted(folder.glob(f"{pattern}/bin/{name}")))


def _call(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(words, check=False, capture_output=True)


def runs() -> list[tuple[str, str, bool]]:
    """What to try: a name, a version of Python, and whether to take the lowest versions."""
    found = [(f"Python {each}", each, False) for each in PYTHONS]
    return [*found, (f"the lowest versions, on Python {PYTHONS[0]}", PYTHONS[0], True)]


def passes(python: str, arguments: list[str], *, is_lowest: bool) -> bool:
    """Whether everything can be installed, and the tests pass."""
    with tempfile.TemporaryDirectory() as folder:
        own = f"{folder}/bin/python"
        make = [python, "-m", "venv", folder]
        install = [own, "-m", "pip", "install", "-q", "-e", ".[dev]"]
        test = [own, "-m", "pytest", "-p", "no:cacheprovider", *(arguments or ["-n", "auto"])]
        if is_lowest:
            constraints = Path(folder, "lowest.txt")
            constraints.write_text(lowest(), encoding="utf-8")
            install += ["-c", str(constraints)]
            # Old libraries call what newer ones, of which they know nothing, advise against.
            test += ["-W", "ignore::DeprecationWarning"]
        commands = make, install, test
        return all(subprocess.run(each, cwd=ROOT, check=False).returncode == 0 for each in commands)


def main(arguments: list[str]) -> int:
    """Run them all, and say how each ended; 1 if a run fails, or none was possible."""
    outcomes = {}
    for name, version, is_lowest in runs():
        python = interpreter(version)
        print(f"== {name}", flush=True)
        if python is None:
            outcomes[name] = f"skipped: python{version} is not here"
        else:
            outcomes[name] = (
                "passed" if passes(python, arguments, is_lowest=is_lowest) else "FAILED"
            )
    print("==", *(f"{name}: {outcome}" for name, outcome in outcomes.items()), sep="\n")
    ended = set(outcomes.values())
    return 0 if "passed" in ended and "FAILED" not in ended else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
