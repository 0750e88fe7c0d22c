"""Groups of puzzles: published orders, and small ones against what trying everything finds."""

import json
import random
from itertools import product

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.certificates import Certificate
from searchkit.errors import VerificationError
from searchkit.pieces import Change, Definition, Group, Move, Orbit, Pieces
from searchkit.pieces import chain as chain_module
from searchkit.pieces.certificates import CHAIN, PIECES, SUM, can_certify, certificate_of
from searchkit.pieces.chain import Chain
from searchkit.pieces.changes import then
from searchkit.pieces.checking import _parity, check_certificate
from searchkit.pieces.components import motion_to, numbers_of, parity
from searchkit.pieces.group import StateCount
from searchkit.pieces.patterns import after, all_rows, parse_pattern, solved
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
    turnstile,
)


@pytest.mark.parametrize(
    ("make", "order"),
    [
        (cube2, 3674160),
        (lambda: cube2("URFDLB"), 88179840),
        (cube3, 43252003274489856000),
        (lambda: cube3("RU"), 73483200),
        (pyraminx, 933120),
        (skewb, 3149280),
        (dino, 239500800),
        (loopover, 181440),
        (lambda: loopover(4), 20922789888000),
        (m24, 244823040),
        (topspin, 2432902008176640000),
        (lambda: topspin(7), 5040 // 2),
        (turnstile, 72425041920000),
    ],
)
def test_orders(make, order):
    """As published (D. Singmaster's Notes on Rubik's magic cube, J. Scherphuis's pages)."""
    group = Group(make())
    assert group.order == order
    assert group.count.states == order
    assert group.count.is_exact


def test_large_puzzles():
    """The published numbers of positions, times 24 where no centre holds the puzzle."""
    four = Group(cubes(4)).count
    assert four.is_exact
    assert four.states == 24 * 7401196841564901869874093974498574336000000000
    seven = Group(cubes(7)).count
    assert seven.is_exact
    assert str(seven.states).startswith("19500551183731307835329126754019748794904992692043434567")
    assert len(str(seven.states)) == 161


def test_factors():
    group = Group(cube3())
    assert [(each.orbit, each.order) for each in group.factors] == [
        ("corners", 88179840),
        ("edges", 980995276800),
    ]
    assert group.factors[0].order * group.factors[1].order == 2 * group.order
    assert [each.order for each in Group(pyraminx()).factors] == [3, 3, 3, 3, 11520]


def test_masks_make_spaces_smaller():
    assert Group(cube3().only({"edges": [4, 5, 6, 7]})).count.states == 190_080
    places = cube3().only({"corners": range(8)}, turned=False)
    assert Group(places).count.states == 40_320
    assert Group(cube3().only({"corners": [0], "edges": [0]})).count.states == 24 * 24


@st.composite
def small(draw, *, distinct=False):
    """Definitions of which everything can be tried."""
    orbits = []
    for number in range(draw(st.integers(1, 2))):
        places, orientations = draw(st.integers(1, 4)), draw(st.sampled_from((1, 1, 2, 3)))
        labels = range(places)
        counted = [orientations] * places
        if not distinct:
            labels = draw(st.lists(st.integers(0, 2), min_size=places, max_size=places))
            counted = [draw(st.sampled_from((1, orientations))) for _ in range(places)]
        turned = [draw(st.integers(0, orientations - 1)) for _ in range(places)]
        orbits.append(Orbit("abc"[number], places, orientations, labels, turned, counted))
    moves = [
        Move(
            name,
            {
                orbit.name: Change(
                    draw(st.permutations(range(orbit.places))),
                    [draw(st.integers(0, orbit.orientations - 1)) for _ in range(orbit.places)],
                    orbit.orientations,
                )
                for orbit in orbits
            },
        )
        for name in ("R", "U")[: draw(st.integers(1, 2))]
    ]
    return Definition("p", orbits, moves)


def closure(start, step):
    seen, todo = {start}, [start]
    while todo:
        for child in step(todo.pop()):
            if child not in seen:
                seen.add(child)
                todo.append(child)
    return seen


def reachable(definition):
    motions = [each.motion for each in definition.steps]
    return closure(
        solved(definition), lambda state: [after(definition, state, motion) for motion in motions]
    )


@settings(deadline=None, max_examples=60)
@given(small())
def test_everything_in_small_puzzles(definition):
    group = Group(definition)
    motions = closure(
        definition.seen(definition.identity),
        lambda motion: [then(motion, each) for each in group.motions],
    )
    assert group.order == len(motions)
    states = reachable(definition)
    assert group.count.states == len(states)
    assert group.count.is_exact
    assert all(group.can_reach(state) for state in states)
    rng = random.Random(1)
    assert all(group.random(rng) in motions for _ in range(5))
    for motion in list(motions)[:5]:
        assert group.motion(group.points(motion)) == motion


def patterns(orbits):
    """Every pattern with the pieces of some orbits, whether it can be reached or not."""
    rows = []
    for orbit in orbits:
        wanted = sorted(orbit.looks)
        rows.append(
            [
                row
                for row in product(all_rows(orbit), repeat=orbit.places)
                if sorted(look for look, _ in row) == wanted
            ]
        )
    return list(product(*rows))


@settings(deadline=None, max_examples=40)
@given(small(), st.randoms(use_true_random=False))
def test_certificates_of_small_puzzles(definition, rng):
    """Each state that cannot be reached is certified where the puzzle says so; no other one is."""
    group = Group(definition)
    states = reachable(definition)
    every = [(*one, *solved(definition)[1:]) for one in patterns(definition.orbits[:1])]
    complete = can_certify(group)
    for state in rng.sample(every, min(40, len(every))):
        found = certificate_of(group, state)
        if state in states:
            assert found is None
            assert group.can_reach(state)
            continue
        assert group.can_reach(state) is False
        assert found is not None or not complete
        if found is not None:
            again = Certificate(found.kind, found.text, json.loads(json.dumps(dict(found.data))))
            assert check_certificate(definition, state, again) is None
            for other in list(states)[:3]:
                assert check_certificate(definition, other, again) is not None


def test_a_chain_does_not_settle_what_looks_alike_elsewhere():
    """Two pieces look alike, but no move brings one to the place of the other."""
    definition = Definition(
        "p",
        [Orbit("a", 4, 2, (0, 0, 0, 1))],
        [Move("R", {"a": Change((0, 1, 3, 2), (), 2)})],
    )
    group = Group(definition)
    assert group.are_all_different
    assert not can_certify(group)
    state = parse_pattern(definition, "0 0 0+1 1+1")
    assert group.can_reach(state) is False
    assert certificate_of(group, state) is None


def broken(group, state):
    found = certificate_of(group, state)
    return found, lambda **data: Certificate(found.kind, found.text, {**found.data, **data})


def test_a_flipped_edge():
    cube = cube3()
    group = Group(cube)
    text = "corners 0 1 2 3 4 5 6 7 / edges 0+1 1 2 3 4 5 6 7 8 9 10 11"
    state = parse_pattern(cube, text)
    found, changed = broken(group, state)
    assert (found.kind, found.data["modulus"], found.data["sum"]) == (SUM, 2, 1)
    assert found.text == (
        "turns of edges add up to 1 modulo 2; every move adds 0; perhaps the piece at place 0 is "
        "turned"
    )
    assert check_certificate(cube, state, found) is None
    assert check_certificate(cube, solved(cube), found) == "the start adds up to 0, not 1"
    (part,) = found.data["parts"]
    for wrong, message in [
        (changed(sum=0), "the start adds up to 1, not 0"),
        (changed(modulus=1), "the modulus is 1"),
        (changed(modulus=3), "the weight of a turn is not kept"),
        (changed(parts=[{**part, "odd": 1, "turn": 0}]), "move U adds 1, not 0"),
        (changed(parts=[{**part, "places": part["places"][1:]}]), "leads out of the places"),
        (changed(parts=[part, part]), "in two parts"),
        (changed(parts=[{**part, "orbit": "sides"}]), "there is no orbit 'sides'"),
        (changed(parts=[{**part, "more": 1}]), "must have the entries"),
        (Certificate("other", "x"), "'other' is not a kind of certificate here"),
    ]:
        try:
            answer = check_certificate(cube, state, wrong)
        except VerificationError as error:
            answer = str(error)
        assert message in answer


def test_two_corners_exchanged():
    cube = cube3()
    state = parse_pattern(cube, "corners 1 0 2 3 4 5 6 7 / edges 0 1 2 3 4 5 6 7 8 9 10 11")
    found = certificate_of(Group(cube), state)
    assert found.text.startswith("parity of corners and parity of edges add up to 1")
    assert check_certificate(cube, state, found) is None
    alike = attrs.evolve(cube, orbits=[Orbit("corners", 8, 3, (0, 0, *range(6))), cube.orbits[1]])
    swapped = after(alike, solved(alike), alike.identity)
    assert certificate_of(Group(alike), swapped) is None
    forged = "has pieces that look alike, so that its parity cannot be seen"
    assert forged in check_certificate(alike, swapped, found)


def test_pieces_of_other_places():
    skew = skewb()
    state = parse_pattern(skew, "corners 1 0 2 3 4 5 6 7 / centres 0 1 2 3 4 5")
    found = certificate_of(Group(skew), state)
    assert found.kind == PIECES
    assert check_certificate(skew, state, found) is None
    assert "are those of the solved state" in check_certificate(skew, solved(skew), found)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (m24, "1 2 0 " + " ".join(map(str, range(3, 24)))),
        (skewb, "corners 0+1 1 2 3 4 5 6 7 / centres 0 1 2 3 4 5"),
    ],
)
def test_chains(make, text):
    definition = make()
    group = Group(definition)
    state = parse_pattern(definition, text)
    assert not group.is_all_that_invariants_allow
    assert group.can_reach(state) is False
    found, changed = broken(group, state)
    assert found.kind == CHAIN
    assert check_certificate(definition, state, found) is None
    inside = after(definition, solved(definition), group.random(random.Random(3)))
    assert check_certificate(definition, inside, found) == "the start is in the chain"
    for wrong in (
        changed(base=found.data["base"][:-1]),
        changed(generators=found.data["generators"][:1]),
        changed(generators=[]),
        changed(base=[[0, 99]]),
        changed(base=[[0]]),
        changed(generators=[[]]),
        changed(generators=[[[[0], [0]]] * len(definition.orbits)]),
    ):
        try:
            answer = check_certificate(definition, state, wrong)
        except VerificationError as error:
            answer = str(error)
        assert answer is not None


