"""What puzzles of pieces have by their layout: kernels that not all have, or not in one form."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from searchkit.bits import replace_word, reverse_bytes, reverse_nibbles, shift_right
from searchkit.kernel_language.program import Carried
from searchkit.pieces.layout import Layout
from searchkit.pieces.patterns import solved
from searchkit.pieces.rank_steps import RankSteps
from searchkit.pieces.ranks import Ranking
from searchkit.pieces.word_tables import BLOCK, runs_of

ALL_BITS = (1 << 64) - 1


@lru_cache(maxsize=16)
def ranking_of(layout: Layout, goal: tuple[int, ...]) -> Ranking | None:
    """What numbers the states from which a goal can be reached; None if they are too many."""
    return Ranking.of(layout, goal)


@lru_cache(maxsize=16)
def rank_steps_of(layout: Layout, goal: tuple[int, ...]) -> RankSteps | None:
    """What looks the numbers after steps up; None if tables are too large."""
    ranking = ranking_of(layout, goal)
    return None if ranking is None else RankSteps.of(layout, ranking)


@lru_cache(maxsize=16)
def methods_of(layout: Layout) -> Carried:
    """The methods that suit a layout, by their names."""
    words, bandaged = layout.pack(solved(layout.definition)), layout.definition.is_bandaged
    is_wide = len(words) > 1
    found = Carried()
    if is_wide:
        found["pieces_after"] = wide_pieces_after
    if runs_of(layout) is not None:
        found |= {"field": run_field, "apply": wide_run_apply if is_wide else run_apply}
    if bandaged:
        found["legal"] = legal
    if ranking_of(layout, words) is not None:
        found |= {"rank": rank, "unrank": unrank}
        if not (is_wide or bandaged) and rank_steps_of(layout, words) is not None:
            found["rank_after"] = rank_after
    if layout.group.are_all_different:
        found["inverse"] = inverse
        if not bandaged:
            found["witness"] = witness
    return found


def wide_pieces_after(self: Any, whole: int, word: int, operator: int) -> int:
    """Kernel: a word by piece after an operator: where each piece is then."""
    bits = self.tables.in_words[word][0]
    first = self.tables.in_words[word][1]
    mask = (1 << bits) - 1
    row = operator * self.tables.kinds
    if self.tables.mixed == 0:
        row += self.tables.in_fields[first][2]
    value = 0
    for i in range(self.tables.in_words[word][2] - first):
        code = whole >> bits * i & mask
        if self.tables.mixed == 0:
            value |= self.tables.after[row][code] << bits * i
        else:
            value |= self.tables.after[row + self.tables.in_fields[first + i][2]][code] << bits * i
    return value


def run_field(self: Any, state: Any, number: int) -> int:
    """Kernel: the bits of a field."""
    if self.words == 1:
        return int(state >> self.tables.runs * number & (1 << self.tables.runs) - 1)
    if self.tables.runs == 8:
        return int(state[number >> 3] >> 8 * (number & 7) & 255)
    return int(state[number >> 4] >> 4 * (number & 15) & 15)


def run_apply(self: Any, state: Any, control: int, operator: int) -> Any:
    """Kernel: the run in the opposite order, shifted and masked. O(1)."""
    kept = state
    if self.tables.still == 0:
        along = self.tables.moves[operator][4]
        kept = state << along | shift_right(state, -along & 63)
        kept &= (1 << self.tables.width * self.tables.fields) - 1
    came = reverse_nibbles(state) if self.tables.runs == 4 else reverse_bytes(state)
    down = self.tables.moves[operator][3]
    came = shift_right(came, down) | came << (-down & 63)
    mask = self.tables.kept[operator]
    return kept & mask | (came ^ self.tables.turned) & (mask ^ ALL_BITS)


def wide_run_apply(self: Any, state: Any, control: int, operator: int) -> Any:
    """Kernel: the run in the opposite order, shifted and masked. O(words)."""
    source = self.tables.moves[operator][2]
    down = self.tables.moves[operator][3]
    bits = 0
    if source < self.tables.of_words:
        word = state[source]
        bits = reverse_bytes(word) if self.tables.runs == 8 else reverse_nibbles(word)
    child = state
    for place in range(self.tables.moves[operator][0], self.tables.moves[operator][1]):
        came = shift_right(bits, down)
        source -= 1
        if source >= 0:
            word = state[source]
            bits = reverse_bytes(word) if self.tables.runs == 8 else reverse_nibbles(word)
            if down != 0:
                came |= bits << 64 - down
        new = (came ^ self.tables.turned) & ALL_BITS
        if place >= self.tables.moves[operator][5]:
            mask = self.tables.kept[operator * self.tables.of_words + place]
            new = state[place] & mask | new & ~mask
        child = replace_word(child, place, new)
    return child


def legal(self: Any, state: Any, control: int, operator: int) -> bool:
    """Kernel: whether no piece comes to where it may not be. O(fields that are looked at)."""
    for i in range(self.tables.tests):
        field = self.field(state, self.tables.illegal[operator][4 * i])
        code = field & self.tables.illegal[operator][4 * i + 1]
        bits = self.tables.illegal[operator][4 * i + 3]
        if code >> BLOCK == self.tables.illegal[operator][4 * i + 2] and bits >> (code & 31) & 1:
            return False
    return True


def rank(self: Any, state: Any) -> int:
    """Kernel: the number of a state."""
    return int(self.ranking.rank(state))


def unrank(self: Any, index: int) -> Any:
    """Kernel: the state with a number."""
    return self.ranking.unrank(index)


def rank_after(self: Any, index: int, control: int, operator: int) -> int:
    """Kernel: the number of the state that an operator leads to."""
    return int(self.numbers.after(index, operator))


def inverse(self: Any, control: int, operator: int) -> int | None:
    """The power that takes one back, where no two motions lead to one state."""
    back: int | None = self.layout.inverses[operator]
    return back


def witness(self: Any, control: int) -> Any:
    """The goal: what sequences do there they do everywhere."""
    return self.goal
