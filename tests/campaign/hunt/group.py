"""What a group of trials is: how a case is drawn, tried, made smaller and described."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from hunt.oracle import Wrong


class Group(ABC):
    """A group of trials; each trial has a number, and the seed and that number make the case."""

    name: ClassVar[str]
    summary: ClassVar[str]
    short: ClassVar[int]
    """How many trials the default test suite makes."""
    minutes: ClassVar[int]
    """How many are made by default."""
    hours: ClassVar[int]
    """How many are made with --hours."""
    patience: ClassVar[float] = 60.0
    """Seconds after which a trial is taken to hang."""
    chunk: ClassVar[int] = 50
    """How many trials a worker is handed at once."""

    def __init__(self, folder: Path, *, brief: bool = False) -> None:
        self.folder = folder
        """For files of its own."""
        self.brief = brief
        """Whether this is the part of the default suite, which makes little machine code."""

    def case(self, seed: int, number: int) -> Any:
        """The case of a trial."""
        return self.make(random.Random(f"{seed}/{self.name}/{number}"))

    @abstractmethod
    def make(self, rng: random.Random) -> Any:
        """Draw a case."""

    @abstractmethod
    def run(self, case: Any) -> Counter[str]:
        """Try a case, and say what was done; raise `Wrong` if anything is not as it must be."""

    def smaller(self, case: Any) -> Iterable[Any]:
        """Cases that are a little smaller, the most promising first."""
        return ()

    def fails(self, case: Any) -> str | None:
        """What is wrong with a case, None if nothing is."""
        try:
            self.run(case)
        except Wrong as error:
            return str(error)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None