def test_an_incomplete_chain_is_completed():
    """Schreier's lemma finds what random elements have missed."""
    group = Group(m24())
    points = [group.points(motion) for motion in group.motions]
    for dropped in (1, 3, 5):
        chain = Chain(points, range(24))
        chain.levels = chain.levels[:dropped]
        assert chain.order < 244823040
        chain.complete()
        assert chain.order == 244823040


@given(st.permutations(range(6)))
def test_parity(order):
    assert parity(order) == sum(a > b for i, a in enumerate(order) for b in order[i + 1 :]) % 2


def test_random_motions_are_uniform():
    """Of a group of 24 motions, each is drawn about as often as any other."""
    definition = Definition(
        "p",
        [Orbit("a", 4)],
        [Move("R", {"a": Change((1, 2, 3, 0))}), Move("U", {"a": Change((1, 0, 2, 3))})],
    )
    group, rng = Group(definition), random.Random(5)
    drawn = [group.random(rng) for _ in range(2400)]
    counts = [drawn.count(motion) for motion in set(drawn)]
    assert len(counts) == 24
    assert sum((count - 100) ** 2 / 100 for count in counts) < 50  # chi squared, 23 degrees


@pytest.mark.parametrize("limit", ["MOST_WORK", "MOST_KEPT"])
def test_groups_that_are_too_large(monkeypatch, limit):
    """Nothing is claimed of them that was not proved; the rest of the puzzle works."""
    monkeypatch.setattr(chain_module, limit, 900)
    cube = attrs.evolve(cube3(), name=limit)  # what equal definitions have is kept
    puzzle = Pieces.of(cube)
    group = puzzle.layout.group
    assert not group.is_known
    assert group.count == StateCount(43252003274489856000, is_exact=False)
    assert not puzzle.complete_certificates
    facts = dict(puzzle.facts())
    assert facts["states that can be reached"] == "at most 43,252,003,274,489,856,000"
    assert facts["note"].startswith("the group is too large")
    flipped = puzzle.parse("corners 0 1 2 3 4 5 6 7 / edges 0+1 1 2 3 4 5 6 7 8 9 10 11")
    assert group.can_reach(puzzle.unpack(flipped)) is False
    assert puzzle.certificate(flipped).kind == SUM
    turned = puzzle.parse("R")
    assert group.can_reach(puzzle.unpack(turned)) is None
    assert puzzle.certificate(turned) is None
    rng = random.Random(3)
    states = [puzzle.unpack(puzzle.random_state(rng)) for _ in range(20)]
    assert len(set(states)) == 20
    motions = [motion_to(puzzle.definition, group.components, state) for state in states]
    numbers = [numbers_of(group.components, motion) for motion in motions]
    assert all(map(group.invariants.contains, numbers))
    assert puzzle.random_state(random.Random(3)) == puzzle.pack(states[0])


