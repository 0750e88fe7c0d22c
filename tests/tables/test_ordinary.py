"""Tables of ordinary problems: rules in plain Python, whose states are packed by a layout."""

from __future__ import annotations

import enum
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from searchkit import Limits, Problem, Step, UnsuitableError, UsageError
from searchkit.compiled.layers import sorted_files
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit.tables import Table
from searchkit.tables.manifest import NAME
from searchkit.tables.writer import TableWriter
from searchkit.translation import sampling
from searchkit.translation.watch import Watch


class Jugs(Problem):
    sizes = (7, 5, 3)

    def initial_states(self) -> list[Any]:
        return [(7, 0, 0)]

    def is_goal(self, state: Any) -> bool:
        return 6 in state

    def successors(self, state: Any) -> Any:
        for i, amount in enumerate(state):
            for j, size in enumerate(self.sizes):
                poured = min(amount, size - state[j])
                if i != j and poured:
                    after = list(state)
                    after[i] -= poured
                    after[j] += poured
                    yield Step(f"{i}>{j}", tuple(after))


class Growing(Problem):
    """Numbers of which a sample knows the first few."""

    most = 700

    def initial_states(self) -> list[Any]:
        return [(1, 0)]

    def is_goal(self, state: Any) -> bool:
        return bool(state[0] == self.most)

    def successors(self, state: Any) -> Any:
        number, odd = state
        if odd < 3:
            yield Step("odd", (number, odd + 1))
        for factor in (2, 3):
            if number * factor + odd < self.most:
                yield Step(factor, (number * factor + odd, -odd))


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Lamp(NamedTuple):
    colour: Colour
    rest: frozenset[int]
    name: str


class Lamps(Problem):
    """States of classes, with names and sets."""

    names = ("left", "right", "none")

    def initial_states(self) -> list[Any]:
        return [Lamp(Colour.RED, frozenset(), "none")]

    def is_goal(self, state: Any) -> bool:
        return len(state.rest) == 5

    def successors(self, state: Any) -> Any:
        for i in range(5):
            if i not in state.rest:
                yield Step(i, Lamp(state.colour, state.rest | {i}, self.names[i % 2]))
        if state.colour == Colour.RED:
            yield Step("green", Lamp(Colour.GREEN, state.rest, "none"))


def know_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layouts are made of a few states."""
    monkeypatch.setattr(sampling, "CHILDREN", 8)
    monkeypatch.setattr(sampling, "NEAR", 3)


def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Notes for each layout that is written down whether it is one anew."""
    noted, plain = [], TableWriter.lay_out

    def noting(self: TableWriter, *parts: Any, anew: bool) -> None:
        noted.append(anew)
        plain(self, *parts, anew=anew)

    monkeypatch.setattr(TableWriter, "lay_out", noting)
    return noted


def answer(found: Any) -> Any:
    return found.origin, found.layers, found.complete, set(found.farthest)


def distances(problem: Any) -> dict[Any, int]:
    known = dict.fromkeys(problem.initial_states(), 0)
    layer = list(known)
    while layer:
        after = dict.fromkeys(step.state for state in layer for step in problem.successors(state))
        layer = [state for state in after if state not in known]
        known |= dict.fromkeys(layer, max(known.values()) + 1)
    return known


@pytest.mark.slow_variants("Growing")
@pytest.mark.parametrize(
    "problem", [Jugs(), Growing(), Lamps()], ids=lambda each: type(each).__name__
)
def test_tables_hold_what_the_reference_engine_reaches(problem: Any, tmp_path: Path) -> None:
    whole = explore(problem, engine="reference")
    with plainly():
        for limits in (Limits(cost=2), Limits(expansions=40), Limits()):
            found = explore(problem, checkpoint=tmp_path, limits=limits)
            assert found.engine == "compiled"
            assert found.layers == whole.layers[: len(found.layers)]
        assert answer(found) == answer(whole)
        assert answer(explore(problem, checkpoint=tmp_path)) == answer(whole)
    table = Table.open(tmp_path, problem)
    assert table.layers == whole.layers
    assert len(list(table.check())) >= len(whole.layers)
    for state, distance in distances(problem).items():
        assert table.distance(state) == distance
    assert table.distance("nonsense") is None


