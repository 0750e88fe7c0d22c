"""Proofs that searches write are accepted by the checker, and say what is so."""

from __future__ import annotations

import gzip
import math
import random
from fractions import Fraction
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import searchkit
from searchkit import (
    AStar,
    BreadthFirst,
    Costs,
    IDAStar,
    Limits,
    Problem,
    Step,
    UniformCost,
    WeightedAStar,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import NoProofError, UnsuitableError, VerificationError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.maximum import maximum
from searchkit.packed import ZeroHeuristic
from searchkit.proofs import listing
from searchkit.proofs.checker import read
from searchkit.proofs.distances import prove_distances
from searchkit.proofs.judging import verify_proof
from searchkit.proofs.writing import Proof, prove
from searchkit.running.task import keeping_lists
from searchkit.scramble import scramble
from searchkit.solving.series import Series
from searchkit_peg import hoppers
from searchkit_sliding import Misplaced, eight_puzzle
from tests.support.graphs import (
    best_cost,
    count_optimal_paths,
    distances_to_goal,
    graphs,
    graphs_with_estimates,
)
from tests.support.interrupting import look_often, stopped_ever_later
from tests.support.packed_graphs import Graph as PackedGraph
from tests.support.packed_graphs import GraphTables, TableEstimate
from tests.support.packed_graphs import estimates as packed_estimates
from tests.support.packed_graphs import graphs as packed_graphs
from tests.support.plain_puzzles import Blocks, Hanoi, Jugs, Missionaries, RushHour
from tests.support.proof_files import said, written

BOARD = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"
ZERO = ZeroHeuristic()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answer.proof"


def proved(problem, algorithm, path, heuristic=None, **options):
    """The result of a search, and what the checker says of its proof."""
    result = solve(problem, algorithm, proof=Proof(path=path, heuristic=heuristic), **options)
    return result, verify_proof(path, problem)


@given(
    graphs_with_estimates(),
    st.sampled_from([AStar(), UniformCost(), IDAStar(), WeightedAStar(weight=Fraction(3, 2))]),
    st.booleans(),
    st.sampled_from([None, "+0", "+1", "+2"]),
    st.booleans(),
)
def test_random_graphs(tmp_path_factory, graph, algorithm, counts, within, by_rules):
    path = tmp_path_factory.mktemp("proofs") / "graph.proof"
    counts = counts and algorithm.finds_all
    heuristic = ZERO if by_rules else None
    best = best_cost(graph)
    if best == math.inf:
        with pytest.raises(NoProofError, match="there is no solution"):
            solve(graph, algorithm, proof=path)
        assert not path.exists()
        return
    limits = Limits(within=within if counts else None)
    result = solve(graph, algorithm, want="count" if counts else "one", limits=limits)
    proof = Proof(path=path, heuristic=heuristic)
    if result.lower_bound == 0 < result.cost:
        with pytest.raises(NoProofError, match="nothing is proved"):
            prove(result, proof)
        return
    prove(result, proof)
    verdict = verify_proof(path, graph)
    header, _ = read(path)
    assert header["below"] == best if result.optimal else header["below"] <= best
    assert verdict.kind == ("count" if counts else "optimal" if result.optimal else "lower bound")
    if counts:
        assert header["count"] == result.count
        assert header["within"] == int(within or 0)
    if counts and not header["within"]:
        assert header["count"] == count_optimal_paths(graph)
    if by_rules or not algorithm.uses_heuristic:
        assert verdict.rests_on == "checked by the rules alone"


LATE = 7614


def scrambled(name, steps, **parameters):
    problem = searchkit.puzzle(name, **parameters)
    return problem.with_start(scramble(problem, steps, random.Random(1)))


KINDS = {
    "jugs": (Jugs((8, 5, 3), (4, 4, 0)), BreadthFirst()),
    "texts": (RushHour(BOARD), AStar()),
    "blocks": (Blocks((2, 3, 5, 5, 1), (5, 0, 1, 2, 3)), BreadthFirst()),
    "towers": (Hanoi(3, 4), AStar()),
    "boat": (Missionaries(3, 2), UniformCost()),
    "chains": (hoppers(), BreadthFirst()),
    "pieces that moved": (hoppers("mover"), UniformCost()),
    "packed": (scrambled("8-puzzle", 20), IDAStar()),
    "file of pieces": (scrambled("examples/pyraminx.tws", 3), AStar()),
    "fields": (searchkit.puzzle("examples/hanoi.py", disks=4), AStar()),
    "pancakes": (scrambled("pancakes", 5, size=5), AStar()),
}


@pytest.mark.slow_variants("pieces that moved", "texts", "chains")
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_description(kind, path):
    problem, algorithm = KINDS[kind]
    _, verdict = proved(problem, algorithm, path, engine="reference")
    assert verdict.kind == "optimal"
    if kind not in ("packed", "texts"):
        _, verdict = proved(problem, algorithm, path, ZERO, want="count", engine="reference")
        assert verdict.kind == "count"
        assert verdict.rests_on == "checked by the rules alone"


@pytest.mark.parametrize(
    ("start", "count", "states"),
    [
        ("578301624", 1, 335),
        pytest.param("867254301", 40, 21_197, marks=pytest.mark.slow),
    ],
)
def test_machine_code_closes_the_same_states(start, count, states, path, tmp_path):
    problem, other = eight_puzzle(), tmp_path / "other.proof"
    problem = problem.with_start(problem.parse(start))
    result = solve(problem, AStar(), want="count")
    prove(result, Proof(path=path), engine="reference")
    prove(result, Proof(path=other), engine="compiled")
    assert said(path) == said(other)
    header, _ = read(path)
    assert (header["count"], header["states"]) == (count, states)


@pytest.mark.parametrize(
    "problem",
    [
        Jugs((8, 5, 3), (4, 4, 0)),
        hoppers().with_start(LATE),
        pytest.param(hoppers(), marks=pytest.mark.slow),
    ],
    ids=["plain", "chains", "all chains"],
)
def test_kernels_made_of_rules_close_the_same_states(problem, path, tmp_path):
    other = tmp_path / "other.proof"
    result = solve(problem, UniformCost(), want="count")
    prove(result, Proof(path=path), engine="reference")
    with plainly():
        prove(result, Proof(path=other), engine="compiled")
    assert said(path) == said(other)


@pytest.mark.parametrize("want", ["one", "count"])
@pytest.mark.parametrize(
    "problem",
    [
        scrambled("8-puzzle", 20),
        Jugs((8, 5, 3), (4, 4, 0)),
        hoppers().with_start(LATE),
        pytest.param(eight_puzzle(), marks=pytest.mark.slow),
        pytest.param(hoppers(), marks=pytest.mark.slow),
    ],
    ids=["packed", "plain", "chains", "packed, far", "all chains"],
)
def test_what_the_search_has_closed_is_written_as_it_is(problem, want, path, monkeypatch):
    """No second search comes, and the same file is written."""
    algorithm = UniformCost()
    result = solve(problem, algorithm, want=want, engine="compiled")
    prove(result, Proof(path=path))
    before = said(path)
    searches = []
    search = Series.solve
    monkeypatch.setattr(Series, "solve", lambda *given: searches.append(given) or search(*given))
    solve(problem, algorithm, want=want, engine="compiled", proof=path)
    assert len(searches) == 1
    assert said(path) == before


@pytest.mark.parametrize("heuristic", [ZERO, Misplaced(eight_puzzle())], ids=["zero", "misplaced"])
def test_what_another_heuristic_has_closed_is_not_written(heuristic, path):
    proof = Proof(path=path, heuristic=heuristic)
    problem = eight_puzzle()
    problem = problem.with_start(scramble(problem, 14, random.Random(1)))
    with plainly():
        solve(problem, AStar(), engine="compiled", proof=proof)
    assert read(path)[0]["heuristic"] == heuristic.name
    assert verify_proof(path, problem, named=lambda name: heuristic).kind == "optimal"


@given(packed_graphs(), st.data())
def test_random_packed_graphs(tmp_path_factory, given_graph, data):
    tables, starts = given_graph
    path = tmp_path_factory.mktemp("proofs") / "graph.proof"
    problem = PackedGraph(tables, starts)
    heuristic = TableEstimate(data.draw(packed_estimates(tables)))
    want = data.draw(st.sampled_from(["one", "count"]))
    with keeping_lists() as kept:
        result = solve(problem, AStar(heuristic=heuristic), engine="compiled", want=want)
    if result.cost is None:
        return
    prove(result, Proof(path=path), engine="compiled")
    verdict = verify_proof(path, problem, named=lambda name: heuristic)
    assert verdict.kind == ("count" if want == "count" else "optimal")
    # What the search itself has closed may have another g: both prove the same.
    assert len(kept) == 1
    prove(result, Proof(path=path), engine="compiled", kept=kept)
    assert verify_proof(path, problem, named=lambda name: heuristic).kind == verdict.kind


def test_what_one_solution_took_is_not_enough_to_count_them(path):
    """A slack of nothing finds one solution first, and then as costly ones without a list."""
    result, verdict = proved(
        hoppers(), UniformCost(), path, want="count", limits=Limits(within="+0"), engine="compiled"
    )
    assert (result.count, verdict.kind) == (72, "count")


class Halves(Problem[int, int]):
    """A goal at 9 by steps of up to 3, with an estimate that is no whole number."""

    def initial_states(self):
        return [0]

    def successors(self, state):
        for size in range(1, 4):
            if state + size <= 9:
                yield Step(size, state + size)

    def is_goal(self, state):
        return state == 9

    def heuristic(self, state):
        return (9 - state) / 6

    def parse(self, text):
        return int(text)


@pytest.mark.parametrize("want", ["one", "count"])
def test_estimates_that_are_no_whole_numbers(want, path):
    result, verdict = proved(Halves(), AStar(), path, want=want, engine="compiled")
    assert verdict.kind == ("count" if want == "count" else "optimal")
    before = said(path)
    prove(result, Proof(path=path), engine="reference")
    assert said(path) == before


def test_a_state_that_only_left_out_ones_lead_to_is_not_listed(path):
    """From 0 by 1, whose f is that of the solution, to 2, whose f is less."""
    after = tuple((each, -1, -1, -1) for each in (1, 2, 3, -1))
    problem = PackedGraph(GraphTables(after, ((1,) * 4,) * 4, (0, 0, 0, 1)), (0,))
    heuristic = TableEstimate((2, 2, 0, 0))
    solve(problem, AStar(heuristic=heuristic), engine="compiled", proof=path)
    assert verify_proof(path, problem, named=lambda name: heuristic).kind == "optimal"
    assert [text for text, _ in read(path)[1]] == ["0"]


@pytest.mark.spread("+1-904-reference", "any-None-reference")
@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize(("within", "count"), [("+1", 904), ("+0", 72), ("any", None)])
def test_solutions_near_an_optimal_one_are_counted(within, count, engine, path):
    want: Any = "count" if count else 80
    limits = Limits(within=within)
    with plainly():
        result, verdict = proved(hoppers(), AStar(), path, want=want, limits=limits, engine=engine)
    assert result.count == {"+1": 904, "+0": 72, "any": 80}[within]
    assert read(path)[0]["count"] == count
    among = {"+1": ", one of 904 up to 8", "+0": ", one of 72", "any": ""}[within]
    told = f"no way costs less than 7; the solution of 7 steps is optimal{among}; "
    assert verdict.text.startswith(told)


def test_a_lower_bound_alone(path):
    result, verdict = proved(eight_puzzle(), IDAStar(), path, limits=Limits(expansions=3000))
    header, _ = read(path)
    assert result.solution is None
    assert (header["below"], header["solution"]) == (result.lower_bound, None)
    assert verdict.kind == "lower bound"
    assert verdict.text.startswith(f"no way costs less than {result.lower_bound}")


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_limit_of_cost_is_a_bound(engine, path):
    limits = Limits(cost=24)
    result, verdict = proved(eight_puzzle(), AStar(), path, limits=limits, engine=engine)
    assert verdict.text.startswith("no way costs less than 25")
    before = said(path)
    prove(result, Proof(path=path))
    assert said(path) == before


def test_lists_are_sorted_on_disk(path, tmp_path, monkeypatch):
    other = tmp_path / "other.proof"
    result = solve(eight_puzzle(), AStar())
    prove(result, Proof(path=path))
    monkeypatch.setattr("searchkit.proofs.writing.AT_ONCE", 1000)
    monkeypatch.setattr("searchkit.proofs.writing.LOOK_EVERY", 10)
    monkeypatch.setattr(listing, "BLOCK", 1000)
    prove(result, Proof(path=other))
    assert said(path) == said(other)
    assert {each.name for each in tmp_path.iterdir()} == {"answer.proof", "other.proof"}


def test_a_folder_in_which_no_file_can_be_made(path, monkeypatch):
    made = listing.tempfile.TemporaryFile

    def denied(*args, **options):
        if options.get("dir") is not None:
            raise PermissionError(13, "Permission denied")
        return made(*args, **options)

    monkeypatch.setattr(listing.tempfile, "TemporaryFile", denied)
    proved(Walk(), BreadthFirst(), path)


def test_gzip_by_the_name(path):
    packed = path.with_suffix(".gz")
    result = solve(scrambled("8-puzzle", 30), AStar())
    for each in path, packed:
        prove(result, Proof(path=each))
    assert gzip.decompress(packed.read_bytes()).startswith(b"searchkit-proof 1\n")
    assert said(packed) == said(path)


@pytest.mark.spread("compiled")
@pytest.mark.parametrize("engine", ["reference", "compiled", "kept"])
def test_ctrl_c_leaves_nothing(engine, path, monkeypatch):
    look_often(monkeypatch, 200)
    with keeping_lists(when=engine == "kept") as kept:
        result = solve(eight_puzzle(), AStar(), engine="compiled" if engine == "kept" else "auto")
    engine = "compiled" if kept else engine
    path.write_text("what was there")

    def once(stop):
        try:
            return prove(result, Proof(path=path), progress=stop, engine=engine, kept=kept)
        except NoProofError as error:
            assert [each.name for each in path.parent.iterdir()] == [path.name]
            assert path.read_text() == "what was there"
            return error

    seen = [type(each).__name__ for each in stopped_ever_later(once)]
    assert seen[0] == "NoProofError"
    assert seen[-1] == "Proved"


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Limits(expansions=1000), "expansion"),
        (Limits(memory=100_000), "memory"),
        (Limits(time=0), "time"),
    ],
)
def test_limits_leave_nothing(limits, name, path):
    with keeping_lists() as kept:
        result = solve(eight_puzzle(), AStar(), engine="compiled")
    # What is closed already is not expanded again.
    for lists in [(), kept][: 1 if limits.expansions else 2]:
        with pytest.raises(NoProofError, match=f"not whole at the {name} limit") as caught:
            prove(result, Proof(path=path), limits=limits, kept=lists)
        assert caught.value.result is result
        assert list(path.parent.iterdir()) == []


