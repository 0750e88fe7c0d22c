"""Machine code that somebody else could have written is not run, and said so once."""

from __future__ import annotations

import hashlib
import os
import stat
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from searchkit.compiled.specialise import own_folder
from searchkit.compiled.specialise.code_files import KEPT_SECONDS, PREFIX, CodeFiles
from searchkit.compiled.specialise.own_folder import NotOursError, OwnFolder
from searchkit.errors import SearchkitWarning

pytestmark = pytest.mark.skipif(not own_folder.HAS_OWNERS, reason="files have no owners here")

NAME = "searchkit_kernel_x.search.y"
CONTENT = b"machine code"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of our own with one file."""
    place = tmp_path / "cache"
    place.mkdir(0o700)
    monkeypatch.setenv(own_folder.ENVIRONMENT_VARIABLE, str(place))
    monkeypatch.setattr(CodeFiles, "has_warned", False)
    path = place / NAME
    path.write_bytes(hashlib.sha256(CONTENT).digest() + CONTENT)
    path.chmod(0o600)
    yield place
    place.chmod(0o700)


def load(expected: bytes | None) -> list[str]:
    """Load the file twice; what is said."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert CodeFiles.read(NAME) == expected
        assert CodeFiles.read(NAME) == expected
    assert {each.category for each in said} <= {SearchkitWarning}
    return [str(each.message) for each in said]


def test_code_in_a_folder_of_our_own_is_loaded(folder: Path) -> None:
    """Else the tests below would test nothing."""
    assert load(CONTENT) == []


def link_the_file(folder: Path) -> None:
    (folder / NAME).rename(folder / "elsewhere")
    (folder / NAME).symlink_to(folder / "elsewhere")


OPEN: dict[str, tuple[Callable[[Path], Any], str]] = {
    "folder for all": (lambda folder: folder.chmod(0o777), "its mode is 0777"),
    "folder for the group": (lambda folder: folder.chmod(0o775), "its mode is 0775"),
    "sticky folder": (lambda folder: folder.chmod(0o1777), "its mode is 1777"),
    "file for all": (lambda folder: (folder / NAME).chmod(0o666), "its mode is 0666"),
    "file for the group": (lambda folder: (folder / NAME).chmod(0o620), "its mode is 0620"),
    "file by a link": (link_the_file, "is a link"),
}


@pytest.mark.parametrize("how", OPEN)
def test_what_others_can_write_is_not_loaded(how: str, folder: Path) -> None:
    change, why = OPEN[how]
    change(folder)
    (said,) = load(None)
    assert str(folder) in said
    assert why in said
    assert "SEARCHKIT_CACHE_DIR" in said
    assert "\n" not in said


def test_what_belongs_to_others_is_not_loaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = os.geteuid()
    monkeypatch.setattr(own_folder.os, "geteuid", lambda: own + 1)
    (said,) = load(None)
    assert f"{folder} belongs to user {own}, not to you ({own + 1})" in said


def test_a_file_of_others_in_a_folder_of_ours(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = own_folder._check

    def checked(path: Path, found: os.stat_result) -> None:
        fields = list(found)
        fields[stat.ST_UID] += path.name == NAME
        check(path, os.stat_result(fields))

    monkeypatch.setattr(own_folder, "_check", checked)
    (said,) = load(None)
    assert f"{folder / NAME} belongs to user {os.geteuid() + 1}" in said


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    (folder / NAME).unlink()
    os.mkfifo(folder / NAME, 0o600)
    with OwnFolder.opened(folder) as own, pytest.raises(NotOursError, match="not a regular file"):
        own.read(NAME)


def test_an_exchange_after_the_check_changes_nothing(folder: Path, tmp_path: Path) -> None:
    """The folder that was looked at is the one that is read."""
    before = (folder / NAME).read_bytes()
    with OwnFolder.opened(folder) as own:
        folder.rename(tmp_path / "away")
        folder.mkdir()
        (folder / NAME).write_bytes(b"evil")
        assert own.read(NAME) == before


@pytest.mark.parametrize("umask", [0, 0o002, 0o022, 0o077])
def test_folders_are_made_for_their_owner(umask: int, tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c"
    before = os.umask(umask)
    try:
        with OwnFolder.opened(path, make=True) as own:
            own.write(NAME, b"code")
    finally:
        os.umask(before)
    for each in (path, path.parent, path.parent.parent):
        assert stat.S_IMODE(each.stat().st_mode) == 0o700
    assert stat.S_IMODE((path / NAME).stat().st_mode) == 0o600
    with OwnFolder.opened(path) as own:
        assert own.read(NAME) == b"code"


def test_nothing_is_kept_where_others_write(folder: Path) -> None:
    folder.chmod(0o777)
    before = sorted(folder.iterdir())
    with pytest.raises(NotOursError), OwnFolder.opened(folder, make=True) as own:
        own.write("new", b"code")
    assert sorted(folder.iterdir()) == before


def test_a_failed_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    before = (folder / NAME).read_bytes()
    monkeypatch.setattr(own_folder.os, "replace", full)
    with OwnFolder.opened(folder) as own, pytest.raises(OSError, match="No space"):
        own.write(NAME, b"code")
    assert [path.name for path in folder.iterdir()] == [NAME]
    assert (folder / NAME).read_bytes() == before


def test_what_a_killed_process_left_is_swept(folder: Path) -> None:
    """But no file of others, nor one that a process may be writing."""
    now = time.time()
    ages = {
        f"{own_folder.PART}old": 7200,
        f"{own_folder.PART}young": 60,
        f"{PREFIX}unused": 100 * 24 * 3600,
        f"{PREFIX}used": 7200,
        "tmp1234.tmp": 100 * 24 * 3600,
    }
    for name, age in ages.items():
        (folder / name).touch()
        os.utime(folder / name, (now - age, now - age))
    left = {NAME, f"{own_folder.PART}young", f"{PREFIX}used", "tmp1234.tmp", own_folder.SWEPT}
    with OwnFolder.opened(folder) as own:
        own.sweep(PREFIX, KEPT_SECONDS)
        assert {path.name for path in folder.iterdir()} == left
        (folder / f"{own_folder.PART}old").touch()
        os.utime(folder / f"{own_folder.PART}old", (now - 7200, now - 7200))
        own.sweep(PREFIX, KEPT_SECONDS)
        assert (folder / f"{own_folder.PART}old").exists()  # not so soon again
        os.utime(folder / own_folder.SWEPT, (now - 7200, now - 7200))
        own.sweep(PREFIX, KEPT_SECONDS)
    assert {path.name for path in folder.iterdir()} == left
