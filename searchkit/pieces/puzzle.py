"""A permutation puzzle as a packed problem, made from its definition alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self

import attrs

from searchkit.bits import replace_word, reverse_bytes, reverse_nibbles, shift_right
from searchkit.capabilities import Symmetry
from searchkit.certificates import Certificate
from searchkit.errors import ParseError, UnsuitableError
from searchkit.kernel_language.program import Carried, carrying
from searchkit.packed import PackedProblem
from searchkit.picture import Picture
from searchkit.pieces import pictures
from searchkit.pieces.certificates import can_certify, certificate_of
from searchkit.pieces.checking import PlainPieces
from searchkit.pieces.databases import PieceSpace
from searchkit.pieces.definition import Definition
from searchkit.pieces.facts import facts_of
from searchkit.pieces.files import read_definition
from searchkit.pieces.group import Group
from searchkit.pieces.groups import DEFAULT_MEMORY, choose_groups, groups_named
from searchkit.pieces.images import maps_of, symmetry_of
from searchkit.pieces.layout import Layout
from searchkit.pieces.notation import check_legal, format_state, read_state
from searchkit.pieces.patterns import Pattern, after, solved
from searchkit.pieces.rank_steps import RankSteps
from searchkit.pieces.ranks import Ranking
from searchkit.pieces.stickers import stickered
from searchkit.pieces.word_tables import BLOCK, runs_of, tables_of
from searchkit.problem import StartAndGoal, derived
from searchkit.texts.amounts import AUTO, memory, memory_named

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


AMOUNTS = ("1MB", "16MB", "256MB", "2GB")
"""Of memory for pattern databases, to choose from."""
RANDOM_STEPS = 1000
"""How many steps are drawn for a random state of a bandaged puzzle."""


_layout = lru_cache(maxsize=16)(Layout)


@lru_cache(maxsize=16)
def _group_towards(layout: Layout, goal: tuple[int, ...]) -> Group:
    return Group(layout.definition.solved_as(layout.unpack(goal)))


@lru_cache(maxsize=16)
def _symmetries(layout: Layout) -> tuple[Symmetry[Any, Any], ...]:
    return tuple(symmetry_of(layout, each) for each in layout.symmetries.maps)


@lru_cache(maxsize=16)
def _chosen(layout: Layout, goal: tuple[int, ...], most: int) -> tuple[tuple[int, ...], ...]:
    """As many groups as that many bytes allow, made once for puzzles of one layout and goal."""
    return choose_groups(layout, most, maps_of(layout, layout.unpack(goal)))


@lru_cache(maxsize=8)
def _space(
    kind: type[Pieces], layout: Layout, goal: Any, groups: tuple[tuple[int, ...], ...]
) -> PieceSpace:
    """The space of some groups, made once for puzzles of one layout and goal."""
    return PieceSpace(kind(layout, goal, goal), groups)


@attrs.frozen(eq=False)
class Pieces(StartAndGoal[Any, Any], PackedProblem[Any]):
    """A puzzle of pieces, in however many words; `Pieces.of(definition)` makes it.

    An action is a move or a power of one, as it is written in sequences: `R`, `R2`, `R'`. Its
    methods are those for one word; each object carries those that suit its layout, but for what
    its class has of its own: see `searchkit.pieces.puzzle`.

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
    constants = (
        "mixed", "by_place", "width", "fields", "of_words", "runs", "still", "turned", "tests",
    )  # fmt: skip

    layout: Layout
    start: Any
    goal: Any
    words: int = derived(lambda self: len(self.layout.words))
    tables: Any = derived(lambda self: tables_of(self.layout, self.goal))
    ranking: Any = derived(
        lambda self: ranking_of(self.layout, self.tables.goal) if _has(self, "rank") else None
    )
    ranks: int = derived(lambda self: self.ranking.ranks if self.ranking is not None else 0)
    numbers: Any = derived(
        lambda self: (
            rank_steps_of(self.layout, self.tables.goal) if _has(self, "rank_after") else None
        )
    )

    def __attrs_post_init__(self) -> None:
        suiting, kind = methods_of(self.layout), type(self)
        own = [name for name in suiting if getattr(kind, name, 0) is not getattr(Pieces, name, 0)]
        if own:
            suiting = Carried({name: suiting[name] for name in suiting if name not in own})
        carrying(self, suiting)
        if self.definition.is_bandaged:
            for what, state in (("start", self.start), ("goal", self.goal)):
                check_legal(self.definition, self.unpack(state), f"the {what}")

    @classmethod
    def of(cls, definition: Definition, start: Any = None, goal: Any = None) -> Self:
        """The puzzle of a definition, of the kind that suits it; solved, or between two states."""
        layout = _layout(definition, cls.needs_places)
        words = layout.pack(solved(definition))
        state = words if len(words) > 1 else words[0]
        return cls(layout, state if start is None else start, state if goal is None else goal)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as what makes it: methods that are carried do not."""
        return type(self).of, (self.definition, self.start, self.goal)

    @property
    def parts(self) -> tuple[str, ...]:
        """What numbers states, and what looks numbers up, where there are such."""
        return tuple(each for each in ("ranking", "numbers") if getattr(self, each) is not None)

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
        databases = (f"pdb:{AUTO}",) if self._groups_within(DEFAULT_MEMORY) else ()
        return ("cosets", *databases) if has_cosets else databases

    def patterns_named(self, name: str) -> tuple[tuple[int, ...], ...]:
        """Groups of pieces, by their names: see `searchkit.pieces.groups`.

        `auto` and `auto=1GB` are as many as that much memory allows, 256 MB by default.
        """
        most = memory_named(name, DEFAULT_MEMORY)
        if most is None:
            return groups_named(self.definition, name)
        groups = self._groups_within(most)
        if not groups:
            raise UnsuitableError(
                f"no pattern database of {self.definition.name} fits into {memory(most)}; "
                f"allow more, like {AUTO}=1GB, or name pieces"
            )
        return groups

    def pattern_space(self, groups: Sequence[tuple[int, ...]]) -> PieceSpace:
        """The space of pattern databases for some groups of pieces."""
        return _space(type(self), self.layout, self.goal, tuple(map(tuple, groups)))

    def patterns_by_memory(self) -> list[str]:
        """Some amounts of memory that allow different databases."""
        found: dict[tuple[tuple[int, ...], ...], str] = {}
        for size in AMOUNTS:
            most = memory_named(name := f"{AUTO}={size}", DEFAULT_MEMORY)
            groups = self._groups_within(most or 0)
            if groups:
                found.setdefault(groups, name)
        return list(found.values())

    def _groups_within(self, most: int) -> tuple[tuple[int, ...], ...]:
        return _chosen(self.layout, self.tables.goal, most)

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
        return int(state) if self.words == 1 else int(state[word])

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
        if self.words == 1:
            return self.word_after(state, 0, operator)
        child = state
        for word in range(len(state)):
            child = replace_word(child, word, self.word_after(state, word, operator))
        return child

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
        return pictures.unfold(net, pattern) if net else pictures.tabulate(self.definition, pattern)

    def picture(self, state: Any) -> Picture:
        """The same, drawn."""
        pattern, net = self.unpack(state), stickered(self.definition)
        return (
            pictures.draw_net(net, pattern) if net else pictures.draw_rows(self.definition, pattern)
        )

    def random_state(self, rng: random.Random) -> Any:
        """A state drawn uniformly from all that can be solved; some steps away, if bandaged."""
        if not self.definition.is_bandaged:
            motion = self.layout.group.random(rng)
            return self.pack(after(self.definition, self.unpack(self.goal), motion))
        state = self.goal
        for _ in range(RANDOM_STEPS):
            operator = rng.randrange(len(self.layout.steps))
            if self.legal(state, 0, operator):
                state = self.apply(state, 0, operator)
        return state

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

    def plain_text(self) -> str | None:
        """The rules as a file; None if a state is written in several rows of pieces."""
        from searchkit.pieces.plain_text import plain_text  # noqa: PLC0415  (seldom asked for)

        return plain_text(self)


def _has(puzzle: Pieces, kernel: str) -> bool:
    return kernel in methods_of(puzzle.layout)


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
