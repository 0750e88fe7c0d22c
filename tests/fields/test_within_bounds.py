"""What a move makes of a number is compared with its bounds, whatever `legal` has made sure of."""

import linecache

import pytest

from searchkit import BreadthFirst, ProblemError, solve
from searchkit.fields import Array, Fields, Int, Set
from searchkit.kernel_language.definition import MADE_FROM
from searchkit.kernel_language.marks import has_ranges

WITHIN = "return 0 <= s.at[i] + by <= 4"
STEP = "s.at[i] += by"
SAFE = [
    (WITHIN, STEP),
    (WITHIN, "s.at[i] = s.at[i] + by"),
    (WITHIN, "to = s.at[i] + by\ns.at[i] = 0\ns.at[i] = to"),
    (WITHIN, "s.n = (s.n + 1) % 6\ns.seen.add(i)\ns.at[i] += by"),
    (WITHIN, "if by > 0:\n    s.at[i] += by\nelse:\n    s.at[i] = s.at[i] + by"),
    ("to = s.at[i] + by\nif to < 0 or to > self.last[i]:\n    return False\nreturn True", STEP),
    ("if not (s.at[i] + by >= 0 and 4 >= s.at[i] + by):\n    return False\nreturn i < 9", STEP),
    ("'''Text.'''\nreturn s.n < 3 and -1 < s.at[i] + by < 5", STEP),
    ("return s.n < 5", "s.n = s.n + 1"),
    ("return s.n < 5", "s.n += 1"),
]
UNSAFE = [
    ("return True", STEP),
    ("return 0 <= s.at[i] + by <= 4 or i == 1", STEP),
    ("return not 0 <= s.at[i] + by <= 4", STEP),
    ("return 0 <= s.at[i] + by <= 5", STEP),
    ("return 0 <= s.at[1 - i] + by <= 4", STEP),
    ("if i == 1:\n    return True\nreturn 0 <= s.at[i] + by <= 4", STEP),
    ("if 0 <= s.at[i] + by <= 4:\n    return True\nreturn True", STEP),
    ("to = s.at[i] + by\nto = 1\nreturn 0 <= to <= 4", STEP),
    ("i = 0\nreturn 0 <= s.at[i] + by <= 4", STEP),
    ("return True\nreturn 0 <= s.at[i] + by <= 4", STEP),
    (WITHIN, "s.at[i] += by\ns.at[i] += by"),
    (WITHIN, "s.at[1 - i] = (s.n * 7) % 5\ns.at[i] += by"),
    (WITHIN, "for k in range(2):\n    s.at[i] += by"),
    (WITHIN, "if s.n:\n    s.at[i] = 4\ns.at[i] += by"),
    (WITHIN, "self.turn(s)\ns.at[i] += by"),
    (WITHIN, "i = 1\ns.at[i] += by"),
    (WITHIN, "s.at[i] += by + by"),
    (WITHIN, "s.at[0], s.at[1] = s.at[1], s.at[0]\ns.at[i] += by"),
]


def puzzle_of(legal, apply):
    def indented(text):
        return "\n".join(f"        {line}" for line in text.split("\n"))

    text = (
        "class Walk(Fields):\n    def __init__(self):\n"
        "        self.declare(at=Array(2, 5), n=Int(6), seen=Set(3))\n"
        "        self.moves = [(i, by) for i in (0, 1) for by in (-3, -1, 1, 2)]\n"
        "        self.last = [4, 3]\n        self.start = self.pack(at=[1, 3], n=0, seen=[])\n"
        "    def turn(self, s):\n        s.at[0] = 4\n        s.at[1] = 4\n"
        f"    def legal(self, s, i, by):\n{indented(legal)}\n"
        f"    def apply(self, s, i, by):\n{indented(apply)}\n"
        "    def at_goal(self, s):\n        return s.n == 5 and s.at[0] == 9\n"
    )
    file = f"<bounds {legal} {apply}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"Fields": Fields, "Array": Array, "Int": Int, "Set": Set, "__name__": "bounds"}
    exec(compile(text, file, "exec"), names)
    return names["Walk"]()


def walk(puzzle, rules):
    """The states that can be reached; or that a step is an error."""
    known, waiting = {puzzle.start}, [puzzle.start]
    while waiting:
        try:
            new = [after for state in waiting for _, after, _ in rules.successors(state)]
        except ProblemError:
            return "error"
        waiting = [each for each in dict.fromkeys(new) if each not in known]
        known |= set(waiting)
    return known


@pytest.mark.parametrize(("legal", "apply"), SAFE)
def test_what_is_made_sure_of_stays_within_the_bounds(legal, apply):
    puzzle = puzzle_of(legal, apply)
    assert walk(puzzle, puzzle) == walk(puzzle, puzzle.slow_rules()) != "error"


@pytest.mark.parametrize(("legal", "apply"), UNSAFE)
def test_what_is_not_made_sure_of_is_compared(legal, apply):
    puzzle = puzzle_of(legal, apply)
    assert has_ranges(getattr(puzzle.apply, MADE_FROM))
    assert walk(puzzle, puzzle) == walk(puzzle, puzzle.slow_rules())


def test_most_of_that_goes_beyond_the_bounds():
    found = [walk(puzzle, puzzle) for puzzle in (puzzle_of(*each) for each in UNSAFE)]
    assert found.count("error") > len(found) // 2


def test_machine_code_counts_as_the_rules_do():
    puzzle = puzzle_of("return 0 <= s.at[i] + by <= 4 and s.n < 5", "s.n += 1\ns.at[i] += by")
    found = [
        solve(problem, BreadthFirst(), engine=engine)
        for problem, engine in [(puzzle.slow_rules(), "reference"), (puzzle, "compiled")]
    ]
    assert len({(each.status, each.statistics.generated) for each in found}) == 1
    assert found[0].statistics.generated > 100
