"""States as Python writes them, read back."""

import enum
from dataclasses import dataclass
from typing import Any, NamedTuple

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit.authors.written_states import written_state


class Colour(enum.Enum):
    RED = 1
    GREEN = "green"


class Place(NamedTuple):
    row: Any
    column: int


@dataclass(frozen=True)
class Lamp:
    at: Any
    colour: Colour | None = None


@attrs.frozen
class Slotted:
    inside: Any


atoms = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5), st.sampled_from(Colour),
)  # fmt: skip
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.lists(inner, max_size=3),
        st.frozensets(atoms, max_size=3),
        st.builds(Place, inner, st.integers()),
        st.builds(Lamp, inner, st.sampled_from([None, *Colour])),
        st.builds(Slotted, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(values.filter(lambda value: not isinstance(value, str)))
def test_what_python_writes_is_read(value):
    assert written_state(repr(value), [value]) == value


def test_texts_are_states_themselves():
    assert written_state("abc", ["a", "bc"]) == "abc"
    assert written_state("'a'", ["a", ("b",)]) == "a"


@pytest.mark.parametrize(
    "text", ["(1,", "", "[1, 2]", "(1 for x in y)", "exit()", "().__class__", "1" + ",1" * 10**6]
)
def test_anything_else_is_refused_and_nothing_is_called(text):
    with pytest.raises(ValueError, match=r"write it .*like \(1, 2\)"):
        written_state(text, [(1, 2)])
