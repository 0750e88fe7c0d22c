"""Forged folders: every checksum fits, and what no exploration wrote is refused by its name."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, Problem, Step, UsageError
from searchkit.cli.app import app
from searchkit.compiled.layers.row_reader import key_module
from searchkit.compiled.specialise.module import state_array
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit.packed import PackedProblem
from searchkit.tables import Table
from searchkit.tables.keys import are_rising
from searchkit.translation import stored
from searchkit.translation.layout import TooNarrow, fields_of, lay_out
from searchkit.translation.stored import StoredLayout
from searchkit.translation.types import Int, Record
from searchkit_pancakes import pancakes
from searchkit_peg import HOPPERS, PegSolitaire
from searchkit_sliding import Board, SlidingPuzzle
from tests.support.forging import forge_layer, forge_manifest
from tests.support.table_spaces import ring

GOAL = "1 2 3 4 5 0"


class Plates(Problem[Any, Any]):
    """Plain rules: words in a row change their places; the layout has lengths, atoms and words."""

    undirected = True

    def initial_states(self) -> list[Any]:
        return [(("one", "two", "three", "four"), None, 0)]

    def is_goal(self, state: Any) -> bool:
        return False

    def successors(self, state: Any) -> Iterator[Step[Any, Any]]:
        row, held, level = state
        for i in range(len(row) - 1):
            swapped = (*row[:i], row[i + 1], row[i], *row[i + 2 :])
            yield Step(i, (swapped, held, level))
        for change in (-1, 1):
            if 0 <= level + change < 5:
                yield Step(change, (row, held, level + change))
        if held is None:
            yield Step("take", (row[:-1], row[-1], level))
        else:
            yield Step("put", ((*row, held), None, level))


PROBLEMS = {
    "bitmaps": lambda: PegSolitaire.single_vacancy(HOPPERS, 6),
    "numbers": lambda: SlidingPuzzle.read(Board.rectangle(2, 3), GOAL, GOAL),
    "more numbers": lambda: pancakes(6),
    "words": lambda: ring(6),
    "plain": Plates,
}
Rows = list[Any]


def spread(rows: Rows, count: int, least: int) -> Rows:
    rng = random.Random(1)
    found = {rng.randrange(least, 1 << 62) for _ in range(count)}
    return sorted({*rows, *found})


def wide(row: Any, first: int) -> Any:
    return (first, *row[1:]) if isinstance(row, tuple) else first


NO_STATES: dict[str, Callable[[Rows], Rows]] = {
    "one number that is none": lambda rows: [*rows, 1 << 40],
    "the largest word": lambda rows: [*rows, (1 << 64) - 1],
    "many": lambda rows: spread(rows, 3000, 1 << 30),
}
NOT_RISING: dict[str, Callable[[Rows], Rows]] = {
    "a state twice": lambda rows: [*rows, rows[-1]],
    "a state behind a larger one": lambda rows: [*rows, rows[0]],
    "two exchanged": lambda rows: [rows[1], rows[0], *rows[2:]],
    "falling": lambda rows: rows[::-1],
    "many twice": lambda rows: [row for row in rows for _ in range(200)] * 3,
}
CASES = [
    *((kind, each) for kind in PROBLEMS for each in NOT_RISING),
    *((kind, each) for kind in PROBLEMS for each in NO_STATES),
]


@pytest.mark.slow_variants(
    "plain-a state twice",
    "plain-a state behind a larger one",
    "plain-two exchanged",
    "plain-many twice",
)
@pytest.mark.parametrize(("kind", "how"), CASES)
def test_rows_that_are_none(kind: str, how: str, tmp_path: Path) -> None:
    with nullcontext() if kind == "bitmaps" else plainly():
        check_rows_that_are_none(kind, how, tmp_path)


def check_rows_that_are_none(kind: str, how: str, tmp_path: Path) -> None:
    problem = PROBLEMS[kind]()
    explore(problem, checkpoint=tmp_path, limits=Limits(cost=5))
    name = forge_layer(tmp_path, (NO_STATES | NOT_RISING)[how])
    said = str(tmp_path) if kind == "words" and how in NO_STATES else name
    with pytest.raises(UsageError, match=said) as refused:
        explore(problem, checkpoint=tmp_path, limits=Limits(cost=7))
    assert "\n" not in str(refused.value)
    if kind not in ("bitmaps", "words") or how in NOT_RISING:
        with pytest.raises(UsageError, match=name):
            list(Table.open(tmp_path, problem).check())


@pytest.mark.parametrize("how", [*NO_STATES, *NOT_RISING])
def test_workers_are_given_none_of_them(how: str, tmp_path: Path) -> None:
    problem = PROBLEMS["numbers"]()
    explore(problem, checkpoint=tmp_path, limits=Limits(cost=5))
    name = forge_layer(tmp_path, (NO_STATES | NOT_RISING)[how])
    with pytest.raises(UsageError, match=name):
        explore(problem, checkpoint=tmp_path, limits=Limits(cost=7), engine=Engine(workers=2))


def test_words_of_no_state_in_an_earlier_layer(tmp_path: Path) -> None:
    explore(Plates(), checkpoint=tmp_path, limits=Limits(cost=3))
    name = forge_layer(tmp_path, lambda rows: [*rows, 1 << 40], 1)
    with pytest.raises(UsageError, match=f"{name}: block 0 holds what is not a state"):
        explore(Plates(), checkpoint=tmp_path, limits=Limits(cost=5))


def test_a_layer_that_holds_a_state_of_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("searchkit.tables.rules.REMADE", 0)  # as where there are too many states
    problem = PROBLEMS["bitmaps"]()
    explore(problem, checkpoint=tmp_path, limits=Limits(cost=5))
    old: Rows = []
    forge_layer(tmp_path, lambda rows: old.extend(rows) or rows, -3)
    name = forge_layer(tmp_path, lambda rows: sorted({*rows, old[0]}))
    with pytest.raises(UsageError, match=rf"{name}: it holds a state of a layer before"):
        explore(problem, checkpoint=tmp_path, limits=Limits(cost=7))


def test_more_states_than_canonical_ones_without_symmetries(tmp_path: Path) -> None:
    problem = PROBLEMS["numbers"]()
    explore(problem, checkpoint=tmp_path, limits=Limits(cost=5))

    def claim(content: dict[str, Any]) -> None:
        content["layers"][-1]["states"] += 1_000_000

    forge_manifest(tmp_path, claim)
    with pytest.raises(UsageError, match="layer 5 holds"):
        explore(problem, checkpoint=tmp_path, limits=Limits(cost=7))


words = st.one_of(st.integers(0, 3), st.integers((1 << 63) - 2, (1 << 63) + 2))


@given(st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[words] * n), min_size=1)))
def test_both_engines_agree_on_what_rises(states: list[tuple[int, ...]]) -> None:
    wide = len(states[0])
    rows = state_array([each if wide > 1 else each[0] for each in states], wide)
    expected = all(a < b for a, b in pairwise(states))
    assert are_rising(rows) == expected
    assert bool(key_module(wide).are_rising(rows, 0, len(rows))) == expected
    assert np.array_equal(rows, state_array([e if wide > 1 else e[0] for e in states], wide))


def test_nothing_is_written_through_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder may have come with links to files of whoever opens it."""
    monkeypatch.setattr("searchkit.tables.checked.LEAST_BYTES", 0)
    folder, own = tmp_path / "table", tmp_path / "diary"
    problem = PROBLEMS["numbers"]()
    explore(problem, checkpoint=folder, limits=Limits(cost=5))
    manifest = tmp_path / "manifest"
    (folder / "manifest.json").rename(manifest)
    before = manifest.read_bytes()
    (folder / "manifest.json").symlink_to(manifest)
    (folder / "checked.json").unlink(missing_ok=True)
    own.write_text("dear diary")
    (folder / "checked.json").symlink_to(own)
    Table.open(folder, problem)
    explore(problem, checkpoint=folder, limits=Limits(cost=7))
    assert own.read_text() == "dear diary"
    assert manifest.read_bytes() == before
    assert Table.open(folder, problem).layers[:3] == (1, 2, 3)


