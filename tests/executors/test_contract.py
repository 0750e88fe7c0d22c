"""What every executor keeps to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from searchkit.errors import LawError, ProblemError, UsageError, WaitedTooLongError
from searchkit.executors.executor import Executor
from searchkit.executors.inline import Inline
from searchkit.executors.on_ray import LOCAL, OnRay
from searchkit.executors.parcels import Parcel
from searchkit.executors.processes import Processes
from tests.executors import tasks

RAY = find_spec("ray")
SIDES: dict[str, Callable[[], Executor]] = {
    "inline": Inline,
    "processes": lambda: Processes(2),
    "ray": lambda: OnRay(LOCAL, cpus=2),
}


@pytest.fixture(scope="module")
def sides() -> Iterator[Callable[[str], Executor]]:
    """The sides of the seam, each made once."""
    with ExitStack() as stack:
        yield cache(lambda name: stack.enter_context(SIDES[name]()))


WITH_RAY = [pytest.mark.slow, pytest.mark.skipif(RAY is None, reason="Ray is not installed")]
NAMES = [pytest.param(name, marks=WITH_RAY if name == "ray" else []) for name in SIDES]
"""Ray takes ten seconds to start and stop; `test_ray.py` has the gist of this for it."""


@pytest.fixture(params=NAMES)
def executor(request: pytest.FixtureRequest, sides: Callable[[str], Executor]) -> Executor:
    return sides(request.param)


@pytest.fixture(params=NAMES[1:])
def outside(request: pytest.FixtureRequest, sides: Callable[[str], Executor]) -> Executor:
    """An executor whose workers are other processes."""
    return sides(request.param)


def test_results_come_in_the_order_of_the_jobs(executor: Executor) -> None:
    jobs = [executor.submit(tasks.square, number) for number in range(20)]
    assert executor.gather(jobs) == [number * number for number in range(20)]
    assert executor.gather(jobs[::-1])[0] == 361
    assert executor.gather([]) == []


def test_jobs_come_as_they_are_done(executor: Executor) -> None:
    jobs = [executor.submit(tasks.square, number) for number in range(20)]
    found = [job.result() for job in executor.as_completed(jobs, timeout=300)]
    assert sorted(found) == [number * number for number in range(20)]


def test_a_result_is_there_when_the_job_is_done(executor: Executor) -> None:
    job = executor.submit(tasks.sleep, 0.1)
    with pytest.raises(RuntimeError, match="not done yet"):
        job.result()
    assert executor.gather([job]) == [0.1]


def test_an_error_is_raised_as_itself(executor: Executor, tmp_path: Path) -> None:
    job = executor.submit(tasks.fail, "eleven")
    with pytest.raises(KeyError, match="eleven"):
        executor.gather([job])
    law = executor.submit(tasks.break_law)
    with pytest.raises(LawError) as caught:
        executor.gather([law])
    assert (caught.value.law, caught.value.place) == ("undirected", "walk.py:3")
    with pytest.raises(tasks.Secret, match="1 and more") as own:
        executor.gather([executor.submit(tasks.fail_by_own_class)])
    assert own.value.two == 2
    assert executor.gather([executor.submit(tasks.square, 3)]) == [9]


def test_the_first_error_in_the_order_of_the_jobs_is_raised(executor: Executor) -> None:
    jobs = [executor.submit(tasks.square, 2), *(executor.submit(tasks.fail, x) for x in "ab")]
    with pytest.raises(KeyError, match="a"):
        executor.gather(jobs)
    assert jobs[0].result() == 4
    assert all(job.is_done for job in jobs)


def test_a_wait_has_a_limit(executor: Executor) -> None:
    seconds = 0.1 if isinstance(executor, Inline) else 60.0  # others end what is not waited for
    jobs = [executor.submit(tasks.sleep, seconds) for _ in range(2 * executor.workers)]
    with pytest.raises(WaitedTooLongError, match="had not ended") as caught:
        executor.gather(jobs, timeout=0.05)
    assert isinstance(caught.value, TimeoutError)
    assert all(job.is_done for job in jobs)
    again = [executor.submit(tasks.sleep, seconds) for _ in range(2 * executor.workers)]
    with pytest.raises(WaitedTooLongError):
        list(executor.as_completed(again, timeout=0.05))
    executor.cancel(again)


def test_what_is_cancelled_has_no_result(executor: Executor) -> None:
    jobs = [executor.submit(tasks.sleep, 60) for _ in range(3)]
    executor.cancel(jobs)
    assert [job.is_done for job in jobs] == [True] * 3
    with pytest.raises(CancelledError):
        jobs[2].result()
    assert executor.gather([executor.submit(tasks.square, 3)]) == [9]


def test_what_a_parcel_holds_is_made_once_in_each_process(executor: Executor) -> None:
    parcel = Parcel.made_by(tasks.make, "board")
    jobs = [executor.submit(tasks.opened, parcel) for _ in range(9)]
    assert set(executor.gather(jobs)) == {("board", 1)}


def test_large_arrays_are_shared(outside: Executor, tmp_path: Path) -> None:
    parcel = outside.share({"large": np.full(300_000, 7), "small": np.arange(3)})
    assert len(parcel.data) < 1000 < parcel.parts[0][1]
    jobs = [outside.submit(tasks.add_up, parcel) for _ in range(20)]
    # What a process has changed it sees, and no other does.
    found = outside.gather(jobs, timeout=300)
    assert set(found) <= {(2_100_000, True), (2_099_994, True)}
    assert 1 <= found.count((2_100_000, True)) <= 2
    np.save(tmp_path / "table.npy", np.full(300_000, 7))
    mapped = outside.share({"large": np.load(tmp_path / "table.npy", mmap_mode="r")})
    assert mapped.parts
    assert outside.gather([outside.submit(tasks.add_up, mapped)]) == [(2_100_000, False)]


def test_tasks_run_in_other_processes(outside: Executor) -> None:
    found = outside.gather([outside.submit(tasks.process) for _ in range(20)])
    assert os.getpid() not in found
    assert len(set(found)) <= 2


def test_a_lost_worker_costs_nothing(outside: Executor, tmp_path: Path) -> None:
    jobs = [outside.submit(tasks.die, str(tmp_path / f"{i}"), i) for i in range(3)]
    assert outside.gather(jobs) == ["well"] * 3
    counts = [len((tmp_path / f"{i}").read_text().splitlines()) for i in range(3)]
    assert counts == [1, 2, 3]


def test_what_a_task_prints_is_no_result(outside: Executor) -> None:
    assert outside.gather([outside.submit(tasks.talk)]) == ["said"]


def test_what_cannot_travel_is_named(outside: Executor) -> None:
    with pytest.raises(UsageError, match=r"square and its arguments cannot be sent.*lambda"):
        outside.submit(tasks.square, lambda: 0)
    with pytest.raises(TypeError, match="what unsendable returns cannot be sent"):
        outside.gather([outside.submit(tasks.unsendable)])
    with pytest.raises(ProblemError, match=r"a task failed: Secret: 1 and more at .*tasks.py"):
        outside.gather([outside.submit(tasks.fail_by_what_cannot_travel)])
    with pytest.raises(ProblemError, match="SystemExit: 5"):
        outside.gather([outside.submit(tasks.leave)])
