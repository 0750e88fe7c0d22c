"""Pattern databases on disk: what was written comes back, and nothing else is taken for it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from searchkit import SearchkitError, UsageError
from searchkit.heuristics.patterns import PatternDatabase, library
from searchkit.heuristics.patterns.library import CHECKED, MANIFEST, VALUES, Library
from searchkit.tables import checked
from tests.support.databases import database


@pytest.fixture
def shelf(tmp_path: Path) -> Library:
    return Library(tmp_path / "patterns")


def load(shelf: Library, like: PatternDatabase) -> PatternDatabase:
    return shelf.load(like.identity, halved=like.halved)


def refused(action: Any, *words: str) -> str:
    with pytest.raises(UsageError) as caught:
        action()
    told = str(caught.value)
    assert "\n" not in told
    assert "delete" in told or "may name another folder" in told, told
    for word in words:
        assert word in told
    return told


@pytest.mark.parametrize("halved", [False, True])
@pytest.mark.parametrize("entries", [3, 1000, 1001])
def test_what_is_written_comes_back(shelf: Library, halved: bool, entries: int) -> None:
    one = database(entries, halved=halved)
    assert not shelf.has(one.identity, halved=halved)
    assert shelf.names() == []
    folder = shelf.save(one)
    assert folder == shelf.path_of(one.identity, halved=halved)
    assert shelf.names() == [folder.name]
    assert shelf.has(one.identity, halved=halved)
    assert not shelf.has(one.identity, halved=not halved)
    back = load(shelf, one)
    for name in ("identity", "entries", "counts", "halved"):
        assert getattr(back, name) == getattr(one, name)
    assert back.seconds == pytest.approx(one.seconds, abs=0.001)
    assert (back.values == one.values).all()
    assert type(back.values) is np.ndarray
    assert not back.values.flags.writeable
    assert isinstance(mapped(back.values), np.memmap)
    entry = shelf.read(folder.name)
    assert (entry.entries, entry.counts, entry.bytes) == (entries, one.counts, one.bytes)
    shutil.rmtree(folder)
    assert shelf.names() == []


def mapped(values: Any) -> Any:
    """The array that `values` is a view of."""
    while isinstance(values, np.ndarray) and not isinstance(values, np.memmap):
        values = values.base
    return values


def test_both_forms_stand_side_by_side(shelf: Library) -> None:
    shelf.save(database())
    shelf.save(database(halved=True))
    assert len(shelf.names()) == 2
    assert not load(shelf, database()).halved
    assert load(shelf, database(halved=True)).halved


def test_identities_do_not_depend_on_the_order_of_their_keys(shelf: Library) -> None:
    one = database()
    turned = attrs.evolve(one, identity=dict(reversed(one.identity.items())))
    shelf.save(one)
    assert (load(shelf, turned).values == one.values).all()
    other = attrs.evolve(one, identity={**one.identity, "seed": 8})
    assert not shelf.has(other.identity, halved=False)


def flip(path: Path, at: int, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[at % len(content)] ^= 1 << bit
    path.write_bytes(bytes(content))


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 10_000), st.integers(0, 7), st.booleans(), st.booleans())
def test_a_flipped_bit_of_the_values(
    shelf: Library, at: int, bit: int, halved: bool, seen: bool
) -> None:
    one = database(halved=halved)
    folder = shelf.save(one)
    if seen:
        load(shelf, one)
    flip(folder / VALUES, at, bit)
    refused(lambda: load(shelf, one), str(folder), "its checksum is another")
    refused(lambda: load(shelf, one), "its checksum is another")


@settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 2000), st.integers(0, 7), st.booleans(), st.booleans())
def test_a_flipped_bit_of_the_manifest(
    shelf: Library, at: int, bit: int, halved: bool, seen: bool
) -> None:
    """It is refused, or was between the values, where it changes nothing."""
    one = database(halved=halved)
    folder = shelf.save(one)
    if seen:
        load(shelf, one)
    before = json.loads((folder / MANIFEST).read_text())
    flip(folder / MANIFEST, at, bit)
    try:
        same = json.loads((folder / MANIFEST).read_text()) == before
    except (ValueError, RecursionError):
        same = False
    if same:
        assert (load(shelf, one).values == one.values).all()
    else:
        refused(lambda: load(shelf, one), str(folder))


@pytest.mark.parametrize("part", [VALUES, MANIFEST])
@pytest.mark.parametrize("kept", [0, 1, 300, -1])
def test_a_file_cut_short(shelf: Library, part: str, kept: int) -> None:
    folder = shelf.save(database())
    content = (folder / part).read_bytes()
    (folder / part).write_bytes(content[:kept] if kept >= 0 else content.rstrip()[:-1])
    refused(lambda: load(shelf, database()), str(folder))


def test_a_file_that_grew(shelf: Library) -> None:
    folder = shelf.save(database())
    with (folder / VALUES).open("ab") as file:
        file.write(b"\0")
    refused(lambda: load(shelf, database()), "1002 bytes instead of 1001")


@pytest.mark.parametrize("part", [VALUES, MANIFEST])
def test_a_file_that_is_missing_or_a_folder(shelf: Library, part: str) -> None:
    folder = shelf.save(database())
    (folder / part).unlink()
    refused(lambda: load(shelf, database()), str(folder))
    (folder / part).mkdir()
    refused(lambda: load(shelf, database()), str(folder))


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other/1"},
        {"format": None},
        {"entries": "1001"},
        {"entries": 1002},
        {"entries": float("inf")},
        {"entries": float("nan")},
        {"entries": -1},
        {"bytes": 0},
        {"counts": [1, 2]},
        {"counts": 5},
        {"counts": [1e400]},
        {"counts": [[]]},
        {"identity": {"puzzle": "other"}},
        {"identity": []},
        {"identity": None},
        {"halved": True},
        {"seconds": "long"},
        {"seconds": 5},
        {"sha256": "0" * 64},
    ],
)
def test_other_manifests(shelf: Library, change: dict[str, Any]) -> None:
    folder = shelf.save(database())
    content = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**content, **change}))
    refused(lambda: load(shelf, database()), str(folder / MANIFEST))


@pytest.mark.parametrize(
    "text", ["", "[]", "5", "null", "{}", '"text"', "[" * 100_000, '{"format": ', "\0", "9" * 5000]
)
def test_what_is_no_manifest(shelf: Library, text: str) -> None:
    folder = shelf.save(database())
    (folder / MANIFEST).write_text(text)
    assert len(refused(lambda: load(shelf, database()), str(folder / MANIFEST))) < 500
    (folder / MANIFEST).write_bytes(b"\xff\xfe")
    refused(lambda: load(shelf, database()), str(folder / MANIFEST))


def test_a_missing_field(shelf: Library) -> None:
    folder = shelf.save(database())
    content = json.loads((folder / MANIFEST).read_text())
    for name in content:
        less = {key: value for key, value in content.items() if key != name}
        (folder / MANIFEST).write_text(json.dumps(less))
        refused(lambda: load(shelf, database()), str(folder / MANIFEST))


def test_a_folder_of_another_database(shelf: Library) -> None:
    other = attrs.evolve(database(), identity={"puzzle": "toy-é", "pattern": "3"})
    shelf.save(other).rename(shelf.path_of(database().identity, halved=False))
    refused(lambda: load(shelf, database()), "is of another database")


def test_values_are_compared_once(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    one = database()
    folder = shelf.save(one)
    compared = []
    real = library.checksum_of
    monkeypatch.setattr(library, "checksum_of", lambda file: compared.append(file) or real(file))
    monkeypatch.setattr(checked, "LEAST_BYTES", 0)
    monkeypatch.setattr(checked, "SETTLED", -(10**12))
    load(shelf, one)
    load(shelf, one)
    assert len(compared) == 1
    shelf.check(shelf.read(folder.name), again=True)
    assert len(compared) == 2
    times = (folder / VALUES).stat()
    flip(folder / VALUES, 5, 0)
    os.utime(folder / VALUES, ns=(times.st_atime_ns, times.st_mtime_ns))
    refused(lambda: load(shelf, one), "its checksum is another")
    assert len(compared) == 3


@pytest.mark.parametrize("text", ["", "{}", "[" * 100_000, "null", "\0"])
def test_a_damaged_note_of_the_comparison(
    shelf: Library, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(checked, "LEAST_BYTES", 0)
    one = database()
    folder = shelf.save(one)
    load(shelf, one)
    assert (folder / CHECKED).exists()
    (folder / CHECKED).write_text(text)
    load(shelf, one)
    flip(folder / VALUES, 9, 3)
    refused(lambda: load(shelf, one), "its checksum is another")


def test_saving_again_replaces(shelf: Library) -> None:
    shelf.save(database(seed=1))
    load(shelf, database())
    shelf.save(database(seed=2))
    assert (load(shelf, database()).values == database(seed=2).values).all()
    assert len(list(shelf.folder.iterdir())) == 1


def test_a_mapped_database_outlives_its_replacement(shelf: Library) -> None:
    shelf.save(database(seed=1))
    held = load(shelf, database())
    shelf.save(database(seed=2))
    assert (held.values == database(seed=1).values).all()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    shelf = Library(tmp_path / "file" / "patterns")
    told = refused(lambda: shelf.save(database()), "cannot be written", "SEARCHKIT_DATA_DIR")
    assert str(tmp_path) in told
    assert shelf.names() == []
    assert not shelf.has(database().identity, halved=False)


def forbid(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let these methods of paths fail as in a folder of somebody else; root could do them."""

    def fail(self: Path, *_: Any, **__: Any) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    for name in names:
        monkeypatch.setattr(Path, name, fail)


