"""Optional abilities of a problem. A problem has one by defining its methods.

Engines and tools ask with `isinstance(problem, Capability)`; nothing is inherited. Transforms pass
methods on by their names: the protocols of those, too, say which names are no misspelt ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

import attrs

from searchkit.authors.user_code import place_of, short
from searchkit.errors import ProblemError
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.packed import successors_of
from searchkit.problem import Problem, Step

if TYPE_CHECKING:
    import random

    from searchkit.certificates import Certificate
    from searchkit.pattern_space import Pattern, PatternSpace
    from searchkit.picture import Phase, Picture

S = TypeVar("S")
A = TypeVar("A")


if TYPE_CHECKING:
    from abc import ABCMeta as _ProtocolMeta
else:
    _ProtocolMeta = type(Protocol)


class _Members(_ProtocolMeta):
    """Asks an object for the members of a capability, whose names are gathered once."""

    def __instancecheck__(cls, instance: object) -> bool:  # noqa: N805  (of classes)
        names = _members_of(cls)
        if names is None:
            return super().__instancecheck__(instance)
        for name, is_method in names:
            try:
                if getattr(instance, name) is None and is_method:
                    return False
            except AttributeError:
                return False
        return True


@cache
def _members_of(capability: type) -> tuple[tuple[str, bool], ...] | None:
    """The names of the members of a capability, and whether each is a method."""
    if not vars(capability).get("_is_protocol"):
        return None
    kinds = [kind for kind in capability.__mro__ if kind.__module__ == __name__]
    names = {name for kind in kinds for name in (*vars(kind), *kind.__annotations__)}
    own = {name for name in names if not name.startswith("_")}
    return tuple((name, callable(getattr(capability, name, None))) for name in sorted(own))


@runtime_checkable
class HasGoalStates(Protocol, metaclass=_Members):
    """The goals can be listed: the start of every backward search."""

    def goal_states(self) -> Iterable[Any]:
        """Every state `s` with `is_goal(s)` that can matter, each once."""


@runtime_checkable
class HasPredecessors(Protocol, metaclass=_Members):
    """Steps can be followed backwards (not needed where `problem.undirected` is true)."""

    def predecessors(self, state: Any) -> Iterable[Step[Any, Any]]:
        """Every `Step(action, p, cost)` such that `action` leads from `p` to `state`."""


def steps_into(problem: Problem[Any, Any]) -> Callable[[Any], Iterable[Step[Any, Any]]] | None:
    """What gives the steps into a state, in one search.

    None if the problem cannot be searched backwards.
    """
    if problem.undirected:
        return successors_of(problem)
    return problem.predecessors if isinstance(problem, HasPredecessors) else None


@runtime_checkable
class HasParse(Protocol, metaclass=_Members):
    """Texts can be read as states; `parse(format_state(s))` equals `s`."""

    def parse(self, text: str) -> Any:
        """The state that `text` describes; `ParseError` if it describes none."""


@runtime_checkable
class HasStart(Protocol, metaclass=_Members):
    """The start can be replaced."""

    def with_start(self, state: Any) -> Problem[Any, Any]:
        """The same problem, started from `state` alone."""


@runtime_checkable
class HasGoal(Protocol, metaclass=_Members):
    """The goal can be replaced."""

    def with_goal(self, state: Any) -> Problem[Any, Any]:
        """The same problem with `state` as its only goal."""


@runtime_checkable
class HasDefaultHeuristic(Protocol, metaclass=_Members):
    """The problem's own lower bound comes as an object, say one that is carried along."""

    def default_heuristic(self) -> Heuristic[Any, Any]:
        """What to use where no heuristic is named; agrees with `heuristic(state)`."""


def own_heuristic(problem: Problem[Any, Any]) -> Heuristic[Any, Any]:
    """The problem's own lower bound as an object; what is no `Heuristic` is a `ProblemError`."""
    if not isinstance(problem, HasDefaultHeuristic):
        return ProblemHeuristic(problem)
    heuristic = problem.default_heuristic()
    if not isinstance(heuristic, Heuristic):
        place = place_of(problem, "default_heuristic")
        where = f" ({place})" if place else ""
        raise ProblemError(
            f"{type(problem).__name__}: default_heuristic() gives {short(heuristic)}, which is not "
            f"a Heuristic; a rule that takes a state is the method heuristic(self, state){where}"
        )
    return heuristic


