"""Answers of a table rest on bytes that were compared with their checksums, each file once."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from searchkit import Limits, SearchkitError
from searchkit.errors import VerificationError
from searchkit.explore import explore
from searchkit.tables import Table, checked, folder_store, keys
from tests.support.resuming import Job
from tests.support.table_spaces import UndirectedTokens, ring

pytestmark = pytest.mark.usefixtures("in_little_memory")

BEFORE = 10**18
"""Some day in 2001, in nanoseconds."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "table"
    explore(ring(), checkpoint=folder)
    return folder


def flip(path: Path, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


@given(st.data())
def test_a_flipped_bit_anywhere_is_an_error_that_names_the_file(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    name = data.draw(st.sampled_from(sorted(path.name for path in whole.iterdir())))
    bit = data.draw(st.integers(0, 8 * (whole / name).stat().st_size - 1))
    folder = tmp_path_factory.mktemp("copy") / "table"
    shutil.copytree(whole, folder)
    flip(folder / name, bit)
    state = ring().start
    for use in (
        lambda: Table.open(folder, ring()).distance(state),
        lambda: Table.open(folder, ring()).solution(state),
        lambda: list(Table.open(folder, ring()).check()),
        lambda: explore(ring(), checkpoint=folder).farthest,
    ):
        with pytest.raises(SearchkitError) as refused:
            use()
        assert str(folder / name) in str(refused.value)
        assert "\n" not in str(refused.value)
    shutil.rmtree(folder)


@given(st.integers(0, 10**6), st.binary(max_size=40))
@example(0, b"PK\3\4")
@example(0, b"\x80" * 8)
def test_layers_that_were_written_over(whole: Path, place: int, new: bytes) -> None:
    path = whole / "layer-0004-000.keys"
    data = path.read_bytes()
    place %= len(data)
    damaged = (data[:place] + new + data[place + len(new) :])[: len(data)]
    try:
        path.write_bytes(damaged)
        if damaged == data:
            assert Table.open(whole, ring()).distance(ring().start) == 0
        else:
            with pytest.raises(SearchkitError, match=r"layer-0004-000\.keys"):
                Table.open(whole, ring())
    finally:
        path.write_bytes(data)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A table that counts as large, whose files have not changed for long."""
    monkeypatch.setattr(keys, "MAPPED_BYTES", 32)
    monkeypatch.setattr(checked, "LEAST_BYTES", 0)
    Job(ring()).into(tmp_path / "table", Limits(cost=5))
    (tmp_path / "table" / checked.NAME).unlink()
    settle(monkeypatch)
    return tmp_path / "table"


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the times of files be believed at once: a test cannot wait for two seconds."""
    monkeypatch.setattr(checked, "SETTLED", -BEFORE)


@pytest.fixture
def read(large: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose checksums are made, as they are."""
    names: list[str] = []

    def noted(file: Any) -> str:
        opened = os.fstat(file.fileno())
        names.extend(path.name for path in large.iterdir() if os.path.samestat(path.stat(), opened))
        return checked.checksum_of(file)

    monkeypatch.setattr(folder_store, "checksum_of", noted)
    return names


def test_large_files_are_read_once(large: Path, read: list[str]) -> None:
    names = [f"layer-{depth:04}-000.keys" for depth in range(6)]
    assert Table.open(large, ring()).distance(ring().start) == 0
    assert read == names
    Table.open(large, ring())
    assert read == names
    list(Table.open(large, ring()).check())
    assert read == 2 * names
    Job(ring()).into(large)
    assert read == 2 * names
    assert len(Table.open(large, ring()).layers) > 6
    assert read == 2 * names


def test_those_that_have_changed_are_read_again(large: Path, read: list[str]) -> None:
    Table.open(large, ring())
    file = large / "layer-0004-000.keys"
    before = file.stat()
    flip(file, 8 * before.st_size - 3)
    times = before.st_atime_ns, before.st_mtime_ns
    os.utime(file, ns=times)
    while file.stat().st_ctime_ns == before.st_ctime_ns:  # until the clock ticks
        os.utime(file, ns=times)
    read.clear()
    for use in (lambda: Table.open(large, ring()), lambda: Job(ring()).into(large)):
        with pytest.raises(VerificationError, match=r"layer-0004-000\.keys has changed since"):
            use()
        assert read == ["layer-0004-000.keys"]
        read.clear()
    flip(file, 8 * before.st_size - 3)
    Table.open(large, ring())
    assert read == ["layer-0004-000.keys"]


def test_times_that_are_young_are_not_believed(
    large: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change within the same tick of the clock leaves no trace in them."""
    monkeypatch.setattr(checked, "SETTLED", 2_000_000_000)
    Table.open(large, ring())
    assert len(read) == 6
    Table.open(large, ring())
    assert len(read) == 12
    late = (large / checked.NAME).stat().st_mtime_ns + 3_000_000_000
    os.utime(large / checked.NAME, ns=(late, late))
    Table.open(large, ring())
    assert len(read) == 12


@pytest.mark.parametrize(
    "note",
    [b"", b"{", b"[]", b"7", b'{"layer-0001-000.keys": 7}', b'{"layer-0001-000.keys": {"size": 1}}',
     b"[" * 100_000, b"\xff\xfe", None],
)  # fmt: skip
def test_a_note_that_cannot_be_used(note: bytes | None, large: Path, read: list[str]) -> None:
    """Then files are read again; a flipped bit in it makes some file unknown, no file known."""
    Table.open(large, ring())
    path = large / checked.NAME
    before = path.read_bytes()
    if note is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(note)
    read.clear()
    assert Table.open(large, ring()).distance(ring().start) == 0
    assert len(read) == 6
    assert note is None or path.read_bytes() == before


def test_small_tables_have_no_note(whole: Path) -> None:
    Table.open(whole, ring())
    assert checked.NAME not in {path.name for path in whole.iterdir()}


def test_the_bytes_that_are_asked_are_those_that_were_compared(whole: Path) -> None:
    """A file that is replaced while a table is open changes no answer of it."""
    problem: UndirectedTokens = ring()
    table = Table.open(whole, problem)
    far = explore(problem, engine="reference").farthest[0]
    distance = table.distance(far)
    path = whole / "layer-0009-000.keys"
    data = path.read_bytes()
    try:
        path.unlink()
        path.write_bytes(bytes(len(data)))
        assert table.distance(far) == distance == 9
    finally:
        path.write_bytes(data)
