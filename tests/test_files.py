"""Files are written whole, or what was there stays."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.texts import files
from searchkit.texts.files import WholeFile, open_regular, write_whole

FULL = OSError(errno.ENOSPC, "No space left on device")


def failing(function: Callable[..., Any], at: int, error: OSError) -> Callable[..., Any]:
    """`function`, which fails when it is called for the `at`th time, and ever after."""
    calls = 0

    def called(*args: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls >= at:
            raise error
        return function(*args, **more)

    return called


def half(function: Callable[..., Any]) -> Callable[..., Any]:
    """`os.write`, that takes some of the bytes only."""
    return lambda handle, data: function(handle, data[: max(1, len(data) // 3)])


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_new_file_has_the_rights_that_any_new_file_has(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "new", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "new").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~umask
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_an_old_file_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "old").chmod(0o640)
    write_whole(tmp_path / "old", b"new")
    assert (tmp_path / "old").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o640


def test_of_a_link_the_target_is_exchanged(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_bytes(b"old")
    for link, target in (("link", "folder/file"), ("dangling", "folder/new")):
        (tmp_path / link).symlink_to(target)
        write_whole(tmp_path / link, b"new")
        assert (tmp_path / link).is_symlink()
        assert (tmp_path / target).read_bytes() == b"new"


def test_writes_that_take_some_bytes_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files.os, "write", half(os.write))
    write_whole(tmp_path / "new", bytes(range(256)))
    assert (tmp_path / "new").read_bytes() == bytes(range(256))


@pytest.mark.parametrize("old", [b"old", None])
@pytest.mark.parametrize("name", ["write", "fsync", "open", "close"])
def test_what_was_there_stays(
    old: bytes | None, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)
    with monkeypatch.context() as patches:
        function = getattr(os, name)
        patches.setattr(files.os, name, failing(function, 1, FULL))
        with pytest.raises(OSError, match="No space"):
            write_whole(path, b"new")
    assert [each.name for each in tmp_path.iterdir()] == [] if old is None else ["file"]
    assert old is None or path.read_bytes() == old


def test_an_interrupt_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"old")

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patches:
        patches.setattr(files.os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write_whole(tmp_path / "file", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def in_a_closed_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file can be made; those that are there can be written."""
    function = os.open

    def opened(path: Any, flags: int, *more: Any) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, "Permission denied")
        return function(path, flags, *more)

    monkeypatch.setattr(files.os, "open", opened)


def on_a_mount_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file cannot be exchanged."""
    monkeypatch.setattr(Path, "replace", failing(Path.replace, 1, OSError(errno.EBUSY, "busy")))


@pytest.mark.parametrize("where", [in_a_closed_folder, on_a_mount_point])
def test_files_that_can_only_be_written_over(
    where: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"an old text")
    with monkeypatch.context() as patches:
        where(patches)
        write_whole(path, b"new")
        assert path.read_bytes() == b"new"
        write, calls = Path.write_bytes, []

        def torn(at: Path, data: bytes) -> int:
            calls.append(data)
            if len(calls) == 1:
                write(at, data[:1])
                raise FULL
            return write(at, data)

        patches.setattr(Path, "write_bytes", torn)
        with pytest.raises(OSError, match="No space"):
            write_whole(path, b"newer")
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_no_file_in_a_closed_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_closed_folder(monkeypatch)
    with pytest.raises(PermissionError):
        write_whole(tmp_path / "new", b"new")


def test_devices_and_pipes_are_written_to_at_once(tmp_path: Path) -> None:
    write_whole(Path(os.devnull), b"new")
    assert not Path(os.devnull).is_file()
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space"):
            write_whole(Path("/dev/full"), b"new")
        assert not Path("/dev/full").is_file()
    reading, writing = os.pipe()
    if Path("/dev/fd").exists():
        write_whole(Path(f"/dev/fd/{writing}"), b"new")
        assert os.read(reading, 9) == b"new"
        target = tmp_path / "stdout"
        with target.open("wb") as file:
            file.write(b"before, ")
            file.flush()
            write_whole(Path(f"/dev/fd/{file.fileno()}"), b"new")
        assert target.read_bytes() == b"before, new"
        assert list(tmp_path.iterdir()) == [target]
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("name", ["", "none/file", "x" * 300, "file/x"])
def test_places_where_no_file_can_be(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(OSError, match=r"\w"):
        write_whole(tmp_path / name, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_long_name(tmp_path: Path) -> None:
    write_whole(tmp_path / ("ü" * 127), b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["ü" * 127]


def test_until_it_is_complete_the_old_one_is_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    file = WholeFile(path)
    file.write(b"new")
    assert path.read_bytes() == b"old"
    assert file.part is not None
    assert file.part.read_bytes() == b"new"
    file.complete()
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_regular_files_only_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    with open_regular(tmp_path / "file") as file:
        assert file.read() == b"text"
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
        with pytest.raises(OSError, match="not a regular file"):
            open_regular(path)
