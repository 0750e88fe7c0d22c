"""What killed processes leave is swept, what is kept outlives a kill, and full disks are told."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import pytest

from searchkit import SearchkitError, UsageError
from searchkit.heuristics.patterns import compiled_build as pattern_build
from searchkit.heuristics.patterns.compiled_build import Build
from searchkit.heuristics.patterns.library import LEFT_SECONDS, Library, check_room, sweep
from tests.support.databases import database
from tests.support.told_space import Told

ONE = ((0,),)


def left(folder: Path, name: str, *, seconds: float = LEFT_SECONDS + 1) -> Path:
    """A file to which nobody has written for a while."""
    path = folder / name
    path.write_bytes(b"left")
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def test_what_was_left_behind_is_swept(tmp_path):
    gone = [
        left(tmp_path, "values.bin.0123abcd.part"),
        left(tmp_path, "values-99999999-7.bin"),
        left(tmp_path, f"values-{os.getpid()}-7.bin", seconds=0),
    ]
    kept = [
        left(tmp_path, "manifest.json"),
        left(tmp_path, "values.bin"),
        left(tmp_path, "values-99999999-8.bin", seconds=LEFT_SECONDS - 60),
    ]
    sweep(tmp_path, ("manifest.json", "values.bin"))
    assert not any(path.exists() for path in gone)
    assert all(path.exists() for path in kept)


@pytest.mark.parametrize("save", ["database", "build"])
def test_both_are_swept_when_they_are_saved(tmp_path, save):
    library = Library(tmp_path)
    folder = library.path_of(database().identity, halved=False)
    folder.mkdir()
    path = left(folder, "values.bin.0123abcd.part")
    if save == "database":
        library.save(database())
    else:
        half_built().keep(folder)
    assert not path.exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.support.databases import database
from searchkit.heuristics.patterns.library import Library
calls = iter(range(9))
os.fsync = lambda handle: next(calls) == int(sys.argv[2]) and os.kill(os.getpid(), signal.SIGKILL)
Library(Path(sys.argv[1])).save(database())
"""


@pytest.mark.parametrize("write", [0, 1])
def test_a_database_of_a_killed_process_is_none_and_is_saved_again(tmp_path, write):
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), str(write)], check=False,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL
    library = Library(tmp_path)
    assert library.names() == []
    assert len(list(library.path_of(database().identity, halved=False).iterdir())) == 1 + write
    library.save(database())
    assert (library.load(database().identity, halved=False).values == database().values).all()


def half_built() -> Build:
    building = Build(Told(ONE), 0)
    running = building.run()
    for _ in range(5):
        next(running)
    return building


def test_what_was_kept_stays_until_the_next_is_in_place(tmp_path, monkeypatch):
    """Killed at any of the writes, a second time, the first state is there to go on from."""
    folder = tmp_path / "one.unfinished"
    building = half_built()
    building.keep(folder)
    seconds, real = building.seconds, os.fsync
    building.seconds += 100.0
    for last in range(6):
        calls = iter(range(100))

        def kill(handle, calls=calls, last=last):
            if next(calls) == last:
                raise KeyboardInterrupt
            real(handle)

        monkeypatch.setattr("os.fsync", kill)
        if last < 5:
            with pytest.raises(KeyboardInterrupt):
                building.keep(folder)
            again = Build(Told(ONE), 0)
            assert again.resume(folder)
            assert again.seconds == seconds
    monkeypatch.setattr("os.fsync", real)
    building.keep(folder)
    again = Build(Told(ONE), 0)
    assert again.resume(folder)
    assert again.seconds == seconds + 100.0
    assert len(list(folder.iterdir())) == 1 + len(pattern_build.ARRAYS)


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '{"files": 3}', '{"files": {}}', "\0"])
def test_a_damaged_state_is_not_gone_on_from(tmp_path, text):
    folder = tmp_path / "one.unfinished"
    half_built().keep(folder)
    (folder / "state.json").write_text(text)
    assert not Build(Told(ONE), 0).resume(folder)


@pytest.mark.parametrize("content", [b"", b"PK\003\004", b"\x93NUMPY\x01\x00v\x00{'descr"])
def test_a_damaged_array_is_not_gone_on_from(tmp_path, content):
    folder = tmp_path / "one.unfinished"
    half_built().keep(folder)
    for path in folder.glob("*.bin"):
        path.write_bytes(content)
    assert not Build(Told(ONE), 0).resume(folder)


def no_space(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_nothing_of_an_unfinished_one(tmp_path, monkeypatch):
    building = half_built()
    monkeypatch.setattr("os.fsync", no_space)
    with pytest.raises(SearchkitError, match=r"one\.unfinished: No space left .* takes 0\.0 MB"):
        building.keep(tmp_path / "one.unfinished")
    assert list(tmp_path.iterdir()) == []


def test_room_is_asked_for_before_anything_is_built(tmp_path, monkeypatch):
    check_room(tmp_path / "new", 1000)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(9, 9, 2_000_000))
    with pytest.raises(UsageError, match=r"has 2\.0 MB of room, and .* take 3\.0 MB; make room"):
        check_room(tmp_path, 3_000_000)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="SEARCHKIT_DATA_DIR may name another folder"):
        check_room(tmp_path / "file" / "patterns", 1000)