def test_numbers_too_long_to_be_read(monkeypatch):
    monkeypatch.setattr(chain_module, "MOST_KEPT", 10_000)
    points = Orbit("points", 2000)
    round_ = Move("R", {"points": Change((*range(1, 2000), 0))})
    swap = Move("S", {"points": Change((1, 0, *range(2, 2000)))})
    facts = dict(Pieces.of(Definition("large", [points], [round_, swap], (), powers=False)).facts())
    assert facts["states that can be reached"] == "at most about 3.32 x 10^5,735"


def test_orbits_that_follow_from_others():
    """Two rows of six places, of which the second is the first in another order."""
    rings = (("R", Change((1, 2, 0, 3, 4, 5))), ("U", Change((0, 1, 3, 4, 5, 2))))
    shuffle = Change((3, 0, 4, 1, 5, 2))
    back = shuffle.inverse()
    moves = [Move(name, {"a": each, "b": shuffle.then(each).then(back)}) for name, each in rings]
    twins = Group(Definition("twins", [Orbit("a", 6), Orbit("b", 6)], moves))
    assert [each.follows for each in twins.factors] == ["", "a"]
    apart = [
        Move(name, {"a": one, "b": other})
        for (name, one), (_, other) in zip(rings, rings[::-1], strict=True)
    ]
    others = Group(Definition("apart", twins.definition.orbits, apart))
    assert [each.follows for each in others.factors] == ["", ""]
    facts = dict(Pieces.of(twins.definition).facts())
    assert facts["orbit b"] == f"6 places, {twins.order} ways to move, which follow from a"


@given(st.permutations(range(9)))
def test_parities_that_checkers_find(order):
    expected = sum(a > b for i, a in enumerate(order) for b in order[i + 1 :]) % 2
    assert _parity([7 * each + 3 for each in order]) == expected == parity(order)