def test_a_layout_that_is_none_is_blamed_on_its_folder(tmp_path: Path) -> None:
    explore(Plates(), checkpoint=tmp_path, limits=Limits(cost=3))

    def forge(content: dict[str, Any]) -> None:
        content["layout"]["shifts"][2] = {}

    forge_manifest(tmp_path, forge)
    calls = (
        lambda: explore(Plates(), checkpoint=tmp_path),
        lambda: Table.open(tmp_path, Plates()),
    )
    for call in calls:
        with pytest.raises(UsageError, match="layout of states cannot be used") as refused:
            call()
        assert str(tmp_path) in str(refused.value)


@pytest.mark.parametrize("key", ["start", "goal"])
def test_ends_that_are_no_texts(key: str, tmp_path: Path) -> None:
    words = ["explore", "8-puzzle", "--max-cost", "3", "-q", "--checkpoint", str(tmp_path)]
    assert CliRunner().invoke(app, words).exit_code == 12
    forge_manifest(tmp_path, lambda content: content["identity"].update({key: 1 << 64}))
    result = CliRunner().invoke(app, ["table", str(tmp_path)])
    assert result.exit_code == 2
    assert f"{tmp_path}: its {key} is 18446744073709551616" in result.stderr


def layout_leaves(content: dict[str, Any]) -> Iterator[tuple[Any, int]]:
    for name, column in content["layout"].items():
        if name in ("lows", "shifts", "masks", "least", "fulls", "ends", "word_of"):
            yield from ((column, at) for at in range(len(column)))


