"""A pattern space that breaks its promises is refused in one line, and never read outside."""

from __future__ import annotations

import numpy as np
import pytest

from searchkit import IDAStar, ProblemError, UsageError, solve
from searchkit.checks import check_heuristic
from searchkit.heuristics.maximum import maximum
from searchkit.heuristics.patterns import PatternDatabase, PatternHeuristic
from searchkit.heuristics.patterns import compiled_build as pattern_build
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit.heuristics.patterns.compiled_build import Build, build, halve
from searchkit.heuristics.patterns.kernels.patterns import Fault
from searchkit.heuristics.patterns.library import Library
from searchkit.packed import CarriedHeuristic
from tests.support import told_space
from tests.support.told_space import LENGTH, Told, Walk, row

ONE = ((0,),)
FILE = told_space.__file__
BEYOND = {"entries": 3}
SHARED = {"ranks": row(_4=3)}
OFF = {"words": row(_4=5)}
LANDING = {"landing": 2}
LIES = [
    (BEYOND, "0x3, from 0 to 2, as entries says; found 3", "rank"),
    (SHARED, "unrank(3) to be the pattern state", "rank"),
    (OFF, "unrank(4) to be the pattern state", "unrank"),
    ({"ranks": row(_4=-1)}, "found -1", "rank"),
    ({"before": (row(_0=1 << 50), row())}, "a word of 48 bits; found 0x4000000000000", "previous"),
    (LANDING, "to hold some of 1 places; found 2", "landing"),
    ({"landing": 0}, "to hold some of 1 places; found 0", "landing"),
    ({"spread": 0}, "to hold these, of 1 places; found 0", "spread"),
    ({"choices": (-1,) * LENGTH}, "as a mask of 63 bits; found -1", "choices"),
    ({"goals": []}, "one pattern state of goals or more; found []", "goals"),
    ({"goals": [0]}, "each of goals as a pair", "goals"),
    ({"goals": [(0, 0)]}, "the mask of a goal to hold some of 1 places", "goals"),
    ({"goals": [(0, 2)]}, "the mask of a goal to hold some of 1 places", "goals"),
    ({"entries": 0}, "entries of 1 or more; found 0", "entries"),
]


def refused(action, *words):
    with pytest.raises(ProblemError) as caught:
        action()
    told = str(caught.value)
    assert "\n" not in told
    for word in words:
        assert word in told
    return told


@pytest.mark.parametrize(("lie", "told", "blamed"), LIES, ids=lambda lie: str(lie)[:30])
def test_before_a_database_is_built(lie, told, blamed):
    words = refused(lambda: Build(Told(ONE, **lie), 0), "Told, pattern 0: expected ", told)
    assert f"; see {FILE}:" in words
    assert words.endswith(f" in {blamed}")


@pytest.mark.parametrize(
    ("lie", "told", "blamed"),
    [*LIES[:4], (LANDING, "to hold some of 1 places; found 2", "landing")],
    ids=lambda lie: str(lie)[:30],
)
def test_while_a_database_is_built(monkeypatch, lie, told, blamed):
    """What was not met by chance before is met there: nothing is written outside."""
    monkeypatch.setattr(pattern_build, "walk_back", lambda *_: None)
    words = refused(lambda: build(Told(ONE, **lie)), "Told, pattern 0: expected ")
    assert f"; see {FILE}:" in words
    if lie is not OFF:
        assert told in words
        assert words.endswith(f" in {blamed}")


def test_machine_code_that_differs(monkeypatch):
    monkeypatch.setattr(pattern_build, "walk_back", lambda *_: None)
    told = Told(ONE)
    building = Build(told, 0)
    with pytest.raises(ProblemError, match="machine code finds a wrong rank"):
        building._check(Fault.MOVE, 2, 0, 0)


def test_a_floor_that_is_none():
    space = Told(ONE, floor=(0,) * 11 + (12,))
    database = build(space)
    refused(lambda: halve(space, 0, database), "floor is 12 at entry 11", "the distance is 11")


def values_of(space, entries=LENGTH):
    return PatternDatabase(
        identity=space.identity(0),
        entries=entries,
        values=np.arange(entries, dtype=np.uint8),
        counts=(1,) * entries,
        seconds=0.0,
    )


@pytest.mark.parametrize("halved", [False, True])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("ranks", "told"),
    [
        (row(_4=12), "the rank 12, but entries is 12"),
        (row(_4=-1), "the rank -1, but"),
        (row(_4=1 << 62), "the rank 4,611,686,018,427,387,904, but"),
    ],
)
def test_a_search_reads_nothing_outside(monkeypatch, engine, ranks, told, halved):
    space = Told(ONE, ranks=ranks)
    database = values_of(space)
    if halved:
        database = halve(Told(ONE), 0, database)
    heuristic = PatternHeuristic(space, [database])
    assert heuristic(11) == 11

    def liar(start):
        return Walk(start, lies={"ranks": ranks})

    for each in (heuristic, maximum(heuristic, heuristic)):
        refused(lambda: solve(liar(11), IDAStar(each), engine=engine), told, "0x4", FILE)  # noqa: B023
    refused(lambda: heuristic(4), told)
    # Machine code, which cannot raise errors, goes on and leaves a note.
    monkeypatch.setattr(PatternHeuristic, "estimate", CarriedHeuristic.estimate)
    refused(lambda: solve(liar(11), IDAStar(heuristic), engine=engine), told, "0x4", FILE)


