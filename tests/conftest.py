from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from hypothesis import HealthCheck, settings

from searchkit.authors.kin import forget_kin
from searchkit.executors.processes import Processes
from searchkit.limits import Progress
from searchkit.premises import reasons
from searchkit.premises.reasons import FIRST
from tests.default_run import apportion

HERE = Path(__file__).parent
KEPT = platformdirs.user_cache_dir("searchkit-tests")
"""Where machine code is kept from run to run."""
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    # Where no bytecode may lie beside the modules, each process would compile all of them.
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = f"{KEPT}-bytecode"
    sys.dont_write_bytecode = False  # asserts of all tests are rewritten else, for seven seconds

# Colours of messages that nobody sees take a thirtieth of the time of the compiler.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

settings.register_profile(
    "any machine", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

pytest.register_assert_rewrite("tests.support")

gc.set_threshold(500_000, 20, 20)
"""To look for circles took a sixth of the time of the tests: few of them make so many objects."""


MANY_OBJECTS = 50_000
"""With this many, circles between two modules are worth a look; fewer wait for the next."""


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """Tests have no examples in their docstrings, and none are looked for.

    To look through a module takes far longer than to see that no example is in its text.
    """
    found = yield
    if found and (HERE in file_path.parents or ">>> " not in file_path.read_text("utf-8")):
        return [each for each in found if type(each).__name__ != "DoctestModule"]
    return found


IN_MEMORY, ROOM = Path("/dev/shm"), 2 << 30
"""Where Linux keeps files in memory, and how many bytes must be free there."""


def pytest_configure() -> None:
    """Files that tests write lie in memory, where that has room and lets programs be run.

    To put a file in the place of another takes milliseconds on a disk, and tables do so with each
    layer: a quarter of the time of their tests.
    """
    if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK):
        there = os.statvfs(IN_MEMORY)
        if not there.f_flag & os.ST_NOEXEC and there.f_bavail * there.f_frsize >= ROOM:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


pytest_collection_modifyitems = pytest.hookimpl(tryfirst=True)(apportion)


def pytest_collection_finish() -> None:
    """What has been imported stays: to look through it for circles takes half a second each time.

    Forked children would also copy its pages when they do.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _what_is_left_is_not_looked_through_again() -> Iterator[None]:
    """Else each look for circles goes through all that was made before, for seconds in the end."""
    yield
    if gc.get_count()[0] > MANY_OBJECTS:
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True)
def _classes_are_new() -> None:
    """What was asked of a class in one test is asked again in another, whatever ran before."""
    for known in (reasons._HELD, reasons._CERTIFYING, reasons._COMPARED):
        known.clear()
    forget_kin()


@pytest.fixture(autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """Ctrl-C is heard, here and in child processes, even if a shell started the tests deaf."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def packages_are_read_once() -> Iterator[None]:
    """What is installed is read again where a folder of it has changed: it takes 10 ms a call."""
    known: dict[Any, Any] = {}

    def once(**named: str) -> Any:
        folders = [
            (each, Path(each).stat().st_mtime_ns) for each in sys.path if Path(each).exists()
        ]
        key = tuple(folders), tuple(named.items())
        if key not in known:
            known[key] = entry_points(**named)
        return known[key]

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr("searchkit.registry.entry_points", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_disk_is_waited_for() -> Iterator[None]:
    """What is written need not outlast a loss of power: to wait until it does takes milliseconds.

    Child processes do wait.
    """
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(scope="session")
def two_workers() -> Iterator[Processes]:
    """Processes of this machine, which take a second to start."""
    with Processes(2) as executor:
        yield executor


class Clock:
    """A clock on which each look takes `tick` seconds, however busy the machine is."""

    def __init__(self) -> None:
        self.now, self.tick = 0.0, 0.001

    def __call__(self) -> float:
        self.now += self.tick
        return self.now

    def pass_by(self, seconds: float) -> None:
        """Let that many seconds pass."""
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all searches, in place of the machine's."""
    clock = Clock()
    monkeypatch.setattr("searchkit.running.making.monotonic", clock)
    monkeypatch.setattr("searchkit.running.driver.monotonic", clock)
    return clock


@pytest.fixture
def brief_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few states vouch for the rules of problems that are explored again and again."""
    monkeypatch.setattr("searchkit.premises.reasons.QUICK", FIRST)
    monkeypatch.setattr("searchkit.premises.reasons.THOROUGH", FIRST)


@pytest.fixture(scope="module")
def by_machine_code() -> Iterator[None]:
    """A few states are listed and counted by machine code, too, not by the rules in Python."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr("searchkit.compiled.specialise.listing.FEW", 0)
        yield


@pytest.fixture
def collect() -> Callable[[], int]:
    """Looks for circles among what a test makes: among all that is there takes a second."""
    gc.freeze()
    return gc.collect


class CtrlC:
    """Listens to a search, and presses Ctrl-C as soon as it has expanded states."""

    def __init__(self) -> None:
        self.pressed: Progress | None = None
        self.told: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        self.told.append(progress)
        if progress.expanded and not progress.preparing and self.pressed is None:
            self.pressed = progress
            signal.raise_signal(signal.SIGINT)


@pytest.fixture
def ctrl_c() -> CtrlC:
    """Presses Ctrl-C in the middle of a search, whenever that is."""
    return CtrlC()


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Pattern databases of whoever runs the tests are neither used nor changed.

    Machine code is kept from run to run, apart from the user's: to make it takes most of the time
    of the tests, and its file names tell what it was made from.
    """
    with pytest.MonkeyPatch.context() as patches:
        patches.setenv("SEARCHKIT_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        if "SEARCHKIT_CACHE_DIR" not in os.environ:
            patches.setenv("SEARCHKIT_CACHE_DIR", KEPT)
        yield
    shutil.rmtree(f"{KEPT}-bytecode{tmp_path_factory.getbasetemp()}", ignore_errors=True)
