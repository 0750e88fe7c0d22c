"""Mistakes in puzzles on fields: one line that names the culprit, the line and the cure."""

import ast
import importlib.util
import inspect
import random

import pytest

from searchkit import BreadthFirst, Limits, ProblemError, SearchkitError, solve
from searchkit.checks import check_problem
from searchkit.errors import CompilationError
from searchkit.fields import Array, Fields, Int, Set
from searchkit.translation.scopes import Webs
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


class Forgets(Base):
    def apply(self, s, i, k):
        s.at[i] + k


class ForgetsToReturn(Base):
    def at_goal(self, s):
        if s.at[0] == 1:
            s.at[2] == 1  # noqa: B015
        return False


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (Forgets, "works out s.at[i] + k, and does nothing with it"),
        (ForgetsToReturn, "works out s.at[2] == 1, and does nothing with it"),
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


class Labelled(Base):
    def __init__(self):
        super().__init__()
        self.moves = [("a", 1), ("b", -1)]

    def legal(self, s, name, k):
        return self.texts[s.one] == name

    def apply(self, s, name, k):
        s.at[0] = 0


class Prints(Base):
    def legal(self, s, i, k):
        print(s)
        return s.at[i] + k in range(5)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (WholeArray, "compares wide, 40 numbers, with 0"),
        (WithTexts, "uses a list that holds 'a', which is not a whole number"),
        (Prints, "calls print; leave it out"),
        (Labelled, "uses a list that holds 'a', which is not a whole number"),
    ],
)
def test_what_machine_code_cannot_do(kind, says):
    with pytest.raises(SearchkitError) as caught:
        solve(kind(), BreadthFirst(), engine="compiled")
    assert says in str(caught.value)
    assert "test_mistakes.py:" in str(caught.value)


class Slices(Base):
    def apply(self, s, i, k):
        s.at[1:] = [s.at[2], s.at[1]]


class JoinsComprehension(Base):
    def apply(self, s, i, k):
        s.some = {x for x in s.some if x != i}


class WithDel(Base):
    def legal(self, s, i, k):
        after = s.at[i] + k
        fits = 0 <= after < 5
        del after
        return fits


class CountsList(Base):
    def legal(self, s, i, k):
        return len([x for x in s.at if x > i]) > 3


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (Slices, "changes a slice of a field; change its items"),
        (WithDel, "deletes a name; leave it"),
    ],
)
def test_what_machine_code_cannot_do_runs_as_it_is_written(kind, says):
    with pytest.raises(CompilationError) as caught:
        solve(kind(), BreadthFirst(), engine="compiled")
    assert says in str(caught.value)
    assert solve(kind(), BreadthFirst(), engine="auto").engine == "reference"


@pytest.mark.parametrize("name", [
    "JoinsComprehension", "CountsList", "Within", "Recursive", "WithLambda", "WithFunction",
    "Looks", "Keys",
])  # fmt: skip
def test_what_plain_rules_may_hold_these_may_hold(name):
    kind = globals()[name]
    found = [
        solve(kind(), BreadthFirst(), engine=engine, limits=Limits(expansions=60))
        for engine in ("reference", "compiled", "checked")
    ]
    slow = solve(kind().slow_rules(), BreadthFirst(), limits=Limits(expansions=60))
    for each in found:
        assert (each.cost, each.statistics.generated) == (slow.cost, slow.statistics.generated)


class SlicesTooLong(Base):
    def apply(self, s, i, k):
        s.at[1:] = [0]


class SlicesTooLarge(Base):
    def apply(self, s, i, k):
        s.at[1:] = [0, 7]


class JoinsTooLarge(Base):
    def apply(self, s, i, k):
        s.some.symmetric_difference_update({i, 9})


class UpdatesTooLarge(Base):
    def apply(self, s, i, k):
        s.some.update([i, 9])


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (SlicesTooLong, "2 items of at become 1; it keeps its length"),
        (SlicesTooLarge, "at[2] becomes 7; it must be from 0 to 4"),
        (JoinsTooLarge, "9 is not a member of some, which is a Set(9)"),
        (UpdatesTooLarge, "9 is not a member of some, which is a Set(9)"),
    ],
)
def test_what_does_not_fit_has_its_line(kind, says, engine):
    _, line = inspect.getsourcelines(kind.apply)
    with pytest.raises(ProblemError) as caught:
        solve(kind(), BreadthFirst(), engine=engine)
    assert f"test_mistakes.py:{line + 1}: {says} (in the state " in str(caught.value)


