"""What a problem says of itself so that pattern databases can be made for it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from searchkit.errors import UnsuitableError, UsageError
from searchkit.packed import PackedStep

Pattern = tuple[int, ...]
"""The pieces that are told apart."""

MOST_PLACES = 32
WORD_BITS_USED = 48
"""The most bits of a pattern state."""


class NoGoalError(UnsuitableError):
    """No goal can be reached, as far as an abstraction shows: there is nothing to measure from."""


class PatternSpace(ABC):
    """The abstractions of one problem for some patterns, its *groups*, numbered from 0.

    A *pattern state* is a word that says where the pieces of a group are (in the lowest 48
    bits). Each has a number, its *entry*. What else matters to the moves of the abstraction but
    not to its entry (the cell of a blank, say) is a *place*, one of at most 32, and sets of
    places are masks.

    Every state of the problem is at least as far from its goal as its pattern states are from
    `goals`, counting the moves that `previous` makes. If `additive`, every move of the problem
    counts in one group at most, so that distances may be added up.

    The methods with "Kernel" are kernels as in `searchkit.packed`; those under Looking up are
    used while a problem is searched, those under Building to make a database. An *image* is
    a symmetric view of a state: the pattern states of all images give lower bounds.
    """

    tables: Any = None
    constants: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    groups: tuple[Pattern, ...]
    additive: bool = False
    tells_touched: bool = False
    """Whether `touched` never gives -1: large tables that are added up are then looked up ahead."""
    images: int = 1
    """How many images of a state are looked up; the first is the state itself."""
    looked_up: tuple[tuple[int, ...], ...] = ()
    """By image: the groups that are looked up of it; of all images all, if it is empty. Only where
    values are not added up."""
    places: int = 1
    """How many places there are."""
    operators: int
    """How many operators `previous` and its like know, whatever those of the problem."""

    @abstractmethod
    def identity(self, group: int) -> Mapping[str, Any]:
        """What a database depends on, as JSON; the texts `puzzle` and `pattern` name its folder.

        Equal for groups whose databases are equal, and only for those.
        """

    @abstractmethod
    def entries(self, group: int) -> int:
        """How many entries a group has."""

    @abstractmethod
    def goals(self, group: int) -> Sequence[tuple[int, int]]:
        """The pattern states of goals, each with the mask of its places: `[(word, 1)]`, say."""

    def name_of(self, group: int) -> str:
        """What a group is called in messages, and in `pdb:`."""
        return ".".join(map(str, self.groups[group]))

    def groups_of(self, image: int) -> Sequence[int]:
        """The groups that are looked up of an image."""
        return self.looked_up[image] if self.looked_up else range(len(self.groups))

    # Looking up

    @abstractmethod
    def locate(self, state: Any, image: int, group: int) -> int:
        """Kernel: the pattern state of an image of `state`."""

    def moved(self, word: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: what `locate` gives for the child of a step, found from that for its parent."""
        _, _, _, child = step
        return self.locate(child, image, group)

    def touched(self, step: PackedStep, image: int) -> int:
        """Kernel: the only group whose pattern state a step can change.

        -1 if there are several, the number of groups if there is none.
        """
        return -1

    @abstractmethod
    def rank(self, word: int, group: int) -> int:
        """Kernel: the entry of a pattern state, from 0 to `entries` - 1, another for each."""

    follows: bool = False
    """Whether `entry_after` is defined and cheap: searches carry entries, if none share a byte."""

    def entry_after(self, entry: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: the entry of the child of a step, given that of its parent; see `follows`."""
        return self.rank(self.moved(self.unrank(entry, group), step, image, group), group)

    def floor(self, word: int, group: int) -> int:
        """Kernel: a lower bound known without a table; see `step`."""
        return 0

    step: int = 1
    """Distances differ from `floor` by multiples of this, so that four bits may hold them."""

    # Building

    undirected: bool = False
    """Whether what `previous` gives is also where some operator leads; for spaces of one place
    that do not define `spread`, `choices` and `landing`. Such databases are built faster, in a
    quarter of the memory."""

    @abstractmethod
    def unrank(self, entry: int, group: int) -> int:
        """Kernel: the pattern state of an entry."""

    def spread(self, word: int, group: int, mask: int) -> int:
        """Kernel: the places that moves which do not count lead to, from those of `mask`."""
        return mask

    def choices(self, word: int, group: int, mask: int, operator: int) -> int:
        """Kernel: the set, as bits, of the ways that `operator` can be used; 0 if it is not legal.

        An operator may stand for several moves (of one piece, say), numbered from 0 to 62.
        """
        return 1

    def landing(self, word: int, group: int, mask: int, operator: int, choice: int) -> int:
        """Kernel: the places after a move from the places of `mask`, at least one."""
        return mask

    @abstractmethod
    def previous(self, word: int, group: int, operator: int, choice: int) -> int:
        """Kernel: the pattern state before it is changed by a move into `word`.

        Every move of the abstraction that counts must be the way back of some operator and choice.
        """


class SolvedSpace(PatternSpace):
    """A pattern space that finds its distances itself: nothing of it is said under Building.

    A pattern state is its own entry. Distances may count costs, also of steps that cost nothing.
    """

    operators = 0

    @abstractmethod
    def distances(self, group: int) -> Iterator[Any]:
        """The distances of all entries as bytes, after every round: the last ones are right.

        254 stands for all that are larger, 255 for entries from which no goal can be reached.
        """

    @abstractmethod
    def is_goal(self, word: int, group: int) -> bool:
        """Whether it is the pattern state of a goal; `goals` may list some of them only."""

    @abstractmethod
    def leads(self, word: int, after: int, group: int, cost: int) -> bool:
        """Whether some move leads from a pattern state to another, and costs no more."""

    def rank(self, word: int, group: int) -> int:
        """Kernel: the pattern state itself."""
        return word

    def unrank(self, entry: int, group: int) -> int:
        """Kernel: the entry itself."""
        return entry

    def choices(self, word: int, group: int, mask: int, operator: int) -> int:
        """Kernel: none, as there are no operators."""
        return 0

    def previous(self, word: int, group: int, operator: int, choice: int) -> int:
        """Kernel: the same, as there are no operators."""
        return word


def consecutive_groups(name: str, pieces: Sequence[int]) -> tuple[Pattern, ...]:
    """Groups of `pieces` in their order by their sizes, "4-4", or the pieces named: "1.2.3/4.5".

    >>> consecutive_groups("2-1", [5, 6, 7, 8])
    ((5, 6), (7,))
    """
    if re.fullmatch(r"[0-9]{1,4}(-[0-9]{1,4})*", name):
        sizes = [int(size) for size in name.split("-")]
        if min(sizes) < 1 or sum(sizes) > len(pieces):
            raise UsageError(
                f"patterns {name!r:.60} have {sum(sizes)} pieces; there are {len(pieces)}, and a "
                "pattern has at least 1"
            )
        rest = iter(pieces)
        return tuple(tuple(next(rest) for _ in range(size)) for size in sizes)
    if not re.fullmatch(r"[0-9]{1,4}([./][0-9]{1,4})*", name):
        raise UsageError(
            f"{name!r:.60} names no patterns; write sizes such as 4-4, or pieces such as "
            "1.2.3/4.5.6"
        )
    return tuple(tuple(int(piece) for piece in group.split(".")) for group in name.split("/"))


_NUMBERS = r"[0-9]{1,5}(-[0-9]{1,5})?(\.[0-9]{1,5}(-[0-9]{1,5})?)*"


def numbers_named(text: str, what: str = "numbers") -> Iterator[int]:
    """The numbers of a text like `0-3.7`; `UsageError` for another one, which names none of `what`.

    >>> list(numbers_named("0-3.7"))
    [0, 1, 2, 3, 7]
    """
    if not re.fullmatch(_NUMBERS, text):
        raise UsageError(f"{text!r:.60} names no {what}; write numbers like 0-3 or 0.2.5")
    for part in text.split("."):
        begin, _, end = part.partition("-")
        if int(end or begin) < int(begin):
            raise UsageError(f"{part!r:.60} must name the lower number first")
        yield from range(int(begin), int(end or begin) + 1)


def runs_of(numbers: Sequence[int]) -> Iterator[str]:
    """The parts of the text of some numbers, which go up.

    >>> ".".join(runs_of([0, 1, 2, 3, 7]))
    '0-3.7'
    """
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        yield str(found[0]) if len(found) == 1 else f"{found[0]}-{found[-1]}"