@runtime_checkable
class HasRandomState(Protocol, metaclass=_Members):
    """Solvable states can be drawn at random."""

    def random_state(self, rng: random.Random) -> Any:
        """A state drawn uniformly from those that can be solved (or as documented)."""


@attrs.frozen(kw_only=True)
class KnownBoard:
    """A start that others have published; `cost` is that of its optimal solutions, if known."""

    name: str
    start: Any
    cost: int | None = None


@runtime_checkable
class HasBoardSets(Protocol, metaclass=_Members):
    """Sets of starts are known by name, to compare searches on: `compare --boards NAME`."""

    def board_sets(self) -> Mapping[str, str]:
        """What sets there are for this problem with its goal: names, and a line on each."""

    def board_set(self, name: str) -> Sequence[KnownBoard]:
        """The boards of one of these sets, in their order."""


@runtime_checkable
class HasCertificate(Protocol, metaclass=_Members):
    """Some starts can be proved unsolvable without search.

    `complete_certificates`, an attribute of every problem, says whether all of them can.
    """

    def certificate(self, state: Any) -> Certificate | None:
        """Why no goal can be reached from `state`; None if it is not known."""


@runtime_checkable
class HasLateCertificate(Protocol, metaclass=_Members):
    """Some starts can be proved unsolvable, which takes longer than an easy search does.

    So it is asked once a search lasts, where `certificate` is asked before it begins.
    """

    def late_certificate(self, state: Any) -> Certificate | None:
        """Why no goal can be reached from `state`; None if that is not found."""


def is_certified(problem: Problem[Any, Any], state: Any) -> bool:
    """Whether a problem certifies that no goal can be reached from a state."""
    return isinstance(problem, HasCertificate) and problem.certificate(state) is not None


@runtime_checkable
class HasCertificateChecks(Protocol, metaclass=_Members):
    """Certificates can be checked, by code that shares nothing with what makes them.

    `searchkit.verify` asks the slow rules for it where a problem has them.
    """

    def check_certificate(self, start: Any, certificate: Certificate) -> str | None:
        """None if `certificate` proves that no goal can be reached from `start`.

        Else why it does not, in one line; a `VerificationError`, as `certificates.entries` raises
        it, says so too. The certificate may have been altered in any way: believe nothing of it.
        """


@runtime_checkable
class HasOpenGoals(Protocol, metaclass=_Members):
    """Of a problem with several goals: some can be excluded without search, if not all."""

    def open_goals(self, state: Any) -> str | None:
        """Which goals are left open from `state`, in a clause; None if none is excluded.

        Who gave up reads it: it proves nothing about those left open.
        """


@runtime_checkable
class HasFacts(Protocol, metaclass=_Members):
    """Something is known of the puzzle that `searchkit info` can tell."""

    def facts(self) -> Iterable[tuple[str, str]]:
        """What each fact is about, and the fact, both in a few words."""


@runtime_checkable
class HasGrade(Protocol, metaclass=_Members):
    """The state graph is a graded DAG: duplicates lie within one grade."""

    def grade(self, state: Any) -> int:
        """An integer that every step lowers."""


@runtime_checkable
class HasSlowRules(Protocol, metaclass=_Members):
    """The rules are stated a second time, plainly, to verify solutions independently."""

    def slow_rules(self) -> Problem[Any, Any]:
        """An equal problem over readable states, sharing no code with this one's rules.

        Its `format_state`, `format_action` and `parse` speak the same notation.
        """


@runtime_checkable
class HasPlainText(Protocol, metaclass=_Members):
    """The rules can be written down as a file of their own, for those who check proofs."""

    def plain_text(self) -> str | None:
        """A file of Python that imports nothing but what comes with it; None if there is none.

        It has the functions that the checker of proofs asks for: `starts()`, `successors(state)`,
        `goal(state)`, of states that are texts in the notation of the puzzle; and `heuristics`,
        those that it has by their names.
        """


@runtime_checkable
class HasPicture(Protocol, metaclass=_Members):
    """States can be drawn."""

    def picture(self, state: Any) -> Picture:
        """`state` as it is drawn (see `searchkit.picture`)."""


@runtime_checkable
class HasMotion(Protocol, metaclass=_Members):
    """Of problems with pictures: it is known how pieces move in a step.

    Needed where the names of pieces do not tell it, or where a step has parts to be shown.
    """

    def motion(self, state: Any, action: Any) -> Iterable[Phase]:
        """The step `action` from `state`, in one or several parts; the last ends as it ends."""


