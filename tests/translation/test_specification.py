"""Kernels of a few lines that translators get wrong: as Python has it, or refused with a reason."""

import inspect
from functools import partial

import pytest

from searchkit import INFINITY
from searchkit.errors import CompilationError, Trapped
from searchkit.packed import DEAD_END
from tests.translation import specification
from tests.translation.test_rules import translated

REFUSED = {
    "AppendedThenChanged": "has a name",
    "ReplacedWithin": "whole lists are replaced",
    "OneRowTwice": "has a name",
    "GivenWithinAnExpression": "found, which may have no value here",
    "GivenWithinAnInnerFunction": "found, which may have no value here",
    "EffectsBetweenItems": "zips several generators",
}
"""What is refused today, and in which words: anything else is translated."""

KINDS = [
    each
    for each in vars(specification).values()
    if inspect.isclass(each)
    and issubclass(each, specification.Base)
    and each is not specification.Base
]


def steps_of(problem, state):
    """The steps out of a state, as far as they come before an error; whether one comes."""
    steps = problem.successors(state)
    return until_an_error(((step.state, step.cost) for step in steps), Exception)


def children_of(rules, own, state):
    children = rules.expand["successors"](own, state)
    return until_an_error(((child, *(cost or [1])) for _, child, *cost in children), Trapped)


def until_an_error(items, kind):
    found = []
    try:
        for each in items:
            found.append(each)  # noqa: PERF402  (those before an error count)
    except kind:
        return found, True
    return found, False


def answer(ask, state, kind):
    try:
        said = ask(state)
    except kind:
        return "error"
    return DEAD_END if said == INFINITY else said


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_translated_is_what_python_does(kind):
    problem = kind()
    if kind.__name__ in REFUSED:
        with pytest.raises(CompilationError, match=REFUSED[kind.__name__]):
            translated(problem, specification.STATES)
        return
    rules, own = translated(problem, specification.STATES)
    pairs = [(partial(rules.at_goal, own), problem.is_goal)]
    if rules.estimate is not None:
        pairs.append((partial(rules.estimate, own), problem.heuristic))
    for state in specification.STATES:
        assert children_of(rules, own, state) == steps_of(problem, state), f"of {state}"
        for kernel, rule in pairs:
            said = answer(kernel, state, Trapped)
            assert said == answer(rule, state, Exception), f"of {state}"


def test_no_reason_is_of_a_problem_that_is_not_there():
    assert set(REFUSED) <= {kind.__name__ for kind in KINDS}
