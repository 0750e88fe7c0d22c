"""Laws of packed states and kernels, as Python and as machine code, and of rules stated twice."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import zip_longest
from typing import Any, cast

from searchkit.authors.user_code import AuthorError, call, place_of, short
from searchkit.bits import WORD_BITS
from searchkit.capabilities import (
    HasParse,
    HasSlowRules,
    HasToggles,
    HasWitnesses,
    own_heuristic,
)
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import (
    Breaches,
    Findings,
    Unchecked,
    at_states,
    by_operators,
    law,
    missing,
    unless,
)
from searchkit.checks.machine_code.kernel_calls import KernelCalls
from searchkit.compiled.plan import plan_kernels
from searchkit.compiled.specialise.duplicates import Learner, objection
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.errors import CompilationError, ProblemError
from searchkit.packed import (
    PackedHeuristic,
    PackedProblem,
    ZeroHeuristic,
    has_expand,
    has_written_rules,
    is_inherited,
    without_kernels,
)
from searchkit.problem import Problem, Step
from searchkit.texts.amounts import plural

LEARNED, TRIED = 3, 16
"""How long the sequences are that are learned, and how many of them are tried at a state."""
SLOW_STATES = 500
STATES = 2000
"""How many states are looked at, from the nearest to a start to the farthest."""
RELIES_ON = ("successors", "goals", "costs", "words", "controls", "kernels", "ranks")
"""Without them machine code might do anything: it does not check an index, for one."""
KERNELS = (
    "apply", "legal", "cost", "control", "at_goal", "expand", "rank", "unrank",
    "estimate", "change", "candidates",
)  # fmt: skip


@law("the slow rules tell of the same steps", HasSlowRules)
def slow_rules(ground: Ground) -> Breaches:
    """Compare the texts of steps, state by state. O(steps)."""
    if has_written_rules(ground.problem):
        yield from _as_written(ground)
        return
    rules = ground.ask("slow_rules")
    if not isinstance(rules, Problem) or not isinstance(rules, HasParse):
        found = f"slow_rules gives a {type(rules).__name__}"
        yield Breach("a problem that can parse states", found, "slow_rules")
        return
    for visit in ground.watched(ground.sound(SLOW_STATES)):
        text = ground.text(visit.state)
        state = call("slow_rules", rules.parse, text)
        again = call("slow_rules", rules.format_state, state)
        if again != text:
            expected = f"the slow rules read and write {text}"
            yield Breach(expected, f"they write {again}", "slow_rules")
            continue
        if bool(call("slow_rules", rules.is_goal, state)) != visit.is_goal:
            is_goal = "a goal by the slow rules as well"
            expected = is_goal if visit.is_goal else "no goal by the slow rules"
            yield Breach(expected, "they say otherwise", "slow_rules")
        theirs = [
            (rules.format_action(action), rules.format_state(after), cost)
            for action, after, cost in call(
                "slow_rules", lambda s: list(rules.successors(s)), state
            )
        ]
        ours = [
            (ground.action_text(step.action), ground.text(step.state), step.cost)
            for step in visit.steps
        ]
        lost, extra = missing(ours, theirs), missing(theirs, ours)
        if lost is not None:
            step = f"{lost[0]} to {lost[1]} at cost {lost[2]}"
            yield Breach(f"the slow rules have a step {step}", "they have none", "slow_rules")
        elif extra is not None:
            step = f"{extra[0]} to {extra[1]} at cost {extra[2]}"
            yield Breach("the slow rules have no other step", f"they have {step}", "slow_rules")


def _as_written(ground: Ground) -> Breaches:
    """Kernels that were made of rules, their estimates too: compared with these, as written."""
    problem: Any = ground.problem
    heuristic = call("default_heuristic", own_heuristic, problem)
    for visit in ground.watched(ground.sound(SLOW_STATES)):
        steps = () if visit.is_goal else [Step(*step[:3]) for step in visit.steps]
        try:
            problem.check_written(visit.state, steps, heuristic)
        except CompilationError as error:
            rule = str(getattr(error, "rule", "apply"))
            yield Breach("what the rules say as they are written", str(error), rule)


@law("packed states are words of 64 bits, as many as `words` says", PackedProblem)
def words(ground: Ground) -> Breaches:
    """Look at each state, and at each that a step leads to. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    wanted = "a whole number from 0 to 2**64 - 1"
    if problem.words != 1:
        wanted = f"a tuple of {problem.words} whole numbers from 0 to 2**64 - 1"
    for visit in ground.watched(ground.visited):
        if not _is_packed(visit.state, problem.words):
            yield Breach(wanted, short(visit.state), "initial_states")
        for action, child in _children(ground, visit):
            if not _is_packed(child, problem.words):
                yield Breach(
                    wanted, short(child), "apply expand successors", then=ground.action_text(action)
                )
                break


