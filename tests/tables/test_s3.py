"""Tables on an object store that speaks S3: a server of moto's on this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from searchkit import Limits, SearchkitError, UsageError
from searchkit.engine import Engine
from searchkit.executors.processes import Processes
from searchkit.explore import explore
from searchkit.tables import Table
from searchkit.tables.lock import NAME as LOCK
from searchkit.tables.manifest import NAME, Manifest
from searchkit.tables.remote_store import RemoteStore
from searchkit_sliding import Board, SlidingPuzzle

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("s3fs") is None, reason="s3fs is not installed"),
    pytest.mark.skipif(find_spec("moto") is None, reason="moto[server] is not installed"),
    pytest.mark.filterwarnings("default"),  # of botocore and aiohttp
]
SECONDS = 300.0
GOAL = " ".join(map(str, [*range(1, 16), 0]))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + SECONDS
        while not _listens(port):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def place(server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A URL in a bucket of its own, which every process can reach."""
    for name, value in [
        ("AWS_ACCESS_KEY_ID", "nobody"), ("AWS_SECRET_ACCESS_KEY", "nothing"),
        ("AWS_DEFAULT_REGION", "us-east-1"), ("AWS_ENDPOINT_URL", server),
        ("FSSPEC_S3_ENDPOINT_URL", server),
    ]:  # fmt: skip
        monkeypatch.setenv(name, value)
    import fsspec  # noqa: PLC0415

    fsspec.config.set_conf_env(fsspec.config.conf)
    fsspec.filesystem("s3").clear_instance_cache()
    bucket = uuid.uuid4().hex
    fsspec.filesystem("s3").mkdir(bucket)
    return f"s3://{bucket}/tables/fifteen"


def states_of(place: Any, problem: Any) -> list[list[Any]]:
    layers = Table.open(place, problem)._layers
    return [list(chain.from_iterable(files)) for files in layers.files]


def test_a_table_on_s3(place: str, tmp_path: Path) -> None:
    problem = SlidingPuzzle.read(Board.rectangle(4, 4), GOAL, GOAL)
    with Processes(2) as workers:
        for most in (15, 18):
            there = explore(
                problem, checkpoint=place, engine=Engine(workers=workers), limits=Limits(cost=most)
            )
        here = explore(
            problem, checkpoint=tmp_path, engine=Engine(workers=workers), limits=Limits(cost=18)
        )
    assert there.layers == here.layers
    assert states_of(place, problem) == states_of(tmp_path, problem)
    store = RemoteStore(place)
    manifest = Manifest.read(place)
    assert store.sizes().keys() == {NAME, *manifest.names()}
    assert max(len(layer.parts) for layer in manifest.layers) > 1
    assert max(store.sizes().values()) > 1 << 16
    table = Table.open(place, problem)
    assert list(table.check()) == manifest.names()
    solution = table.solution(there.farthest[0])
    assert solution is not None
    assert len(solution.actions) == 18
    largest = max(store.sizes(), key=store.sizes().__getitem__)
    content = store.whole(largest)
    store.write(largest, content[:5000] + b"!" + content[5001:])
    with pytest.raises(SearchkitError, match="another checksum"):
        states_of(place, problem)
    with pytest.raises(SearchkitError, match="has changed since it was written"):
        list(table.check())
    store.delete([largest])
    with pytest.raises(UsageError, match="is not there"):
        explore(problem, checkpoint=place, limits=Limits(cost=19))


def test_one_at_a_time_on_s3(place: str) -> None:
    store = RemoteStore(place)
    assert store.create(LOCK, b"{}")
    assert not store.create(LOCK, b"{}")
    store.delete([LOCK])
    lock = store.lock()
    lock.check()
    lock.release()
    assert store.sizes() == {}


def test_a_bucket_that_is_not_there(place: str) -> None:
    problem = SlidingPuzzle.read(Board.rectangle(4, 4), GOAL, GOAL)
    with pytest.raises(SearchkitError, match=r"s3://nobody-has-this-one/x") as said:
        explore(problem, checkpoint="s3://nobody-has-this-one/x", limits=Limits(cost=5))
    assert "\n" not in str(said.value)
    with pytest.raises(UsageError, match="cannot be read as the manifest"):
        Table.open("s3://nobody-has-this-one/x", problem)
