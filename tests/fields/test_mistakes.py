"""Mistakes in puzzles on fields: one line that names the culprit, the line and the cure."""

import ast
import inspect

import pytest

from searchkit import BreadthFirst, CompilationError, ProblemError, SearchkitError, solve
from searchkit.fields import Array, Fields, Int, Set
from searchkit.fields.flow import without_value
from tests.fields.puzzles import Rush


class Base(Fields):
    def __init__(self):
        self.declare(at=Array(3, 5), some=Set(9), wide=Array(40, 4), one=Int(-2, 3))
        self.moves = [(0, 1), (1, -1)]
        self.line = [1, 2, 3]
        self.texts = ["a", "b"]
        self.start = self.pack(at=[0, 4, 0], some={1}, wide=[0] * 40, one=0)

    def apply(self, s, i, k):
        s.at[i] += k

    def at_goal(self, s):
        return s.at[2] == 1


@pytest.mark.parametrize("engine", ["reference", "compiled", "auto"])
def test_values_beyond_their_bounds_are_found_before_an_answer(engine):
    _, line = inspect.getsourcelines(Base.apply)
    says = (
        f"test_mistakes.py:{line + 1}: at\\[0\\] becomes 5; it must be from 0 to 4 "
        "\\(in the state at=4.* by the move 0 1\\)"
    )
    with pytest.raises(ProblemError, match=says):
        solve(Base(), BreadthFirst(), engine=engine)


class UnknownField(Base):
    def apply(self, s, i, k):
        s.att[i] += k


class UnknownAttribute(Base):
    def apply(self, s, i, k):
        s.at[i] = self.lime[s.one]


class UnknownName(Base):
    def at_goal(self, s):
        return s.at[0] == wherever  # noqa: F821


class Stores(Base):
    def apply(self, s, i, k):
        self.line[i] = k


class ItemOfNumber(Base):
    def at_goal(self, s):
        return s.one[0] == 1


class WrongArguments(Base):
    def at_goal(self, s):
        return self.at_most(s, 3)

    def at_most(self, s, number, other):
        return s.one <= number + other


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (UnknownField, "there is no field 'att'; the fields are at, some, wide, one"),
        (UnknownAttribute, "uses self.lime, which is not there when the puzzle is made"),
        (UnknownName, "uses wherever, which is not defined"),
        (Stores, "assigns to self.line[i]; rules change fields of a state, and names"),
        (ItemOfNumber, "one is one number; it has no items"),
        (WrongArguments, "calls at_most with 2 arguments; it takes (s, number, other)"),
    ],
)
def test_what_no_engine_could_do_is_said_when_the_puzzle_is_made(kind, says):
    with pytest.raises(ProblemError) as caught:
        kind()
    assert says in str(caught.value)
    line = int(str(caught.value).split(".py:")[1].split(":")[0])
    lines, first = inspect.getsourcelines(kind)
    assert first < line < first + len(lines)


class WholeArray(Base):
    def at_goal(self, s):
        return s.wide == 0


class WithTexts(Base):
    def legal(self, s, i, k):
        return self.texts[s.one] == "a"


class WithDict(Base):
    def legal(self, s, i, k):
        found = {1: 2}
        return found.get(s.one, 0) == 0


class Prints(Base):
    def legal(self, s, i, k):
        print(s)
        return s.at[i] + k in range(5)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (WholeArray, "compares wide, 40 numbers, with 0"),
        (WithTexts, "uses a list that holds 'a', which is not a whole number"),
        (WithDict, "calls .get; rules call methods of self and functions"),
        (Prints, "uses s as a whole; use its fields"),
    ],
)
def test_what_machine_code_cannot_do(kind, says):
    with pytest.raises(SearchkitError) as caught:
        solve(kind(), BreadthFirst(), engine="compiled")
    assert says in str(caught.value)
    assert "test_mistakes.py:" in str(caught.value)


def test_rules_that_machine_code_cannot_have_run_as_they_are_written(capsys):
    found = solve(Prints(), BreadthFirst(), engine="reference")
    assert found.statistics.expanded == 25
    assert capsys.readouterr().out.startswith("at=[0, 4, 0], some={1}, wide=[0, 0")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"at": [0, 5, 0]}, r"at\[1\] is 5; it must be from 0 to 4"),
        ({"at": [0, 5]}, "at has 2 numbers; it is an Array of 3"),
        ({"some": [9]}, "some holds 9; it is a Set of numbers from 0 to 8"),
        ({"one": 3}, "one is 3; it must be from -2 to 2"),
        ({"one": 0.5}, "one is 0.5; it must be a whole number"),
        ({"two": 0}, "there is no field 'two'; the fields are at, some, wide, one"),
    ],
)
def test_values_that_do_not_fit(fields, says):
    given = {"at": [0] * 3, "some": [], "wide": [0] * 40, "one": 0} | fields
    with pytest.raises(SearchkitError, match=says):
        Base().pack(**given)


def test_the_checked_engine_names_field_line_and_move():
    with pytest.raises(ProblemError) as caught:
        solve(Base(), BreadthFirst(), engine="checked")
    message = str(caught.value)
    assert "at becomes 5; it must be from 0 to 4" in message
    _, line = inspect.getsourcelines(Base.apply)
    assert f"test_mistakes.py:{line + 1}" in message
    assert "(called with the state at=4,4,0 some={1} wide=0,0" in message
    assert message.endswith(" and the move 0 1)")


