"""The symmetries of definitions: known numbers, and every map there is in small ones."""

import math
from contextlib import nullcontext
from itertools import permutations, product
from typing import ClassVar

import attrs
import pytest
from hypothesis import given, settings

from searchkit import Bidirectional, BreadthFirst, Limits, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import ProblemError
from searchkit.explore import explore
from searchkit.pieces import (
    Change,
    Definition,
    Group,
    Move,
    Orbit,
    Pieces,
    Symmetries,
    step_search,
    symmetries,
)
from searchkit.pieces.facts import count_up_to_symmetry
from searchkit.pieces.patterns import after, solved
from searchkit.pieces.place_maps import why_not
from searchkit.symmetry import canonical_state
from searchkit.tables import Table
from searchkit.verify import verify_solution
from tests.pieces.test_group import reachable, small
from tests.pieces.test_puzzle import CUBE, PUZZLES, walk
from tests.support.piece_puzzles import (
    cube2,
    cube3,
    cubes,
    dino,
    loopover,
    m24,
    pyraminx,
    skewb,
    topspin,
)


def pancakes(count):
    return Definition(
        "pancakes",
        [Orbit("stack", count)],
        [
            Move(f"F{end}", {"stack": Change([*reversed(range(end)), *range(end, count)])})
            for end in range(2, count + 1)
        ],
    )


@pytest.mark.parametrize(
    ("definition", "number", "mirrors"),
    [
        (cube3(), 48, 24),
        (cube3(powers=False), 48, 24),
        (cube3("URF"), 6, 3),
        (cube3().only({"edges": [4, 5, 6, 7]}), 8, 4),
        (cube3().only({"corners": range(8)}, turned=False), 48, 24),
        (cube2(), 6, 3),
        (cube2("URFDLB"), 48, 24),
        (pyraminx(), 24, 12),
        (skewb(), 24, 12),
        (dino(), 48, 24),
        (m24(), 1, 0),
        (topspin(), 2, 1),
        (topspin(7, labels=(0, 0, 0, 0, 1, 1, 1)), 2, 1),
        (pancakes(9), 1, 0),
        # Rows become columns, and each of three lines any other; two of them can be turned round.
        (loopover(3), 2 * 6 * 6, 18),
        # Each wing can become its twin, and centres the ones across, if inner layers change sides.
        (cubes(4), 2 * 48, 48),
    ],
)
def test_numbers_of_symmetries(definition, number, mirrors):
    found = Symmetries(definition)
    assert found.is_whole
    assert found.note is None
    assert (found.order, len(found.maps), found.mirrors) == (number, number, mirrors)
    assert found.maps[0].is_identity
    assert all(why_not(definition, each) is None for each in found.maps)


def test_products():
    maps = Symmetries(cube3()).maps
    for i, j in product(range(0, 48, 5), range(0, 48, 7)):
        both = maps[i].then(maps[j])
        assert both.steps in {each.steps for each in maps}
        motion = cube3().steps[4].motion
        assert both.motion(motion) == maps[j].motion(maps[i].motion(motion))


def test_rotations_of_a_file_come_out_of_the_search():
    found = Symmetries(cube3())
    assert len(found.rotations) == 3
    assert {each.steps for each in found.rotations} <= {each.steps for each in found.maps}
    assert not any(each.is_mirror for each in found.rotations)
    quarter = found.rotations[1]
    assert found.step_map(quarter) == {"R": "F", "F": "L", "L": "B", "B": "R"}


def test_what_is_given_up_is_said(monkeypatch):
    monkeypatch.setattr(step_search, "MOST_WORK", 500)
    found = Symmetries(cube3())
    assert not found.is_whole
    assert len(found.maps) == found.order == 24  # those of the rotations
    assert found.note == "the search for symmetries was given up; there may be more"


def test_of_too_many_symmetries_a_group_is_listed():
    pairs = [Orbit(f"o{i}", 2) for i in range(9)]
    definition = Definition(
        "switches", pairs, [Move(each.name, {each.name: Change((1, 0))}) for each in pairs]
    )
    found = Symmetries(definition)
    assert found.order == math.factorial(9)
    assert len(found.maps) == math.factorial(6)
    assert found.note == "720 of the symmetries, a group, are used"


