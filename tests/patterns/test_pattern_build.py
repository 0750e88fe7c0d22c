"""What the builder promises to any pattern space."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from searchkit import ProblemError, UsageError
from searchkit.errors import NoCompilerError
from searchkit.heuristics.patterns import PatternSpace, compiled_build
from searchkit.heuristics.patterns.choose import space_named
from searchkit.heuristics.patterns.compiled_build import Build, build, mask_type
from searchkit_sliding import eight_puzzle


class LineTables(NamedTuple):
    length: int


class Line(PatternSpace):
    """A piece on a line, which goes one step either way. With a place of its own at every end."""

    groups = ((0,),)
    operators = 1
    places = 2

    def __init__(self, length: int) -> None:
        self.tables = LineTables(length)

    def identity(self, group: int) -> dict[str, Any]:
        return {"puzzle": "line", "pattern": "0", "length": self.tables.length}

    def entries(self, group: int) -> int:
        return self.tables.length

    def goals(self, group: int) -> list[tuple[int, int]]:
        return [(0, 1)]

    def locate(self, state: Any, image: int, group: int) -> int:
        return int(state)

    def rank(self, word: int, group: int) -> int:
        return word

    def unrank(self, entry: int, group: int) -> int:
        return entry

    def choices(self, word: int, group: int, mask: int, operator: int) -> int:
        return int(1 * (word > 0)) | int(2 * (word < self.tables.length - 1))

    def landing(self, word: int, group: int, mask: int, operator: int, choice: int) -> int:
        """The second place is reached at the far end only."""
        if choice == 0 and word == self.tables.length - 1:
            return mask | 2
        return mask

    def previous(self, word: int, group: int, operator: int, choice: int) -> int:
        return word + 2 * choice - 1


@pytest.mark.parametrize("length", [1, 2, 9, 255])
def test_distances_of_a_byte(length):
    """All entries are reached again at other places, at distances of more than a byte."""
    database = build(Line(length))
    assert database.values.tolist() == list(range(length))
    assert database.counts == (1,) * length
    assert not database.values.flags.writeable


def test_distances_of_more_than_a_byte():
    with pytest.raises(ProblemError, match=r"^pattern 0: distances above 254$"):
        build(Line(256))


def test_without_a_compiler_small_databases_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    space = space_named(eight_puzzle(), "3-3-2")
    made = [build(Line(200)), *(build(space, group) for group in range(3))]
    monkeypatch.setattr(compiled_build, "numba_folder", lambda: None)
    again = [build(Line(200)), *(build(space, group) for group in range(3))]
    for one, other in zip(made, again, strict=True):
        assert one.values.tolist() == other.values.tolist()
        assert (one.counts, one.mean, one.rules) == (other.counts, other.mean, other.rules)


def test_without_a_compiler_large_databases_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_build, "numba_folder", lambda: None)
    said = "^numba is not installed: a pattern database of 100,001 entries needs machine code"
    with pytest.raises(NoCompilerError, match=said):
        build(Line(100_001))


class TooManyPlaces(Line):
    places = 33


def test_places_have_a_bit_each():
    assert [mask_type(places).itemsize for places in (1, 8, 9, 16, 17, 32)] == [1, 1, 2, 2, 4, 4]
    with pytest.raises(ProblemError, match="expected places from 1 to 32; found 33"):
        build(TooManyPlaces(5))
    with pytest.raises(UsageError, match="has 33 places; at most 32"):
        mask_type(33)


@pytest.mark.parametrize("call", [1, 2, 5, 9, 10])
def test_ctrl_c_amid_a_slice_loses_nothing(
    call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Machine code had changed the arrays, and the numbers that were kept were those before."""
    space = Line(9)
    whole = build(space)
    expand, calls = Build._expand, []

    def interrupted(building: Build, *arguments: Any) -> None:
        expand(building, *arguments)
        calls.append(arguments)
        if len(calls) == call + 1:  # the first one makes the machine code
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Build, "_expand", interrupted)
    building = Build(space, 0)
    with pytest.raises(KeyboardInterrupt):
        for _ in building.run():
            pass
    building.keep(tmp_path / "kept")
    again = Build(space, 0)
    assert again.resume(tmp_path / "kept")
    for _ in again.run():
        pass
    found = again.database()
    assert found.counts == whole.counts
    assert found.values.tolist() == whole.values.tolist()