def test_rules_that_machine_code_cannot_have_run_as_they_are_written(capsys):
    found = solve(Prints(), BreadthFirst(), engine="reference")
    assert found.statistics.expanded == 25
    assert capsys.readouterr().out.startswith("at=[0, 4, 0], some={1}, wide=[0, 0")


def test_the_law_of_machine_code_is_not_tried_on_rules_that_have_none(capsys):
    (verdict,) = check_problem(Prints(), laws=["machine-code"], states=20).verdicts
    assert next(verdict.lines()).startswith("machine-code: not checked: some rules run in Python")
    assert capsys.readouterr().out  # what they print


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
        solve(WithTexts(), BreadthFirst(), engine="compiled")


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
    """Rules with lists, and with errors."""

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
        ("return a and (x := a) and x", None),
        ("b = a and (x := a)\nreturn x", "x"),
        ("return [x for x in a if x]", None),
        ("x = sum(x for x in a)\nreturn x", None),
        ("while a:\n x, a = a, 0\n y = x\nreturn a", None),
        ("while True:\n x = a\n break\nreturn x", None),
    ],
)
def test_where_names_may_have_no_value(text, unsure):
    body = "".join(f"    {each}\n" for each in text.splitlines())
    (definition,) = ast.parse(f"def rule(self, a):\n{body}").body
    found = {each.id for each in Webs(definition).unsure.values()}
    assert found == ({unsure} if unsure else set())


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
    with pytest.raises(ProblemError, match=r"at_goal, .*: must be written at_goal\(self, s\)"):
        GoalOfNothing()


def line_of(kind, text):
    """The line of a class that has a text."""
    lines, first = inspect.getsourcelines(kind)
    return first + next(i for i, each in enumerate(lines) if text in each)


class Draws(Base):
    def legal(self, s, i, k):
        return random.random() < 0.5


class DrawsOwn(Base):
    def __init__(self):
        self.dice = random.Random(1)
        super().__init__()

    def legal(self, s, i, k):
        return self.dice.randrange(2) == 0


class Yields(Base):
    def legal(self, s, i, k):
        yield s.at[i] + k < 5


class AsksAbove(Base):
    def legal(self, s, i, k):
        return super().legal(s, i, k)


class ReturnsNumber(Base):
    def apply(self, s, i, k):
        return s.at[i] + k


class ReturnsHelper(Base):
    def apply(self, s, i, k):
        return self.moved(s, i, k)

    def moved(self, s, i, k):
        s.at[i] += k
        return k


class Deletes(Base):
    def apply(self, s, i, k):
        del s.wide[0]


class Static(Base):
    @staticmethod
    def legal(s, i, k):
        return s.at[i] + k < 5


class OfClass(Base):
    @classmethod
    def legal(cls, s, i, k):
        return s.at[i] + k < 5


class Coroutine(Base):
    async def legal(self, s, i, k):
        return s.at[i] + k < 5


class WithoutSelf(Base):
    def legal(s, i, k):  # noqa: N805
        return s.at[i] + k < 5


class Unhashable(Base):
    def __init__(self):
        super().__init__()
        self.moves = [([0], 1), ([1], 1)]


class DeclaredTwice(Base):
    def __init__(self):
        super().__init__()
        self.declare(other=Int(4))


class Downwards(Base):
    def __init__(self):
        self.declare(one=Int(-8,))  # fmt: skip


class InTuple(Base):
    def __init__(self):
        self.declare(one=Array(4, (0, 8)))


class NoBounds(Base):
    def __init__(self):
        self.declare(one=Int)


class Undeclared(Base):
    def __init__(self):
        self.start = self.pack(one=1)