def test_each_number_of_a_layout_is_that_of_its_bits(tmp_path: Path) -> None:
    explore(Plates(), checkpoint=tmp_path, limits=Limits(cost=3))
    content = json.loads((tmp_path / "manifest.json").read_text())
    StoredLayout.read(content["layout"], Plates())
    for column, at in layout_leaves(content):
        sound = column[at]
        for number in (sound - 1, sound + 1, sound + 8, 1 << 40, (1 << 63) - 1):
            column[at] = number
            with pytest.raises(UsageError, match="layout of states cannot be used"):
                StoredLayout.read(content["layout"], Plates())
        column[at] = sound


@given(st.lists(st.lists(st.integers(-9, 1 << 40), min_size=3, max_size=3), min_size=1))
def test_no_layout_that_got_wider_is_refused(rows: list[list[int]]) -> None:
    kind = Record((Int(), Int(), Int()), tuple)
    layout = lay_out(kind, fields_of(kind, np.array(rows[:1])))
    for row in rows:
        with suppress(TooNarrow):
            layout.widen(row, spare=1)
        stored._check(layout)


def test_a_first_layer_of_other_starts(tmp_path: Path) -> None:
    problem = PROBLEMS["words"]()
    explore(problem, checkpoint=tmp_path, limits=Limits(cost=5))
    later: Rows = []
    forge_layer(tmp_path, lambda rows: later.extend(rows) or rows, 1)
    forge_layer(tmp_path, lambda rows: later[:1], 0)
    with pytest.raises(UsageError, match="its first layer lacks") as refused:
        explore(problem, checkpoint=tmp_path, limits=Limits(cost=7))
    assert str(tmp_path) in str(refused.value)


