"""Six heaps that grow by one: layers of known sizes, for tests of explorations by workers.

`heaps` is sound, `dear-heaps` has one step that costs more than it promises, the workers of
`tight-heaps` have no room for files of more than some kilobytes, and those of `wrong-heaps` fail.
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Sequence

from searchkit import hookimpl
from searchkit.executors.travelling import is_worker
from searchkit.packed import PackedProblem

MOST_BYTES = 20_000


class Heaps(PackedProblem[int]):
    """There are (d + 5 over 5) states after d steps, as long as no heap is full."""

    def initial_states(self) -> Sequence[int]:
        return [0]

    def operators(self, control: int) -> range:
        return range(6)

    def action(self, state: int, operator: int) -> int:
        return operator

    def at_goal(self, state: int) -> bool:
        return False

    def legal(self, state: int, control: int, operator: int) -> bool:
        return state >> 5 * operator & 31 < 30

    def apply(self, state: int, control: int, operator: int) -> int:
        return state + (1 << 5 * operator)


class DearHeaps(Heaps):
    """A step from where all heaps are four high costs 2."""

    def cost(self, state: int, control: int, operator: int) -> int:
        return 2 if state == 138547332 else 1


class TightHeaps(Heaps):
    """The files of workers may have a few kilobytes."""

    def operators(self, control: int) -> range:
        if is_worker():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, resource.RLIM_INFINITY))
        return range(6)


class WrongHeaps(Heaps):
    """Workers fail."""

    def operators(self, control: int) -> range:
        if is_worker():
            raise RuntimeError("six heaps are too many")
        return range(6)


@hookimpl
def searchkit_register_puzzles(register: object) -> None:
    assert callable(register)
    register("heaps", Heaps)
    register("dear-heaps", DearHeaps)
    register("tight-heaps", TightHeaps)
    register("wrong-heaps", WrongHeaps)
