"""How much is translated: what is looked at for its type is not translated ever more often."""

import linecache
from collections import Counter

import attrs
import pytest

from searchkit import Problem, Step
from searchkit.translation.rooms import PLAIN
from searchkit.translation.rules import Work, translate
from searchkit.translation.types import Atoms, Int, Seq

KIND = Seq(Int(), 5, 5)
DEEP = 6


class Rule(Problem):
    def initial_states(self):
        return [(0,) * 5]

    def is_goal(self, state):
        return False

    def successors(self, state):
        yield Step("rule", (self.rule(state),) * 5)


def made(name, text):
    """A problem with methods of this text."""
    file = f"<work: {name}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    space = {}
    exec(compile(text, file, "exec"), space)
    members = {each: value for each, value in space.items() if each[:2] != "__"}
    return type("Made", (Rule,), members)()


def most_often(monkeypatch, problem):
    """How often one expression is translated at most within a round, at one place of calls."""
    rounds = []
    begun = Work.begun

    def counting(t, node):
        rounds[-1][t.scope.key, node] += 1
        return PLAIN.value(t, node)

    def beginning(*args):
        rounds.append(Counter())
        t = begun(*args)
        t.forms = attrs.evolve(t.forms, value=counting)
        return t

    monkeypatch.setattr(Work, "begun", beginning)
    translate(problem, KIND, Atoms())
    return max(max(each.values(), default=0) for each in rounds)


def functions(form):
    """Functions of which each calls the next in an expression of this form."""
    text = f"def rule(self, s):\n    return self.f{DEEP}(s)\ndef f0(self, s):\n    return s[0]\n"
    for i in range(1, DEEP + 1):
        text += f"def f{i}(self, s):\n    {form.format(f'self.f{i - 1}(s)')}\n"
    return text


FORMS = {
    "least": "return min(x + {} for x in s)",
    "least by a key": "return min((x + {} for x in s), key=abs, default=0)",
    "row": "return [x + 1 for x in s if x < {}][0]",
    "rows at once": "return tuple([x + {} for x in s])[0]",
    "rows of rows": "return len([y for x in s for y in ({}, x)])",
    "chain": "return len([*itertools.chain.from_iterable(({}, x) for x in s)])",
    "sum of rows": "return len(sum([(x, {}) for x in s], ()))",
    "set": "return len({{x + {} for x in s if x}})",
    "dict": "return len({{x: {} for x in s if x}})",
    "counter": "return collections.Counter(x % (2 + abs({})) for x in s if x)[1]",
    "first": "return next(x + {} for x in s if x)",
    "floats": "return int(sum(x + 0.5 + {} for x in s))",
    "columns": "return list(zip(*[(x, {}) for x in s if x]))[0][0]",
    "loop": "i = 0\n    while max(i, {}) < 7:\n        i += 1\n    return i",
    "or": "return s[1] or {}",
    "and": "return {} and s[1]",
}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_deeper_is_translated_only_once_more(form, monkeypatch):
    text = "import collections, itertools\n" + functions(FORMS[form])
    assert most_often(monkeypatch, made(form, text)) <= 2 * DEEP + 2


@pytest.mark.parametrize("sign", ["or", "and"])
def test_operands_are_translated_once(sign, monkeypatch):
    chain = f" {sign} ".join(f"s[{i % 5}]" for i in range(40))
    text = f"def rule(self, s):\n    return {chain}\n"
    assert most_often(monkeypatch, made(sign, text)) == 1