def _children(ground: Ground, visit: Visit) -> Iterator[tuple[Any, object]]:
    """The actions out of a state and where they lead.

    `successors` refuses to give a child that is not a word: there the kernels are asked.
    """
    if visit.failure is None:
        for step in visit.steps:
            yield step.action, step.state
        return
    problem, state = cast(Any, ground.problem), visit.state
    by_expand = has_expand(problem)
    with suppress(AuthorError):  # which is what the law of successors shows
        listed = call("expand", lambda: list(problem.expand(state))) if by_expand else ()
        for operator, child in [each[:2] for each in listed]:
            yield ground.ask("action", state, operator), child
        for _, operator, child in ground.operations(state):
            yield ground.ask("action", state, operator), child


def _is_packed(state: object, words: int) -> bool:
    parts = (state,) if words == 1 else state
    return (
        isinstance(parts, tuple)
        and len(parts) == words
        and all(isinstance(word, int) and 0 <= word < 1 << WORD_BITS for word in parts)
    )


@law("`control`, `operators` and `next_control` agree", PackedProblem, by_operators)
def controls(ground: Ground) -> Findings:
    """Read the control states of both ends of each step. O(steps)."""
    problem: Any = ground.problem
    lists: dict[int, list[int]] = {}
    for visit in ground.watched(ground.visited):
        control = ground.ask("control", visit.state)
        if not isinstance(control, int) or not 0 <= control < problem.controls:
            expected = f"a control state from 0 to {problem.controls - 1}, as controls says"
            yield Breach(expected, f"control gives {control!r}", "control controls")
            continue
        if visit.failure is not None:
            continue
        operators = list(ground.ask("operators", control))
        if lists.setdefault(control, operators) != operators:
            expected = f"operators({control}) is {lists[control]} again"
            yield Breach(expected, f"{operators}", "operators")
        for _, operator, child in ground.operations(visit.state):
            following = ground.ask("next_control", control, operator)
            given = ground.ask("control", child)
            if following is not None and following != given:
                yield Breach(
                    f"control is {following} there, as next_control({control}, {operator}) says",
                    f"control({ground.text(child)}) is {given}",
                    "next_control control",
                    then=ground.operator_text(visit.state, operator),
                )
                break
    return f"{ground.scope()} in {len(lists)} of {problem.controls} control states"


@law("kernels and plain methods tell of the same steps", PackedProblem)
@at_states
def kernels(ground: Ground, visit: Visit) -> Breach | None:
    """Make the steps of the state from the kernels, and compare. O(steps)."""
    state = visit.state
    if visit.key != state:
        return Breach("the key of a packed state is the state", f"key gives {visit.key!r}", "key")
    if bool(ground.ask("at_goal", state)) != visit.is_goal:
        expected = f"at_goal says {visit.is_goal}, as is_goal does"
        return Breach(expected, f"at_goal says {not visit.is_goal}", "is_goal at_goal")
    packed = [
        (ground.ask("action", state, operator), child, cost)
        for operator, child, cost in ground.priced(state)
    ]
    plain = [(step.action, step.state, step.cost) for step in visit.steps]
    for number, (by_kernels, given) in enumerate(zip_longest(packed, plain), start=1):
        if by_kernels != given:
            return Breach(
                f"step {number} is {ground.step_text(by_kernels)}, as the kernels say",
                f"successors gives {ground.step_text(given)}",
                "successors apply legal operators cost expand",
            )
    return None


@law(
    "the operator that `inverse` names leads back, and no other",
    PackedProblem,
    by_operators,
    unless("no method inverse", lambda problem: not is_inherited(problem, "inverse")),
)
@at_states
def inverses(ground: Ground, visit: Visit) -> Breach | None:
    """Try, after each step, all operators that can be legal there. O(steps x operators)."""
    state = visit.state
    for control, operator, child in ground.operations(state):
        inverse = ground.ask("inverse", control, operator)
        if inverse is None:
            continue
        back = [each for _, each, after in ground.operations(child) if after == state]
        if back != [inverse]:
            return Breach(
                f"operator {inverse} alone leads back, as inverse({control}, {operator}) says",
                f"operators that lead back: {', '.join(map(str, back)) or 'none'}",
                "inverse",
                then=ground.operator_text(state, operator),
            )
    return None


