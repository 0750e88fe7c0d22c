"""A permutation puzzle as a packed problem, made from its definition alone."""

from __future__ import annotations

import random
from functools import cache, lru_cache
from typing import Any, ClassVar, Self

import attrs

from searchkit.bits import replace_word, reverse_bytes, reverse_nibbles, shift_right
from searchkit.capabilities import Symmetry
from searchkit.certificates import Certificate
from searchkit.errors import ParseError
from searchkit.packed import PackedProblem
from searchkit.picture import Picture
from searchkit.pieces import nets, rows
from searchkit.pieces.certificates import can_certify, certificate_of
from searchkit.pieces.definition import Definition
from searchkit.pieces.facts import facts_of
from searchkit.pieces.files import read_definition
from searchkit.pieces.group import Group
from searchkit.pieces.layout import Layout
from searchkit.pieces.legality import BLOCK, check_legal, why_illegal
from searchkit.pieces.notation import format_state, read_state
from searchkit.pieces.patterned import Patterned
from searchkit.pieces.patterns import Pattern, after, solved
from searchkit.pieces.plain import PlainPieces
from searchkit.pieces.rank_steps import RankSteps
from searchkit.pieces.ranks import Ranking
from searchkit.pieces.runs import runs_of
from searchkit.pieces.state_images import symmetry_of
from searchkit.pieces.stickers import stickered
from searchkit.pieces.word_tables import Tables, tables_of
from searchkit.problem import StartAndGoal, derived

ALL_BITS = (1 << 64) - 1
RANDOM_STEPS = 1000
"""How many steps are drawn for a random state of a bandaged puzzle."""


@lru_cache(maxsize=16)
def _layout(definition: Definition, *, by_place: bool) -> Layout:
    return Layout(definition, by_place)


@lru_cache(maxsize=16)
def _group_towards(layout: Layout, goal: tuple[int, ...]) -> Group:
    return Group(layout.definition.solved_as(layout.unpack(goal)))


@lru_cache(maxsize=16)
def _tables(layout: Layout, goal: Any) -> Tables:
    return tables_of(layout, goal)


@lru_cache(maxsize=16)
def _ranking(layout: Layout, goal: tuple[int, ...]) -> Ranking | None:
    return Ranking.of(layout, goal)


@lru_cache(maxsize=16)
def _rank_steps(layout: Layout, goal: tuple[int, ...]) -> RankSteps | None:
    ranking = _ranking(layout, goal)
    return None if ranking is None else RankSteps.of(layout, ranking)


@lru_cache(maxsize=16)
def _symmetries(layout: Layout) -> tuple[Symmetry[Any, Any], ...]:
    return tuple(symmetry_of(layout, each) for each in layout.symmetries.maps)


