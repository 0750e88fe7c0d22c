"""What compilers are given: functions of a class, or those that an object has in their place."""

import weakref
from copy import copy
from typing import NamedTuple

import pytest

from searchkit import BreadthFirst, solve
from searchkit.bits import replace_word
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError
from searchkit.kernel_language.collector import verified
from searchkit.kernel_language.program import Program, carrying
from searchkit.kernel_language.program_text import text_of_program
from searchkit.packed import PackedProblem, ZeroHeuristic, is_inherited
from searchkit.translation.packing import function_of

KERNELS = ("at_goal", "legal", "apply")


class Tables(NamedTuple):
    goal: int
    step: int


class Counter(PackedProblem):
    """Counts up to the goal."""

    def __init__(self, goal=6, step=1):
        self.tables = Tables(goal, step)

    def initial_states(self):
        return [0]

    def operators(self, control):
        return range(2)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == self.tables.goal

    def apply(self, state, control, operator):
        return state + self.tables.step


def made(body, name="apply", arguments="state, control, operator"):
    return {name: function_of(f"def {name}(self, {arguments}):\n    {body}\n", {})}


def cost_of(problem, engine):
    with plainly():
        return solve(problem, BreadthFirst(), engine=engine).cost


@pytest.mark.parametrize("engine", ["reference", "compiled", "checked"])
def test_what_is_carried_takes_the_place_of_the_methods_of_the_class(engine):
    problem = carrying(Counter(), made("return state + self.tables.step + operator"))
    assert (cost_of(Counter(), engine), cost_of(problem, engine)) == (6, 3)
    carrying(problem, made("return state % 2 == 0 or operator == 0", "legal"))
    assert not is_inherited(problem, "legal")
    assert cost_of(problem, engine) == 3


def test_a_copy_has_what_is_carried_with_tables_of_its_own():
    first = carrying(Counter(), made("return state + self.tables.step * 2"))
    other = carrying(copy(first), {})
    other.tables = Tables(6, 3)
    assert (first.apply(0, 0, 0), other.apply(0, 0, 0)) == (2, 6)
    assert Program.of(first).key == Program.of(other).key


def test_programs_of_the_same_texts_are_alike_and_no_others():
    twice, again, thrice = (
        carrying(Counter(), made(f"return state + self.tables.step * {n}")) for n in (2, 2, 3)
    )
    keys = [Program.of(each).key for each in (twice, again, thrice, Counter())]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return [state]", "holds a list"),
        ("return nothing", "uses nothing, which is not defined"),
        ("return self.tables.other", "uses self.tables.other, but there is no such table"),
        ("return state + (1 << 70)", "more than 64 bits"),
        ("return other(state)", "calls other, which is not defined"),
        ("pass", "returns nothing"),
    ],
)
def test_made_kernels_are_refused_as_written_ones_are(body, message, tmp_path):
    file = tmp_path / "written.py"
    file.write_text(f"def apply(self, state, control, operator):\n    {body}\n")
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    written = type("Counter", (Counter,), {"apply": names["apply"]})()
    for problem in (written, carrying(Counter(), made(body))):
        with pytest.raises(CompilationError, match=message):
            verified(Program.of(problem), "problem", KERNELS)


def test_a_kernel_set_by_hand_is_refused():
    problem = Counter()
    problem.apply = lambda state, control, operator: state
    with pytest.raises(CompilationError, match="apply is set on the instance"):
        verified(Program.of(problem), "problem", KERNELS)


def test_what_was_compiled_keeps_no_object_alive(collect):
    problem = carrying(Counter(), made("return state + self.tables.step * 2"))
    assert cost_of(problem, "compiled") == 3
    there = weakref.ref(problem)
    del problem
    collect()
    assert there() is None


class Wide(Counter):
    """The same with as many words as are asked for; the last one counts."""

    def __init__(self, words):
        super().__init__()
        self.words = words

    def initial_states(self):
        return [0 if self.words == 1 else (0,) * self.words]

    def last(self, state):
        return state if self.words == 1 else state[self.words - 1]

    def at_goal(self, state):
        return self.last(state) == self.tables.goal

    def apply(self, state, control, operator):
        if self.words == 1:
            return state + self.tables.step
        return replace_word(state, self.words - 1, self.last(state) + self.tables.step)


@pytest.mark.parametrize("engine", ["reference", "compiled", "checked"])
def test_how_many_words_a_state_has_is_a_constant(engine):
    assert [cost_of(Wide(words), engine) for words in (1, 2, 3)] == [6, 6, 6]
    programs = [Program.of(Wide(words)) for words in (1, 2)]
    texts = [text_of_program(each, "problem", ("at_goal", "apply")) for each in programs]
    assert "return state + tables.step" in texts[0]
    assert "state[" not in texts[0]
    assert "return state[1]" in texts[1]
    assert not any("words ==" in text for text in texts)


def test_what_has_no_states_has_no_words():
    class Estimate(ZeroHeuristic):
        def estimate(self, state):
            return self.words

    with pytest.raises(CompilationError, match=r"uses self\.words; kernels may use"):
        verified(Program.of(Estimate()), "heuristic", ("estimate",))