def test_a_folder_that_can_only_be_read(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    one = database()
    folder = shelf.save(one)
    forbid(monkeypatch, "write_text", "unlink", "mkdir", "replace", "rename")
    assert (load(shelf, one).values == one.values).all()
    assert not (folder / CHECKED).exists()
    assert shelf.save(one) == folder
    refused(lambda: shelf.save(database(seed=2)), "cannot be written", "Permission denied")
    assert (load(shelf, one).values == one.values).all()


def test_a_broken_database_in_a_folder_that_can_only_be_read(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = database()
    folder = shelf.save(one)
    load(shelf, one)
    flip(folder / VALUES, 3, 3)
    forbid(monkeypatch, "write_text", "unlink", "mkdir", "replace", "rename")
    refused(lambda: load(shelf, one), "its checksum is another")


def test_values_that_cannot_be_read(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.save(database())

    def fail(path: Any, *_: Any, **__: Any) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("os.open", fail)
    refused(lambda: load(shelf, database()), "Permission denied")


def test_a_full_disk_leaves_nothing(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(SearchkitError, match=r"No space left on device; it takes .* make room"):
        shelf.save(database())
    assert list(shelf.folder.iterdir()) == []


def test_a_database_that_is_broken_is_written_again(shelf: Library) -> None:
    folder = shelf.save(database())
    flip(folder / VALUES, 3, 3)
    assert shelf.save(database()) == folder
    assert (load(shelf, database()).values == database().values).all()


SAVE_OFTEN = """
    import sys
    from pathlib import Path
    sys.path.insert(0, sys.argv[1])
    from tests.support.databases import database
    from searchkit.heuristics.patterns.library import Library
    shelf = Library(Path(sys.argv[2]))
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(30):
        shelf.save(database())
"""


def test_processes_that_save_at_once(shelf: Library) -> None:
    """Whoever loads meanwhile gets it too."""
    running = [
        subprocess.Popen(
            [
                sys.executable, "-c", textwrap.dedent(SAVE_OFTEN),
                str(Path(__file__).parents[2]), str(shelf.folder),
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    shelf.save(database())
    try:
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        while any(process.poll() is None for process in running):
            assert (load(shelf, database()).values == database().values).all()
    finally:
        for process in running:
            _, told = process.communicate(timeout=300)
            assert not told
            assert process.returncode == 0
    assert (load(shelf, database()).values == database().values).all()
    assert [path.name for path in shelf.folder.iterdir()] == shelf.names()
