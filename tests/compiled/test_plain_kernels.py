"""Generated modules in plain Python: kernels on tiny inputs, against naive answers and compiled."""

from __future__ import annotations

import heapq
import sys
import traceback
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    UniformCost,
    WeightedAStar,
    solve,
)
from searchkit.compiled.best_first.closed_list import LineLayout
from searchkit.compiled.best_first.kernels import closed_list
from searchkit.compiled.best_first.kernels.open_list import Info, OpenTables
from searchkit.compiled.layers.kernels import rows as rows_of_states
from searchkit.compiled.specialise import names
from searchkit.compiled.specialise.module import specialised, state_array, tables_for
from searchkit.compiled.specialise.plain import plainly
from searchkit.compiled.states.kernels import state_set
from tests.support.both_engines import assert_equal_answers, counts
from tests.support.carried import Words
from tests.support.kernels import open_list_calls, rank_all
from tests.support.packed_graphs import (
    CarriedEstimate,
    Graph,
    GraphTables,
    TableEstimate,
    UnitGraph,
    WideEstimate,
    WideGraph,
    estimates,
    graphs,
)

LINE = Graph(GraphTables(((1, -1, -1, -1), (-1,) * 4), ((1,) * 4,) * 2, (0, 1)), (0,))
WIDE = WideGraph(LINE.tables, (0,))
WORDS = st.integers(-(1 << 63), (1 << 63) - 1)
SPARE = 20


def made(*roots, problem=LINE, plain=True, **constants):
    if not plain:
        return specialised(problem, None, roots, **constants)
    with plainly():
        return specialised(problem, None, roots, **constants)


def numbers(problem, algorithm, engine):
    """What a search for one solution finds and counts."""
    result = solve(problem, algorithm, engine=engine)
    return result.status, result.cost, result.lower_bound, counts(result.statistics)


@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_engines_agree_with_the_reference(data):
    tables, starts = data.draw(graphs(unit=True))
    values = data.draw(estimates(tables))
    close = tuple(value if value < 1000 else 0 for value in values)
    graph, wide = UnitGraph(tables, starts), WideGraph(tables, starts)
    words = Words(values, data.draw(st.tuples(*[st.integers(0, 2)] * len(values))))
    with plainly():
        for algorithm in (
            IDAStar(TableEstimate(values), "path"),
            IDAStar(CarriedEstimate(close), "path"),
            IDAStar(words, "path"),
            AStar(CarriedEstimate(close)),
            AStar(words),
            WeightedAStar(TableEstimate(values), 2),
            BreadthFirst(),
        ):
            assert numbers(graph, algorithm, "compiled") == numbers(graph, algorithm, "reference")
        assert_equal_answers(graph, BreadthFirst(), want="all")
        assert_equal_answers(wide, AStar(WideEstimate(values)), want="all")
        assert_equal_answers(wide, UniformCost(), want="all")


def test_nothing_is_compiled_and_all_engines_run(monkeypatch):
    from searchkit_sliding import sliding  # noqa: PLC0415

    monkeypatch.setitem(sys.modules, "numba", None)
    puzzle = sliding("2x3")
    with plainly():
        for algorithm in (IDAStar(), AStar(), IDDFS(), BreadthFirst(), Bidirectional()):
            result = assert_equal_answers(puzzle, algorithm, want="one")
            assert result.cost == 12


@pytest.mark.parametrize("wide", [False, True])
@settings(max_examples=40, deadline=None)
@given(states=st.lists(WORDS, max_size=60), wanted=st.lists(WORDS, max_size=9))
def test_a_set_of_states(wide, states, wanted):
    """Indexes in the order of arrival, as in a dictionary."""
    problem = WIDE if wide else LINE
    module = made(state_set, problem=problem)
    if wide:
        states, wanted = ([(w, 0, w ^ 1, 5) for w in each] for each in (states, wanted))
    asked = [*states, *wanted]
    rows = state_array(asked, problem.words)
    kept, table = np.zeros_like(rows), np.zeros(len(asked) * 2 + 1, dtype=np.uint32)
    bits = (len(asked) + 1).bit_length()
    count = module.insert(state_set.StateSet(kept, table, bits), rows[: len(states)], 0)
    known = {state: i for i, state in enumerate(dict.fromkeys(states))}
    assert count == len(known)
    assert (kept[:count] == state_array(list(known), problem.words)).all()
    found = np.zeros(len(asked), dtype=np.int64)
    module.locate(state_set.StateSet(kept, table, bits), rows, found)
    assert [i if i >= 0 else None for i in found.tolist()] == [known.get(each) for each in asked]
    again = state_set.StateSet(kept, np.zeros_like(table), bits)
    module.enter(again, 0, count)
    module.locate(again, rows, found[: len(states)])
    assert found[: len(states)].tolist() == [known[each] for each in states]


class Table:
    """A closed list of some lines."""

    def __init__(self, problem, lines, *, plain=True):
        layout = LineLayout(problem.words, 16)
        constants = {**layout.constants(), "SPARE": SPARE}
        self.module = made(closed_list, problem=problem, plain=plain, **constants)
        self.lines, self.words = lines, problem.words
        self.memory = np.zeros((8 * lines + SPARE + 1) * layout.line_words, dtype=np.int64)

    @property
    def record(self):
        marks = self.memory.view(np.uint16)
        return closed_list.Table(self.memory, marks, np.int64(self.lines))

    def put(self, states):
        rows = state_array(states, self.words).reshape(-1)
        marks = np.arange(2, len(states) + 2)
        self.module.put_all(self.record, rows, marks, len(states))

    def marks(self, states):
        found = np.zeros(len(states), dtype=np.int64)
        self.module.look_up(self.record, state_array(states, self.words), found)
        return found.tolist()

    def grow(self, lines, steps):
        old, self.lines = self.lines, lines
        words = np.zeros(512 * self.words, dtype=np.int64)
        late = closed_list.Late(words, np.zeros(512, dtype=np.int64))
        fills = np.zeros(256, dtype=np.int64)
        line, waiting, lowest = old + SPARE - 1, 0, lines + SPARE
        while line >= 0:
            line, waiting, lowest = self.module.spread(
                self.record, old, line, steps, late, waiting, fills, lowest
            )


