"""Whether machine code can do what is asked for: if not, why, and if so, what it begins with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.algorithms import Bidirectional, BreadthFirst
from searchkit.algorithms.values import BIDAStar, Deepening
from searchkit.authors.blame import is_ours_class
from searchkit.authors.user_code import place_of
from searchkit.capabilities import (
    HasChainBound,
    HasChains,
    HasGoalStates,
    HasPieceKernels,
    HasPredecessors,
    Symmetry,
    base_of_chains,
    single_steps_of,
    steps_into,
)
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.packed import PackedHeuristic, PackedProblem, ZeroHeuristic, has_expand
from searchkit.problem import Problem, is_default
from searchkit.running.compiler import NO_NUMBA, numba_folder
from searchkit.symmetry import stabiliser

if TYPE_CHECKING:
    from searchkit.compiled.layers.linear_tables import LinearSpace

FORWARD, BACKWARD = ("successors",), ("predecessors",)
BACKWARDS = "predecessors of packed states are not compiled in bida"
NOT_PACKED = "a symmetry does not say where it moves bits or fields (Symmetry.bits, fields)"


@attrs.frozen(eq=False, repr=False)
class CompiledPlan:
    """What a compiled engine begins with; `reason` says why there is none, in a few words."""

    reason: str | None = None
    space: LinearSpace | None = None
    """Where states are bits of bitmaps; else they are hashed, ranked, or sorted in files."""
    translates: tuple[str, ...] = ()
    """Where kernels are to be made of an ordinary problem's rules, which may fail: its methods that
    list the steps which are followed, from the starts and then from the goals."""


def plan_kernels(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any] = ZeroHeuristic(),  # noqa: B008  (has no state)
) -> CompiledPlan:
    """Machine code made of the kernels of a problem and a heuristic."""
    if not isinstance(problem, PackedProblem):
        name = type(problem).__name__
        why = getattr(problem, "packed_only", None)
        return CompiledPlan(
            f"{name} is {f'a PackedProblem only {why}' if why else 'not a PackedProblem'}"
        )
    knows_nothing = isinstance(heuristic, ProblemHeuristic) and is_default(
        heuristic.problem, "heuristic"
    )
    if not isinstance(heuristic, PackedHeuristic) and not knows_nothing:
        return CompiledPlan(f"heuristic {heuristic.name} is not a PackedHeuristic")
    return CompiledPlan(None if _has_numba() else NO_NUMBA)


def _is_ordinary(problem: Problem[Any, Any]) -> bool:
    """Whether a problem is in plain Python, and an author's."""
    is_packed = isinstance(problem, PackedProblem) or hasattr(problem, "packed_only")
    return not is_packed and not is_ours_class(type(problem))


def _by_translation(
    problem: Problem[Any, Any],
    heuristic: Heuristic[Any, Any],
    methods: tuple[str, ...] = FORWARD,
) -> CompiledPlan:
    """Machine code of packed kernels, or of an ordinary problem's rules."""
    found = plan_kernels(problem, heuristic)
    if not _is_ordinary(problem):
        return found
    objection = _no_translation(problem, heuristic)
    if objection is not None:
        return CompiledPlan(f"{found.reason}, and {objection}")
    return CompiledPlan(translates=methods)


def _no_translation(problem: Problem[Any, Any], heuristic: Heuristic[Any, Any]) -> str | None:
    """Why its rules cannot be translated whatever they say; None if nothing speaks against it."""
    if not (is_default(problem, "key") or _is_state_itself(problem)):
        place = place_of(problem, "key")
        return f"its key is not the state (at {place}); use states that are their own keys"
    if isinstance(heuristic, (ZeroHeuristic, ProblemHeuristic)):
        is_own = isinstance(heuristic, ZeroHeuristic) or heuristic.problem is problem
        return None if is_own else "the heuristic is the method of another problem"
    kind = type(heuristic)
    if is_ours_class(kind):
        from searchkit.heuristics.patterns.plain import parts_of, why_no_form  # noqa: PLC0415  (few)

        parts = parts_of(heuristic)
        if parts is None:
            return why_no_form(heuristic)
        return next(filter(None, (_no_translation(problem, each) for each in parts)), None)
    for name in ("after", "fault"):
        if getattr(kind, name) is not getattr(Heuristic, name):
            place = place_of(heuristic, name)
            return f"heuristic {heuristic.name} defines {name} (at {place}); leave it out"
    return None


def _is_state_itself(problem: Problem[Any, Any]) -> bool:
    """Whether the method `key` of a problem returns the state and does nothing else."""
    code = getattr(getattr(problem.key, "__func__", None), "__code__", None)
    itself = (lambda self, state: state).__code__
    return code is not None and code.co_code == itself.co_code and code.co_argcount == 2