@attrs.frozen
class Walk(Problem):
    """From 0 up to 5, by states that a subclass makes of the number."""

    def initial_states(self):
        return [self.made(0)]

    def successors(self, state):
        at = self.number(state)
        return [Step(f"to {to}", self.made(to)) for to in (at - 1, at + 1) if 0 <= to <= 9]

    def is_goal(self, state):
        return self.number(state) == 5

    def made(self, number):
        return number

    def number(self, state):
        return state


class Floats(Walk):
    def made(self, number):
        return Fraction(number, 2)

    def number(self, state):
        return int(2 * state)


class Misread(Walk):
    def format_state(self, state):
        return f"at {state}"

    def parse(self, text):
        number = int(text.removeprefix("at "))
        return number if number < 3 else number + 1


class Alike(Walk):
    def slow_rules(self):
        return Walk()

    def format_state(self, state):
        return str(state // 2)


@attrs.frozen
class Place:
    number: int
    name: str = attrs.field(default="", eq=False)


class OfClasses(Walk):
    """States that plain texts cannot be read as, and that are found by walking."""

    def made(self, number):
        return Place(number, "any")

    def number(self, state):
        return state.number


class OwnKey(Walk):
    """States of which a part does not matter."""

    def made(self, number):
        return (number, -number)

    def number(self, state):
        return state[0]

    def key(self, state):
        return state[0]


@pytest.mark.parametrize("problem", [Walk(), OwnKey()], ids=["numbers", "own key"])
def test_states_without_parse(problem, path):
    _, verdict = proved(problem, BreadthFirst(), path, want="count")
    assert verdict.text.startswith("no way costs less than 5; the solution of 5 steps is optimal")


class Lossy(Walk):
    """The key leaves out what decides whether the goal is near."""

    costs = Costs.INTEGER
    steps: ClassVar[Any] = {
        ("a", 0): [(("b", 0), 1), (("c", 0), 1)],
        ("c", 0): [(("b", 1), 1)],
        ("b", 0): [(("g", 0), 8)],
        ("b", 1): [(("g", 0), 1)],
    }

    def initial_states(self):
        return [("a", 0)]

    def successors(self, state):
        return [Step(to[0], to, cost) for to, cost in self.steps.get(state, [])]

    def is_goal(self, state):
        return state[0] == "g"

    def key(self, state):
        return state[0]


class LossyTexts(Lossy):
    """The same, with texts that leave it out as well."""

    def format_state(self, state):
        return state[0]

    def parse(self, text):
        return text, 0


@pytest.mark.parametrize("problem", [Lossy(), LossyTexts()], ids=["no parse", "parse"])
def test_keys_that_merge_states_are_left_to_believe(problem, path):
    a, b, c, g = "abcg" if isinstance(problem, LossyTexts) else map(repr, "abcg")
    header = {
        "puzzle": None, "claim": "cost", "starts": [a], "goals": None, "below": 9,
        "heuristic": "zero", "rests on": "", "solution": [["b", b, 1], ["g", g, 8]], "from": a,
        "count": None,
    }  # fmt: skip
    verdict = verify_proof(written(path, header, [(a, 0), (b, 1), (c, 1)]), problem)
    assert verdict.rests_on == "given that states with equal keys have the same ways on"


class Tagged(Walk):
    """With a tag that does not matter, and that the key leaves out."""

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        return [Step(tag, (state[0] + 1, tag)) for tag in (0, 1) if state[0] < 5]

    def is_goal(self, state):
        return state[0] == 5

    def key(self, state):
        return state[0]


def test_a_proof_says_that_keys_may_have_merged_states(path):
    said = "given that states with equal keys have the same ways on"
    proof = prove(solve(Tagged(), UniformCost()), Proof(path=path))
    assert (proof.rests_on, read(path)[0]["rests on"]) == (said, said)
    assert verify_proof(path, Tagged()).rests_on == said
    assert prove_distances(Tagged(), Proof(path=path)).rests_on == said
    assert read(path)[0]["rests on"] == said


def test_a_key_that_merges_nothing_is_not_left_to_believe(path):
    _, verdict = proved(OwnKey(), BreadthFirst(), path)
    assert verdict.rests_on == "checked by the rules alone"


def test_states_of_classes(path):
    _, verdict = proved(OfClasses(), BreadthFirst(), path)
    assert verdict.kind == "optimal"
    assert path.read_text().splitlines()[-1].startswith("(4, ")


class Mixed(Walk):
    """0.0 is equal to 0, and is written otherwise."""

    def successors(self, state):
        return [Step("on", state + 1), Step("back", 0.0)] if 0 <= state < 5 else [Step("up", 0)]


class MixedLater(Mixed):
    """No step from the start shows it."""

    def initial_states(self):
        return [-1]


@pytest.mark.parametrize("problem", [Mixed(), MixedLater()], ids=["from the start on", "later"])
def test_equal_states_that_are_written_differently(problem, path):
    with pytest.raises(UnsuitableError, match=r"equal states are written '0.*' and '0.*': use one"):
        solve(problem, BreadthFirst(), proof=path)
    assert list(path.parent.iterdir()) == []


@attrs.frozen
class Growing(Problem):
    """States are ever longer texts."""

    by: int

    def initial_states(self):
        return ["a"]

    def successors(self, state):
        return [Step("longer", state + "b" * self.by)] if len(state) <= 9 * self.by else []

    def is_goal(self, state):
        return len(state) > 9 * self.by


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (Floats(), "no proof can have its states: Fraction"),
        (Misread(), "parse does not read"),
        (Alike(), "two states are written"),
        (Growing(1 << 18), "is longer than 2,097,152 letters"),
        (Growing(1 << 11), None),
        pytest.param(Growing(1 << 17), None, marks=pytest.mark.slow),
    ],
    ids=["fractions", "misread", "alike", "long", "not too long", "nearly too long"],
)
def test_states_that_cannot_be_written(problem, why, path, monkeypatch):
    if why is None:
        assert proved(problem, BreadthFirst(), path)[1].states == 9
        monkeypatch.setattr(listing, "LONGEST", problem.by << 5)
        why = "the texts of its solution make too long a line"
        path.unlink()
    with pytest.raises(UnsuitableError, match=why):
        solve(problem, BreadthFirst(), proof=path)
    assert list(path.parent.iterdir()) == []


