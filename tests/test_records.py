"""Classes made of their annotations: as those that attrs makes."""

import copy
import inspect
import pickle

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.records.classes import define, evolve, field, frozen


@frozen
class Point:
    x: int
    y: int = 2
    kind: type = tuple
    size: int = field(default=1, init=False)


@frozen
class Named(Point):
    label: str = ""


@attrs.frozen
class Other:
    x: int
    y: int = 2
    kind: type = tuple
    size: int = attrs.field(default=1, init=False)


@define
class Basket:
    owner: str
    things: list[int] = field(factory=list)
    hidden: dict[str, int] = field(factory=dict, init=False)
    later: int = field(init=False)
    count: int = 0


@define(kw_only=True)
class Marked(Basket):
    mark: str

    def __post_init__(self) -> None:
        self.later = self.count + 1


values = st.integers(0, 2) | st.sampled_from(["a", 1.0, True, None])
arguments = st.lists(values, max_size=4)
named = st.dictionaries(st.sampled_from(["x", "y", "kind", "size", "z"]), values, max_size=3)


def made(kind, args, names):
    try:
        each = kind(*args, **names)
    except TypeError:
        return TypeError
    return [getattr(each, name) for name in ("x", "y", "kind", "size")]


@given(arguments, named)
def test_arguments_are_those_of_attrs(args, names):
    assert made(Point, args, names) == made(Other, args, names)


@given(*[st.builds(lambda *args: args, values, values)] * 2)
def test_equal_are_those_with_equal_fields(one, other):
    a, b = Point(*one), Point(*other)
    assert (a == b) is (Other(*one) == Other(*other))
    assert a != Named(*one)
    assert a != one
    if a == b:
        assert hash(a) == hash(b)


def test_what_is_copied_is_equal_and_has_what_is_changed():
    assert evolve(Named(1, label="a"), y=5) == Named(1, 5, label="a")
    assert copy.copy(Point(1)) == pickle.loads(pickle.dumps(Point(1))) == Point(1)
    with pytest.raises(TypeError, match="Point has no field z"):
        evolve(Point(1), z=3)


def test_each_object_has_its_own_lists():
    one, other = Basket("a"), Basket("a")
    one.things.append(1)
    one.hidden["a"] = 1
    assert (other.things, other.hidden, other.count) == ([], {}, 0)
    assert Basket("a", [5]).things == [5]
    assert one != other
    with pytest.raises(AttributeError):
        _ = one.later
    with pytest.raises(TypeError):
        Basket("a", hidden={})


def test_derived_classes_have_the_fields_of_their_bases():
    each = Marked(mark="!", owner="a", count=3)
    assert (each.things, each.mark, each.later) == ([], "!", 4)
    with pytest.raises(TypeError):
        Marked("a", mark="!")
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'mark'"):
        Marked(owner="a")
    assert [*inspect.signature(Named).parameters] == ["x", "y", "kind", "label"]


def test_a_field_without_a_default_stands_in_front():
    with pytest.raises(TypeError, match="without a default follows"):

        @define
        class Wrong:
            a: int = 1
            b: int


def test_messages_show_the_fields():
    assert repr(Point(1, 3)) == "Point(x=1, y=3, kind=<class 'tuple'>)"
