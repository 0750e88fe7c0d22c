"""The names in a plugin project, all made from that of its puzzle."""

from __future__ import annotations

import re
from importlib.util import find_spec

import attrs

from searchkit.errors import UsageError

LEGAL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST = 40
PREFIX = "searchkit"


def _legal(instance: object, attribute: attrs.Attribute[str], puzzle: str) -> None:
    if not LEGAL.fullmatch(puzzle):
        raise UsageError(
            f"{puzzle!r} is not a name for a puzzle; begin with a small letter, and go on with "
            "small letters, digits, and single '-' between them, like 'my-puzzle'"
        )
    if len(puzzle) > LONGEST:
        raise UsageError(f"{puzzle!r} is too long a name; use {LONGEST} characters at most")


@attrs.frozen
class Names:
    """The names for a puzzle; `UsageError` if its own will not do.

    >>> Names("my-puzzle").package
    'searchkit_my_puzzle'
    >>> Names("seven-jugs").class_name
    'SevenJugsPuzzle'
    """

    puzzle: str = attrs.field(validator=_legal)

    @property
    def distribution(self) -> str:
        """The name of the project, and of its folder."""
        return f"{PREFIX}-{self.puzzle}"

    @property
    def package(self) -> str:
        """The name of the package."""
        return f"{PREFIX}_{self.module}"

    @property
    def module(self) -> str:
        """The name of a module of one file."""
        return self.puzzle.replace("-", "_")

    @property
    def words(self) -> str:
        """The words of the name, as names of classes are written."""
        return "".join(word.capitalize() for word in self.puzzle.split("-"))

    @property
    def class_name(self) -> str:
        """The name of the class, which is not a name of Python's or searchkit's."""
        name = self.words
        return name if name.endswith("Puzzle") and name != "Puzzle" else f"{name}Puzzle"

    def check_free(self) -> None:
        """Raise `UsageError` if there is such a package already."""
        if find_spec(self.package) is not None:
            raise UsageError(
                f"there is a package {self.package} already; choose another name than "
                f"{self.puzzle!r}"
            )
