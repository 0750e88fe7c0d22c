"""What Python says of a rule, and what its kernel says: values, and errors where Python raises."""

import contextlib
import inspect
import random

import pytest

from searchkit import Problem, Step
from searchkit.errors import Trapped
from searchkit.translation.packing import TRAPS
from searchkit.translation.refusals import Untranslatable
from searchkit.translation.rules import translate
from searchkit.translation.types import Atoms, Int, Seq, type_of
from tests.translation import (
    aliases,
    attacks,
    comparing,
    counting,
    handlers,
    iterating,
    patterns,
    refused,
    snippets,
    spelling,
)
from tests.translation.test_rules import Cells

STATES = [(0, 0, 0, 0, 0), (1, 2, 3, 4, 5), (4, 3, 2, 1, 0), (2, 2, 2, 2, 2), (-1, 1, -2, 3, 0)]
STATES += [tuple(random.Random(seed).choices(range(-2, 6), k=5)) for seed in range(25)]


def rules_in(module):
    return [
        each
        for each in vars(module).values()
        if inspect.isfunction(each) and list(inspect.signature(each).parameters) == ["s"]
        and not inspect.isgeneratorfunction(each) and each.__name__ != "text_of"
    ]  # fmt: skip


RULES = [
    rule
    for each in (snippets, patterns, handlers, spelling, counting, iterating)
    for rule in rules_in(each)
]


class Plain(Problem):
    """Whatever rule it is given."""

    def __init__(self, rule):
        self.rule = rule

    def initial_states(self):
        return STATES

    def successors(self, state):
        yield Step("rule", self.rule(state))

    def is_goal(self, state):
        return False


def outcome(make):
    try:
        return make()
    except Exception:
        return "error"


def compare(rule, states, *, may_trap):
    problem, atoms = Plain(rule), Atoms()
    kind = Seq(Int(), 5, 5)
    rules = translate(problem, kind, atoms)
    own = Cells(kind, atoms, rules)
    for state in states:
        expected = outcome(lambda: [step.state for step in problem.successors(state)])  # noqa: B023
        try:
            found = [each[1] for each in rules.expand["successors"](own, state)]
        except Trapped:
            assert may_trap or expected == "error", f"of {state}"
        else:
            assert found == expected, f"of {state}"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_kernels_say_what_python_says(rule):
    compare(rule, STATES, may_trap=False)


@pytest.mark.parametrize(
    "rule",
    [*rules_in(aliases), *rules_in(attacks), *rules_in(comparing)],
    ids=lambda rule: rule.__name__,
)
def test_no_kernel_says_something_else(rule):
    """Where lists have two names, and what is gone through changes on the way."""
    with contextlib.suppress(Untranslatable):
        compare(rule, STATES[:12], may_trap=True)


def test_records_are_found_among_those_of_the_module():
    compare(comparing.with_records_of_the_module, STATES, may_trap=False)


SETS = [(frozenset({0, 1}), (0, 1)), (frozenset({0}), (1, 2)), (frozenset({2, 3}), (3, 2))]


@pytest.mark.parametrize(
    "rule",
    [
        lambda s: s[0] == (0, 1),
        lambda s: s[0] == s[1],
        lambda s: s[1] != s[0],
        lambda s: s[0] == [0, 1],
        lambda s: s[0] in ((0, 1), frozenset({2, 3})),
        lambda s: s[0] == None,  # noqa: E711
        lambda s: s[0] == 3,
        lambda s: s[0] == set(s[1]),
        lambda s: frozenset({0, 1}) == s[0],
    ],
)
def test_a_set_equals_sets_alone(rule):
    class Kept(Plain):
        def successors(self, state):
            if self.rule(state):
                yield Step("rule", state)

    problem, atoms = Kept(rule), Atoms()
    kind = type_of(SETS, atoms)
    rules = translate(problem, kind, atoms)
    own = Cells(kind, atoms, rules)
    for state in SETS:
        assert len(list(rules.expand["successors"](own, state))) == bool(rule(state))