@pytest.mark.parametrize("value", ["1000", "2x", "vacant 7", ""])
def test_a_puzzle_that_cannot_be_made_is_blamed_on_the_folder(value: str, tmp_path: Path) -> None:
    words = ["explore", "sliding", "-p", "size=2x3", "-q", "--checkpoint", str(tmp_path)]
    assert CliRunner().invoke(app, words).exit_code == 0
    forge_manifest(tmp_path, lambda content: content["identity"].update(parameters={"size": value}))
    result = CliRunner().invoke(app, ["table", str(tmp_path)])
    assert result.exit_code == 2
    assert f"{tmp_path}: the puzzle that it is of cannot be made" in result.stderr


def test_a_puzzle_that_nobody_knows_is_blamed_on_the_folder(tmp_path: Path) -> None:
    words = ["explore", "6-puzzle", "--max-cost", "3", "-q", "--checkpoint", str(tmp_path)]
    assert CliRunner().invoke(app, words).exit_code == 12
    forge_manifest(tmp_path, lambda content: content["identity"].update(puzzle="x"))
    result = CliRunner().invoke(app, ["table", str(tmp_path)])
    assert result.exit_code == 2
    assert f"{tmp_path}: no puzzle named 'x'; known: " in result.stderr


@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("depth", [0, 5])
def test_a_table_that_is_not_complete_and_says_so(kind: str, depth: int, tmp_path: Path) -> None:
    explore(PROBLEMS[kind](), checkpoint=tmp_path, limits=Limits(cost=depth))
    forge_manifest(tmp_path, lambda content: content.update(complete=True))
    with pytest.raises(UsageError, match="or forged: it lacks") as refused:
        explore(PROBLEMS[kind](), checkpoint=tmp_path)
    assert str(tmp_path) in str(refused.value)


@pytest.mark.parametrize("kind", PROBLEMS)
def test_a_whole_table_without_some_states(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where no state that is drawn tells, the puzzle is not blamed."""
    explore(PROBLEMS[kind](), checkpoint=tmp_path)
    forge_layer(tmp_path, lambda rows: rows[:1], 3)
    monkeypatch.setattr("searchkit.tables.rules.check_rules", lambda *_: None)
    with pytest.raises(UsageError, match="forged, unless the rules are wrong") as refused:
        explore(PROBLEMS[kind](), checkpoint=tmp_path)
    assert str(tmp_path) in str(refused.value)


class Cautious(PackedProblem[int]):
    """Words that are believed: each names its control state."""

    controls = 6

    def initial_states(self) -> list[int]:
        return [0]

    def operators(self, control: int) -> range:
        return range(2)

    def control(self, state: int) -> int:
        return state % 97 % 6 if state < 50 else 6 + state

    def action(self, state: int, operator: int) -> int:
        return operator

    def next_control(self, control: int, operator: int) -> int | None:
        return None

    def at_goal(self, state: int) -> bool:
        return False

    def apply(self, state: int, control: int, operator: int) -> int:
        return (2 * state + operator) % 50


@plainly()
def test_a_control_state_out_of_range_is_blamed_on_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    explore(Cautious(), checkpoint=tmp_path, limits=Limits(cost=4))
    forge_layer(tmp_path, lambda rows: [*rows, 1 << 40])
    monkeypatch.setattr("searchkit.tables.rules._check_last", lambda *_: None)
    with pytest.raises(UsageError, match="control") as refused:
        explore(Cautious(), checkpoint=tmp_path, limits=Limits(cost=6))
    assert str(tmp_path) in str(refused.value)


def test_the_rules_are_not_blamed_for_a_state_of_an_earlier_layer(tmp_path: Path) -> None:
    explore(Cautious(), checkpoint=tmp_path, limits=Limits(cost=4))
    forge_layer(tmp_path, lambda rows: [*rows, (1 << 64) - 1], -2)
    with pytest.raises(UsageError, match="the rules fail for a state of its last layers"):
        explore(Cautious(), checkpoint=tmp_path, limits=Limits(cost=6))