@pytest.mark.parametrize("after", [12, -1, 1 << 62])
def test_an_entry_followed_to_is_not_read_outside(monkeypatch, after):
    space = Told(ONE, follows=True, after=row(_4=after))
    heuristic = PatternHeuristic(space, [values_of(space)])
    monkeypatch.setattr(PatternHeuristic, "unfit", lambda self, problem: None)
    refused(
        lambda: solve(Walk(11), IDAStar(heuristic), engine="compiled"),
        "entry_after gives", "but entries is 12", FILE,
    )  # fmt: skip


def test_check_heuristic_hears_of_what_machine_code_met(monkeypatch):
    """Python looks at the start alone here, and machine code at all states."""
    monkeypatch.setattr("searchkit.checks.heuristic.COMPARED_STATES", 0)
    space = Told(ONE, ranks=row(_4=12))
    heuristic = PatternHeuristic(space, [values_of(space)])
    refused(
        lambda: check_heuristic(Walk(lies={"ranks": row(_4=12)}), heuristic, engine="compiled"),
        "the rank 12, but entries is 12", "0x4", FILE,
    )  # fmt: skip
    assert check_heuristic(Walk(), PatternHeuristic(Told(ONE), [values_of(Told(ONE))])).ok


def test_a_pattern_state_of_too_many_bits():
    space = Told(ONE, seen=row(_4=1 << 48 | 4))
    space.rank = lambda word, group: word & 15  # an instance may have its own in Python
    heuristic = PatternHeuristic(space, [values_of(space)])
    refused(lambda: heuristic(4), "0x1000000000004 has more than 48 bits", "in locate")
    assert heuristic(5) == 5


def test_fewer_values_than_entries():
    space = Told(ONE)
    with pytest.raises(UsageError, match="group 0 needs 12 entries, and has 9 in 9 bytes"):
        PatternHeuristic(space, [values_of(space, 9)])
    heuristic = PatternHeuristic(space, [values_of(space)])
    space.rank = lambda word, group: word + 9
    assert heuristic(2) == 11
    refused(lambda: heuristic(3), "the rank 12")


@pytest.mark.parametrize(
    ("identity", "told"),
    [
        ({"puzzle": "walk"}, "needs a text under the key 'pattern'"),
        ({"pattern": "0"}, "needs a text under the key 'puzzle'"),
        ({"puzzle": "walk", "pattern": 0}, "needs a text under the key 'pattern'"),
        ({"puzzle": "walk", "pattern": "0", "goal": {1}}, "cannot be written as JSON"),
        ({"puzzle": "walk", "pattern": "0", "goal": float("nan")}, "cannot be written as JSON"),
        ("walk", "must be a mapping"),
    ],
)
def test_identities_that_are_none(tmp_path, identity, told):
    problem = Walk(lies={"identity": identity})
    words = refused(lambda: pattern_heuristic(problem, "1", library=Library(tmp_path)), told)
    assert words.endswith(" in identity")
    assert f"; see {FILE}:" in words


def test_an_identity_may_hold_tuples(tmp_path):
    identity = {"puzzle": "walk", "pattern": "0", "goal": (1, (2, 3)), "none": None}
    problem = Walk(lies={"identity": identity})
    for _ in range(2):  # built, then loaded
        assert pattern_heuristic(problem, "1", library=Library(tmp_path))(7) == 7


@pytest.mark.parametrize(
    ("lie", "told", "blamed"),
    [
        ({"seen": row(_9=5), "moved": row(_9=5)}, "previous to lead from", "previous"),
        ({"goals": [(1, 1)]}, "locate of a goal among goals; found 0x0", "goals"),
        ({"moved": row(_6=7)}, "moved to give 0x6, which locate gives; found 0x7", "moved"),
        ({"touched": 1}, "touched to name group 0", "touched"),
        ({"tells_touched": True}, "touched to name one group or none", "touched"),
        ({"choices": (0,) * LENGTH}, "to lead from", "previous"),
    ],
    ids=lambda lie: str(lie)[:30],
)
def test_steps_are_tried_before_a_database_is_built(tmp_path, lie, told, blamed):
    library = Library(tmp_path)
    words = refused(lambda: pattern_heuristic(Walk(lies=lie), "1", library=library), told)
    assert words.endswith(f" in {blamed}")
    assert library.names() == []


def test_groups_that_do_not_add_up(tmp_path):
    problem = Walk(lies={"additive": True})
    refused(
        lambda: pattern_heuristic(problem, "2", library=Library(tmp_path)),
        "a step to change at most one group, as additive = True promises",
    )