@pytest.mark.parametrize(
    ("kind", "place", "says"),
    [
        (Draws, "return", "calls random.random; a rule must give the same answer each time"),
        (DrawsOwn, "return", "calls self.dice.randrange; a rule must give the same answer"),
        (Yields, "yield", "yields; a rule returns its answer"),
        (AsksAbove, "return", "calls super().legal, which no class above defines; leave it out"),
        (ReturnsNumber, "return", "returns s.at[i] + k, which is lost; change fields of s"),
        (ReturnsHelper, "return self", "returns self.moved(s, i, k), which is lost"),
        (Deletes, "del ", "deletes from wide, which keeps its length; assign to it"),
        (Static, "@static", "is a staticmethod; it must be written legal(self, s, ...)"),
        (OfClass, "@class", "is a classmethod; it must be written legal(self, s, ...)"),
        (Coroutine, "async", "is async; a rule returns its answer, by def alone"),
        (WithoutSelf, "def legal", "must be written legal(self, s, ...); its first argument is"),
        (Unhashable, "", "self.moves has ([0], 1), which cannot be a label; moves are numbers"),
        (DeclaredTwice, "self.declare", "declare is called twice; give all fields in one call"),
        (Downwards, "Int(", "Int(-8) has no values: none are from 0 to below -8; write Int(-8, 1)"),
        (
            InTuple,
            "Array(",
            "Array(4, (0, 8)) must be given the number that all are below, as in A",
        ),
        (NoBounds, "Int)", "field one is Int; use Int, Array or Set, as in one=Int(8)"),
        (Undeclared, "pack", "call self.declare(...) first"),
    ],
)
def test_mistakes_are_named_with_their_line_and_a_cure(kind, place, says):
    with pytest.raises(SearchkitError) as caught:
        kind()
    message = str(caught.value)
    assert message.startswith(f"{kind.__name__}: ")
    assert says in message
    if place:
        assert f"test_mistakes.py:{line_of(kind, place)}: " in message


def test_a_rule_that_is_missing_is_named():
    class NoApply(Fields):
        pass

    with pytest.raises(ProblemError, match=r"^NoApply: there is no apply; write apply\(self, s"):
        NoApply()


class Recursive(Third):
    def legal(self, s, i, k):
        return self.fits(s, s.at[i] + k)

    def fits(self, s, number):
        if number <= 0:
            return number == 0
        return number < 5 and self.fits(s, number - 1)


class WithLambda(Third):
    def legal(self, s, i, k):
        after = lambda number: number + k  # noqa: E731
        return 0 <= after(s.at[i]) < 5


class WithFunction(Third):
    def legal(self, s, i, k):
        def after(number):
            return number + k

        return 0 <= after(s.at[i]) < 5


class Looks(Third):
    def legal(self, s, i, k):
        return 0 <= s.at[i] + k < 5 and sum({i: 2, 3: 4}[i] for i in range(1) if i == 3) == 0


class Keys(Third):
    def at_goal(self, s):
        return max(s.at, key=abs) == 4 and s.at[2] == 1


class Asserts(Base):
    def apply(self, s, i, k):
        assert s.at[i] < 1, "too far"
        s.at[i] += k


def test_what_an_assertion_says_is_shown():
    with pytest.raises(SearchkitError, match="AssertionError: too far"):
        solve(Asserts(), BreadthFirst(), engine="reference")


class Halves(Base):
    def apply(self, s, i, k):
        s.at[i] += k / 2


def test_rules_that_python_runs_name_line_state_and_move():
    says = (
        rf":{line_of(Halves, '+=')}: at\[0\] becomes 0.5; .* \(in the state at=0,4,0 .* move 0 1\)"
    )
    with pytest.raises(ProblemError, match=says):
        solve(Halves(), BreadthFirst(), engine="reference")


@pytest.mark.parametrize(
    ("test", "says"),
    [
        ("s.one / 2 == 3", "rules calculate with whole numbers"),
        ("s.one.real == 3", "uses .real of a number; use the items of tuples"),
    ],
)
def test_what_machine_code_cannot_have_has_a_cure_and_no_name_of_ours(tmp_path, test, says):
    file = tmp_path / "cures.py"
    file.write_text(
        "from tests.fields.test_mistakes import Base\n\nclass Cure(Base):\n"
        f"    def at_goal(self, s):\n        return {test}\n"
        "    def apply(self, s, i, k):\n        s.one = 0\n"
    )
    spec = importlib.util.spec_from_file_location("cures", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(CompilationError, match=says):
        solve(module.Cure(), BreadthFirst(), engine="compiled")
