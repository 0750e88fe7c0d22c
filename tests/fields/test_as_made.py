"""A puzzle that was changed after it was made: its kernels do not know, so nothing is answered."""

import copy

import pytest

from searchkit import BreadthFirst, explore, improvements, solve, solve_many
from searchkit.authors.named import is_read, names_read
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import UsageError
from searchkit.fields import Fields, Int, forms, puzzle
from searchkit.fields.forms import as_it_is
from searchkit.fields.puzzle import finished

WIDE = 2
TABLE = [1, 2, 3]


class Dials(Fields):
    """Two dials, one of which goes further than the other."""

    far = 3
    title = "dials"

    def __init__(self, step=5):
        self.declare(a=Int(11), b=Int(11))
        self.step, self.more, self.note = step, [1, 1], ""
        self.moves = {"a": (0,), "b": (1,)}
        self.start, self.goal = self.pack(a=0, b=0), self.pack(a=7, b=9)

    def legal(self, s, dial):
        return True

    def apply(self, s, dial):
        if dial:
            s.b = (s.b + self.step * self.more[dial]) % 11
        else:
            s.a = (s.a + self.far + WIDE + TABLE[0]) % 11

    def render(self, state):
        return self.title + self.note


CHANGES = {
    "goal": lambda dials: dials.pack(a=8, b=0),
    "moves": lambda dials: {"a": (0,)},
    "step": lambda dials: 1,
    "far": lambda dials: 2,
    "more": lambda dials: [1, 2],
    "legal": lambda dials: lambda s, dial: dial == 0,
}


@pytest.mark.spread
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("engine", ["reference", "checked", "compiled", "auto"])
def test_an_attribute_that_rules_read(name, engine):
    dials = Dials()
    assert solve(dials, BreadthFirst(), engine="reference").cost == 7
    setattr(dials, name, CHANGES[name](dials))
    with plainly(), pytest.raises(UsageError, match=rf"Dials: {name} was .* and is "):
        solve(dials, BreadthFirst(), engine=engine)


def test_a_list_that_was_changed_in_place():
    dials = Dials()
    dials.more[1] = 2
    with pytest.raises(UsageError, match="what its rules read has changed since"):
        solve(dials, BreadthFirst())


@pytest.mark.parametrize(("name", "value"), [("WIDE", 3), ("TABLE", [2])])
def test_a_global(monkeypatch, name, value):
    dials = Dials()
    monkeypatch.setitem(globals(), name, value)
    for look in (solve, explore):
        with pytest.raises(UsageError, match="what its rules read has changed since"):
            look(dials)
    with pytest.raises(UsageError, match="what its rules read has changed since"):
        list(improvements(dials))
    with pytest.raises(UsageError, match="what its rules read has changed since"):
        list(solve_many(dials, [dials.start], BreadthFirst()))
    again = Dials()
    costs = [solve(again, BreadthFirst(), engine=each).cost for each in ("reference", "checked")]
    assert costs == [5, 5]


@pytest.mark.parametrize("name", ["labels", "tables"])
def test_what_was_made_of_rules(name):
    dials = Dials()
    object.__setattr__(dials, name, getattr(Dials(step=4), name))
    if name == "labels":
        dials.labels = ("a",)
    with pytest.raises(UsageError, match="Dials: "):
        solve(dials, BreadthFirst())


def test_a_rule_that_was_another_while_the_puzzle_was_made(monkeypatch):
    Dials()
    with monkeypatch.context() as patched:
        patched.setitem(globals(), "WIDE", 4)
        dials = Dials()
    with pytest.raises(UsageError, match="what its rules read has changed since"):
        solve(dials, BreadthFirst())


def test_a_rule(monkeypatch):
    dials = Dials()
    monkeypatch.setattr(Dials, "apply", lambda self, s, dial: None)
    with pytest.raises(UsageError, match="what its rules read has changed since"):
        solve(dials, BreadthFirst())


def test_what_no_rule_reads_may_change():
    dials = Dials()
    dials.title, dials.note, dials.new, dials.step = "others", "!", 1, 5
    dials.start = dials.pack(a=6, b=0)
    assert dials.render(dials.start) == "others!"
    assert solve(dials, BreadthFirst(), engine="reference").cost == 6


def test_kernels_that_were_forgotten_are_made_again(monkeypatch):
    monkeypatch.setattr(forms, "MOST_FORMS", 1)
    first = Dials()
    monkeypatch.setitem(globals(), "WIDE", 3)
    Dials()
    monkeypatch.setitem(globals(), "WIDE", 2)
    assert solve(first, BreadthFirst(), engine="reference").cost == 7


@pytest.mark.parametrize("before", [range(2, 9), [range(3)], {"a": (range(1, 3), 4)}])
def test_ranges_are_compared_by_their_numbers(before):
    """They lie in lists and dicts: the puzzle need not be made again to be compared."""
    dials = Dials()
    dials.more = [before, 1]
    author, others = Dials(), Dials()
    author.more, others.more = [copy.deepcopy(before), 1], [before, 2]
    assert as_it_is(dials) == as_it_is(author) is not None
    assert as_it_is(dials) != as_it_is(others)
    for each in (str(before), tuple(range(2, 9)), range(2, 10), [range(4)], {"a": (range(3), 4)}):
        others.more = [each, 1]
        assert as_it_is(dials) != as_it_is(others)


def test_the_names_that_rules_read_are_those_that_may_be_read():
    names = names_read(Dials)
    for each in ("step", "more", "far", "title", "note", "goal", "nothing"):
        assert (each in names or "" in names) == is_read(Dials, each)


def test_a_list_that_holds_itself_is_not_compared():
    dials = Dials()
    dials.more.append(dials.more)
    assert as_it_is(dials) is None


class Shown:
    """No value of Python's own, which nobody looks into."""


@pytest.mark.parametrize(("note", "times"), [("", 0), (Shown(), 1)])
def test_a_puzzle_is_made_again_once_at_most_whatever_its_starts(monkeypatch, note, times):
    class Counted(Dials):
        def __init__(self):
            super().__init__()
            self.note = note

    dials, made = Counted(), []
    monkeypatch.setattr(puzzle, "finished", lambda each: made.append(each) or finished(each))
    for a in range(5):
        solve(dials.with_start(dials.pack(a=a, b=0)), BreadthFirst(), engine="reference")
    assert len(made) == times
    dials.more[1] = 3
    with pytest.raises(UsageError, match="what its rules read has changed since"):
        solve(dials.with_start(dials.start), BreadthFirst())
