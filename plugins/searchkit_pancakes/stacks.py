"""Stacks of pancakes: in machine words, as text, and as pictures.

A pancake is a number: 0 for the smallest, 1 for the next, and so on; or, where pancakes have a
burnt side, twice that, and 1 more if the burnt side is up. The top of a stack is in the lowest
bits of the first word.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from searchkit import ParseError, UsageError

MOST_PANCAKES = 60


@attrs.frozen
class Stacks:
    """What stacks of `size` pancakes look like, and how they are packed.

    Four bits for each pancake are enough for 16 pancakes, or 8 with burnt sides; else each has
    eight, in as many words as are needed.

    >>> stacks = Stacks(3, burnt=True)
    >>> stacks.format(stacks.pack([2, 5, 1]))
    '2 -3 -1'
    """

    size: int
    burnt: bool = False

    def __attrs_post_init__(self) -> None:
        if not 1 <= self.size <= MOST_PANCAKES:
            raise UsageError(f"a stack cannot have {self.size} pancakes; use 1 to {MOST_PANCAKES}")

    @property
    def values(self) -> int:
        """How many numbers pancakes can have; the plate has the next."""
        return self.size * 2 if self.burnt else self.size

    @property
    def wide(self) -> bool:
        """Whether a stack takes several words."""
        return self.values > 16

    @property
    def bits(self) -> int:
        """The bits of a pancake."""
        return 8 if self.wide else 4

    @property
    def words(self) -> int:
        """The number of words of a stack."""
        return -(-self.size // 8) if self.wide else 1

    @property
    def in_order(self) -> list[int]:
        """The stack with the smallest pancake on top, burnt sides down."""
        return list(range(0, self.values, 2 if self.burnt else 1))

    def pack(self, pancakes: Sequence[int]) -> int | tuple[int, ...]:
        """The state of a stack, given from top to bottom."""
        if not self.wide:
            return sum(pancake << 4 * i for i, pancake in enumerate(pancakes))
        return tuple(
            sum(pancake << 8 * i for i, pancake in enumerate(pancakes[first : first + 8]))
            for first in range(0, self.size, 8)
        )

    def unpack(self, state: int | tuple[int, ...]) -> list[int]:
        """The pancakes from top to bottom."""
        if isinstance(state, int):
            return [state >> 4 * i & 15 for i in range(self.size)]
        return [state[i >> 3] >> 8 * (i & 7) & 255 for i in range(self.size)]

    def label(self, pancake: int) -> int:
        """The number of a pancake as it is written: from 1, negative with the burnt side up."""
        if not self.burnt:
            return pancake + 1
        return -(pancake // 2 + 1) if pancake & 1 else pancake // 2 + 1

    def format(self, state: int | tuple[int, ...]) -> str:
        """The labels from top to bottom."""
        return " ".join(str(self.label(pancake)) for pancake in self.unpack(state))

    def parse(self, text: str) -> int | tuple[int, ...]:
        """The stack that a text describes; `ParseError` if it describes none."""
        words = text.replace(",", " ").split()
        known = {str(self.label(pancake)): pancake for pancake in range(self.values)}
        for word in words:
            if word.removeprefix("+") not in known:
                ends = f"-{self.size} to -1 or 1 to {self.size}" if self.burnt else (
                    f"1 to {self.size}")  # fmt: skip
                raise ParseError(
                    f"{word[:20]!r} is not a pancake; pancakes are {ends}, like {self._example()}"
                )
        pancakes = [known[word.removeprefix("+")] for word in words]
        sizes = [abs(self.label(pancake)) for pancake in pancakes]
        for size in range(1, self.size + 1):
            if sizes.count(size) != 1:
                times = "never" if size not in sizes else f"{sizes.count(size)} times"
                raise ParseError(
                    f"pancake {size} occurs {times}; a stack of {self.size} has each of 1 to "
                    f"{self.size} once, like {self._example()}"
                )
        return self.pack(pancakes)

    def _example(self) -> str:
        return repr(self.format(self.pack(self.in_order[::-1])))

    def picture(self, state: int | tuple[int, ...]) -> str:
        """The stack on its plate, with labels; burnt sides that are up are dark.

        >>> stacks = Stacks(3)
        >>> print(stacks.picture(stacks.parse("3 1 2")))
         ██████    3
           ██      1
          ████     2
        ▔▔▔▔▔▔▔▔
        """
        scale = 2 if self.size <= 20 else 1
        room = scale * self.size + 2
        lines = []
        for pancake in self.unpack(state):
            label = self.label(pancake)
            shape = ("▓" if label < 0 else "█") * (scale * abs(label))
            lines.append(f"{shape.center(room)} {label:3}")
        return "\n".join([*lines, "▔" * room])