@settings(deadline=None, max_examples=30)
@given(small())
def test_symmetries_keep_the_solved_state_and_steps(definition):
    found = Symmetries(definition)
    steps = definition.steps
    assert found.is_whole or len(steps) > 24  # of many steps, some are too alike to be told apart
    states = sorted(reachable(definition))[:20]
    for each in found.maps:
        assert each.pattern(solved(definition)) == solved(definition)
        for step, image in zip(steps, each.steps, strict=True):
            assert each.motion(step.motion) == steps[image].motion
            for state in states:
                child = after(definition, state, step.motion)
                image_child = after(definition, each.pattern(state), steps[image].motion)
                assert each.pattern(child) == image_child


def conjugate(change, order, turns, unit, modulus):
    sources, turned = list(order), [0] * len(order)
    for place, (source, turn) in enumerate(zip(change.sources, change.turns, strict=True)):
        sources[order[place]] = order[source]
        turned[order[place]] = (unit * turn + turns[place] - turns[source]) % modulus
    return Change(sources, turned, modulus)


def every_map(definition):
    """What steps become under each map of the places of one orbit, tried one by one.

    No pieces look alike; places where nothing moves stay.
    """
    (orbit,) = definition.orbits
    modulus, places = orbit.told_apart, range(orbit.places)
    motions = {step.motion[0]: number for number, step in enumerate(definition.steps)}
    stays = [all(m.sources[p] == p and not m.turns[p] for m in motions) for p in places]
    units = [unit for unit in range(modulus + 1) if math.gcd(unit, modulus) == 1]
    found = set()
    for order, unit in product(permutations(places), units):
        if any(stays[place] and order[place] != place for place in places):
            continue
        for turns in product(range(modulus), repeat=orbit.places):
            images = tuple(
                motions.get(conjugate(motion, order, turns, unit, modulus)) for motion in motions
            )
            if None not in images:
                found.add(images)
    return found


@settings(deadline=None, max_examples=40)
@given(small(distinct=True))
def test_none_is_missing(definition):
    definition = Definition(
        "p",
        definition.orbits[:1],
        [Move(move.name, {"a": move.changes["a"]}) for move in definition.moves],
    )
    found = Symmetries(definition)
    assert {each.steps for each in found.maps} >= every_map(definition)
    assert found.order == len(found.maps)


def test_orbits_become_each_other():
    """Two rings turned apart from each other, and one by two places at a time."""
    rings = [Orbit("a", 5), Orbit("b", 5), Orbit("c", 5, 2)]
    ring = (4, 0, 1, 2, 3)
    definition = Definition(
        "rings",
        rings,
        [Move(name, {name: Change(ring)}) for name in "ab"]
        + [Move("c", {"c": Change(ring, (), 2)})],
    )
    found = Symmetries(definition)
    # Each ring to any of its four powers, by any multiple, and two of them change places.
    assert found.order == 2 * 4**3


def test_the_check_finds_what_is_wrong():
    found = Symmetries(cube3())
    one = found.rotations[0]
    two = one.places[1], one.places[0], *one.places[2:]
    assert "does not become" in why_not(cube3(), attrs.evolve(one, places=two))
    assert "two places" in why_not(
        cube3(), attrs.evolve(one, places=(one.places[1], *one.places[1:]))
    )
    assert "two steps" in why_not(cube3(), attrs.evolve(one, steps=(0,) * 18))
    turns = (1 + one.turns[0], *one.turns[1:])
    assert "does not become" in why_not(cube3(), attrs.evolve(one, turns=turns))
    factors = (2,) * 8 + one.factors[8:]
    assert "does not become" in why_not(cube3(), attrs.evolve(one, factors=factors))
    for turned, reason in ((True, "turned in other ways"), (False, "does not do so then")):
        cross = cube3().only({"edges": [4, 5, 6, 7]}, turned=turned)
        tilted = attrs.evolve(one, frame=Symmetries(cross).frame)
        assert reason in why_not(cross, tilted)