def test_what_no_table_holds(tmp_path: Path) -> None:
    with plainly():
        explore(Growing(), checkpoint=tmp_path)
    table = Table.open(tmp_path, Growing())
    for state in ((0, 0), (1 << 50, 0), (1,), (1, 0, 0), None, (1, "0")):
        assert table.distance(state) is None


def test_fields_get_wider_in_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """States of before keep their words, and a layer is made again."""
    know_little(monkeypatch)
    with plainly():
        explore(Growing(), checkpoint=tmp_path, limits=Limits(cost=3))
        before = json.loads((tmp_path / NAME).read_text())
        first = {path.name: path.read_bytes() for path in tmp_path.glob("*.keys")}
        explore(Growing(), checkpoint=tmp_path)
    after = json.loads((tmp_path / NAME).read_text())
    assert before["layout"]["fulls"] != after["layout"]["fulls"]
    assert before["layout"]["shifts"] == after["layout"]["shifts"]
    for name, content in first.items():
        assert (tmp_path / name).read_bytes() == content


def test_states_of_layers_are_compared_with_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_little(monkeypatch)
    compared, plain = set(), Watch._compare_all

    def noting(self: Watch, states: Any) -> None:
        compared.update(states)
        plain(self, states)

    monkeypatch.setattr(Watch, "_compare_all", noting)
    with plainly():
        explore(Growing(), checkpoint=tmp_path)
    assert len(compared) > 20
    assert max(compared)[0] > 100


@pytest.mark.parametrize("problem", [Jugs(), Growing()], ids=lambda each: type(each).__name__)
def test_workers_have_the_same_layout(
    problem: Any, tmp_path: Path, two_workers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sorted_files, "ALONE", 2)
    know_little(monkeypatch)
    noted = laid_out(monkeypatch)
    found = explore(problem, checkpoint=tmp_path, engine=Engine(workers=two_workers))
    assert answer(found) == answer(explore(problem, engine="reference"))
    assert noted[0]
    assert (False in noted) == isinstance(problem, Growing)


class Fast(Growing):
    """Its numbers get so large that no room is left in a word."""

    most = 1 << 39

    def initial_states(self) -> list[Any]:
        return [(1, 0, 0)]

    def successors(self, state: Any) -> Any:
        number, odd, even = state
        if number < 30:
            yield Step("slow", (number + 1, odd, even))
            return
        for factor in (1000, 1001):
            if number * factor < self.most:
                yield Step(factor, (number * factor, number * factor - odd, number + even))


def test_a_table_begins_again_where_no_room_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_little(monkeypatch)
    noted = laid_out(monkeypatch)
    with plainly():
        found = explore(Fast(), checkpoint=tmp_path)
    assert answer(found) == answer(explore(Fast(), engine="reference"))
    assert noted.count(True) >= 2


def test_what_cannot_be_translated_has_no_table(tmp_path: Path) -> None:
    class Odd(Jugs):
        def successors(self, state: Any) -> Any:
            return eval("[]")

    with pytest.raises(UnsuitableError, match=r"no table can be written: .*eval"):
        explore(Odd(), checkpoint=tmp_path / "odd")
    assert not (tmp_path / "odd").exists()


def test_a_damaged_layout_is_an_error(tmp_path: Path) -> None:
    from searchkit.tables.signed import digest  # noqa: PLC0415

    with plainly():
        explore(Jugs(), checkpoint=tmp_path, limits=Limits(cost=2))
        content = json.loads((tmp_path / NAME).read_text())
        del content["check"]
        content["layout"]["shifts"][0] = 99
        content["check"] = digest(content)
        (tmp_path / NAME).write_text(json.dumps(content))
        for use in (
            lambda: explore(Jugs(), checkpoint=tmp_path),
            lambda: Table.open(tmp_path, Jugs()),
        ):
            with pytest.raises(UsageError, match="layout of states cannot be used for Jugs"):
                use()
