"""Problems from one state to one other, whose copies have others."""

import attrs
import pytest

from searchkit import StartAndGoal, Step, solve


class Line(StartAndGoal):
    """Not an attrs class: what hangs on the start would be that of the old one in a copy."""

    start, goal = 1, 4

    def successors(self, number):
        yield Step("on", number + 1)


def test_copies_need_an_attrs_class_or_a_method():
    assert solve(Line()).cost == 3
    with pytest.raises(TypeError, match=r"Line is no attrs class, .* or define with_start"):
        Line().with_start(2)
    with pytest.raises(TypeError, match="define with_goal"):
        Line().with_goal(2)


def test_copies_of_attrs_classes_have_another_start_or_goal():
    made = attrs.make_class("Made", ["start", "goal"], bases=(Line,))
    assert solve(made(1, 4).with_start(2)).cost == 2
    assert solve(made(1, 4).with_goal(9)).cost == 8