@pytest.mark.parametrize("name", PUZZLES)
def test_packed_states_are_mapped_as_patterns_are(name):
    puzzle = Pieces.of(PUZZLES[name]())
    plain = puzzle.slow_rules()
    maps, symmetries = puzzle.layout.symmetries.maps, puzzle.symmetries()
    assert len(maps) == len(symmetries)
    for seed in range(3):
        pattern = walk(plain, 10, seed)
        state = puzzle.pack(pattern)
        for one, symmetry in list(zip(maps, symmetries, strict=True))[:20]:
            assert puzzle.unpack(symmetry.state_map(state)) == one.pattern(pattern)


def test_other_goals_have_fewer_symmetries():
    puzzle = Pieces.of(cube2())
    assert [each.name.split()[0] for each in puzzle.symmetries()].count("mirror") == 3
    assert len(puzzle.with_goal(puzzle.parse("R U2 F'")).symmetries()) == 1


LAYERS = (1, 2, 9, 75, 934, 12077)


def test_layers_of_the_cube_up_to_symmetry():
    """T. Rokicki, H. Kociemba, M. Davidson and J. Dethridge, 2010."""
    found = explore(Pieces.of(cube3()), symmetry="auto", limits=Limits(cost=3))
    assert found.canonical_layers == LAYERS[:4]
    assert found.layers == CUBE[:4]


FOLDED = {
    "corners": cube2,
    "alike": PUZZLES["alike"],
    "two words": PUZZLES["beads"],
    "rows": loopover,
}


@pytest.mark.slow_variants("beads-limits2")
@pytest.mark.parametrize(
    ("make", "limits"),
    [
        pytest.param(cube2, Limits(cost=5), marks=pytest.mark.slow),
        (FOLDED["alike"], Limits()),
        (FOLDED["two words"], Limits(cost=3)),
    ],
)
def test_layers_up_to_symmetry(make, limits):
    puzzle = Pieces.of(make())
    found = explore(puzzle, symmetry="auto", engine="compiled", limits=limits)
    assert found.engine == "compiled"
    plain = explore(puzzle, engine="reference", limits=limits)
    assert found.layers == plain.layers
    symmetries = puzzle.symmetries()
    orbits = {canonical_state(each, symmetries) for each in plain.farthest}
    assert set(found.farthest) == orbits
    assert found.canonical_layers[-1] == len(orbits)
    assert found.complete == plain.complete


def test_compiled_layers_of_the_cube_up_to_symmetry():
    found = explore(Pieces.of(cube3()), symmetry="auto", engine="compiled", limits=Limits(cost=5))
    assert found.canonical_layers == LAYERS
    assert found.layers[:5] == CUBE
    stopped = explore(
        Pieces.of(cube3()), symmetry="auto", engine="compiled", limits=Limits(expansions=500)
    )
    assert (stopped.complete, stopped.canonical_layers[:4]) == (False, LAYERS[:4])


def test_without_a_compiler_the_same_layers_are_found():
    puzzle = Pieces.of(FOLDED["alike"]())
    with plainly():
        found = explore(puzzle, symmetry="auto", engine="compiled")
    assert found.layers == explore(puzzle, engine="reference").layers
    assert found.canonical_layers == (1, 1, 2, 4, 5, 3, 1, 1, 1)
    checked = explore(puzzle, symmetry="auto", engine="checked")
    assert checked.canonical_layers == found.canonical_layers


@pytest.mark.spread
@pytest.mark.parametrize("search", [BreadthFirst, Bidirectional])
@pytest.mark.parametrize("name", ["alike", "rows"])
def test_search_up_to_symmetry(name, search):
    """From starts that several symmetries keep, and from one that none does.

    Searches for one solution are modules of their own, so these are not compiled here.
    """
    puzzle = Pieces.of(FOLDED[name]())
    symmetries = puzzle.symmetries()
    starts = {walk(puzzle, moves, seed): None for moves in (2, 3) for seed in range(12)}
    kept = [sum(each.state_map(s) == s for each in symmetries) for s in starts]
    for start in list(starts)[kept.index(max(kept))], list(starts)[kept.index(min(kept))]:
        one = puzzle.with_start(start)
        for want in ("one", "all"):
            with plainly() if want == "one" else nullcontext():
                folded, slow = (
                    solve(one, search(symmetry="auto"), engine=engine, want=want)
                    for engine in ("compiled", "reference")
                )
            whole = solve(one, search(), engine="reference", want=want)
            assert folded.cost == slow.cost == whole.cost
            for each in ("expanded", "generated"):
                assert getattr(folded.statistics, each) == getattr(slow.statistics, each)
            verify_solution(one, folded.solution)
            if want == "all":
                assert list(folded.solutions) == list(slow.solutions) == list(whole.solutions)