@law(
    "operators flip the bits that `toggles` names, and no other",
    PackedProblem,
    by_operators,
    HasToggles,
)
def toggles(ground: Ground) -> Breaches:
    """Compare what each legal operator flips. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    if problem.words != 1 or problem.controls != 1:
        found = f"words is {problem.words}, controls is {problem.controls}"
        yield Breach("toggles are for one word and one control state", found, "toggles")
        return
    toggles = list(ground.ask("toggles"))
    for visit in ground.visits():
        for _, operator, child in ground.operations(visit.state):
            flipped = child ^ visit.state
            given = toggles[operator] if 0 <= operator < len(toggles) else None
            if flipped != given:
                expected = "no toggles for it"
                if given is not None:
                    expected = f"the bits {given:#b} flip, as toggles()[{operator}] says"
                then = ground.operator_text(visit.state, operator)
                yield Breach(expected, f"apply flips {flipped:#b}", "toggles apply", then=then)
                break


@law(
    "sequences of operators that do the same from `witness` do so everywhere",
    PackedProblem,
    by_operators,
    HasWitnesses,
)
def witness(ground: Ground) -> Breaches:
    """Try duplicates at each state, others at each. O(states x `TRIED`) steps."""
    problem = cast("PackedProblem[Any]", ground.problem)
    learner = Learner(problem, LEARNED)
    try:
        call("witness", learner.learn)
    except AuthorError as error:
        yield ground.breach(error, "operators that can be made from it", "witness")
        return
    known: dict[int, list[tuple[Any, Any]]] = {}
    for (control, word), kept in learner.forbidden.items():
        known.setdefault(control, []).append((word, kept))
    for number, visit in enumerate(ground.visits()):
        pairs = known.get(ground.ask("control", visit.state), [])
        for i in range(min(TRIED, len(pairs))):
            word, kept = pairs[(number * TRIED + i) % len(pairs)]
            said = call("apply", objection, problem, visit.state, word, kept)
            if said is not None:
                yield Breach("the same as from the witness", said, "witness")
                break


def _rank(ground: Ground, visit: Visit) -> Breach | None:
    """Rank the state and unrank that; compare the numbers of its children. O(steps)."""
    problem: Any = ground.problem
    # States that are certified unsolvable need no numbers of their own.
    if ground.certificate(visit.state) is not None:
        return None
    rank = ground.ask("rank", visit.state)
    if not isinstance(rank, int) or not 0 <= rank < problem.ranks:
        expected = f"a number from 0 to {problem.ranks - 1:,}, as ranks says"
        return Breach(expected, f"rank gives {rank!r}", "rank")
    again = ground.ask("unrank", rank)
    if again == visit.state:
        return _look_at_children(ground, visit.state, rank)
    expected, found = f"unrank({rank}) is this state, of which that is the rank", ground.text(again)
    if ground.ask("rank", again) == rank:
        return Breach(expected, f"{found}, of which that is the rank as well", "rank")
    return Breach(expected, found, "unrank")


def _look_at_children(ground: Ground, state: Any, rank: int) -> Breach | None:
    if type(ground.problem).rank_after is PackedProblem.rank_after:  # type: ignore[attr-defined]
        return None
    for control, operator, child in ground.operations(state):
        after = ground.ask("rank_after", rank, control, operator)
        expected = ground.ask("rank", child)
        if after != expected:
            said = f"rank_after({rank}, {control}, {operator})"
            return Breach(
                f"{said} is {expected}, the rank of the child", f"it is {after!r}", "rank_after"
            )
    return None


@law(
    "`rank` and `unrank` are inverse, from 0 to ranks - 1; `rank_after` is the rank of the child",
    PackedProblem,
    unless("ranks is 0", lambda problem: problem.ranks),
)
def ranks(ground: Ground) -> Findings:
    """Rank each state and unrank that; then unrank all numbers, or some. O(states)."""
    problem: Any = ground.problem
    if ground.is_whole and ground.from_starts > problem.ranks:
        expected = f"at least {ground.from_starts:,} numbers, as many as states can be reached"
        yield Breach(expected, f"ranks is {problem.ranks:,}", "ranks __init__")
    yield from at_states(_rank)(ground)
    looked_at = ground.scope()
    numbers = _numbers(problem.ranks, ground)
    for number in numbers:
        ground.watch()
        state = ground.ask("unrank", number)
        rank = ground.ask("rank", state)
        if rank != number:
            found = f"it is {rank!r}; unrank({number}) is {ground.text(state)}"
            yield Breach(f"rank(unrank({number})) is {number}", found, "unrank rank")
    return f"{looked_at} and {len(numbers):,} of {problem.ranks:,} numbers"


def _numbers(ranks: int, ground: Ground) -> range | list[int]:
    if ranks <= ground.most:
        return range(ranks)
    chosen = random.Random(ground.seed).sample(range(ranks), ground.most // 2)
    return [0, *sorted(chosen), ranks - 1]


def has_machine_code(ground: Ground) -> str | None:
    """An engine other than the reference engine."""
    if ground.engine == "reference":
        return "the reference engine was asked for"
    if not isinstance(ground.problem, PackedProblem):
        return "no kernels of its own; what is made of its rules is tried by the law engines"
    return plan_kernels(ground.problem).reason


@law(
    "kernels say the same as machine code as in Python",
    has_machine_code,
    PackedProblem,
    relies_on=RELIES_ON,
)
def machine_code(ground: Ground) -> Findings:
    """Compare all kernels, state by state and operator by operator. O(steps)."""
    problem: Any = ground.problem
    heuristic = call("default_heuristic", own_heuristic, problem)
    packed = heuristic if isinstance(heuristic, PackedHeuristic) else ZeroHeuristic()
    visits = ground.visited[:: -(-len(ground.visited) // STATES)]
    call("estimate", packed.estimate, ground.starts[0])  # what fails in Python is not compiled
    try:
        with blaming_kernels(problem):
            calls = KernelCalls.of(problem, packed, ground.starts)
    except ProblemError as error:  # CompilationError is one
        if lacking := [*without_kernels(problem), *without_kernels(packed)]:
            return Unchecked(f"some rules run in Python alone: {lacking[0]}")
        blame = [name for name in KERNELS if re.search(rf"kernel {name}\b", str(error))]
        yield Breach("the kernels compile", str(error), " ".join(blame))
        return None
    states = [visit.state for visit in visits]
    for visit, given in zip(ground.watched(visits), calls.on_states(states), strict=False):
        python = {
            "at_goal": bool(ground.ask("at_goal", visit.state)),
            "control": ground.ask("control", visit.state),
            "estimate": call("estimate", packed.estimate, visit.state),
        }
        for (name, value), machine in zip(python.items(), given, strict=True):
            if machine != value:
                yield Breach(
                    f"{name} gives {value}, as Python runs it",
                    f"machine code gives {machine}",
                    name,
                    place=place_of(packed, name) if name == "estimate" else None,
                )
    yield from _steps(ground, visits, calls)
    if calls.has_ranks:
        # States that are certified unsolvable need no numbers of their own.
        ranked = [visit for visit in visits if ground.certificate(visit.state) is None]
        given_ranks = calls.on_ranks([visit.state for visit in ranked])
        for visit, (rank, again) in zip(ranked, given_ranks, strict=True):
            if rank != ground.ask("rank", visit.state) or again != visit.state:
                yield Breach(
                    f"rank {problem.rank(visit.state)}, and that unranked, as in Python",
                    f"machine code: rank {rank}, unranked {ground.text(again)}",
                    "rank unrank",
                    at=visit,
                )
    return plural(len(visits), "state")


def _steps(ground: Ground, visits: list[Visit], calls: KernelCalls) -> Breaches:
    by_expand = has_expand(ground.problem)
    for visit, machine in zip(visits, calls.on_steps([v.state for v in visits]), strict=True):
        ground.watch()
        # Machine code has no operators for what `expand` yields: steps are numbered.
        python = {
            number if by_expand else operator: (cost, child)
            for number, (operator, child, cost) in enumerate(ground.priced(visit.state))
        }
        for operator in {**python, **machine}:
            ours, theirs = python.get(operator), machine.get(operator)
            if ours != theirs:
                is_cost = ours is not None and theirs is not None and ours[0] != theirs[0]
                blame = "cost" if is_cost else "apply" if ours and theirs else "legal"
                yield Breach(
                    f"{_text(ground, ours)}, as in Python",
                    f"machine code: {_text(ground, theirs)}",
                    "expand" if by_expand else blame,
                    then=f"step {operator + 1}" if by_expand else f"operator {operator}",
                    at=visit,
                )


def _text(ground: Ground, step: tuple[int, Any] | None) -> str:
    if step is None:
        return "it is not legal"
    return f"{ground.text(step[1])} at cost {step[0]}"