@attrs.frozen(eq=False)
class Pieces(Patterned, StartAndGoal[Any, Any], PackedProblem[Any]):
    """A puzzle of pieces in one word; `Pieces.of(definition)` makes it, in however many words.

    An action is a move or a power of one, as it is written in sequences: `R`, `R2`, `R'`. Classes
    that add to this one need not care for the number of words: `of` makes a puzzle of a class that
    is derived from theirs, too.

    >>> from searchkit import BreadthFirst, solve
    >>> from searchkit.pieces import Change, Definition, Move, Orbit, Pieces
    >>> beads = [Move("A", {"beads": Change((1, 2, 0, 3, 4))}),
    ...          Move("B", {"beads": Change((0, 1, 3, 4, 2))})]
    >>> rings = Pieces.of(Definition("rings", [Orbit("beads", 5)], beads))
    >>> rings.format_state(rings.parse("A B"))
    '1 2 3 4 0'
    >>> solve(rings.with_start(rings.parse("A B")), BreadthFirst()).actions
    ("B'", "A'")
    """

    undirected = True
    needs_places: ClassVar[bool] = False
    """Whether fields must be by place, as kernels of derived classes read them."""
    constants = ("mixed", "by_place", "width", "fields", "of_words", "runs", "still", "turned")

    layout: Layout
    start: Any
    goal: Any
    words: int = derived(lambda self: len(self.layout.words))
    tables: Any = derived(lambda self: _tables(self.layout, self.goal))

    def __attrs_post_init__(self) -> None:
        if self.definition.is_bandaged:
            for what, state in (("start", self.start), ("goal", self.goal)):
                found = why_illegal(self.definition, self.unpack(state))
                if found is not None:
                    raise ParseError(f"the {what} is illegal: {found} (both from 0)")

    @classmethod
    def of(cls, definition: Definition, start: Any = None, goal: Any = None) -> Self:
        """The puzzle of a definition, of the kind that suits it; solved, or between two states."""
        layout = _layout(definition, by_place=cls.needs_places)
        words = layout.pack(solved(definition))
        state = words if len(words) > 1 else words[0]
        made: Self = _kind_of(cls, layout, words)(
            layout, state if start is None else start, state if goal is None else goal
        )
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as what makes it: its class is one that `of` has made."""
        return _made, (
            getattr(type(self), "author", type(self)),
            self.definition,
            self.start,
            self.goal,
        )

    @property
    def definition(self) -> Definition:
        """What the puzzle is made from."""
        return self.layout.definition

    @property
    def complete_certificates(self) -> bool:  # type: ignore[override]
        """Whether each state that cannot become the goal has a certificate."""
        return can_certify(self.layout.group) and not self.definition.is_bandaged

    def best_heuristics(self) -> tuple[str, ...]:
        """Tables of cosets, where states are too many to be numbered; databases of pieces."""
        is_solved = self.goal == self.pack(solved(self.definition))
        has_cosets = is_solved and not self.ranks and not self.definition.is_bandaged
        cosets = ("cosets",) if has_cosets else ()
        return (*cosets, *super().best_heuristics())

    def operators(self, control: int) -> range:
        """The powers of the moves."""
        return range(len(self.layout.steps))

    def action(self, state: Any, operator: int) -> Any:
        """The name of the power, as the definition labels it."""
        return self.layout.labels[operator]

    def are_states(self, rows: Any) -> bool:
        """Whether words from a file have in each field what can be there."""
        return self.layout.are_states(rows, self.tables.goal)

    def word_of(self, state: Any, word: int) -> int:
        """Kernel: a word of a state."""
        return int(state)

    def field(self, state: Any, number: int) -> int:
        """Kernel: the bits of a field."""
        word = self.tables.in_fields[number][0]
        mask = (1 << self.tables.in_words[word][0]) - 1
        return int(self.word_of(state, word) >> self.tables.in_fields[number][1] & mask)

    def at_goal(self, state: Any) -> bool:
        """Kernel: whether the state is the goal."""
        for word in range(len(self.tables.goal)):
            if self.word_of(state, word) != self.tables.goal[word]:
                return False
        return True

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: what the tables say of every field. O(fields)."""
        return self.word_after(state, 0, operator)

    def word_after(self, state: Any, word: int, operator: int) -> int:
        """Kernel: a word of the state that an operator leads to."""
        if self.tables.by_place == 0 or (
            self.tables.by_place == 2 and word < self.tables.first_by_place
        ):
            return self.pieces_after(self.word_of(state, word), word, operator)
        return self.places_after(state, word, operator)

    def pieces_after(self, whole: int, word: int, operator: int) -> int:
        """Kernel: a word by piece after an operator: where each piece is then."""
        bits = self.tables.width
        mask = (1 << bits) - 1
        row = operator * self.tables.kinds
        value = 0
        for i in range(self.tables.fields):
            code = whole >> bits * i & mask
            if self.tables.mixed == 0:
                value |= self.tables.after[row][code] << bits * i
            else:
                value |= self.tables.after[row + self.tables.in_fields[i][2]][code] << bits * i
        return value

    def places_after(self, state: Any, word: int, operator: int) -> int:
        """Kernel: a word by place after an operator: what comes to each place."""
        bits = self.tables.in_words[word][0]
        first = self.tables.in_words[word][1]
        value = 0
        for i in range(self.tables.in_words[word][2] - first):
            code = self.field(state, self.tables.arrivals[operator][2 * (first + i)])
            row = self.tables.arrivals[operator][2 * (first + i) + 1]
            value |= self.tables.after[row][code] << bits * i
        return value

    def pack(self, pattern: Pattern) -> Any:
        """The state of a pattern; `ParseError` if it has pieces where they can never come to.

        Or where they are illegal.
        """
        check_legal(self.definition, pattern)
        words = self.layout.pack(pattern)
        return words if self.words > 1 else words[0]

    def unpack(self, state: Any) -> Pattern:
        """The pattern of a state."""
        return self.layout.unpack(state if self.words > 1 else (state,))

    def format_state(self, state: Any) -> str:
        """The stickers, or the pieces in each place: see `searchkit.pieces.format_pattern`."""
        return format_state(self.definition, self.unpack(state))

    def parse(self, text: str) -> Any:
        """Read pieces in each place, stickers, or moves made on the solved puzzle."""
        return self.pack(read_state(self.definition, text))

    def render(self, state: Any) -> str:
        """The puzzle unfolded, if the definition has facelets; else its pieces, orbit by orbit."""
        pattern, net = self.unpack(state), stickered(self.definition)
        return nets.unfold(net, pattern) if net else rows.tabulate(self.definition, pattern)

    def picture(self, state: Any) -> Picture:
        """The same, drawn."""
        pattern, net = self.unpack(state), stickered(self.definition)
        return nets.draw(net, pattern) if net else rows.draw(self.definition, pattern)

    def random_state(self, rng: random.Random) -> Any:
        """A state drawn uniformly from all that can be solved."""
        motion = self.layout.group.random(rng)
        return self.pack(after(self.definition, self.unpack(self.goal), motion))

    def certificate(self, state: Any) -> Certificate | None:
        """Why the goal cannot be reached."""
        group = _group_towards(self.layout, self.tables.goal)
        return certificate_of(group, self.unpack(state))

    def symmetries(self) -> list[Symmetry[Any, Any]]:
        """Those of the definition that keep the goal, the identity first."""
        return [each for each in _symmetries(self.layout) if each.state_map(self.goal) == self.goal]

    def facts(self) -> list[tuple[str, str]]:
        """The orbits with their groups, how many states there are, and how they are packed."""
        return facts_of(self.layout, self.ranks)

    def slow_rules(self) -> PlainPieces:
        """The same puzzle over patterns."""
        return PlainPieces(self.definition, self.unpack(self.start), self.unpack(self.goal))


