"""Run the tests with each Python that searchkit is for and is here, and with the lowest versions.

    python3 .ci/versions.py [arguments of pytest]

The lowest versions are those that `pyproject.toml` allows of all that is needed. Each run has a
fresh environment. Without arguments all tests are run, which takes some minutes for each.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
BOUND = re.compile(r"([\w.-]+)(?:\[\w+\])?>=([\w.]+)")


def lowest() -> str:
    """What pip is told to take: of each package the version that its bound names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    found = map(BOUND.fullmatch, chain(project["dependencies"], *extras))
    return "".join(f"{bound[1]}=={bound[2]}\n" for bound in found if bound)


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
    runs = [(f"Python {each}", each, False) for each in PYTHONS]
    runs.append((f"the lowest versions, on Python {PYTHONS[0]}", PYTHONS[0], True))
    outcomes = {}
    for name, version, is_lowest in runs:
        python = shutil.which(f"python{version}")
        print(f"== {name}", flush=True)
        if python is None or subprocess.run([python, "-c", ""], check=False).returncode:
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