def test_moves_must_fit_the_rules():
    class Short(Rush):
        def __init__(self):
            super().__init__()
            self.moves = [(0, 1), (1,)]

    with pytest.raises(ProblemError, match=r"legal.*takes \(s, car, slide\).*the move 1 has 1"):
        Short()


def test_compilation_errors_are_no_errors_of_the_rules():
    with pytest.raises(CompilationError):
        solve(WithDict(), BreadthFirst(), engine="compiled")


class NoReturn(Base):
    def legal(self, s, i, k):
        if s.at[i] + k >= 0:
            self.fits(s, i, k)

    def fits(self, s, i, k):
        return s.at[i] + k < 5


def test_a_rule_that_returns_nothing_is_no_answer():
    says = r"NoReturn: legal, .*:\d+: returned nothing; return a value"
    with pytest.raises(ProblemError, match=says):
        solve(NoReturn(), BreadthFirst(), engine="reference")


class Third(Base):
    def __init__(self):
        super().__init__()
        self.moves = [(0, 1), (1, -1), (2, 1)]

    def legal(self, s, i, k):
        return 0 <= s.at[i] + k < 5


class Within(Third):
    """Only the checker of kernels refuses these rules; `fits` is asked by one that it allows."""

    def legal(self, s, i, k):
        return self.fits(s, i, k) and [each for each in s.at][i] + k < 5  # noqa: C416

    def apply(self, s, i, k):
        try:  # noqa: SIM105
            s.at[i] += k
        except AttributeError:  # of a state that is not unpacked
            pass

    def at_goal(self, s):
        return self.fits(s, 2, 1) and s.at[2] == 1

    def fits(self, s, i, k):
        if s.at[i] + k < 0:
            return False
        return s.at[i] + k < 5


def test_what_is_refused_late_runs_as_it_is_written():
    found = [solve(kind(), BreadthFirst(), engine="reference") for kind in (Within, Third)]
    assert [each.cost for each in found] == [1, 1]
    assert len({each.statistics.generated for each in found}) == 1
    with pytest.raises(CompilationError, match="holds a comprehension"):
        solve(Within(), BreadthFirst(), engine="compiled")


@pytest.mark.parametrize("start", ["x", -1, 1 << 200, None, (0, [0])])
def test_a_start_is_a_state(start):
    class Begins(Base):
        def __init__(self):
            super().__init__()
            self.start = start

    with pytest.raises(
        ProblemError, match=r"Begins: self\.start is .* set self\.start = self\.pack"
    ):
        Begins()


def test_errors_of_pack_and_of_a_missing_start_name_the_puzzle():
    with pytest.raises(SearchkitError, match="Base: the field some is missing"):
        Base().pack(at=[0] * 3)

    class Nowhere(Base):
        def __init__(self):
            super().__init__()
            del self.start

    with pytest.raises(
        ProblemError, match=r"Nowhere: there is no start; set self\.start = self\.pack"
    ):
        solve(Nowhere(), BreadthFirst())


class PerhapsWithoutValue(Base):
    def apply(self, s, i, k):
        if k > 5:
            to = 1
        s.at[i] = to

    def at_goal(self, s):
        return s.at[0] == 4


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_names_have_a_value_on_every_way(engine):
    with pytest.raises(ProblemError, match="local variable 'to'"):
        solve(PerhapsWithoutValue(), BreadthFirst(), engine=engine)


@pytest.mark.parametrize(
    ("text", "unsure"),
    [
        ("x = 1\nreturn x", None),
        ("if a:\n x = 1\nreturn x", "x"),
        ("if a:\n x = 1\nelse:\n return 0\nreturn x", None),
        ("if a:\n x = 1\nelse:\n x = 2\nreturn x", None),
        ("for i in a:\n x = i\nreturn x", "x"),
        ("for i in a:\n if i:\n  x = i\n  break\n y = i + 1\n a += y\nreturn a", None),
        ("x += 1\nreturn x", "x"),
        ("return a and (x := a) and x", None),
        ("b = a and (x := a)\nreturn x", "x"),
        ("return [x for x in a if x]", None),
        ("x = sum(x for x in a)\nreturn x", None),
        ("while a:\n x, a = a, 0\n y = x\nreturn a", None),
    ],
)
def test_where_names_may_have_no_value(text, unsure):
    body = "".join(f"    {each}\n" for each in text.splitlines())
    (definition,) = ast.parse(f"def rule(self, a):\n{body}").body
    found = without_value(definition)
    assert (found and found.id) == unsure


class GoalOfNothing(Base):
    def at_goal(self):
        return True


def test_goals_are_written_as_rules():
    class Goalless(Fields):
        def __init__(self):
            self.declare(at=Int(3))
            self.moves = [1]
            self.start = self.pack(at=0)

        def apply(self, s, k):
            s.at = 1

    with pytest.raises(ProblemError, match="Goalless: there is no goal; write at_goal"):
        Goalless()
    with pytest.raises(ProblemError, match="at_goal must be written at_goal\\(self, s\\)"):
        GoalOfNothing()
