"""Tasks on a Ray cluster.

Ray places tasks, and runs them again where a node is lost. It waits for ever where its head is: so
each wait here looks whether the head still answers.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from searchkit.errors import ClusterError, UnsuitableError, UsageError, WorkerLostError
from searchkit.executors import on_node, travelling
from searchkit.executors.executor import Executor, Job, cancelled, named
from searchkit.executors.parcels import Parcel
from searchkit.executors.processes import ATTEMPTS
from searchkit.texts.amounts import cut, one_line, plural

LOCAL = "local"
AUTO = "auto"
NODES = 10
"""A task is run again so often where its node, or the worker of Ray's that it has, is lost."""
HEAD_SECONDS = 10.0
"""A head that does not answer for this long is taken to be lost."""
ASKED = "RAY_gcs_server_port_wait_time_s"
"""What Ray takes for the number of times that it asks a head who it is."""
CONNECT_SECONDS = 5.0
PUT_SECONDS = 600.0
"""So long the contents of a file may take to be taken by Ray."""
CANCEL_SECONDS = 20.0
"""How long tasks may take to end that are cancelled."""
END_SECONDS = 20.0
"""How long a cluster may take to let us go."""
LOST_SECONDS = 5.0
"""The same, where it has lost its head: Ray ends this process after a minute, without a word."""

LOOKED_AT = 256
"""How many tasks are waited for at a time, those that were submitted first: asking takes time for
each, and later ones have hardly begun."""
STORE_BYTES = 100_000_000
"""Ray's shared memory in a cluster that is started here: tasks send little, and keep files."""
MOST_SHOWN = 200

T = TypeVar("T")


class OnRay(Executor):
    """Runs tasks on the Ray cluster whose head is at `address`, like `10.0.0.1:6379`.

    `auto` is the cluster that runs on this machine, or that the variable `RAY_ADDRESS` names;
    `local` starts one here, with `cpus` processors, which ends with this executor. All nodes need
    the same searchkit, the same Python, and the files that tasks are given. Ray authenticates by a
    token, unless the variable `RAY_AUTH_MODE` says otherwise: see `ray get-auth-token`.

    A task takes `threads` processors. `attempts`, of which a lost node takes none, `fresh` and
    `memory` are those of `Processes`. Raises `UsageError` where Ray is not installed, or there is
    no such cluster.
    """

    poll_seconds = 0.5

    def __init__(
        self,
        address: str = AUTO,
        *,
        cpus: int | None = None,
        threads: int = 1,
        attempts: int = ATTEMPTS,
        fresh: bool = False,
        memory: int | None = None,
    ) -> None:
        self._ray = _imported()
        self._is_ours = not self._ray.is_initialized()
        if self._is_ours:
            _connect(self._ray, address, cpus)
        self._head = str(self._ray.get_runtime_context().gcs_address)
        self._is_closed = self._has_tasks = self._is_lost = False
        self._heard = time.monotonic()
        self._refs: dict[Job[Any], Any] = {}
        """What Ray calls the jobs that are not done."""
        self._shared: dict[str, Any] = {}
        """What Ray calls the contents of files, by their names."""
        folder = f"searchkit-{uuid.uuid4().hex}"
        self._origin = on_node.Origin.here(
            folder=folder, attempts=attempts, fresh=fresh, memory=memory
        )
        self._remote = self._ray.remote(num_cpus=threads, max_retries=NODES)(on_node.run)
        slots = [
            int(node["Resources"].get("CPU", 0)) // threads
            for node in self._ray.nodes()
            if node["Alive"]
        ]
        self.workers, self._together = sum(slots), max(slots, default=0)
        if not self.workers:
            self.close()
            raise UsageError(
                f"no node of the cluster {address!r} has {plural(threads, 'processor')} for tasks; "
                "start some, by `ray start --address`"
            )

    @property
    def together(self) -> int:
        """The workers of the machine that has most."""
        return self._together

    def submit(self, function: Callable[..., T], *arguments: Any) -> Job[T]:
        """Take a call; see `Executor`."""
        if self._is_closed:
            raise UsageError("this cluster was left; make another executor")
        data = travelling.dumps(function, arguments)
        job: Job[T] = Job(named(function))
        self._has_tasks = True
        self._refs[job] = self._remote.remote(data, self._origin, self._shared)
        return job

    def _look(self, jobs: Sequence[Job[Any]], seconds: float) -> None:
        """Settle those of the jobs whose tasks end within that time."""
        by_ref = {self._refs[job]: job for job in jobs[: max(LOOKED_AT, 4 * self.workers)]}
        ready, _ = self._ray.wait(list(by_ref), num_returns=1, timeout=seconds)
        if not ready:
            self._check_head()
            return
        more, _ = self._ray.wait(list(by_ref), num_returns=len(by_ref), timeout=0)
        for ref in dict.fromkeys([*ready, *more]):
            job = by_ref[ref]
            value, error = self._outcome(ref)
            del self._refs[job]
            job.settle(value, error)

    def _outcome(self, ref: Any) -> tuple[Any, BaseException | None]:
        exceptions = self._ray.exceptions
        try:
            value, failure = self._ray.get(ref, timeout=HEAD_SECONDS)
            if failure is not None:
                return None, failure.error()
            return travelling.loads(value), None
        except exceptions.TaskCancelledError:
            return None, cancelled()
        except exceptions.GetTimeoutError:
            return None, self._lost("a result did not arrive")
        except exceptions.RayTaskError as error:
            return None, ClusterError(f"a node cannot run tasks: {_shortly(error.cause or error)}")
        except exceptions.RayError as error:
            if not _answers(self._head):
                return None, self._lost("a task was lost with it")
            return None, WorkerLostError(f"the cluster lost a task: {_shortly(error)}")
        except Exception as error:  # what came is of a kind that is not known here
            return None, error

    def _check_head(self) -> None:
        """Raise `ClusterError` where the head has not answered for long."""
        if _answers(self._head):
            self._heard = time.monotonic()
        elif time.monotonic() - self._heard > HEAD_SECONDS:
            raise self._lost("it does not answer")

    def _lost(self, why: str) -> ClusterError:
        self._is_lost = True
        return ClusterError(
            f"the head of the cluster at {self._head} is lost: {why}; start it again, and go on "
            "from what is on disk"
        )

    def cancel(self, jobs: Iterable[Job[Any]]) -> None:
        """End those of the jobs that are not done; none writes anything from then on.

        Unless the cluster does not answer: that is not waited for long.
        """
        refs = []
        for job in jobs:
            ref = self._refs.pop(job, None)
            if ref is not None:
                refs.append(ref)
                with suppress(Exception):  # it may have ended
                    if not self._is_lost:
                        self._ray.cancel(ref)
            job.settle(error=cancelled())
        if refs and not self._is_lost:
            with suppress(Exception):
                self._ray.wait(refs, num_returns=len(refs), timeout=CANCEL_SECONDS)

    def share(self, value: T) -> Parcel[T]:
        """A value that large arrays are left out of; they are sent to each node once."""
        import numpy as np  # noqa: PLC0415

        parcel = Parcel.with_file(value, self._origin.path())
        if parcel.parts and parcel.digest not in self._shared:
            content = np.fromfile(parcel.file(self._origin.path()), np.uint8)
            self._shared = self._shared | {parcel.digest: self._put(content)}
        return parcel

    def _put(self, content: Any) -> Any:
        """What Ray calls a value that nodes can ask for."""
        found: list[Any] = []
        _within(PUT_SECONDS, lambda: found.append(self._ray.put(content)))
        if not found:
            raise self._lost("it did not take what tasks need")
        return found[0]

    def close(self) -> None:
        """Cancel what is not done, and leave the cluster; one that was started here ends."""
        self._is_closed = True
        _within(END_SECONDS, lambda: self.cancel(list(self._refs)))
        if self._has_tasks and not self._is_lost:
            self._shared = {}
            _within(END_SECONDS, self._forget)
        if self._is_ours:
            self._is_ours = False
            _within(LOST_SECONDS if self._is_lost else END_SECONDS, self._ray.shutdown)

    def _forget(self) -> None:
        """Remove what was shared, and what workers left, on all nodes."""
        at_node = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        forget = self._ray.remote(num_cpus=0, max_retries=0)(on_node.forget)
        nodes = [each["NodeID"] for each in self._ray.nodes() if each["Alive"]]
        refs = [
            forget.options(scheduling_strategy=at_node(node, soft=False)).remote(self._origin)
            for node in nodes
        ]
        self._ray.wait(refs, num_returns=len(refs), timeout=END_SECONDS / 2)
        on_node.forget(self._origin)


