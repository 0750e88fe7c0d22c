"""What killed processes leave is swept, what is kept outlives a kill, and full disks are told."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import pytest

from searchkit import SearchkitError, UsageError
from searchkit.heuristics.patterns import compiled_build as pattern_build
from searchkit.heuristics.patterns.compiled_build import Build
from searchkit.heuristics.patterns.parts import LEFT_SECONDS, LOCK, check_room, part_of, sweep
from tests.support.told_space import Told

ONE = ((0,),)


def aged(part: Path) -> Path:
    """The same, as if nobody had written to it for a while."""
    then = time.time() - LEFT_SECONDS - 1
    for path in (*part.iterdir(), part):
        os.utime(path, (then, then))
    return part


def left(folder: Path, name: str, *files: str) -> Path:
    part = folder / name
    part.mkdir(parents=True)
    for file in files:
        (part / file).write_bytes(b"left")
    return part


def test_what_was_left_behind_is_swept(tmp_path):
    gone = [
        aged(left(tmp_path, "one-abc.99999999.7.part", "values.bin", LOCK)),
        aged(left(tmp_path, "one-abc.unfinished.99999999.part", "values.npy")),
        aged(left(tmp_path, "empty.1.part")),
    ]
    kept = [
        left(tmp_path, "new.99999999.7.part", "values.bin"),
        aged(left(tmp_path, "one-abc.unfinished", "state.json")),
        aged(left(tmp_path, "one-abc", "values.bin")),
    ]
    with part_of(tmp_path / "other") as part:
        assert not any(path.exists() for path in gone)
        assert all(path.exists() for path in kept)
        assert part.exists()
    assert not part.exists()


HOLDS = """
import sys
from pathlib import Path
from searchkit.heuristics.patterns.parts import part_of
with part_of(Path(sys.argv[1]) / "one") as part:
    print(part, flush=True)
    sys.stdin.readline()
"""


def test_the_part_of_a_living_process_stays(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    part = aged(Path(process.stdout.readline().strip()))
    sweep(tmp_path)
    assert part.exists()
    process.kill()
    process.communicate(timeout=60)
    sweep(tmp_path)
    assert not part.exists()


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
    level, real = building.level, os.fsync
    building.level += 1
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
            assert again.level == level
    monkeypatch.setattr("os.fsync", real)
    building.keep(folder)
    again = Build(Told(ONE), 0)
    assert again.resume(folder)
    assert again.level == level + 1
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
