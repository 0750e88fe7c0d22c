"""Problems whose steps are chains of steps of one piece, as packed ones that list them by `expand`.

They are those with `HasChains` whose base is packed and knows its pieces by kernels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from searchkit.authors.packed_rules import operators_of
from searchkit.bits import frame, replace_word
from searchkit.capabilities import HasPieceKernels, base_of_chains, kept_states
from searchkit.errors import CompilationError, ProblemError, Trapped
from searchkit.packed import PackedProblem
from searchkit.problem import Problem, Step

MOST_PIECES = 256
CELLS = 1 << 12
"""The numbers that there are for the links of a chain, two and its words for each."""


class ChainTables(NamedTuple):
    """Operators by control state and piece.

    Row `control x pieces + piece` has those that move the piece, in the order of the problem, and
    the last row of a control state all of them: `operators[first[row]:first[row + 1]]`. `after`
    is the piece as it is then. If only some chains out of the start are kept, `kept` has that and,
    behind it, the states that they lead to, all word by word.
    """

    first: tuple[int, ...]
    operators: tuple[int, ...]
    after: tuple[int, ...]
    pieces: int
    controls: int
    kept: tuple[int, ...]


class PackedChains(PackedProblem[Any]):
    """A problem of chains of steps of a packed one, its `base`, as engines take it.

    Its rules in Python are those of the problem itself; for labels, that is asked.
    """

    parts = ("base",)

    def __init__(self, problem: Problem[Any, Any], base: PackedProblem[Any]) -> None:
        self.problem, self.base = problem, base
        self.words, self.costs, self.undirected = base.words, problem.costs, problem.undirected
        self.tables = _tables(base, kept_states(problem))

    @staticmethod
    def of(problem: Problem[Any, Any]) -> Problem[Any, Any]:
        """The problem, or what engines take in its place if its steps are chains."""
        base: Any = base_of_chains(problem)
        kind: Any = PackedChains  # has no operators
        return problem if base is None else kind(problem, base)

    def initial_states(self) -> Iterable[Any]:
        """Those of the problem."""
        return self.problem.initial_states()

    def successors(self, state: Any) -> Iterable[Step[Any, Any]]:
        """The chains out of a state."""
        return self.problem.successors(state)

    def action(self, state: Any, operator: int) -> Any:
        """No label: `successors` has them."""
        raise NotImplementedError

    def trapped(self, state: Any) -> None:
        """Say what is wrong with a chain out of the state."""
        for _ in self.problem.successors(state):  # which looks at all control states
            pass
        raise CompilationError(
            f"{type(self.problem).__name__}: chains of more than {CELLS // (2 + self.words)} steps "
            f"lead out of state {state!r:.80}; engine='reference' takes any"
        )

    def at_goal(self, state: Any) -> bool:
        """Kernel: whether the base is at a goal."""
        return bool(self.base.at_goal(state))

    def expand(self, state: Any) -> Iterator[Any]:
        """Kernel: yield the last operator of each chain, and the state after it.

        Depth first, each chain before its extensions. A chain does not go on from a goal, and meets
        no state twice.
        """
        # Of each link: the next operator to try, the end of those, and the state before it.
        links = frame(CELLS)
        size = self.put(links, 2, state)
        if len(self.tables.kept) > 0 and self.taken(self.tables.kept, 0, state) == state:
            for at in range(size - 2, len(self.tables.kept), size - 2):
                yield 0, self.taken(self.tables.kept, at, state)
            return
        here, control, depth = state, self.base.control(state), 0
        if control < 0 or control >= self.tables.controls:
            raise Trapped
        row = (control + 1) * self.tables.pieces - 1
        place, end = self.tables.first[row], self.tables.first[row + 1]
        while depth >= 0:
            if place == end:
                depth -= size
                if depth >= 0:
                    place, end = links[depth], links[depth + 1]
                    here = self.taken(links, depth + 2, state)
                    control = self.base.control(here)
                continue
            operator, piece = self.tables.operators[place], self.tables.after[place]
            place += 1
            if not self.base.legal(here, control, operator):
                continue
            child = self.base.apply(here, control, operator)
            is_met = False
            for at in range(2, depth + 3, size):
                is_met = is_met or self.taken(links, at, state) == child
            if is_met:
                continue
            yield operator, child
            if not self.base.at_goal(child):
                links[depth], links[depth + 1] = place, end
                depth += size
                if depth + size > CELLS:
                    raise Trapped
                size = self.put(links, depth + 2, child) - depth
                here, control = child, self.base.control(child)
                if control < 0 or control >= self.tables.controls:
                    raise Trapped
                row = control * self.tables.pieces + piece
                place, end = self.tables.first[row], self.tables.first[row + 1]

    def put(self, cells: Any, at: int, state: Any) -> int:
        """Kernel: put the words of a state there; the place behind them."""
        if self.words == 1:
            cells[at] = state
            return at + 1
        for word in range(len(state)):
            cells[at + word] = state[word]
        return at + len(state)

    def taken(self, cells: Any, at: int, like: Any) -> Any:
        """Kernel: the state whose words are there; `like` is another."""
        if self.words == 1:
            return cells[at]
        for word in range(len(like)):
            like = replace_word(like, word, cells[at + word])
        return like


def _tables(base: PackedProblem[Any], kept: list[Any]) -> ChainTables:
    """What the kernels look up. O(control states x operators x pieces)."""
    assert isinstance(base, HasPieceKernels)
    moves = [
        [
            (operator, _piece(base, "moved_from", control, operator),
             _piece(base, "moved_to", control, operator))
            for operator in operators_of(base, control)
        ]
        for control in range(base.controls)
    ]  # fmt: skip
    pieces = 2 + max((max(before, after) for row in moves for _, before, after in row), default=-1)
    rows = [
        listed
        for row in moves
        for listed in (*([m for m in row if m[1] == piece] for piece in range(pieces - 1)), row)
    ]
    return ChainTables(
        first=tuple(accumulate(map(len, rows), initial=0)),
        operators=tuple(operator for row in rows for operator, _, _ in row),
        after=tuple(after for row in rows for _, _, after in row),
        pieces=pieces,
        controls=base.controls,
        kept=tuple(word for state in kept for word in (state if base.words > 1 else (state,))),
    )


def _piece(base: Any, kernel: str, control: int, operator: int) -> int:
    piece = getattr(base, kernel)(control, operator)
    whole = piece.__index__() if hasattr(piece, "__index__") else -1
    if not 0 <= whole < MOST_PIECES:
        raise ProblemError(
            f"{type(base).__name__}: {kernel}({control}, {operator}) is {piece!r:.40}; pieces are "
            f"numbered from 0 to {MOST_PIECES - 1}"
        )
    return whole