def test_an_overestimate_proves_nothing(path):
    class Wrong(Walk):
        def heuristic(self, state):
            return 0 if state == 5 else 9

    with pytest.raises(NoProofError, match="nothing is proved"):
        solve(Wrong(), AStar(), proof=path)


def test_a_search_that_was_wrong_is_found_out(path):
    result = solve(Walk(), BreadthFirst())
    wrong = attrs.evolve(result, lower_bound=6, solution=attrs.evolve(result.solution, start=-1))
    with pytest.raises(VerificationError, match="a solution costs 5"):
        prove(wrong, Proof(path=path))
    assert list(path.parent.iterdir()) == []


def test_another_problem_is_refused(path):
    class Longer(Walk):
        def is_goal(self, state):
            return state == 6

    solve(Longer(), BreadthFirst(), proof=path)
    with pytest.raises(VerificationError, match="goal"):
        verify_proof(path, Walk())


def test_the_algorithm_that_suits_the_problem(path):
    problem = scrambled("8-puzzle", 20)
    result = solve(problem, proof=path)
    assert result.optimal
    assert verify_proof(path, problem).kind == "optimal"


class StepsLeft(Heuristic):
    name = "steps left"
    given = "a step goes one further"

    def __call__(self, state):
        return abs(state - 5)


