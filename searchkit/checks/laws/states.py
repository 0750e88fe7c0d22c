"""Laws of what is asked of states, and of what gives other ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any

from searchkit.authors.user_code import AuthorError, call, place_of_callable, short
from searchkit.capabilities import (
    HasCertificate,
    HasGoal,
    HasGoalStates,
    HasParse,
    HasRandomState,
    HasStart,
)
from searchkit.certificates import Certificate
from searchkit.checks.ground import GOALS, START, Breach, Ground, Visit
from searchkit.checks.law import Breaches, Findings, Unchecked, at_states, law, objection, unless
from searchkit.errors import UsageError
from searchkit.problem import Problem
from searchkit.texts.amounts import plural
from searchkit.verify import verify_certificate

GOAL = {True: "a goal", False: "no goal"}


def _is_goal_again(ground: Ground, visit: Visit) -> Breach | None:
    """Ask again, of the same state and of an equal one made again. O(siblings)."""
    for state in visit.state, ground.fresh(visit):
        again = bool(ground.ask("is_goal", state))
        if again != visit.is_goal:
            return Breach(f"{GOAL[visit.is_goal]}, as before", GOAL[again], "is_goal at_goal")
    return None


@law("`is_goal` always says the same of a state")
def goals(ground: Ground) -> Findings:
    """Look at each state, and count the goals."""
    yield from at_states(_is_goal_again, "is_goal", "whether the state is a goal")(ground)
    goals = sum(visit.is_goal for visit in ground.visited)
    if not goals and not ground.is_whole:
        return Unchecked(f"there is no goal among {ground.scope()}")
    return f"{ground.scope()}, {goals:,} of them goals"


@law("`goal_states` lists the goals, all of them, each once", HasGoalStates)
def goal_states(ground: Ground) -> Findings:
    """Ask whether listed states are goals, and look for others. O(states + steps)."""
    listed = ground.listed("goal_states")
    keys: set[Hashable] = set()
    for goal in listed:
        key = ground.key(goal)
        text = ground.text(goal)
        if not ground.ask("is_goal", goal):
            expected = f"is_goal is true of {text}, which goal_states lists"
            yield Breach(expected, "it is false", "goal_states is_goal")
        if key in keys:
            yield Breach("each goal is listed once", f"{text} is listed twice", "goal_states")
        keys.add(key)
    if len(listed) < GOALS:
        for visit in _first_goals(ground):
            if visit.key not in keys:
                yield Breach(
                    "goal_states lists every goal that can be reached",
                    "it does not list this one",
                    "goal_states is_goal at_goal",
                    at=visit,
                )
    if not listed and not ground.is_whole and not any(visit.is_goal for visit in ground.visited):
        return Unchecked(f"no goal is listed, and there is none among {ground.scope()}")
    return f"{plural(len(listed), 'listed goal')} and {ground.scope()}"


def _first_goals(ground: Ground) -> list[Visit]:
    """The goals that can be reached by a way that passes no other goal: only they matter."""
    ends: list[Visit] = []
    queue = [visit for visit in ground.visited if visit.parent is None and visit.origin == START]
    reached = set(queue)
    for visit in queue:  # grows as it goes
        ground.watch()
        ground.looked_at += 1
        if visit.is_goal:
            ends.append(visit)
            continue
        for step in visit.steps:
            after = ground.number.get(step.key)
            if after is not None and after not in reached:
                reached.add(after)
                queue.append(after)
    return ends


NONSENSE = ("", " ", "?", "-1", "no such state", "1 2 x", "\u2603")
FOREIGN = "~Xq9"
"""Signs that replace one of a state's text: what is read is as long as it should be."""