@pytest.mark.parametrize("wide", [False, True])
@settings(max_examples=30, deadline=None)
@given(
    states=st.lists(WORDS, max_size=40, unique=True),
    more=st.lists(WORDS, max_size=9),
    steps=st.integers(1, 30),
)
def test_a_closed_list_grows_in_place(wide, states, more, steps):
    if wide:
        states, more = ([(w, 1, w >> 3, 5) for w in each] for each in (states, more))
    table = Table(WIDE if wide else LINE, 12)
    table.put(states)
    marks = {state: mark for mark, state in enumerate(states, 2)}
    expected = [marks.get(state, 0) for state in [*states, *more]]
    assert table.marks([*states, *more]) == expected
    table.grow(31, steps)
    assert table.marks([*states, *more]) == expected
    assert np.count_nonzero(table.record.marks) >= len(states)


def test_compiled_and_uncompiled_closed_lists_are_equal_to_the_last_bit():
    states = [int(w) for w in np.random.default_rng(0).integers(-(1 << 63), (1 << 63) - 1, 60)]
    tables = [Table(LINE, 12, plain=plain) for plain in (True, False)]
    for table in tables:
        table.put(states)
        table.grow(31, 5)
    assert (tables[0].memory == tables[1].memory).all()


@settings(max_examples=60, deadline=None)
@given(
    calls=st.lists(
        st.none() | st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60
    )
)
def test_an_open_list_gives_the_best_last_added(calls):
    """By f, then h, then the last that was added; None takes one out."""
    module = made(open_list_calls, CHUNK=4)
    chunks = 64
    opened = OpenTables(
        np.zeros(chunks * 4, dtype=np.int64), np.zeros(chunks * 4, dtype=np.int32),
        np.zeros(chunks, dtype=np.int64), np.zeros((64, 4), dtype=np.int64),
        np.zeros(256, dtype=np.int32), np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64),
    )  # fmt: skip
    info = np.zeros(len(Info), dtype=np.int64)
    module.begin(opened.buckets, info)
    naive: list[tuple[int, int, int, int]] = []
    for number, call in enumerate(calls):
        if call is not None:
            module.add(opened, info, *call, number)
            heapq.heappush(naive, (*call, -number, number))
        else:
            expected = heapq.heappop(naive)[3] if naive else -1
            assert module.take(opened, info) == expected


@settings(max_examples=30, deadline=None)
@given(runs=st.lists(st.lists(st.integers(0, 18)), min_size=2, max_size=2))
def test_sorted_runs(runs):
    module = made(rows_of_states, LANES=0)
    states, known = (np.array(sorted(run), dtype=np.int64) for run in runs)
    count = module.drop_duplicates(states)
    assert states[:count].tolist() == sorted(set(runs[0]))
    count = module.drop_known(states[:count], known)
    assert states[:count].tolist() == sorted(set(runs[0]) - set(runs[1]))


def test_arrays_of_tables_that_can_change_are_made_again():
    rows = ((1, 2), [3, 4])
    owner = SimpleNamespace(tables=namedtuple("Own", "fixed changing")(rows[0], rows))
    kind = SimpleNamespace(OwnTables=namedtuple("OwnTables", "fixed changing"))
    first = tables_for(kind, "OwnTables", owner)
    rows[1][0] = 5
    second = tables_for(kind, "OwnTables", owner)
    assert second.fixed is first.fixed
    assert first.changing.tolist() == [[1, 2], [3, 4]]
    assert second.changing.tolist() == [[1, 2], [5, 4]]


def test_tracebacks_show_the_files_and_lines_of_kernels():
    class Lost(UnitGraph):
        def rank(self, state):
            return self.tables.following[state + 99][0]

        def unrank(self, rank):
            return rank

    problem = Lost(LINE.tables, (0,))
    module = made(rank_all, problem=problem)
    tables = tables_for(module, "ProblemTables", problem)
    with pytest.raises(IndexError) as caught:
        module.rank_all(tables, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    *_, kernel, author = traceback.extract_tb(caught.value.__traceback__)
    assert kernel.filename == rank_all.__file__
    assert kernel.line == "ranks[i] = problem.rank(P, states[i])"
    assert author.filename == __file__
    assert author.line == "return self.tables.following[state + 99][0]"


@given(st.integers(-(1 << 70), 1 << 70) | st.integers(-3, 3).map(lambda n: n + (1 << 63)))
def test_numbers_are_words_of_64_bits(number):
    """Of any type that can hold them; what is no number stays as it is."""
    expected = (number + (1 << 63)) % (1 << 64) - (1 << 63)
    kinds = (np.int8, np.uint8, np.int64, np.uint64)
    fitting = [each for each in kinds if np.iinfo(each).min <= number <= np.iinfo(each).max]
    for value in (number, number != 0, *(kind(number) for kind in fitting)):
        word = names.as_word(value)
        assert type(word) is np.int64
        assert word == (int(value) if isinstance(value, bool) else expected)
    assert type(names.wrapped(number)) is np.int64
    assert names.wrapped(number) == expected
    assert names.as_word((number,)) == (number,)