def _imported() -> Any:
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns
    try:
        import ray  # noqa: PLC0415  (most installations have none)
        import ray.util.scheduling_strategies  # noqa: PLC0415
    except ImportError as error:
        raise UnsuitableError(
            "a cluster needs Ray; pip install 'searchkit-statespace[cluster]'"
        ) from error
    return ray


def _connect(ray: Any, address: str, cpus: int | None) -> None:
    how: dict[str, Any] = {"address": address}
    if address == LOCAL:
        how |= {"num_cpus": cpus, "include_dashboard": False, "object_store_memory": STORE_BYTES}
    elif address != AUTO and not _answers(address):
        raise UsageError(
            f"no cluster answers at {address}; give the address of its head, like 10.0.0.1:6379, "
            f"or {AUTO!r}"
        )
    # What is said of lost workers would go to our standard output, whatever is asked for.
    inside: Any = import_module("ray._private.worker")
    if hasattr(inside, "print_to_stdstream"):
        inside.print_to_stdstream = lambda *said, **how: None
    try:
        with _standard_error_unheard(), _few_attempts(address):
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **how)
    except Exception as error:
        raise UsageError(
            f"cannot join the cluster {address!r}: {_shortly(error)}; RAY_AUTH_MODE and "
            "RAY_AUTH_TOKEN must be those of its head"
        ) from error


@contextmanager
def _few_attempts(address: str) -> Iterator[None]:
    """Let Ray ask a head that is there once: each question may take it a minute."""
    if address == LOCAL or ASKED in os.environ:
        yield
        return
    os.environ[ASKED] = "1"
    try:
        yield
    finally:
        del os.environ[ASKED]


@contextmanager
def _standard_error_unheard() -> Iterator[None]:
    """Ray's machine code says there what it also raises, in many lines."""
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _answers(address: str) -> bool:
    """Whether something listens at an address like `10.0.0.1:6379`."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal():
        return False
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except OSError:
        return False
    return True


def _shortly(error: BaseException) -> str:
    return cut(one_line(f"{type(error).__name__}: {error}"), MOST_SHOWN)


def _within(seconds: float, function: Callable[[], object]) -> None:
    """Call something that may never return, and wait for it so long at most."""
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    thread.join(seconds)