REASONS = {
    "shared_row": "has a name",
    "repeated_rows": "repeats a list",
    "same_row_again": "has a name",
    "either_list": "changes the list `b`, which has two names",
    "replaced_row": "whole lists are replaced",
    "changed_attribute": "changes",
    "list_in_a_tuple": "two names",
    "kept_default": "as a default",
    "copied_rows": "list of lists",
    "swapped_rows": "two names",
    "slice_of_rows": "slice of a list of lists",
    "list_in_a_list": "has a name",
    "remembers_itself": "calls itself, and remembers .*; fill a table in __init__",
    "order_of_a_set": "list of a set",
    "wrapped": "decorator",
    "remembered": "changes `SEEN`, which lasts from one state to the next; use functools.cache",
    "printed": "calls print; leave it out",
    "counts_in_the_module": "changes names of the module",
    "counts_around": "changes names of the function around it",
    "at_last": "uses finally",
    "looked_at": "looks at an error",
    "imported": "imports a module; import it at the top of the file",
    "matched_sequence": "matches more than values, names and tuples written as such; use if",
    "lists_put_on_the_way": "puts lists into a dict while it goes through its lists",
    "one_list_for_all_keys": "gives all keys of a dict one list",
    "counts_from_a_place": "calls .count with arguments that machine code does not know",
    "counts_up_to_a_place_of_a_known_text": "calls .rfind with arguments that machine",
    "takes_a_known_text_apart_from_its_end": "calls .rpartition of 'a-b-c'; write it out",
    "least_by_a_wrong_name": "calls max with arguments that machine code does not know",
    "some_in_steps": "bounds and a step of a sequence whose length changes; use range",
    "set_of_a_number_and_a_pair": "goes through a set of unlike members; use members of one kind",
    "sorted_by_sets": "sorts by sets; sort by tuples",
    "sorted_by_a_key_with_a_set": "sorts by sets; sort by tuples",
    "arguments_that_states_decide": r"by \*\* of a value that states decide; name each argument",
}


@pytest.mark.parametrize("name", REASONS)
def test_what_may_differ_is_refused(name):
    with pytest.raises(Untranslatable, match=REASONS[name]) as error:
        translate(Plain(getattr(refused, name)), Seq(Int(), 5, 5), Atoms())
    assert "refused.py:" in str(error.value)


class Labelled(Plain):
    def successors(self, state):
        try:
            yield Step(state[state[0]], state)
        except IndexError:
            yield Step("none", state)


def test_labels_that_may_fail_within_try_are_refused():
    with pytest.raises(Untranslatable, match="makes a label within try"):
        translate(Labelled(None), Seq(Int(), 5, 5), Atoms())


COSTS = {"cost": 2}


class Unpacked(Plain):
    def successors(self, state):
        yield Step("on", state, **COSTS)


def test_steps_are_not_made_of_dicts():
    with pytest.raises(Untranslatable, match="makes a Step by a star or without a state"):
        translate(Unpacked(None), Seq(Int(), 5, 5), Atoms())


class PlainSteps(Plain):
    """Steps that are plain tuples, yielded, handed on and listed."""

    def successors(self, state):
        for i, x in enumerate(state):
            yield f"{i}: {x}", (*state[1:], x), 1
        yield from self.turned(state)

    def turned(self, state):
        yield 0, state[::-1], abs(state[0])


class ListedSteps(PlainSteps):
    def successors(self, state):
        found = []
        for i in range(3):
            found.append((i, (*state[i:], *state[:i]), i + 1))  # noqa: PERF401
        return found


@pytest.mark.parametrize("kind", [PlainSteps, ListedSteps])
def test_plain_tuples_are_steps(kind):
    problem, atoms = kind(None), Atoms()
    rules = translate(problem, Seq(Int(), 5, 5), atoms)
    own = Cells(Seq(Int(), 5, 5), atoms, rules)
    for state in STATES:
        made = [(*each[1:], 1)[:2] for each in rules.expand["successors"](own, state)]
        assert made == [tuple(step)[1:] for step in problem.successors(state)]


@pytest.mark.parametrize(
    "rule",
    [snippets.members_of_a_tuple_or_none, snippets.a_tuple_or_none_of_an_expression],
    ids=lambda rule: rule.__name__,
)
def test_members_of_tuples_in_memory_have_bounds(rule):
    """So what is calculated of them needs no test of its size."""
    rules = translate(Plain(rule), Seq(Int(), 5, 5), Atoms())
    traps = getattr(rules.expand["successors"], TRAPS).values()
    assert traps
    assert not [each.what for each in traps if "beyond" in each.what]


def of_wide_sets(s):
    """Sets of bits in one cell, in two, and in more."""
    found = 0
    for x in sorted(s):
        if x > 150 and x - 1 not in s:
            break
        found = found * 3 % 1009 + x
    kept = [x for x in sorted(s) if x % 3 != found % 3]
    return frozenset(kept) | {min(kept, default=0)}


@pytest.mark.parametrize("size", [40, 110, 200])
def test_sets_of_bits_in_several_cells(size):
    chosen = random.Random(size)
    states = [frozenset(chosen.sample(range(size), k)) for k in (0, 1, 5, 20, size - 1, size)]
    problem, atoms = Plain(of_wide_sets), Atoms()
    kind = type_of(states, atoms)
    rules = translate(problem, kind, atoms)
    assert kind.cells == -(-size // kind.width)
    own = Cells(kind, atoms, rules)
    for state in states:
        (step,) = problem.successors(state)
        assert [each[1] for each in rules.expand["successors"](own, state)] == [step.state]
