"""Engines whose stored states are drawn between slices, and those that run in another's place."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from searchkit.running.task import Run

if TYPE_CHECKING:
    import random

T = TypeVar("T")


class _Packed(NamedTuple):
    """A state that is unpacked once it is known to be kept."""

    state: Any


def drawing(
    run: Run, engine: Generator[None, None, T], value: Callable[[Any], Any] | None = None
) -> Generator[None, None, T]:
    """Run an engine, and give the reservoir of its run some of the states that it has stored.

    Each as `value` makes it, if that is given. What holds them lives on to the end of a slice only
    while the reservoir has room: where few slices were long, memory is not yet scarce.
    """
    reservoir = run.reservoir
    runs = (run,) if run.backward is None else (run, run.backward)

    def drawn(count: int, choose: random.Random) -> list[Any]:
        states = [state for each in runs for state in each.drawn(count, choose)]
        return states if value is None else list(map(_Packed, states))

    try:
        while True:
            held = () if reservoir.is_full else [store() for each in runs for store in each.stores]
            try:
                next(engine)
            except StopIteration as stopped:
                if held and run.counters.expanded > reservoir.due:
                    reservoir.add(drawn, is_last=True)
                found: T = stopped.value
                return found
            del held
            if run.counters.expanded > reservoir.due:
                reservoir.add(drawn)
            yield
    finally:
        engine.close()
        if value is not None:
            reservoir.states = [
                value(each.state) if each.__class__ is _Packed else each
                for each in reservoir.states
            ]  # of those that gave way to others, nobody asks


def mirrored(
    run: Run,
    inner: Run,
    engine: Generator[None, None, T],
    looks: Sequence[Callable[[], None]] = (),
) -> Generator[None, None, T]:
    """Run an engine on `inner`, which is to it what `run` is to the driver.

    Each of `looks` is called between its slices.
    """
    try:
        while True:
            inner.budget, inner.max_bytes = run.budget, run.max_bytes
            inner.most_expansions, inner.look = run.most_expansions, run.look
            inner.began = run.began
            try:
                next(engine)
            except StopIteration as stopped:
                found: T = stopped.value
                return found
            finally:
                run.budget, run.is_all_expanded = inner.budget, inner.is_all_expanded
            for look in looks:
                look()
            yield
    finally:
        engine.close()
