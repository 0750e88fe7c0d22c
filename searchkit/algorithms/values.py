"""The algorithms as frozen values with their options; the engines that run them are elsewhere.

A wrong option is a `UsageError` when the value is made, and a result can say exactly how it was
found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import attrs

from searchkit.algorithms.validators import a_heuristic, amount_of_memory, one_of, whole
from searchkit.algorithms.weights import exact_weight, falling_weights
from searchkit.capabilities import HasGoalStates, steps_into
from searchkit.errors import UnsuitableError
from searchkit.heuristic import Heuristic
from searchkit.problem import Costs, Problem

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "IDDFS",
    "AStar",
    "Algorithm",
    "Anytime",
    "BIDAStar",
    "BeamSearch",
    "Bidirectional",
    "BreadthFirst",
    "CompleteBeam",
    "GreedyBestFirst",
    "IDAStar",
    "UniformCost",
    "WeightedAStar",
    "WeightedIDAStar",
]
"""What `searchkit` offers of it as well."""

Incumbents = Literal["none", "beam"]
CyclePruning = Literal["auto", "path", "parent"]

PERIMETER_BYTES = 256_000_000
TWICE: Any = 2
"""The weight where none is given; `exact_weight` makes a fraction of it, as of others."""


def cycle_pruning(problem: Problem[Any, Any], cycles: str) -> str:
    """What "auto" means for `problem`: see `IDAStar`."""
    if cycles != "auto":
        return cycles
    return "parent" if problem.undirected and problem.complete_certificates else "path"


@attrs.frozen(repr=False)
class Algorithm:
    """Base of all algorithm values."""

    name: ClassVar[str]
    summary: ClassVar[str]
    uses_heuristic: ClassVar[bool] = False
    optimal: ClassVar[bool] = True
    """Whether its solutions are optimal (given an admissible heuristic, if it uses one)."""
    finds_all: ClassVar[bool] = True
    """Whether it can list and count all optimal solutions."""
    anytime: ClassVar[bool] = False
    """Whether it finds better and better solutions, and lower bounds."""
    trial: ClassVar[bool] = True
    """Whether the reference engine is worth a trial before the compiled one."""
    deepens: ClassVar[bool] = False
    """Whether it searches again and again with a growing bound: `Statistics.iterations`."""
    shares_out: ClassVar[bool] = False
    """Whether workers can share its work."""
    unit_costs: ClassVar[bool] = False
    """Whether it is for unit costs alone."""
    uses_goal_states: ClassVar[bool] = False
    """Whether its answers rest on `goal_states`, and on what leads to them."""
    capabilities: ClassVar[tuple[type, ...]] = ()
    """Protocols of abilities of a problem that come with it; see `searchkit.capabilities`."""
    engines: ClassVar[Mapping[str, str]] = {}
    """The engines that come with it, by kind: `module:function`; see `bundled`."""

    def __repr__(self) -> str:
        """The call that makes it; here for all, as attrs compiles one for each class."""
        given = [(each, getattr(self, each.name)) for each in attrs.fields(type(self))]
        shown = [(each.name, value) for each, value in given if each.repr or value != each.default]
        options = ", ".join(f"{name}={value!r}" for name, value in shown)
        return f"{type(self).__name__}({options})"

    @property
    def is_textbook(self) -> bool:
        """Whether it is to run as textbooks have it; see `Textbook`."""
        return False

    @property
    def is_exact(self) -> bool:
        """Whether its solutions are optimal with these options."""
        return type(self).optimal

    def check(self, problem: Problem[Any, Any]) -> None:
        """Raise `UnsuitableError` if the algorithm cannot solve `problem`."""
        if self.unit_costs and problem.costs is not Costs.UNIT:
            raise UnsuitableError(
                f"{self.name} needs unit costs but the problem has {problem.costs.value} costs; "
                "use ucs, astar, iddfs or idastar"
            )


def bundled(reference: str, compiled: str | None = None) -> dict[str, str]:
    """Where the engines of an algorithm are, in `searchkit.reference` and `searchkit.compiled`."""
    places = {"reference": f"reference.{reference}"}
    return places if compiled is None else {**places, "compiled": f"compiled.{compiled}"}


@attrs.frozen(repr=False)
class Textbook(Algorithm):
    """Base of those that can run as a textbook has them, by the reference engine, for one solution.

    `ties` says which of equal states comes first, `search` whether a state is met once ("graph") or
    along each path ("tree"), and `goal_test` whether a goal ends the search where it is generated
    ("early") or expanded ("late"). "auto" is how the algorithm runs best.
    """

    ties: str = attrs.field(
        default="auto", validator=one_of("auto", "low-h", "high-g", "first-in", "last-in"),
        kw_only=True, repr=False,
    )  # fmt: skip
    search: str = attrs.field(
        default="graph", validator=one_of("graph", "tree"), kw_only=True, repr=False
    )
    goal_test: str = attrs.field(
        default="auto", validator=one_of("auto", "early", "late"), kw_only=True, repr=False
    )

    @property
    def is_textbook(self) -> bool:
        """Whether one of the options is set."""
        return (self.ties, self.search, self.goal_test) != ("auto", "graph", "auto")

    @property
    def is_exact(self) -> bool:
        """Whether its solutions are optimal: the first goal that is generated need not be."""
        return type(self).optimal and (type(self).unit_costs or self.goal_test != "early")


@attrs.frozen(repr=False)
class BreadthFirst(Textbook):
    """Breadth-first search (Moore 1959): layer by layer, unit costs only.

    `symmetry` "auto" stores one of the states that symmetries of the problem make equal, of
    those that map its starts to themselves, and expands whole layers; solutions are found by
    walking back, which needs predecessors where the problem is not undirected. With `incumbents`
    "novelty", a search for one solution that lasts has a best-first width search beside it, which
    needs no heuristic: there is some solution soon, and then shorter ones.
    """

    symmetry: str = attrs.field(default="none", validator=one_of("none", "auto"))
    incumbents: str = attrs.field(default="none", validator=one_of("none", "novelty"), repr=False)

    name = "bfs"
    summary = "breadth-first search, layer by layer"
    unit_costs = True
    engines = bundled("bfs:breadth_first", "by_layers:breadth_first")

    def check(self, problem: Problem[Any, Any]) -> None:
        """Refuse costs other than unit, and symmetry where there is no way back."""
        super().check(problem)
        if self.symmetry == "auto" and self.is_textbook:
            raise UnsuitableError("bfs takes symmetry, or ties, search and goal_test; not both")
        if self.symmetry == "auto" and steps_into(problem) is None:
            raise UnsuitableError(
                "bfs with symmetry=auto walks back, but the problem has no predecessors(); "
                "use symmetry=none"
            )


@attrs.frozen(repr=False)
class Bidirectional(Algorithm):
    """Bidirectional breadth-first search (Pohl 1971): from start and goals until they meet.

    `symmetry` is that of `BreadthFirst`, and so is `incumbents`; "words" is for puzzles of pieces,
    which have some solution soon then, made of words of moves.
    """

    symmetry: str = attrs.field(default="none", validator=one_of("none", "auto"))
    incumbents: str = attrs.field(default="none", validator=one_of("none", "novelty", "words"))

    name = "bidirectional"
    summary = "breadth-first search from both ends"
    unit_costs = True
    uses_goal_states = True
    engines = bundled("bidirectional:bidirectional", "by_layers:bidirectional")

    def check(self, problem: Problem[Any, Any]) -> None:
        """Refuse costs other than unit, and problems that cannot be searched backwards."""
        super().check(problem)
        _check_both_ends(problem, self.name, "bfs")


def _check_both_ends(problem: Problem[Any, Any], name: str, other: str) -> None:
    """Refuse problems that cannot be searched backwards."""
    if not isinstance(problem, HasGoalStates):
        raise UnsuitableError(
            f"{name} needs goal_states(), which the problem does not have; use {other}"
        )
    if steps_into(problem) is None:
        raise UnsuitableError(
            f"{name} needs predecessors(), or undirected = True, "
            f"and the problem has neither; use {other}"
        )


@attrs.frozen(repr=False)
class AStar(Textbook):
    """A* (Hart, Nilsson & Raphael 1968), re-opening states when the heuristic is inconsistent.

    `heuristic` defaults to the problem's own. Among states of equal f the one with the
    smallest h comes first, then the one generated last. With `incumbents` "beam", a search for one
    solution that lasts has a `CompleteBeam` beside it from a while on: there is some solution soon,
    then better ones, and both end where the lower bound has come up to the best.
    """

    name = "astar"
    summary = "A*: best first by f = g + h"
    uses_heuristic = True
    engines = bundled("best_first:a_star", "best_first.astar:best_first")

    heuristic: Heuristic[Any, Any] | None = attrs.field(default=None, validator=a_heuristic)
    incumbents: Incumbents = attrs.field(default="none", validator=one_of("none", "beam"))


@attrs.frozen(repr=False)
class UniformCost(Algorithm):
    """Uniform-cost search (Dijkstra 1959): A* with h = 0.

    `incumbents` is that of `BreadthFirst`.
    """

    name = "ucs"
    summary = "uniform-cost (Dijkstra): A* with h = 0"
    engines = bundled("best_first:a_star", "best_first.astar:best_first")

    incumbents: str = attrs.field(default="none", validator=one_of("none", "novelty"), repr=False)


@attrs.frozen(repr=False)
class Deepening(Algorithm):
    """Base of those that search depth first, again and again with a growing bound.

    A transposition `table` of that many bytes (or "512MB") remembers states from which nothing was
    found, and how far it was searched; 0 is none (Slate & Atkin 1977; Reinefeld & Marsland 1994).
    With `symmetry` "auto" states that symmetries make equal are one in it.
    """

    table: int = attrs.field(default=0, converter=amount_of_memory, kw_only=True)
    symmetry: str = attrs.field(default="none", validator=one_of("none", "auto"), kw_only=True)

    deepens = True

    def check(self, problem: Problem[Any, Any]) -> None:
        """Refuse what a table cannot be used with, and symmetry without one."""
        super().check(problem)
        if self.symmetry == "auto" and not self.table:
            raise UnsuitableError(
                f"{self.name} uses symmetry in its table alone; give it one, like table=512MB"
            )
        if self.table and getattr(self, "operator_pruning", 0):
            raise UnsuitableError(
                f"{self.name} takes table or operator_pruning, not both: what is found below a "
                "state depends on the operators that led there"
            )


@attrs.frozen(repr=False)
class IDDFS(Deepening):
    """Iterative-deepening depth-first search (Slate & Atkin 1977; Korf 1985), by cost.

    `cycles` says which steps back are dropped: to any state on the current path (`"path"`,
    which lets it prove finite problems unsolvable), or only straight back to the parent
    (`"parent"`, which takes less time per state). `"auto"` is "parent" for undirected problems
    that certify every unsolvable start, and "path" for others.

    `operator_pruning` is the length up to which sequences of operators are learned to be
    duplicates of others, and left out (Taylor & Korf 1993). It is for the compiled engine and
    problems with `witness`, and is not done where all solutions are wanted.
    """

    name = "iddfs"
    summary = "iterative deepening: depth-first with a growing cost bound"
    shares_out = True
    engines = bundled("idastar:ida_star", "depth_first.deepening:deepening")

    cycles: CyclePruning = attrs.field(default="auto", validator=one_of("auto", "path", "parent"))
    operator_pruning: int = attrs.field(default=0, validator=whole(0))


@attrs.frozen(repr=False)
class IDAStar(Deepening):
    """Iterative-deepening A* (Korf 1985): IDDFS, and its options, with the bound on f = g + h.

    `incumbents` is that of `AStar`.
    """

    name = "idastar"
    summary = "iterative deepening A*: depth-first with a growing bound on f = g + h"
    shares_out = True
    uses_heuristic = True
    engines = bundled("idastar:ida_star", "depth_first.deepening:deepening")

    heuristic: Heuristic[Any, Any] | None = attrs.field(default=None, validator=a_heuristic)
    cycles: CyclePruning = attrs.field(default="auto", validator=one_of("auto", "path", "parent"))
    operator_pruning: int = attrs.field(default=0, validator=whole(0))
    incumbents: Incumbents = attrs.field(
        default="none", validator=one_of("none", "beam"), kw_only=True
    )


@attrs.frozen(repr=False)
class BIDAStar(IDAStar):
    """BIDA* (Manzini 1995): IDA*, and its options, with a perimeter of states around the goals.

    The states up to some depth from a goal are found backwards, by breadth-first search, and
    marked in a hash table of two bits a slot: what is not marked is further away. Before each
    iteration layers are added as long as one takes less than the iteration is likely to take. It
    all takes `perimeter` bytes at most (or "256MB"). Unit costs only.
    """

    name = "bida"
    summary = "bidirectional IDA*: with the distances of states near the goals"
    shares_out = False
    unit_costs = True
    uses_goal_states = True
    engines = bundled("bida:bida_star", "bida:bida_star")

    perimeter: int = attrs.field(
        default=PERIMETER_BYTES, converter=amount_of_memory, kw_only=True, repr=False
    )

    def check(self, problem: Problem[Any, Any]) -> None:
        """Refuse problems that cannot be searched backwards, and tables beside the perimeter."""
        super().check(problem)
        _check_both_ends(problem, self.name, "idastar")
        if self.table:
            raise UnsuitableError(f"{self.name} takes a perimeter and no table; use idastar")


@attrs.frozen(repr=False)
class Guided(Algorithm):
    """Base of those that go by a heuristic to one solution, which need not be optimal."""

    uses_heuristic = True
    optimal = False
    finds_all = False

    heuristic: Heuristic[Any, Any] | None = attrs.field(default=None, validator=a_heuristic)


@attrs.frozen(repr=False)
class WeightedAStar(Guided):
    """Weighted A* (Pohl 1970): A* in the order of f = g + weight x h.

    Its solution costs at most `weight` times the optimal one, if the heuristic is admissible; it
    need not be consistent, for closed states are re-opened. The ratio that is proved is smaller
    where the open list tells. The weight is exact, 1 or more: an integer, a `Fraction`, or a
    text like "1.5" or "3/2"; a float is the decimal number that it prints as.
    """

    name = "wastar"
    summary = "weighted A*: best first by g + weight x h"
    engines = bundled("anytime:weighted_a_star", "best_first.weighted:weighted_best_first")

    weight: Fraction = attrs.field(default=TWICE, converter=exact_weight)

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The weights to search with, one after another."""
        return (self.weight,)