@attrs.frozen
class FieldImage:
    """What a symmetry makes of one field of a packed state, whatever the other fields are.

    The field has `bits` bits of word `word`, from bit `shift` on. A value `v` in it becomes the
    value `values[v]` at bit `to_shift` of word `to_word`.
    """

    word: int
    shift: int
    bits: int
    to_word: int
    to_shift: int
    values: tuple[int, ...]


@attrs.frozen
class Symmetry(Generic[S, A]):
    """A map of the state graph onto itself that keeps steps, costs and goals.

    If `action` leads from `s` to `t`, `action_map(action)` leads from `state_map(s)` to
    `state_map(t)` at the same cost. For machine code, one of two may say what `state_map` does to
    packed states: if it only moves the bits of a word, `bits` where to (bit `i` goes to bit
    `bits[i]`); if states are made of fields each of which is mapped by itself, `fields` what
    becomes of each. The same fields in all symmetries of a problem, and no bits outside them.
    """

    name: str
    state_map: Callable[[S], S]
    action_map: Callable[[A], A]
    bits: tuple[int, ...] | None = None
    fields: tuple[FieldImage, ...] | None = None

    @property
    def is_packed(self) -> bool:
        """Whether it says what machine code needs."""
        return self.bits is not None or self.fields is not None


@runtime_checkable
class HasSymmetries(Protocol, metaclass=_Members):
    """Symmetries of the rules and of the goal are known."""

    def symmetries(self) -> Iterable[Symmetry[Any, Any]]:
        """Every symmetry of the problem without its start, the identity included."""


@runtime_checkable
class HasPieces(Protocol, metaclass=_Members):
    """Each action moves one piece; consecutive moves of one piece can become one.

    Used by the transforms `ChainMoves` and `MoverState`. Where users choose between these and the
    problem itself, an attribute `single_steps`, like "model=jumps", says how they ask for the
    latter: messages name it.
    """

    def piece_before(self, action: Any) -> Hashable:
        """Where the piece that `action` moves stands before it."""

    def piece_after(self, action: Any) -> Hashable:
        """Where that piece stands after it."""

    def format_chain(self, actions: tuple[Any, ...]) -> str:
        """The text of consecutive `actions` of one piece."""


@runtime_checkable
class HasChains(Protocol, metaclass=_Members):
    """The steps are chains of steps of one piece of another problem, of the same states."""

    def unchained(self) -> Problem[Any, Any]:
        """The problem whose steps are chained."""


@runtime_checkable
class HasFirstSteps(Protocol, metaclass=_Members):
    """The steps are those of another problem of the same states, but for some out of the start."""

    def unfixed(self) -> Problem[Any, Any]:
        """The other problem."""

    def first_steps(self) -> tuple[Any, Sequence[Step[Any, Any]]]:
        """The start, and the steps out of it, in their order."""


def base_of_chains(problem: Problem[Any, Any]) -> Problem[Any, Any] | None:
    """The problem whose steps are chained in `problem`, or in that of which it keeps first steps.

    None if its steps are no chains.
    """
    if isinstance(problem, HasFirstSteps) and not problem.undirected:
        problem = problem.unfixed()
    return problem.unchained() if isinstance(problem, HasChains) else None


def kept_states(problem: Problem[Any, Any]) -> list[Any]:
    """The start and the states that its kept steps lead to; none where all steps are kept."""
    if not isinstance(problem, HasFirstSteps):
        return []
    start, steps = problem.first_steps()
    return [start, *(step.state for step in steps)]


@runtime_checkable
class HasPieceKernels(Protocol, metaclass=_Members):
    """Of a packed problem with pieces: they can be read off operators, too.

    Pieces are numbered from 0, by less than 256.
    """

    def moved_from(self, control: int, operator: int) -> int:
        """Kernel: the number of `piece_before(action)`."""

    def moved_to(self, control: int, operator: int) -> int:
        """Kernel: the number of `piece_after(action)`."""


@runtime_checkable
class HasToggles(Protocol, metaclass=_Members):
    """Of a packed problem of one word and one control state: operators flip fixed bits.

    States then have numbers without further ado (see `searchkit.linear_index`).
    """

    def toggles(self) -> Sequence[int]:
        """The bits that each operator flips, by its number: then `apply(s, 0, i)` is that sum.

        The sum (exclusive or) of `s` and `toggles()[i]`, wherever operator `i` is legal.
        """


