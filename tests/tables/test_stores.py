"""Places where tables are kept: all of them do the same; what is fetched is what was sent."""

from __future__ import annotations

import json
import pickle
import random
import sys
import time
import uuid
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.compiled.layers.row_reader import RowReader
from searchkit.errors import SearchkitError, SearchkitWarning, UnsuitableError, UsageError
from searchkit.tables import lock, remote_lock
from searchkit.tables.folder_store import FolderStore
from searchkit.tables.keys import KeyFile, python_states
from searchkit.tables.remote import Remote
from searchkit.tables.remote_files import RemoteBlocks
from searchkit.tables.remote_store import RemoteStore
from searchkit.tables.store import Files, Rows, Store, Stored, StoreError
from tests.support.key_files import machine_read, written

NEEDS_FSSPEC = pytest.mark.skipif(find_spec("fsspec") is None, reason="fsspec is not installed")


@pytest.fixture(
    params=[
        "folder",
        pytest.param("file", marks=NEEDS_FSSPEC),
        pytest.param("memory", marks=NEEDS_FSSPEC),
    ]
)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "folder":
        return FolderStore(tmp_path / "table")
    if request.param == "file":
        return RemoteStore(f"file://{tmp_path}/table/")
    return RemoteStore(f"memory://{uuid.uuid4().hex}/table")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few states, of which few are fetched at once."""
    for name, value in [
        ("keys.BLOCK", 4),
        ("keys.MAPPED_BYTES", 200),
        ("remote_files.MAPPED_BYTES", 200),
        ("remote_files.AHEAD_BYTES", 64),
        ("remote_files.REQUEST_BYTES", 128),
    ]:
        monkeypatch.setattr(f"searchkit.tables.{name}", value)


def sent(store: Store, states: list[Any], words: int = 1) -> Stored:
    """A file of states, in the store."""
    with store.at_hand() as files:
        path, _ = written(files.folder, states, words)
        (name,) = files.put([path])
    return Stored(name, len(states))


def test_small_files(store: Store) -> None:
    assert pickle.loads(pickle.dumps(store)) == store
    store.make()
    store.make()
    assert store.sizes() == {}
    with pytest.raises(FileNotFoundError):
        store.read("manifest.json", 10)
    store.write("manifest.json", b"old")
    store.write("manifest.json", b"newer")
    store.write("other", b"")
    assert store.read("manifest.json", 3) == b"new"
    assert store.sizes() == {"manifest.json": 5, "other": 0}
    assert store.exists("other")
    store.delete(["other", "none", "manifest.json"])
    assert not store.exists("other")
    assert store.sizes() == {}


def test_files_of_states(store: Store, small: None) -> None:
    store.make()
    states = sorted(random.Random(1).sample(range(1 << 40), 101))
    stored = sent(store, states)
    assert store.sizes().keys() == {stored.name}
    with store.at_hand() as files:
        (file,) = files.open([stored], 1)
        assert list(file) == states
        assert file.holds(states[50])
        (file,) = files.open([stored], 1)
        assert machine_read(file, 7, 60) == states[7:60]
    kept = store.adopt(stored.name, "layer-0000-000.keys")
    with store.at_hand() as files:
        (file,) = files.open([Stored(kept, 101)], 1)
        files.load([Rows(file, 20, 30), Rows(file, 5, 9), Rows(file, 50, 50)])
        assert machine_read(file, 20, 30) == states[20:30]
    folder = files.folder
    if isinstance(store, RemoteStore):
        assert not folder.exists()


@NEEDS_FSSPEC
def test_only_what_is_needed_is_fetched(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RemoteStore(f"file://{tmp_path}")
    states = sorted(random.Random(2).sample(range(1 << 60), 1000))
    stored, ranges = sent(store, states), []
    range_of = Remote.range

    def noted(self: Remote, name: str, begin: int, end: int) -> bytes:
        ranges.append((begin, end))
        return range_of(self, name, begin, end)

    monkeypatch.setattr(Remote, "range", noted)
    with store.at_hand() as files:
        (file,) = files.open([stored], 1)
        assert len(ranges) == 1
        files.load([Rows(file, 400, 500)])
        fetched = sorted(ranges[1:])
        assert len(fetched) > 3
        assert all(end - begin <= 256 for begin, end in fetched)
        assert fetched[0][0] == 8 * file.begin(100)
        assert fetched[-1][1] == 8 * int(file.ends[124])
        count = len(ranges)
        assert machine_read(file, 400, 500) == states[400:500]
        assert len(ranges) == count
        assert file.state(0) == states[0]
        assert len(ranges) == count + 1


@NEEDS_FSSPEC
@settings(max_examples=40, deadline=None)
@given(
    states=st.lists(st.integers(0, (1 << 64) - 1), min_size=1, max_size=80, unique=True),
    places=st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=5),
    at_first=st.booleans(),
)
def test_ranges_are_what_was_sent(
    states: list[int], places: list[tuple[int, int]], at_first: bool
) -> None:
    store, states = RemoteStore(f"memory://{uuid.uuid4().hex}"), sorted(states)
    with pytest.MonkeyPatch.context() as patches:
        for name, value in [("keys.BLOCK", 4), ("remote_files.MAPPED_BYTES", 0)]:
            patches.setattr(f"searchkit.tables.{name}", value)
        patches.setattr("searchkit.tables.remote_files.AHEAD_BYTES", 1)
        with store.at_hand() as files:
            (file,) = files.open([sent(store, states)], 1)
            assert isinstance(file.blocks, RemoteBlocks)
            inside = [(min(a, len(states)), min(b, len(states))) for a, b in places]
            if at_first:
                files.load([Rows(file, *each) for each in inside])
            for begin, end in inside:
                if begin < end:
                    reader = RowReader.of(file, begin, end)
                    assert python_states(reader.take(end - begin)) == states[begin:end]


def read(files: Files, stored: Stored) -> list[Any]:
    (file,) = files.open([stored], 1)
    files.load([Rows(file, 0, stored.count)])
    return list(file)


@NEEDS_FSSPEC
def test_damage_is_seen_in_each_range(small: None, tmp_path: Path) -> None:
    store = RemoteStore(f"file://{tmp_path}")
    stored = sent(store, list(range(0, 900, 3)))
    path = tmp_path / stored.name
    whole = path.read_bytes()
    with store.at_hand() as files:
        behind = int(files.open([stored], 1)[0].ends[-1])  # a word that nobody reads
    for place in range(8, len(whole), 16):
        changed = bytearray(whole)
        changed[place] ^= 4
        path.write_bytes(changed)
        with store.at_hand() as files:
            if place // 8 == behind:
                assert list(read(files, stored)) == list(range(0, 900, 3))
                continue
            with pytest.raises(UsageError, match=r"another checksum|cannot be read as a layer"):
                read(files, stored)
    for most in (len(whole) - 8, 100, 40, 0):
        path.write_bytes(whole[:most])
        with store.at_hand() as files, pytest.raises(UsageError, match="cannot be read as a layer"):
            files.open([stored], 1)
    path.unlink()
    with store.at_hand() as files, pytest.raises(UsageError, match="a file is not there"):
        files.open([stored], 1)


@NEEDS_FSSPEC
def test_a_file_that_is_cut_off_later(small: None, tmp_path: Path) -> None:
    store = RemoteStore(f"file://{tmp_path}")
    stored = sent(store, list(range(0, 900, 3)))
    with store.at_hand() as files:
        (file,) = files.open([stored], 1)
        (tmp_path / stored.name).write_bytes(b"x" * 64)
        with pytest.raises(StoreError, match="is too short"):
            files.load([Rows(file, 100, 200)])


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("fsspec") is not None:
        with pytest.raises(UsageError, match="not-a-protocol://x names no place"):
            RemoteStore("not-a-protocol://x")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    url = f"s3://{uuid.uuid4().hex}"
    with pytest.raises(UnsuitableError, match=r"needs fsspec; pip install 'searchkit-state"):
        RemoteStore(url)


@NEEDS_FSSPEC
def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(
        UnsuitableError, match=r"needs the package of fsspec for 's3': Install s3fs"
    ):
        RemoteStore(f"s3://{uuid.uuid4().hex}")


@NEEDS_FSSPEC
def test_a_password_is_not_shown() -> None:
    store = RemoteStore("memory://user:secret@place/table")
    assert str(store) == "memory://...@place/table"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """An owner that gives signs is never taken to be gone, and signs are given at once."""
    for name in ("SIGN_SECONDS", "LOOK_SECONDS", "SETTLE_SECONDS"):
        monkeypatch.setattr(remote_lock, name, 0.01)
    for name in ("GONE_SECONDS", "TELL_SECONDS"):
        monkeypatch.setattr(remote_lock, name, 60.0)


def test_one_at_a_time(store: Store, quick: None) -> None:
    store.make()
    mine = store.lock()
    mine.check()
    with pytest.raises(UsageError, match="is being explored into by process"):
        store.lock()
    mine.release()
    assert not store.exists(lock.NAME)
    other = store.lock()
    other.release()


@NEEDS_FSSPEC
def test_an_owner_that_is_gone(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_lock, "GONE_SECONDS", 0.1)
    store = RemoteStore(f"file://{tmp_path}")
    (tmp_path / lock.NAME).write_text(json.dumps({"id": "1", "pid": 1, "host": "moon"}))
    monkeypatch.setattr(remote_lock, "TELL_SECONDS", 0.0)
    with pytest.warns(SearchkitWarning, match=r"process 1 on moon, .* was exploring into") as told:
        mine = store.lock()
    assert len(told) == 1
    monkeypatch.setattr(remote_lock, "TELL_SECONDS", 60.0)
    mine.check()
    (tmp_path / lock.NAME).write_text(json.dumps({"id": "2", "pid": 2, "host": "moon"}))
    with pytest.raises(SearchkitError, match=r"process 2 on moon, .* has taken over"):
        mine.check()
    mine.release()
    assert store.exists(lock.NAME)
    (tmp_path / lock.NAME).write_text("no JSON")
    store.lock().release()
    assert not store.exists(lock.NAME)


@NEEDS_FSSPEC
def test_signs_of_life(tmp_path: Path, quick: None) -> None:
    store = RemoteStore(f"file://{tmp_path}")
    mine = store.lock()
    first = store.read(lock.NAME, 1000)
    while store.read(lock.NAME, 1000) == first:
        time.sleep(0.01)
    mine.release()


def test_a_file_says_how_it_was_written(tmp_path: Path) -> None:
    """A block whose checksum is another is told, also where the file lies here."""
    path, words = written(tmp_path, list(range(10)))
    file = KeyFile.open(path, 10, 1)
    assert len(file.checks) == len(file.ends) == 1
    words[-7] ^= 1
    path.write_bytes(words.tobytes())
    with pytest.raises(UsageError, match="its index is wrong"):
        KeyFile.open(path, 10, 1)
