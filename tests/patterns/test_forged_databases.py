"""Forged pattern databases, finished and not: every checksum fits, and machine code uses none."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import shutil
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from searchkit import UsageError
from searchkit.heuristics.patterns.choose import pattern_heuristic, space_named
from searchkit.heuristics.patterns.compiled_build import Build
from searchkit.heuristics.patterns.heuristic import PatternHeuristic
from searchkit.heuristics.patterns.laws import all_places
from searchkit.heuristics.patterns.library import Library
from searchkit.heuristics.patterns.unfinished import finished
from searchkit.tables.signed import digest
from searchkit_pancakes import pancakes
from searchkit_sliding import eight_puzzle

GROUP = "3-3-2"


def signed_again(path: Path, change: dict[str, Any]) -> None:
    content = json.loads(path.read_text())
    del content["check"]
    content |= change
    path.write_text(json.dumps(content | {"check": digest(content)}))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    pattern_heuristic(eight_puzzle(), GROUP, library=Library(folder))
    return folder


@pytest.fixture
def library(built: Path, tmp_path: Path) -> Library:
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return Library(tmp_path)


@pytest.mark.slow_variants("503", "100000", "505")
@pytest.mark.parametrize("entries", [1, 9, 503, 505, 100_000])
def test_another_number_of_entries(entries: int, library: Library) -> None:
    problem = eight_puzzle()
    heuristic = pattern_heuristic(problem, GROUP, library=library)
    database, *others = heuristic.databases
    values = np.resize(database.values, entries)
    forged = attrs.evolve(database, entries=entries, values=values)
    name = library.save(forged).name
    with pytest.raises(UsageError, match=f"{name}: {entries} entries, and the group has 504"):
        pattern_heuristic(problem, GROUP, library=library)
    with pytest.raises(UsageError, match="needs 504 entries"):
        PatternHeuristic(heuristic.space, [forged, *others])
    with pytest.raises(UsageError, match="needs 504 entries"):
        PatternHeuristic(heuristic.space, [attrs.evolve(database, values=values), *others])


@pytest.mark.slow_variants("change0", "change1", "change5", "change8", "change12", "change13")
@pytest.mark.spread
@pytest.mark.parametrize(
    "change",
    [
        {"entries": "504"}, {"entries": 504.0}, {"entries": None}, {"entries": -504},
        {"counts": [1, "2"]}, {"counts": 7}, {"seconds": "soon"}, {"halved": 2},
        {"halved": "no"}, {"rules": None}, {"sha256": 7}, {"identity": 7}, {"identity": {}},
        {"bytes": True}, {"bytes": 1 << 70}, {"entries": 1 << 70}, {"folder": "/"}, {"more": 1},
    ],
)  # fmt: skip
def test_what_no_manifest_says(change: dict[str, Any], library: Library) -> None:
    name = library.names()[0]
    signed_again(library.folder / name / "manifest.json", change)
    with pytest.raises(UsageError, match=name) as refused:
        pattern_heuristic(eight_puzzle(), GROUP, library=library)
    assert "\n" not in str(refused.value)


PROBLEMS = {
    "masks of places": (eight_puzzle, "3-3-2", np.uint16),
    "undirected": (lambda: pancakes(7), "4-3", np.uint8),
}


def begun(kind: str, slices: int) -> Build:
    problem, name, _ = PROBLEMS[kind]
    building = Build(space_named(problem(), name), 0)
    for _ in itertools.islice(building.run(), slices):
        pass
    return building


@pytest.mark.spread
@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("slices", range(12))
def test_what_a_build_has_is_possible(
    kind: str, slices: int, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr("searchkit.heuristics.patterns.compiled_build.CHUNK", 64)
    begun(kind, 3 * slices).keep(tmp_path)
    assert begun(kind, 0).resume(tmp_path)


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("masks of places", "layer", 1 << 15), ("masks of places", "seen", 1 << 9),
        ("masks of places", "fresh", 1 << 15), ("masks of places", "values", 200),
        ("masks of places", "values", 0), ("masks of places", "seen", 0),
        ("undirected", "values", 200), ("undirected", "values", 0), ("undirected", "values", 7),
    ],
)  # fmt: skip
def test_arrays_that_no_build_has(kind: str, name: str, value: int, tmp_path: Path) -> None:
    building = begun(kind, 3)
    building.keep(tmp_path)
    types = {"values": np.uint8, "seen": PROBLEMS[kind][2]}
    place = int((building.values == 1).argmax())
    forge_array(tmp_path, name, place, value, types.get(name, PROBLEMS[kind][2]))
    assert not begun(kind, 0).resume(tmp_path)


def forge_array(folder: Path, name: str, place: int, value: int, kind: Any) -> None:
    """Change one number of an array of an unfinished build."""
    state = json.loads((folder / "state.json").read_text())
    path = folder / state["files"][name]
    found = np.fromfile(path, kind)
    found[place] = value
    path.write_bytes(found.tobytes())
    sums = state["sha256"] | {name: hashlib.sha256(found.tobytes()).hexdigest()}
    signed_again(folder / "state.json", {"sha256": sums})


def test_places_that_an_entry_cannot_have(tmp_path: Path) -> None:
    """The blank stands where a tile of the pattern is: the folder is named, not the puzzle."""
    building, library = begun("masks of places", 3), Library(tmp_path)
    identity = building.database().identity
    path = library.path_of(identity, halved=False)
    folder = path.with_name(f"{path.name}.unfinished")
    building.keep(folder)
    entry = int((building.values == 1).argmax())
    forge_array(folder, "layer", entry, all_places(building.space), np.uint16)
    with pytest.raises(UsageError, match=f"^{re.escape(str(folder))}: .* remove it to begin again"):
        finished(begun("masks of places", 0), identity, library, lambda build: None)
    shutil.rmtree(folder)
    finished(begun("masks of places", 0), identity, library, lambda build: None)
