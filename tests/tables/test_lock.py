"""One process at a time explores into a folder; what a killed one left stops nobody."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, UsageError
from searchkit.explore import explore
from searchkit.tables import Table, TableWriter
from searchkit.tables.lock import NAME, FolderLock
from tests.support.table_spaces import ring

pytestmark = pytest.mark.usefixtures("in_little_memory")

OTHER = """
import sys, pathlib
from searchkit.tables.lock import FolderLock
lock = FolderLock.take(pathlib.Path(sys.argv[1]))
print("taken", flush=True)
sys.stdin.read()
"""


def other_process(folder: Path) -> subprocess.Popen[str]:
    """One that has the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "taken\n"
    return process


def test_the_second_learns_who_was_first(tmp_path: Path) -> None:
    explore(ring(), checkpoint=tmp_path, limits=Limits(cost=2))
    before = sorted(tmp_path.iterdir())
    part = tmp_path / "layer-0003-000.keys.1.part"
    part.write_bytes(b"half")
    process = other_process(tmp_path)
    try:
        with pytest.raises(UsageError, match="is being explored into by process") as refused:
            explore(ring(), checkpoint=tmp_path)
        said = str(refused.value)
        assert "\n" not in said
        assert said.startswith(
            f"{tmp_path} is being explored into by process {process.pid} on "
            f"{socket.gethostname()}, since 2"
        )
        assert said.endswith(" UTC; wait until it has ended, or give another folder")
        assert part.read_bytes() == b"half"
        assert Table.open(tmp_path, ring()).distance(ring().start) == 0
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert (tmp_path / NAME).exists()
    assert explore(ring(), checkpoint=tmp_path, limits=Limits(cost=2)).depth == 2
    assert sorted(tmp_path.iterdir()) == before


def test_twice_in_one_process(tmp_path: Path) -> None:
    with TableWriter.open(tmp_path, {}):
        with pytest.raises(UsageError, match=f"by process {os.getpid()} on"):
            TableWriter.open(tmp_path, {})
        assert (tmp_path / NAME).exists()
    assert not (tmp_path / NAME).exists()
    TableWriter.open(tmp_path, {}).close()


def test_a_complete_table_is_open_to_all(tmp_path: Path) -> None:
    """Nothing is written into it."""
    found = explore(ring(), checkpoint=tmp_path)
    process = other_process(tmp_path)
    try:
        assert explore(ring(), checkpoint=tmp_path).layers == found.layers
    finally:
        process.communicate("")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_given_back_after_an_error(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise error

    with monkeypatch.context() as patches:
        patches.setattr(import_module("searchkit.tables.rules"), "check_rules", fail)
        with pytest.raises(error):
            explore(ring(), checkpoint=tmp_path)
    assert not (tmp_path / NAME).exists()
    assert explore(ring(), checkpoint=tmp_path).complete


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b'{"pid": "x"}', b"\xff", b"[" * 3000])
def test_what_was_left_behind(text: bytes, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(text)
    FolderLock.take(tmp_path).release()
    assert not (tmp_path / NAME).exists()


def test_a_lock_file_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=NAME):
        FolderLock.take(tmp_path / "table")
    assert not (tmp_path / "elsewhere").exists()


def owner(pid: int, host: str) -> bytes:
    return json.dumps({"pid": pid, "host": host, "since": "yesterday"}).encode()


def test_file_systems_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def none(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    here, file = socket.gethostname(), tmp_path / NAME
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        file.write_bytes(owner(process.pid, here))
        with pytest.raises(UsageError, match=f"by process {process.pid} on {here}, since yest"):
            FolderLock.take(tmp_path)
        assert file.read_bytes() == owner(process.pid, here)
    finally:
        process.communicate(b"\n")
    for left in (owner(process.pid, here), owner(2**40, here), owner(-1, here), b"", b"{"):
        file.write_bytes(left)
        FolderLock.take(tmp_path).release()
