"""Tables of cosets: every entry against a plain search, and what searches find with them."""

from __future__ import annotations

import random
import shutil
from collections import defaultdict
from functools import partial

import attrs
import pytest

from searchkit import IDAStar, Limits, ProblemError, UnsuitableError, UsageError, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.heuristics.patterns.library import Library
from searchkit.pieces import Pieces
from searchkit.pieces.cosets.build import CosetBuild
from searchkit.pieces.cosets.choose import best_built, coset_heuristic
from searchkit.pieces.cosets.coordinates import cosets_of
from searchkit.pieces.cosets.heuristic import CosetHeuristic, CosetTable, bytes_of, check_table
from searchkit.running.building import telling_of_building
from searchkit.tables.signed import read_signed
from tests.support.both_engines import agree, in_small_runs
from tests.support.piece_puzzles import cube2, cube3, mirrored, pyraminx


@pytest.fixture(scope="module")
def puzzle():
    return Pieces.of(mirrored())


def built(puzzle, flips, **options):
    cosets = cosets_of(puzzle.layout)
    building = CosetBuild(cosets, flips, **options)
    for _ in building.run():
        assert building.about().startswith("distance ")
    database = building.database()
    table = CosetTable(flips, building.deepest, database.values, bytes_of(cosets, flips)[0])
    return CosetHeuristic(puzzle, cosets, table, f"cosets:{flips}"), database


def distances(cosets):
    """By coset: how many steps lead there, by breadth-first search."""
    found = {cosets.solved: 0}
    todo = [cosets.solved]
    for coset in todo:
        for operator in range(len(cosets.layout.steps)):
            child = cosets.after(coset, operator)
            if child not in found:
                found[child] = found[coset] + 1
                todo.append(child)
    return found


def test_symmetries_of_places_become_symmetries_of_cosets(puzzle):
    cosets = cosets_of(puzzle.layout)
    assert len(cosets.maps) == 4
    assert {kind.component.orientations for kind in cosets.kinds} == {2, 3}
    found = distances(cosets)
    orbits = {cosets.least(coset) for coset in found}
    assert max(found.values()) > 6
    assert len(found) / 4 <= len(orbits) < len(found) / 3


@pytest.mark.parametrize("flips", range(5))
def test_every_entry_is_the_least_distance_to_what_it_stands_for(puzzle, flips):
    cosets = cosets_of(puzzle.layout)
    found = distances(cosets)
    fine, coarse = defaultdict(list), defaultdict(list)
    for coset, distance in found.items():
        fine[cosets.entry(coset, flips)].append(distance)
        coarse[cosets.entry(coset, 0)].append(distance)
    for options in ({}, {"few_roots": 8}, {"few_roots": 64, "threads": 2}):
        heuristic, database = built(puzzle, flips, **options)
        deepest = heuristic.table.deepest
        for coset in found:
            exact = min(fine[cosets.entry(coset, flips)])
            least = min(coarse[cosets.entry(coset, 0)])
            if exact > deepest - 2:
                expected = min(exact, deepest + 1)
            else:
                expected = min(least, deepest - 2) if least > deepest - 5 else 0
            assert heuristic.distance(coset) == expected
        check_table(heuristic)
        assert sum(database.counts) == cosets.entries(flips)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), 2])
