"""Iterations of deepening whose subtrees are shared out among the workers of an executor."""

import pickle
import random

import pytest

from searchkit import AStar, IDAStar, Limits, UnsuitableError, UsageError, puzzle, solve
from searchkit.compiled.depth_first import batch_plan, batched, crews, deepening
from searchkit.engine import Engine
from searchkit.errors import ClusterError
from searchkit.executors.inline import Inline
from searchkit.registry import installed
from searchkit_sliding import sliding
from searchkit_sliding.walking_distance import WalkingDistance
from tests.support.scattered import Scattered


@pytest.fixture
def _small(monkeypatch):
    """Do for a small puzzle what is done for large ones."""
    for module, name, value in [
        (deepening, "BATCHES_FROM", 40),
        (batched, "SEARCHED_DEPTH_FIRST", 20),
        (batch_plan, "RUN_OVERHEAD", 40),
        (crews, "STATES_FOR_WORKERS", 100),
        (crews, "LEAST_IN_TASK", 20),
        (crews, "MOST_IN_TASK", 200),
    ]:
        monkeypatch.setattr(module, name, value)


def board(seed):
    problem = sliding("3x3")
    return problem.with_start(problem.random_state(random.Random(seed)))


def counts(result):
    rows = [(row.bound, row.expanded, row.generated) for row in result.statistics.iterations]
    return result.status, result.cost, result.count, result.solution, rows


@pytest.mark.slow_variants("None-one")
@pytest.mark.spread
@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("want", ["one", "all", "count"])
@pytest.mark.parametrize("heuristic", [None, WalkingDistance])
def test_any_number_of_workers_counts_what_one_process_counts(want, heuristic):
    for seed in range(3):
        problem = board(seed)
        algorithm = IDAStar(heuristic and heuristic(problem))
        alone = solve(problem, algorithm, want=want, engine="reference")
        for workers in (1, 2, 7):
            executor = Scattered(workers, seed)
            shared = solve(problem, algorithm, want=want, engine=Engine(workers=executor))
            assert counts(shared) == counts(alone)
            assert executor.done
            if want == "all":
                assert list(shared.solutions) == list(alone.solutions)


@pytest.mark.usefixtures("_small")
def test_workers_stop_at_a_limit_where_one_process_does():
    problem = board(1)
    total = solve(problem, IDAStar(), engine="reference").statistics.expanded
    for most in (total // 2, 9 * total // 10, total - 1, total):
        limits = Limits(expansions=most)
        alone = solve(problem, IDAStar(), engine="reference", limits=limits)
        shared = solve(problem, IDAStar(), engine=Engine(workers=Scattered(3)), limits=limits)
        assert counts(shared) == counts(alone)


@pytest.mark.usefixtures("_small")
def test_processes_count_what_one_process_counts(two_workers):
    problem = board(2)
    alone = solve(problem, IDAStar(), engine="reference")
    assert counts(solve(problem, IDAStar(), engine=Engine(workers=two_workers))) == counts(alone)


@pytest.mark.usefixtures("_small")
def test_a_worker_that_knows_another_puzzle_is_an_error(monkeypatch):
    """As where versions differ: nodes of the operator lists are numbers."""
    digests = iter("ab")
    monkeypatch.setattr(crews, "digest_of", lambda spec: next(digests))
    with pytest.raises(ClusterError, match="a worker has other operators"):
        solve(board(1), IDAStar(), engine=Engine(workers=Inline()))


def test_what_workers_cannot_share_is_refused_in_one_line():
    with pytest.raises(UnsuitableError, match="cannot share the work of astar; use idastar"):
        solve(board(0), AStar(), engine=Engine(workers=2))
    with pytest.raises(UnsuitableError, match="no transposition table in common; leave out table"):
        solve(board(0), IDAStar(table=10**6), engine=Engine(workers=2))
    with pytest.raises(UsageError, match="workers are not for engine='checked'; leave them out"):
        solve(board(0), IDAStar(), engine=Engine("checked", workers=2))
    with pytest.raises(UsageError, match="workers is 0; it must be 1 or more"):
        solve(board(0), IDAStar(), engine=Engine(workers=0))


@pytest.mark.parametrize("name", [entry.name for entry in installed().puzzles.entries])
def test_every_bundled_puzzle_can_be_sent_to_a_worker(name):
    problem = puzzle(name)
    again = pickle.loads(pickle.dumps(problem))
    states = problem.initial_states()
    assert type(again) is type(problem)
    assert again.initial_states() == states
    for state in states:
        assert list(again.successors(state)) == list(problem.successors(state))
