"""Eight images at once, of numbers of any width, and operators of any number in any order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.compiled.layers import linear_tables
from searchkit.compiled.specialise.plain import plainly
from tests.compiled.test_bitmap_symmetry import check_symmetric
from tests.support.bitmap_checks import only_bitmaps
from tests.support.toggle_spaces import SymmetricToggles, image_of, operators_on, rngs, tables

SIDE = 4
NEVER_ON_SQUARE = (0, 1 << 40)


def square_map(turn, mirrored):
    """Where three bits of each corner of a square go when it is turned and mirrored."""
    corners = [(turn - each if mirrored else turn + each) % SIDE for each in range(SIDE)]
    return tuple(SIDE * layer + corner for layer in range(3) for corner in corners)


SQUARE_MAPS = tuple(
    square_map(turn, mirrored) for mirrored in (False, True) for turn in range(SIDE)
)


class Backwards(SymmetricToggles):
    """Its operators are listed from the last one on."""

    def operators(self, control):
        return list(range(len(self.tables.flips)))[::-1]


@st.composite
def squares(draw, operators):
    """Operators and their images, and starts that all maps keep."""
    rng = draw(rngs)
    rows = operators_on(12, operators, rng)
    rows[-2:] = [(7, *NEVER_ON_SQUARE), (1 | 3 << SIDE | 1 << 2 * SIDE, *NEVER_ON_SQUARE)]
    rows = [tuple(image_of(word, bits) for word in row) for row in rows for bits in SQUARE_MAPS]
    start = rng.getrandbits(12)
    starts = sorted({image_of(start, bits) for bits in SQUARE_MAPS})
    return tables(rows, (), len(rows)), tuple(starts), SQUARE_MAPS


@pytest.fixture(autouse=True)
def bitmaps(monkeypatch, brief_looks):
    """Those that were made; no other compiled engine may run."""
    return only_bitmaps(monkeypatch)


@pytest.mark.slow_variants("Backwards-9-32")
@pytest.mark.parametrize(
    ("kind", "operators", "narrow"),
    [
        pytest.param(SymmetricToggles, 5, 32, marks=pytest.mark.slow),
        (SymmetricToggles, 9, 0),
        (Backwards, 9, 32),
    ],
)
def test_eight_images(kind, operators, narrow, monkeypatch, bitmaps):
    monkeypatch.setattr(linear_tables, "NARROW_BITS", narrow)

    @settings(max_examples=5, deadline=None)
    @given(squares(operators))
    def check(space):
        check_symmetric(kind(*space))

    check()
    assert 8 in {len(each.space.maps) for each in bitmaps}
    assert {each.space.tables().low_images.itemsize for each in bitmaps} == {4 if narrow else 8}
    assert {each.space.in_order for each in bitmaps} == {kind is SymmetricToggles}


@settings(max_examples=3, deadline=None)
@given(squares(4))
def test_without_the_compiler(space):
    with plainly():
        check_symmetric(SymmetricToggles(*space))


class Truthy(Backwards):
    """What is legal is said by numbers of all kinds."""

    def legal(self, state, control, operator):
        return (state ^ self.tables.wanted[operator]) & self.tables.masks[operator]


@settings(max_examples=3, deadline=None)
@given(squares(4))
def test_legal_may_be_any_number(space):
    with plainly():
        check_symmetric(Truthy(*space))