def test_searches_are_those_of_the_reference_engine(puzzle, seed):
    heuristic, _ = built(puzzle, 2, few_roots=8)
    rng, state = random.Random(seed), puzzle.goal
    for _ in range(2 * seed):
        state = puzzle.apply(state, 0, rng.randrange(4))
    start = puzzle.with_start(state)
    for want in ("one", "count"):
        found = [
            solve(start, IDAStar(heuristic), engine=engine, want=want)
            for engine in ("reference", "compiled", "checked")
        ]
        with plainly():
            found.append(solve(start, IDAStar(heuristic), engine="compiled", want=want))
        rows = [
            (each.cost, each.count, each.statistics.expanded, each.statistics.generated)
            for each in found
        ]
        assert rows == [rows[0]] * 4
    pruned = solve(start, IDAStar(heuristic, operator_pruning=2), engine="compiled")
    assert pruned.cost == found[0].cost


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_states_in_flight_are_those_of_the_reference_engine(puzzle, threads, monkeypatch):
    """They are searched in another order, and as many are expanded and generated."""
    done = in_small_runs(monkeypatch)
    heuristic, _ = built(puzzle, 2, few_roots=8)
    rng = random.Random(7)
    for length in (9, 11):
        state = puzzle.goal
        for _ in range(length):
            state = puzzle.apply(state, 0, rng.randrange(4))
        start = puzzle.with_start(state)
        for want in ("one", "all"):
            total = agree(start, IDAStar(heuristic), want=want, threads=threads, held=())
            for nodes in (total.statistics.expanded // 2, total.statistics.expanded - 1):
                agree(
                    start, IDAStar(heuristic), want=want, threads=threads,
                    limits=Limits(expansions=nodes), held=(),
                )  # fmt: skip
        with plainly():
            agree(start, IDAStar(heuristic), threads=threads, held=())
    assert done


@pytest.mark.slow
def test_a_puzzle_whose_pieces_take_several_words():
    puzzle = Pieces.of(cube3("RUF"))
    heuristic, database = built(puzzle, 0)
    check_table(heuristic, 8)
    assert heuristic.table.deepest == len(database.counts) - 2 == 10
    rng = random.Random(1)
    for length in (1, 4):
        state = puzzle.goal
        for _ in range(length):
            state = puzzle.apply(state, 0, rng.randrange(9))
        start = puzzle.with_start(state)
        found = [
            solve(start, IDAStar(heuristic), engine=engine, want="count")
            for engine in ("reference", "compiled")
        ]
        assert found[0].cost <= length
        assert [(each.cost, each.count, each.statistics.generated) for each in found] == [
            (found[0].cost, found[0].count, found[0].statistics.generated)
        ] * 2


def test_the_numbers_of_the_cube():
    """Published: 153,090 ways to twist and part the corners, 3,393 up to symmetry (S. Tronto)."""
    cosets = cosets_of(Pieces.of(cube3()).layout)
    assert cosets.turns.size * cosets.colours.size == 153_090
    assert (cosets.spots.size, cosets.classes, len(cosets.maps)) == (34_650, 3_393, 48)
    steps = cosets.layout.steps
    assert [step.name for step, kept in zip(steps, cosets.keeping_steps, strict=True) if kept] == [
        f"{face}2" for face in "URFDLB"
    ]
    rng = random.Random(2)
    for _ in range(50):
        operators = [rng.randrange(18) for _ in range(20)]
        images = set()
        for one in cosets.maps:
            coset = cosets.solved
            for operator in operators:
                coset = cosets.after(coset, one.steps[operator])
            images.add(cosets.least(coset))
        assert len(images) == 1


def test_a_table_is_built_kept_and_loaded(puzzle, tmp_path):
    library, told = Library(tmp_path), []
    with telling_of_building(told.append):
        first = coset_heuristic(puzzle, "3", library=library)
    assert told[0].what == "the table cosets:3"
    assert told[0].bytes == len(first.table.values)
    assert [each.is_over for each in told] == [False] * (len(told) - 1) + [True]
    deepest = first.table.deepest
    assert told[-2].about.startswith(f"distance {deepest} of {deepest}, 100%")
    assert told[-2].left == 0
    assert first.name == "cosets:3"
    for name in ("3", ""):
        with telling_of_building(pytest.fail):
            again = coset_heuristic(puzzle, name, library=library)
        assert again.name == "cosets:3"
        assert (again.table.values == first.table.values).all()
    (name,) = library.names()
    values = library.folder / name / "values.bin"
    content = bytearray(values.read_bytes())
    content[len(content) // 2] ^= 1
    values.write_bytes(content)
    with pytest.raises(UsageError, match=f"{name}.*its checksum is another"):
        coset_heuristic(puzzle, "3", library=library)


def test_a_build_that_is_stopped_goes_on_where_it_was(puzzle, tmp_path, monkeypatch):
    def stop(building):
        if building.about and not building.is_over:
            raise KeyboardInterrupt

    monkeypatch.setattr("searchkit.pieces.cosets.build.PER_SLICE", 13)
    builds = partial(CosetBuild, few_roots=20)
    monkeypatch.setattr("searchkit.pieces.cosets.choose.CosetBuild", builds)
    library = Library(tmp_path / "stopped")
    whole = coset_heuristic(puzzle, "0", library=Library(tmp_path / "whole"))
    stops, depths = 0, set()
    while best_built(puzzle, library) is None:
        try:
            with telling_of_building(stop):
                coset_heuristic(puzzle, "0", library=library)
        except KeyboardInterrupt:
            stops += 1
            (folder,) = library.folder.iterdir()
            depths.add(read_signed(folder / "state.json")["depth"])
    assert stops > len(depths) > 2
    assert (best_built(puzzle, library).values == whole.table.values).all()
    assert [each.name for each in library.folder.iterdir()] == library.names()


def test_a_table_of_other_rules_or_size_is_refused(puzzle, tmp_path):
    library = Library(tmp_path)
    _, database = built(puzzle, 1)
    folder = library.save(attrs.evolve(database, rules="other"))
    with pytest.raises(UsageError, match=f"{folder.name} was made by another version"):
        coset_heuristic(puzzle, "1", library=library)
    shutil.rmtree(folder)
    library.save(attrs.evolve(database, counts=(1, 2)))
    with pytest.raises(UsageError, match="has another size"):
        coset_heuristic(puzzle, "1", library=library)


def test_a_table_that_says_too_much_is_found_out(puzzle):
    heuristic, _ = built(puzzle, 1)
    heuristic.table.values.flags.writeable = True
    heuristic.table.values[: heuristic.table.cut] = 0
    with pytest.raises(ProblemError, match="does not give 0 for the solved puzzle"):
        check_table(heuristic)
    heuristic, _ = built(puzzle, 1)
    solved = heuristic.cosets.entry(0, 1)
    heuristic.table.values.flags.writeable = True
    heuristic.table.values[: heuristic.table.cut] = 0
    heuristic.table.values[solved // 4] = 3 << 2 * (solved % 4)
    with pytest.raises(ProblemError, match=r"gives \d+ after [AB'2 ]+; delete"):
        check_table(heuristic)


def test_what_has_no_tables_says_why(puzzle, tmp_path):
    library = Library(tmp_path)
    for definition in (pyraminx(), cube2(), cube3().only({"corners": [0, 1]})):
        with pytest.raises(UnsuitableError, match="has no tables of cosets"):
            coset_heuristic(Pieces.of(definition), "0", library=library)
    with pytest.raises(UsageError, match="from 0 to 4"):
        coset_heuristic(puzzle, "5", library=library)
    with pytest.raises(UsageError, match="no table cosets:many"):
        coset_heuristic(puzzle, "many", library=library)
    other = puzzle.with_goal(puzzle.parse("A"))
    heuristic, _ = built(puzzle, 0)
    with pytest.raises(UnsuitableError, match="not the goal here"):
        solve(other, IDAStar(heuristic))


@pytest.mark.slow
def test_scrambles_of_the_cube(tmp_path):
    puzzle = Pieces.of(cube3())
    heuristic = coset_heuristic(puzzle, "1", library=Library(tmp_path))
    check_table(heuristic, 200)
    rng = random.Random(1)
    for _ in range(5):
        state = puzzle.goal
        for _ in range(12):
            state = puzzle.apply(state, 0, rng.randrange(18))
        found = solve(puzzle.with_start(state), IDAStar(heuristic, operator_pruning=2))
        assert found.cost <= 12
        pair = solve(puzzle.with_start(state), IDAStar(heuristic), want="count")
        assert pair.cost == found.cost


@pytest.mark.parametrize("place", ["far", "between", "deep"])
def test_a_build_is_begun_again_where_none_stops(puzzle, tmp_path, monkeypatch, place):
    monkeypatch.setattr("searchkit.pieces.cosets.build.PER_SLICE", 13 * 3)
    cosets = cosets_of(puzzle.layout)
    stopped = CosetBuild(cosets, 0, few_roots=20)
    for _ in stopped.run():
        length, roots = stopped._plan[stopped.depth]
        if length == 1 and 0 < stopped.position < len(roots.words):
            break
    position, depth = stopped.position, stopped.depth
    assert position % 3 == 0
    assert CosetBuild(cosets, 0, few_roots=20).resume(kept(stopped, tmp_path))
    stopped.position = {"far": 1 << 39, "between": position + 1}.get(place, position)
    stopped.depth = {"deep": stopped.deepest + 1}.get(place, depth)
    resumed = CosetBuild(cosets, 0, few_roots=20)
    assert not resumed.resume(kept(stopped, tmp_path))
    assert (resumed.depth, resumed.position) == (0, 0)
    assert not resumed.values.any()


def kept(building, folder):
    building.keep(folder)
    return folder
