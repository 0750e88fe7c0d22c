"""Processes of the command line that are killed, or whose disk is full."""

from __future__ import annotations

import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.support.exit_codes import ExitCode
from searchkit.tables.manifest import NAME, Manifest
from tests.support import slow_explore
from tests.support.resuming import check_files, manifest

SLOWLY = slow_explore.__file__
ARGUMENTS = ["explore", "sliding", "-p", "size=3x3", "--limit", "0", "--quiet"]


def start(script: list[str], folder: Path, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *script, *ARGUMENTS, "--checkpoint", str(folder)],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more,
    )  # fmt: skip


def run(folder: Path, **more: Any) -> tuple[int, str, str]:
    process = start(["-m", "searchkit"], folder, **more)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table of an undisturbed run."""
    folder = tmp_path_factory.mktemp("whole")
    code, out, err = run(folder)
    assert (code, err) == (ExitCode.OK, "")
    assert "181,440 states" in out
    return folder


def assert_equal(folder: Path, whole: Path) -> None:
    assert manifest(folder) == manifest(whole)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        path.name for path in whole.iterdir()
    )
    check_files(folder)


def depth(folder: Path) -> int:
    return len(Manifest.read(folder).layers) if (folder / NAME).exists() else 0


@pytest.mark.slow
def test_killed_at_random_moments(whole: Path, tmp_path: Path) -> None:
    rng, folder = random.Random(0), tmp_path / "table"
    left_over, depths = [], [0]
    for _ in range(2):
        process = start([SLOWLY, "0.01"], folder)
        try:
            while depth(folder) == depths[-1] and process.poll() is None:
                time.sleep(0.01)
            moments = rng.randrange(50)
            while process.poll() is None and (moments > 0 or not any(folder.glob("*.part"))):
                time.sleep(0.01)
                moments -= 1
            process.send_signal(signal.SIGKILL)
            process.communicate()
        finally:
            process.kill()
        assert process.returncode == -signal.SIGKILL
        left_over += [path.name for path in folder.glob("*.part")]
        depths.append(depth(folder))
        check_files(folder)
    assert depths == sorted(set(depths))
    assert left_over
    assert run(folder)[0] == ExitCode.OK
    assert_equal(folder, whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("most", "layers"),
    [(50, 0), (8_000, 20), pytest.param(12_000, 22, marks=pytest.mark.slow)],
)
def test_no_room_for_a_file(most: int, layers: int, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "table"

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    code, out, err = run(folder, preexec_fn=little_room)
    assert code == ExitCode.BUG
    assert out == ""
    assert err == (
        f"searchkit: error: {folder}: File too large; make room and give the same command again: "
        "complete layers are kept\n"
    )
    kept = Manifest.read(folder).layers if layers else ()
    assert kept == Manifest.read(whole).layers[: len(kept)]
    files = Manifest.read(folder).names() if layers else []
    assert all((folder / each).stat().st_size <= most for each in files)
    assert len(kept) == layers
    assert run(folder)[0] == ExitCode.OK
    assert_equal(folder, whole)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_no_room_on_the_disk(whole: Path, tmp_path: Path) -> None:
    """`/dev/full` has no room for anything that is flushed."""
    folder = tmp_path / "table"
    script = (
        "import pathlib; from searchkit.cli import main; open_file = pathlib.Path.open\n"
        "def full(path, *a, **k): return open_file(\n"
        "    pathlib.Path('/dev/full') if 'layer-0005-000.keys.' in path.name else path, *a, **k)\n"
        "pathlib.Path.open = full\nmain()\n"
    )
    process = start(["-c", script], folder)
    _, err = process.communicate(timeout=300)
    assert process.returncode == ExitCode.BUG
    assert "No space left on device; make room and give the same command again" in err
    assert err.count("\n") == 1
    assert depth(folder) == 5
    assert run(folder)[0] == ExitCode.OK
    assert_equal(folder, whole)
