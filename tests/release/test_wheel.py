"""What is published: the same bytes each time, all that is needed, and nothing else."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

import searchkit

pytestmark = pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not here")

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = {
    Path(each).name for each in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
}
BUILD = "import sys; from hatchling.build import *; print(build_{kind}(sys.argv[1]))"
MOST_BYTES = {"wheel": 2_000_000, "sdist": 4_000_000}
KINDS = {".py", ".typed", ".html", ".css", ".js", ".json", ".txt", ".tws", ".csv"}


def built(kind: str, tree: Path, into: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-c", BUILD.format(kind=kind), str(into)],
        cwd=tree, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return into / done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as file:
        return file.namelist()


@pytest.mark.slow
def test_the_source_archive_makes_the_same_wheel(
    archive: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(archive) as file:
        file.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    again = built("wheel", tree, tmp_path)
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


@pytest.mark.slow
def test_a_second_archive_has_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    assert built("sdist", ROOT, tmp_path).read_bytes() == archive.read_bytes()


def test_the_wheel_has_all_files_of_its_packages(names: list[str]) -> None:
    sources = [
        (ROOT, "searchkit"),
        *((ROOT / "plugins", each) for each in PACKAGES - {"searchkit"}),
    ]
    there = {
        str(path.relative_to(root))
        for root, package in sources
        for path in (root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    examples = {f"searchkit/scaffold/examples/{each}.py" for each in (
        "grid_map", "knight", "pyramid", "rush_hour",
    )}  # fmt: skip
    assert {each for each in names if ".dist-info/" not in each} == there | examples
    assert {f"{each}/py.typed" for each in PACKAGES} <= set(names)
    assert any(each.startswith("searchkit/scaffold/templates/") for each in names)


def test_the_wheel_has_nothing_else(names: list[str]) -> None:
    roots = {each.split("/")[0] for each in names}
    assert roots == PACKAGES | {f"searchkit_statespace-{searchkit.__version__}.dist-info"}
    assert {Path(each).suffix for each in names if ".dist-info/" not in each} == KINDS
    assert not [
        each for each in names if re.search(r"(^|/)(tests?|__pycache__|conftest\.py)(/|$)", each)
    ]


def test_neither_is_large(archive: Path, wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES["wheel"]
    assert archive.stat().st_size < MOST_BYTES["sdist"]


def test_the_metadata_say_what_is_said_elsewhere(wheel: Path, names: list[str]) -> None:
    (place,) = (each for each in names if each.endswith("/METADATA"))
    with zipfile.ZipFile(wheel) as file:
        told = email.message_from_bytes(file.read(place))
    assert told["Name"] == PROJECT["project"]["name"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert told["Version"] == searchkit.__version__
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [searchkit.__version__]
    assert told["Requires-Python"] == PROJECT["project"]["requires-python"]


def test_pip_takes_no_numba_where_there_is_none() -> None:
    from packaging.requirements import Requirement  # noqa: PLC0415  (pip and pytest bring it)

    (numba,) = (each for each in PROJECT["project"]["dependencies"] if each.startswith("numba"))
    marker = Requirement(numba).marker
    assert marker is not None

    def is_taken(system: str, machine: str, python: str = "3.12", kind: str = "CPython") -> bool:
        return marker.evaluate({
            "sys_platform": system, "platform_machine": machine, "python_version": python,
            "platform_python_implementation": kind,
        })  # fmt: skip

    assert is_taken("linux", "x86_64", "3.11")
    assert is_taken("linux", "aarch64", "3.15")
    assert is_taken("darwin", "arm64")
    assert is_taken("win32", "AMD64")
    assert not is_taken("linux", "x86_64", "3.16")
    assert not is_taken("linux", "x86_64", kind="PyPy")
    assert not is_taken("linux", "riscv64")
    assert not is_taken("darwin", "x86_64")
    assert not is_taken("win32", "ARM64")
    assert not is_taken("emscripten", "wasm32")