def test_tables_up_to_symmetry(tmp_path):
    puzzle = Pieces.of(FOLDED["alike"]())
    found = explore(puzzle, symmetry="auto", engine="compiled", checkpoint=tmp_path)
    assert found.canonical_layers == (1, 1, 2, 4, 5, 3, 1, 1, 1)
    table = Table.open(tmp_path, puzzle)
    assert table.layers == found.layers == (1, 2, 4, 8, 9, 6, 2, 2, 1)
    for seed in range(5):
        state = walk(puzzle, 5, seed)
        cost = solve(puzzle.with_start(state), BreadthFirst(), engine="reference").cost
        assert table.distance(state) == cost


class Wrong(Pieces):
    """Whose second symmetry has been tampered with."""

    tampered: ClassVar[dict] = {}

    def symmetries(self):
        one, two = super().symmetries()
        fields = (attrs.evolve(two.fields[0], **self.tampered), *two.fields[1:])
        return [one, attrs.evolve(two, fields=fields)]


@pytest.mark.parametrize(
    ("tampered", "reason"),
    [
        ({"values": (0,)}, "need a value from 0 for each"),
        ({"bits": 17}, "must have up to 16 bits"),
        ({"word": 1}, "are not in a state of 1 words"),
        ({"to_shift": 64}, "do not fit their word"),
        ({"shift": 8}, "are not those of the symmetries before"),
        ({"values": (1, 1)}, "but its fields say"),
    ],
)
def test_wrong_fields_are_refused(tampered, reason):
    puzzle = Pieces.of(FOLDED["alike"]())
    wrong = Wrong(puzzle.layout, puzzle.start, puzzle.goal)
    Wrong.tampered = tampered
    with pytest.raises(ProblemError, match=reason):
        explore(wrong, symmetry="auto", engine="compiled")


def test_info_tells_symmetries():
    facts = Pieces.of(cube3()).facts()
    assert ("symmetries", "48, 24 of them mirrors") in facts
    assert ("states up to symmetry", "901,083,404,981,813,616") in facts
    listed = [text for name, text in facts if name == "symmetry"]
    assert listed[0] == "U to R, R to U, F to B, D to L, L to D, B to F"
    assert dict(Pieces.of(m24()).facts())["symmetries"] == "1"
    # Of states in which pieces look alike, only a bound is known.
    assert dict(Pieces.of(skewb()).facts())["states up to symmetry"] == "at least 131,220"


@settings(deadline=None, max_examples=40)
@given(small(distinct=True))
def test_states_up_to_symmetry_are_those_of_every_orbit(definition):
    group, maps = Group(definition), Symmetries(definition).maps
    found = count_up_to_symmetry(group, maps)
    assert (found is None) == (not group.is_all_that_invariants_allow)
    if found is not None:
        states = reachable(definition)
        assert found == len({min(each.pattern(state) for each in maps) for state in states})


def test_states_up_to_symmetry_with_mirrors_and_parities():
    """The numbers are those of `explore --symmetry auto`."""
    for definition, number in ((pyraminx(), 39_036), (loopover(3), 2_584), (cube2(), 612_630)):
        assert count_up_to_symmetry(Group(definition), Symmetries(definition).maps) == number


def test_of_many_symmetries_those_are_checked_that_generate_the_others(monkeypatch):
    monkeypatch.setattr(symmetries, "MOST_CHECKED", 0)
    checked = []

    def counted(definition, one):
        checked.append(one)
        return why_not(definition, one)

    monkeypatch.setattr(symmetries, "why_not", counted)
    found = Symmetries(cube3())
    assert len(found.maps) == 48
    assert 0 < len(checked) < 10
    assert all(why_not(cube3(), each) is None for each in found.maps)
    monkeypatch.setattr(symmetries, "why_not", lambda definition, one: "wrong")
    with pytest.raises(AssertionError, match="wrong"):
        _ = Symmetries(cube3()).maps
