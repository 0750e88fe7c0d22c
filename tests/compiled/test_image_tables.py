"""The tables of images by bytes say what the map of bits does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.compiled.specialise.images import image_tables, padded
from searchkit.kernel_language.constants import signed
from searchkit.linear_index import moved_bits

MAPS = st.lists(st.permutations(range(64)) | st.permutations(range(33)) | st.none(), max_size=3)


@settings(max_examples=20, deadline=None)
@given(MAPS, st.integers(0, 7), st.integers(0, 255))
def test_a_table_has_the_image_of_each_byte(maps, place, byte):
    tables = image_tables(maps)
    given_maps = [padded(tuple(bits), 64) for bits in maps if bits is not None]
    every = list(dict.fromkeys([tuple(range(64)), *given_maps]))
    assert tables.shape == (8, 256, len(every))
    images = [signed(moved_bits(byte << 8 * place, bits)) for bits in every]
    assert tables[place, byte].tolist() == images