@attrs.frozen(repr=False)
class WeightedIDAStar(IDAStar):
    """Weighted IDA* (Korf 1993): IDA*, and its options, with the bound on g + weight x h.

    Its solution costs at most `weight` times the optimal one; see `WeightedAStar`.
    """

    name = "widastar"
    summary = "weighted IDA*: with a growing bound on g + weight x h"
    optimal = False
    finds_all = False
    engines = bundled("idastar:ida_star", "depth_first.deepening:deepening")

    weight: Fraction = attrs.field(default=TWICE, converter=exact_weight)

    def check(self, problem: Problem[Any, Any]) -> None:
        """Refuse a table: it remembers bounds on costs, which are not weighted. And incumbents."""
        super().check(problem)
        if self.incumbents != "none":
            raise UnsuitableError(f"{self.name} has no incumbents beside it; use idastar")
        if self.table:
            raise UnsuitableError(f"{self.name} takes no table; use idastar")


@attrs.frozen(repr=False)
class GreedyBestFirst(Textbook):
    """Greedy best-first search (Doran & Michie 1966): the open state of smallest h first.

    Each state is expanded once at most, by the first path that is found. Among states of equal
    h the one generated last comes first.
    """

    name = "greedy"
    summary = "greedy best-first search: smallest h first"
    uses_heuristic = True
    optimal = False
    finds_all = False
    engines = bundled("best_first:greedy", "best_first.weighted:greedy_best_first")

    heuristic: Heuristic[Any, Any] | None = attrs.field(default=None, validator=a_heuristic)