@attrs.frozen(eq=False)
class WidePieces(Pieces):
    """A puzzle of pieces in several words."""

    def word_of(self, state: Any, word: int) -> int:
        """Kernel: a word of a state."""
        return int(state[word])

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: what the tables say of every field. O(fields)."""
        child = state
        for word in range(len(state)):
            child = replace_word(child, word, self.word_after(state, word, operator))
        return child

    def pieces_after(self, whole: int, word: int, operator: int) -> int:
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
                value |= (
                    self.tables.after[row + self.tables.in_fields[first + i][2]][code] << bits * i
                )
        return value


@attrs.frozen(eq=False)
class RankedPieces(Pieces):
    """A puzzle of pieces in one word whose states are numbered: see `searchkit.pieces.ranks`."""

    parts: ClassVar[tuple[str, ...]] = ("ranking",)
    ranking: Any = derived(lambda self: _ranking(self.layout, self.tables.goal))
    ranks: int = derived(lambda self: self.ranking.ranks)

    def rank(self, state: Any) -> int:
        """Kernel: the number of a state."""
        return int(self.ranking.rank(state))

    def unrank(self, index: int) -> Any:
        """Kernel: the state with a number."""
        return self.ranking.unrank(index)


@attrs.frozen(eq=False)
class WideRankedPieces(WidePieces, RankedPieces):
    """A puzzle in several words whose states are numbered."""


@attrs.frozen(eq=False)
class SteppedPieces(RankedPieces):
    """A puzzle in one word whose numbers of states after moves are looked up."""

    parts: ClassVar[tuple[str, ...]] = ("ranking", "numbers")
    numbers: Any = derived(lambda self: _rank_steps(self.layout, self.tables.goal))

    def rank_after(self, index: int, control: int, operator: int) -> int:
        """Kernel: the number of the state that an operator leads to."""
        return int(self.numbers.after(index, operator))


class Invertible:
    """What holds where no two motions lead to one state."""

    layout: Layout

    def inverse(self, control: int, operator: int) -> int | None:
        """The power that takes one back."""
        return self.layout.inverses[operator]


class AllDifferent(Invertible):
    """The same, where every step can be made in every state."""

    goal: Any

    def witness(self, control: int) -> Any:
        """The goal: what sequences do there they do everywhere."""
        return self.goal


class BandagedPieces(Pieces):
    """A puzzle of which some states are illegal."""

    constants = (*Pieces.constants, "tests")  # type: ignore[assignment]

    def legal(self, state: Any, control: int, operator: int) -> bool:
        """Kernel: whether no piece comes to where it may not be. O(fields that are looked at)."""
        for i in range(self.tables.tests):
            field = self.field(state, self.tables.illegal[operator][4 * i])
            code = field & self.tables.illegal[operator][4 * i + 1]
            bits = self.tables.illegal[operator][4 * i + 3]
            if (
                code >> BLOCK == self.tables.illegal[operator][4 * i + 2]
                and bits >> (code & 31) & 1
            ):
                return False
        return True

    def random_state(self, rng: random.Random) -> Any:
        """A state after many random steps from the goal."""
        state = self.goal
        for _ in range(RANDOM_STEPS):
            operator = rng.randrange(len(self.layout.steps))
            if self.legal(state, 0, operator):
                state = self.apply(state, 0, operator)
        return state


class RunPieces(Pieces):
    """A puzzle in one word whose moves turn over runs of places: see `searchkit.pieces.runs`."""

    def field(self, state: Any, number: int) -> int:
        """Kernel: the bits of a field."""
        return int(state >> self.tables.runs * number & (1 << self.tables.runs) - 1)

    def apply(self, state: Any, control: int, operator: int) -> Any:
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


class WideRunPieces(WidePieces):
    """A puzzle in several words whose moves turn over runs of places."""

    def field(self, state: Any, number: int) -> int:
        """Kernel: the bits of a field."""
        if self.tables.runs == 8:
            return int(state[number >> 3] >> 8 * (number & 7) & 255)
        return int(state[number >> 4] >> 4 * (number & 15) & 15)

    def apply(self, state: Any, control: int, operator: int) -> Any:
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


def _kind_of(cls: type[Pieces], layout: Layout, words: tuple[int, ...]) -> Any:
    """A class that is derived from another one, and has the kernels that suit a layout."""
    is_wide, is_ranked = len(words) > 1, _ranking(layout, words) is not None
    bandaged = layout.definition.is_bandaged
    kind: type[Pieces] = WidePieces if is_wide else Pieces
    if is_ranked:
        kind = WideRankedPieces if is_wide else RankedPieces
        if not (is_wide or bandaged) and _rank_steps(layout, words) is not None:
            kind = SteppedPieces
    runs = () if runs_of(layout) is None else (WideRunPieces if is_wide else RunPieces,)
    differ = (Invertible if bandaged else AllDifferent,) * layout.group.are_all_different
    return _joined((cls, *differ, *[BandagedPieces] * bandaged, *runs, kind))


@cache
def _joined(classes: tuple[type, ...]) -> type:
    """The class that has what all of some have; the first ones come first."""
    kinds = [
        each
        for i, each in enumerate(classes)
        if not any(issubclass(other, each) for other in classes[i + 1 :])
    ]
    first = classes[0]
    return type(first.__name__, (*kinds,), {"__module__": first.__module__, "author": first})


def _made(author: type[Pieces], definition: Definition, start: Any, goal: Any) -> Pieces:
    return author.of(definition, start, goal)


def puzzle(file: str, moves: str = "", powers: bool = True) -> Pieces:
    """The puzzle that the text `file` defines; `moves` and `powers` choose among its moves.

    Raises `ParseError` that names the line of the text.
    """
    if not file.strip():
        raise ParseError(
            "the definition is empty; give a file with lines like 'Set CORNER 8 3' and 'Move R', "
            "as in searchkit run FILE"
        )
    definition = read_definition(file)
    if moves:
        definition = definition.with_moves(moves.replace(",", " ").split())
    return Pieces.of(attrs.evolve(definition, powers=powers))
