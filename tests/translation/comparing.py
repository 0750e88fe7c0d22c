"""Rules that compare with objects of Python's and of authors: five small numbers each."""

import enum
from dataclasses import dataclass

import numpy as np


class Named(enum.StrEnum):
    A = "a"
    B = "ab"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Near:
    """Equal to all numbers next to its own."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return abs(self.number - other) <= 1

    __hash__ = None


NEAR = Near(2)
COUNTED = np.arange(6)
MOST, HALF = COUNTED.max(), COUNTED.mean()


def with_own_equality(s):
    return (int(s[0] == NEAR), int(NEAR == s[1]), int(s[2] != NEAR), 0, 0)  # noqa: SIM300


def with_numbers_of_numpy(s):
    return (int(s[0] == MOST), int(sum(s) == MOST), int(s[1] == HALF), 0, 0)


def with_complex_numbers(s):
    return (int(s[0] == 2 + 0j), int(s[1] != 1j), 0, 0, 0)


def with_members(s):
    text = "a" + "b" * (s[0] % 2)
    return (
        int(text == Named.A),
        int(text != Named.B),
        int(s[1] == Level.HIGH),
        int(text[0] == Named.A),
        0,
    )


def with_other_classes(s):
    return (
        int(s[0] == "1"),
        int(s[1] == (1,)),
        int(s[:2] == [1, 2]),
        int(s[2] == Named.A),
        int(s == range(5)),
    )


@dataclass(frozen=True)
class Place:
    row: int
    col: int


HOME = Place(1, 2)
HOMES = (Place(1, 2), Place(2, 2), Place(0, 0))
NUMBERED = {each: i for i, each in enumerate(HOMES)}


def with_records_of_the_module(s):
    here = Place(s[0], s[1])
    return (
        int(Place(s[0], s[1]) == HOME) + int(here == HOME),
        int(Place(s[0], s[1]) in HOMES) + HOMES.count(here),
        int(Place(s[0], s[1]) in NUMBERED) + NUMBERED.get(here, 7),
        int(Place(s[0], s[1]) in set(HOMES)) + int(here in HOMES),
        int((Place(s[0], s[1]), 1) == (HOME, 1)) + int([here] == [HOME]),
    )