class Changed(StepsLeft):
    name = "changed"


def test_a_belief_is_not_inherited(path):
    said = [
        prove(solve(Walk(), BreadthFirst()), Proof(path=path, heuristic=each)).rests_on
        for each in (ZERO, StepsLeft(), Changed())
    ]
    assert said == [
        "checked by the rules alone",
        "given that a step goes one further (steps left)",
        "assuming that changed is admissible",
    ]


class Tripled(StepsLeft):
    name = "tripled"

    def __call__(self, state):
        return 3 * super().__call__(state)


class Unknowing(ZeroHeuristic):
    name = "unknowing"

    def __call__(self, state):
        return 9


@pytest.mark.parametrize(
    "wrong",
    [Tripled(), Unknowing(), maximum(StepsLeft(), Tripled())],
    ids=["of a true one", "of zero", "in a maximum"],
)
def test_a_wrong_heuristic_is_always_said_to_be_assumed(wrong, path):
    class By(Walk):
        def default_heuristic(self):
            return wrong

    header = {
        "puzzle": None, "claim": "cost", "starts": ["0"], "goals": None, "below": 6,
        "heuristic": wrong.name, "rests on": "checked by the rules alone", "solution": None,
        "from": None, "count": None,
    }  # fmt: skip
    verdict = verify_proof(written(path, header, []), By())  # five steps are enough
    assert "everything rests on h" in verdict.text
    assert verdict.rests_on == f"assuming that {wrong.name} is admissible"


