"""Word ladder (Lewis Carroll, 1877): from word to word, changing one letter at a time.

The words on the way must be in the list.

    searchkit run --plugin examples/word_ladder.py word-ladder
    searchkit run --plugin examples/word_ladder.py word-ladder --start head --goal tail --all
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

import attrs

from searchkit import ParseError, StartAndGoal, Step, hookimpl
from searchkit.hookspecs import RegisterPuzzle

WORD_LIST = """
bald ball band bard bare bark bead beak bean bear beat bell belt bend bold bolt bone bore
cart cane card care cold cone cord core corn dead deal dear deer dell fare farm fear feel
feet fell felt fold fond food fool foot ford fore fork form gold good head heal heap hear
heat heel held hell help hold hole home hood hoof hook lead leaf lean leap load loan lord
meal mean meat melt mold mole moon mood more neat nest poem pole pond pool poor pork port
read real reel road roam rock rode role roof room root seal seat seed sell send soar sold
soul tail tale talk tall teal tear tell told toll tool torn wall ward warm warn well wine
wind wold wood wool word wore work worm worn yard yarn
"""
WORDS = frozenset(WORD_LIST.split())


@attrs.frozen
class WordLadder(StartAndGoal[str, str]):
    start: str = "cold"
    goal: str = "warm"

    undirected = True

    def successors(self, state: str) -> Iterator[Step[str, str]]:
        """The words that differ in one letter."""
        for i, old in enumerate(state):
            for new in ascii_lowercase:
                word = state[:i] + new + state[i + 1 :]
                if new != old and word in WORDS:
                    yield Step(word, word)

    def heuristic(self, state: str) -> int:
        """A step can put one letter right."""
        return sum(here != there for here, there in zip(state, self.goal, strict=True))

    def parse(self, text: str) -> str:
        """Read a word of the list."""
        word = text.strip().lower()
        if word not in WORDS:
            raise ParseError(f"{word!r} is not in the list of {len(WORDS)} words")
        return word

    def render(self, state: str) -> str:
        return "│" + "│".join(state.upper()) + "│"


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    register("word-ladder", WordLadder, summary="change one letter at a time")