@attrs.frozen(repr=False)
class BeamSearch(Guided):
    """Beam search (Lowerre 1976; Bisiani 1987): of each layer, the `width` best states by g + h.

    It may find nothing though there is a solution. Then the beam was too narrow, unless no state
    was ever left out.
    """

    name = "beam"
    summary = "beam search: the best states of each layer only"
    engines = bundled("beam:beam_search", "breadth_first.beam:beam_search")

    width: int = attrs.field(default=1000, validator=whole(1))


@attrs.frozen(repr=False)
class CompleteBeam(Guided):
    """Complete anytime beam search (Zhang 1998): beams twice as wide each, to an optimal solution.

    It ends with a beam that left nothing out, or where its lower bound, the smallest f = g + h that
    was left out, is the cost of its best solution. At a limit it has the best solution, and a
    proved ratio. `width` is that of the first beam.
    """

    name = "cabs"
    summary = "complete beam search: wider and wider beams, to an optimal solution"
    anytime = True
    engines = bundled("beam:complete_beam_search", "breadth_first.beam:complete_beam_search")

    width: int = attrs.field(default=64, validator=whole(1))


@attrs.frozen(repr=False)
class Anytime(Guided):
    """Anytime weighted A*: better and better solutions, up to an optimal one.

    Weighted A* with the first of the `weights`; after each solution it goes on with a smaller
    one, with all it knows (Likhachev, Gordon & Thrun 2003), and without what cannot lead to a
    better solution (Hansen & Zhou 2007). At a limit it has the best solution, and a proved ratio.
    """

    name = "anytime"
    summary = "anytime weighted A*: better and better solutions, then an optimal one"
    anytime = True
    engines = bundled("anytime:weighted_a_star", "best_first.weighted:weighted_best_first")

    weights: tuple[Fraction, ...] = attrs.field(
        default=(5, 3, 2, "1.5", "1.2", 1), converter=falling_weights
    )


ALGORITHMS: dict[str, type[Algorithm]] = {
    cls.name: cls
    for cls in (
        BreadthFirst, Bidirectional, AStar, UniformCost, IDDFS, IDAStar, BIDAStar,
        WeightedAStar, WeightedIDAStar, GreedyBestFirst, BeamSearch, CompleteBeam,
        Anytime,
    )
}  # fmt: skip
"""The bundled algorithms by name."""