@given(graphs())
def test_distances_of_random_graphs(tmp_path_factory, graph):
    path = tmp_path_factory.mktemp("proofs") / "graph.proof"
    if any(cost == 0 for *_, cost in graph.edges):
        graph = attrs.evolve(graph, edges=[(*edge, cost + 1) for *edge, cost in graph.edges])
        graph = attrs.evolve(graph, costs=Costs.INTEGER)
    prove_distances(graph, Proof(path=path))
    assert verify_proof(path, graph).kind == "distances"
    _, entries = read(path)
    exact = distances_to_goal(graph)
    found = dict(entries)
    assert {str(start) for start in graph.starts} <= found.keys()
    assert found == {text: None if (d := exact[int(text)]) == math.inf else d for text in found}


def test_distances_need_costs_and_time(path):
    class Free(Walk):
        costs = Costs.ZERO_ONE

        def successors(self, state):
            return [Step("free", state + 1, 0)] if state < 5 else []

    with pytest.raises(UnsuitableError, match="a step costs nothing"):
        prove_distances(Free(), Proof(path=path))
    with pytest.raises(NoProofError, match="the expansion limit was reached"):
        prove_distances(Walk(), Proof(path=path), limits=Limits(expansions=2))
    assert list(path.parent.iterdir()) == []