@law("states are written on one line, and read back where there is `parse`")
def texts(ground: Ground) -> Findings:
    """Write and read each state; then read texts that are none. O(states)."""
    can_parse = isinstance(ground.problem, HasParse)
    last = ""
    for visit in ground.visits():
        text = ground.ask("format_state", visit.state)
        if not isinstance(text, str) or not text.isprintable():
            yield Breach("a text of one line", f"format_state gives {short(text)}", "format_state")
            continue
        last = text
        if can_parse:
            again = ground.ask("parse", text)
            if ground.key(again) != visit.key:
                expected = f"parse({text!r}) is this state, of which that is the text"
                yield Breach(expected, short(again), "parse format_state")
    if not can_parse:
        return f"{ground.scope()}; there is no method parse"
    for bad in (*NONSENSE, last[:-1], f"{last} x", last * 2, *_with_foreign_signs(last)):
        try:
            ground.ask("parse", bad)
        except AuthorError as error:
            if not isinstance(error.__cause__, (ValueError, UsageError)):
                expected = f"parse({bad!r}) gives a state, or raises ParseError or ValueError"
                yield Breach(expected, error.found, "parse", place=error.place)
    return ground.scope()


def _with_foreign_signs(text: str) -> Iterator[str]:
    for place in sorted({0, len(text) // 2, len(text) - 1} & set(range(len(text)))):
        for sign in FOREIGN:
            yield text[:place] + sign + text[place + 1 :]


PICTURES = 500
"""How many states are drawn: those nearest to a start."""


@law("every state has a picture, always the same")
def pictures(ground: Ground) -> Breaches:
    """Draw states twice. O(states)."""
    drawers: list[tuple[str, Callable[[Any], Any], str | None]] = [
        ("render", ground.problem.render, None)
    ]
    for each in ground.registered.renderers:
        rendering = partial(each.render, ground.problem)
        drawers.append((f"renderer {each.name}", rendering, place_of_callable(each.render)))
    for visit in ground.watched(ground.sound()[:PICTURES]):
        for name, draw, place in drawers:
            picture = call(name, draw, visit.state)
            if not isinstance(picture, str):
                yield Breach(f"{name} gives a text", short(picture), "render", place=place)
            elif call(name, draw, visit.state) != picture:
                expected = f"{name} draws the same picture again"
                yield Breach(expected, "it draws another one", "render", place=place)


STARTS = 200


@law("`with_start` makes a new problem and leaves the old one", HasStart)
def new_starts(ground: Ground) -> Breaches:
    """Start again from some states. O(states)."""
    before = [ground.key(start) for start in ground.starts]
    for visit in ground.watched(ground.sound(STARTS)):
        text = ground.text(visit.state)
        new = ground.ask("with_start", visit.state)
        if not isinstance(new, Problem):
            yield Breach("a problem", short(new), "with_start")
            continue
        starts = list(call("with_start", new.initial_states))
        if [ground.key(start) for start in starts] != [visit.key]:
            found = ", ".join(map(ground.text, starts)) or "no start"
            yield Breach(f"with_start({text}) has the start {text} alone", found, "with_start")
            continue
        theirs = [
            (a, ground.key(s), c) for a, s, c in call("successors", new.successors, starts[0])
        ]
        ours = [(step.action, step.key, step.cost) for step in visit.steps]
        if theirs != ours or bool(call("is_goal", new.is_goal, starts[0])) != visit.is_goal:
            expected = "the steps and goals of the new problem are those of the old one"
            yield Breach(expected, "they differ at the new start", "with_start")
        now = [ground.key(start) for start in ground.ask("initial_states")]
        if now != before:
            found = f"with_start({text}) has changed it"
            yield Breach("the old problem keeps its start", found, "with_start")
            return


NEW_GOALS = 100


@law("`with_goal` makes a new problem with that one goal", HasGoal)
def new_goals(ground: Ground) -> Breaches:
    """Set some states as goals; each is asked of them all. O(states)."""
    visits = ground.sound(NEW_GOALS)
    for visit in ground.watched(visits):
        text = ground.text(visit.state)
        try:
            new = ground.ask("with_goal", visit.state)
        except AuthorError as error:
            if isinstance(error.__cause__, (UsageError, ValueError)):
                continue  # it may refuse a state
            raise
        if not isinstance(new, Problem):
            yield Breach("a problem", short(new), "with_goal")
            continue
        for other in visits:
            if bool(call("is_goal", new.is_goal, other.state)) != (other is visit):
                is_goal = "no goal" if other is visit else "a goal"
                expected = f"the one goal of with_goal({text}) is {text}"
                yield Breach(expected, f"{ground.text(other.state)} is {is_goal}", "with_goal")
                break
        else:
            if isinstance(new, HasGoalStates):
                goals = list(call("goal_states", new.goal_states))
                if [ground.key(goal) for goal in goals] != [visit.key]:
                    expected = f"with_goal({text}) lists that goal alone"
                    yield Breach(expected, f"it lists {len(goals)} goals", "with_goal goal_states")
        if bool(ground.ask("is_goal", visit.state)) != visit.is_goal:
            found = f"with_goal({text}) has changed them"
            yield Breach("the old problem keeps its goals", found, "with_goal")
            return


DRAWN = 100


@law("`random_state` draws solvable states, by its generator alone", HasRandomState)
def random_states(ground: Ground) -> Findings:
    """Draw states twice from one seed. O(1)."""
    one, two = random.Random(ground.seed), random.Random(ground.seed)
    solved = ground.distances
    for place in range(DRAWN):
        ground.watch()
        state, again = ground.ask("random_state", one), ground.ask("random_state", two)
        draw = f"draw {place + 1} of seed {ground.seed}"
        text = ground.text(state)
        if ground.key(state) != ground.key(again):
            yield Breach(f"{draw} gives {text} again", ground.text(again), "random_state")
            return None
        certificate = ground.certificate(state)
        known = ground.number.get(ground.key(state))
        is_lost = ground.is_whole and known is not None and known not in solved
        if certificate is not None or is_lost:
            why = "no goal can be reached" if certificate is None else certificate.text
            yield Breach(f"the state of {draw} can be solved", f"{text}: {why}", "random_state")
    return plural(DRAWN, "draw")


CERTIFIED = 1000
"""How many states are asked for certificates: making one may take long."""
RECHECKED = 20
MOST_EXPANSIONS = 10_000


@law(
    "only what cannot be solved has a certificate, and it checks",
    unless(
        "no method certificate",
        lambda each: isinstance(each, HasCertificate) or each.complete_certificates,
    ),
)
def certificates(ground: Ground) -> Findings:
    """Ask for certificates of states that can be solved, and of others. O(states)."""
    problem = ground.problem
    solved = ground.distances
    rechecked = unsolvable = 0
    for visit in ground.watched(ground.sound(CERTIFIED)):
        given = ground.certificate(visit.state)
        if given is None:
            if problem.complete_certificates and ground.is_whole and visit not in solved:
                yield Breach(
                    "a certificate, for no goal can be reached, and complete_certificates = True "
                    "promises one",
                    "none",
                    "certificate complete_certificates",
                )
            continue
        unsolvable += 1
        if not isinstance(given, Certificate):
            found = f"certificate gives {short(given)}"
            yield Breach("a Certificate or None", found, "certificate")
        elif visit in solved:
            expected = f"no certificate: a goal can be reached at cost {solved[visit]}"
            yield Breach(expected, f"{given.kind}: {given.text}", "certificate")
        elif rechecked < RECHECKED and isinstance(problem, HasStart):
            rechecked += 1
            started, most = ground.ask("with_start", visit.state), MOST_EXPANSIONS
            check = partial(objection, verify_certificate, started, given, max_expansions=most)
            wrong = call("check_certificate", check)
            if wrong is not None:
                expected = f"the certificate of kind {given.kind!r} is accepted"
                yield Breach(expected, wrong, "check_certificate certificate")
    if not unsolvable:
        return f"{ground.scope()}, none of them certified unsolvable"
    return f"{ground.scope()}, {plural(unsolvable, 'certificate')}, {rechecked} checked"