@runtime_checkable
class HasWitnesses(Protocol, metaclass=_Members):
    """Duplicate operator sequences can be learned from one state per control state.

    For packed problems whose operators are legal or not by control state alone.
    """

    def witness(self, control: int) -> Any:
        """A state of that control state in which no two pieces are alike.

        Two operator sequences that lead from it to one state must do so from every state of
        this control state, at the same costs.
        """


@runtime_checkable
class HasBoundBetween(Protocol, metaclass=_Members):
    """Of packed problems: a lower bound is known on the cost from any state to any other.

    By it, IDA* finds shorter ways between states of a path.
    """

    def aim(self, target: Any) -> Any:
        """Kernel: what the others look up of `target`, in the form of a state."""

    def bound_to(self, state: Any, aim: Any) -> int:
        """Kernel: a lower bound on the cost from `state` to the target of `aim`."""

    def bound_change(self, state: Any, control: int, operator: int, child: Any, aim: Any) -> int:
        """Kernel: the bound of `child` less that of `state`; it must be that of `bound_to`."""


@runtime_checkable
class HasChainBound(Protocol, metaclass=_Members):
    """A lower bound is known that counts chains of actions of one piece as one move."""

    def chain_bound(self, state: Any, moving: Hashable | None = None) -> float:
        """At least how many chain moves are needed from `state`.

        If `moving` is not None, the piece standing there may go on at no cost.
        """


@runtime_checkable
class HasChainBoundKernel(Protocol, metaclass=_Members):
    """Of a packed problem with pieces: its chain bound is a kernel, too (see `HasPieceKernels`)."""

    def fewest_chains(self, state: Any, moving: int) -> int:
        """Kernel: what `chain_bound` gives, `DEAD_END` for infinity.

        `moving` is the number of the piece that may go on at no cost, -1 for none.
        """


@runtime_checkable
class HasBestHeuristics(Protocol, metaclass=_Members):
    """A problem that knows which heuristics are worth their time."""

    def best_heuristics(self) -> Sequence[str]:
        """Texts of heuristics, the best first; `auto` takes the first that is ready.

        Pattern databases and tables of cosets are ready if they have been built by the same rules,
        others always.
        """


@runtime_checkable
class HasChosenPatterns(Protocol, metaclass=_Members):
    """A problem that chooses pattern databases by an amount of memory."""

    def patterns_by_memory(self) -> Sequence[str]:
        """Names for `patterns_named`, of ever more memory, whose patterns differ."""


@runtime_checkable
class HasPatterns(Protocol, metaclass=_Members):
    """A problem of which pattern databases can be made."""

    def pattern_space(self, groups: Sequence[Pattern]) -> PatternSpace:
        """The abstractions for some patterns; `UnsuitableError` if there are none.

        Groups must be disjoint where they are to be added up.
        """

    def patterns_named(self, name: str) -> Sequence[Pattern]:
        """The patterns that a text such as "6-6-3" stands for; `UsageError` if it is none."""


@runtime_checkable
class HasSlowChainRules(Protocol, metaclass=_Members):
    """The rules of the chain problem are stated a second time, without the transform."""

    def slow_chain_rules(self) -> Problem[Any, Any]:
        """What `slow_rules` is to the problem itself, for `ChainMoves` of it."""


@runtime_checkable
class HasSlowMoverRules(Protocol, metaclass=_Members):
    """The rules of the mover problem are stated a second time, without the transform."""

    def slow_mover_rules(self) -> Problem[Any, Any]:
        """What `slow_rules` is to the problem itself, for `MoverState` of it.

        By their `parse` and `with_start` they begin amid a move.
        """


__all__ = [
    name
    for name, each in list(globals().items())
    if isinstance(each, type) and each.__module__ == __name__
]


def single_steps_of(problem: Problem[Any, Any]) -> str:
    """The end of a message: that what cannot be done is for single steps, and how to have them.

    Empty where steps are no chains, or parts of chains.
    """
    base = base_of_chains(problem) or getattr(problem, "base", None)
    if not isinstance(base, HasPieces):
        return ""
    named = getattr(base, "single_steps", None)
    return f"; take single steps instead of chains{f' ({named})' if named else ''}"