def plan_search(
    problem: Problem[Any, Any],
    algorithm: Any,
    heuristic: Heuristic[Any, Any] = ZeroHeuristic(),  # noqa: B008
    starts: Sequence[Any] | None = None,
) -> CompiledPlan:
    """A search by `algorithm`, from the starts of the problem unless others are given.

    O(words x operators^2) bit operations where it is by bitmaps, and a call for each symmetry.
    """
    if algorithm.is_textbook:
        return CompiledPlan("ties, search and goal_test are options of the reference engine")
    if not _has_numba():
        return CompiledPlan(NO_NUMBA)
    methods: tuple[str, ...] = FORWARD
    if isinstance(algorithm, (BreadthFirst, Bidirectional)):
        is_symmetric = algorithm.symmetry == "auto"
        is_directed = isinstance(algorithm, Bidirectional) and not problem.undirected
        if is_symmetric or is_directed or isinstance(problem, HasChains):
            roots = list(problem.initial_states() if starts is None else starts)
            symmetries = stabiliser(problem, roots) if is_symmetric else []
            what = "predecessors of packed states" if is_directed else "symmetries"
            bitmaps = _plan_bitmaps(problem, roots, symmetries, what)
            has_way_back = steps_into(problem) is not None  # by which bitmaps find solutions
            # From both ends, a search with the identity alone is one without symmetries.
            folds = is_symmetric and not (len(symmetries) < 2 and _has_two_ends(problem, algorithm))
            if bitmaps.reason is None and (is_directed or is_symmetric or has_way_back):
                return bitmaps
            if is_directed:
                if not _is_ordinary(problem) or not isinstance(problem, HasPredecessors):
                    return bitmaps
                methods += BACKWARD
            if folds and isinstance(problem, HasChains):
                return bitmaps
            if folds and any(not each.is_packed for each in symmetries):
                return CompiledPlan(NOT_PACKED)
    if isinstance(algorithm, Deepening) and algorithm.symmetry == "auto":
        is_short = getattr(base_of_chains(problem) or problem, "words", 1) == 1
        if not is_short or any(not each.is_packed for each in stabiliser(problem, [])):
            return CompiledPlan(NOT_PACKED)
    base = base_of_chains(problem)
    if isinstance(algorithm, BIDAStar):
        if base is not None:
            return CompiledPlan(f"{BACKWARDS}, nor are their chains")
        if not problem.undirected:
            if not _is_ordinary(problem) or not isinstance(problem, HasPredecessors):
                return CompiledPlan(BACKWARDS)
            methods += BACKWARD
    if base is not None:
        return _plan_chains(base, heuristic)
    # An engine of somebody else's may take any problem, but not one in another's place.
    is_ours = is_ours_class(type(algorithm))
    if not is_ours:
        return plan_kernels(problem, heuristic)
    return _by_translation(problem, heuristic, methods)


def _has_two_ends(problem: Problem[Any, Any], algorithm: Any) -> bool:
    """Whether a search is from both ends: without goals, it is breadth-first."""
    if not isinstance(algorithm, Bidirectional) or not isinstance(problem, HasGoalStates):
        return False
    return any(True for _ in problem.goal_states() or ())  # None is found out later, as a law


def _plan_chains(base: Problem[Any, Any], heuristic: Heuristic[Any, Any]) -> CompiledPlan:
    """A search by chains of steps of `base`."""
    if has_expand(base):
        return CompiledPlan(f"{type(base).__name__} lists its steps by expand")
    if isinstance(base, PackedProblem) and not isinstance(base, HasPieceKernels):
        return CompiledPlan(f"{type(base).__name__} has no kernels moved_from and moved_to")
    if isinstance(heuristic, ProblemHeuristic) and not isinstance(base, HasChainBound):
        heuristic = ZeroHeuristic()
    return plan_kernels(base, heuristic)


def plan_exploration(
    problem: Problem[Any, Any],
    roots: Sequence[Any],
    symmetries: Sequence[Symmetry[Any, Any]],
    *,
    backward: bool,
    paths: bool,
    workers: bool = False,
) -> CompiledPlan:
    """An exploration from `roots`.

    `backward` says that steps are to be followed against their direction, `workers` that bitmaps,
    which they cannot share, are not to be used.
    """
    if not _has_numba():
        return CompiledPlan(NO_NUMBA)
    if backward and not _is_ordinary(problem):
        return CompiledPlan(
            "predecessors of packed states are not compiled, and the problem is not undirected"
        )
    if backward and (paths or symmetries):
        return _only_for_toggles("symmetries" if symmetries else "paths")
    if backward:
        return _by_translation(problem, ZeroHeuristic(), BACKWARD)
    bitmaps = _plan_bitmaps(
        problem, roots, symmetries, "symmetries" if symmetries else "paths", goals=paths
    )
    if paths or (bitmaps.reason is None and not workers):
        return bitmaps
    if any(not symmetry.is_packed for symmetry in symmetries):
        return CompiledPlan(NOT_PACKED)
    if base_of_chains(problem) is not None:
        toggles = "toggles" if bitmaps.reason is None else "toggles (see HasToggles)"
        shared = ", which workers cannot share" if workers else ""
        return CompiledPlan(
            f"chains are explored as {toggles} alone{shared}{single_steps_of(problem)}"
        )
    if symmetries:
        return plan_kernels(problem)
    return _by_translation(problem, ZeroHeuristic())


def _plan_bitmaps(
    problem: Problem[Any, Any],
    roots: Sequence[Any],
    symmetries: Sequence[Symmetry[Any, Any]],
    what: str,
    *,
    goals: bool = True,
) -> CompiledPlan:
    from searchkit.compiled.layers.linear_tables import LinearSpace  # noqa: PLC0415  (for few)

    space = LinearSpace.of(problem, roots, symmetries)
    if space is None:
        return _only_for_toggles(what)
    if goals and not isinstance(problem, HasGoalStates):
        return CompiledPlan("its goals cannot be listed")
    return CompiledPlan(None if _has_numba() else NO_NUMBA, space)


def _only_for_toggles(what: str) -> CompiledPlan:
    return CompiledPlan(f"{what} are compiled for toggles alone (see HasToggles)")


@cache
def _has_numba() -> bool:
    return numba_folder() is not None
