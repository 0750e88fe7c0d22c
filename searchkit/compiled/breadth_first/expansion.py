"""Expanding one layer after another of a set of states, in slices."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.compiled.breadth_first.kernels import expansion, state_set, walk_back
from searchkit.compiled.breadth_first.kernels.expansion import Ended, Goals, Info
from searchkit.compiled.breadth_first.state_set import CHILDREN_AT_ONCE, Store
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.running.task import Run

if TYPE_CHECKING:
    import numpy as np

FOUND_AT_ONCE = 1 << 16


def prepare(problem: Any, starts: Sequence[Any], goals: Goals) -> Specialised:
    """The module for a problem, whose kernels are tried at `starts`, its machine code loaded."""
    roots = (state_set, expansion, walk_back)
    spec = specialise(problem, None, starts, roots, GOALS=goals, WIDEST=lambda lists: lists.widest)
    Layers(Store(spec, Run(problem=problem))).warm_up()
    return spec


@attrs.define(eq=False)
class Layers:
    """A set of states whose layers are contiguous, and the place where expanding goes on.

    `starts[d]` is the index of the first state of layer d, and the last entry that of the
    layer which is being found.
    """

    store: Store
    starts: list[int] = attrs.field(init=False)
    info: np.ndarray[Any, Any] = attrs.field(init=False)
    work: tuple[Any, ...] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        import numpy as np  # noqa: PLC0415

        spec = self.store.spec
        batch = max(1, CHILDREN_AT_ONCE // spec.module.WIDEST)
        children = batch * spec.module.WIDEST
        self.work = (
            spec.empty(children),
            np.empty(children, dtype=np.int64),
            np.empty(batch, dtype=np.int64),
        )
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.starts = [0]

    def warm_up(self) -> None:
        """Load or make the machine code: search nothing."""
        import numpy as np  # noqa: PLC0415

        store, module = self.store, self.store.spec.module
        nothing = np.zeros(0, dtype=np.int64)
        marks = np.zeros(0, dtype=np.bool_)
        head = store.spec.head
        store.begin([])
        self._expand(0)
        module.enter(*store.arrays, 0, 0)
        module.locate(*store.arrays, store.states, 0, nothing)
        module.goals_among(head[0], store.states, 0, 0, nothing)
        module.neighbours_in(*head, *store.arrays, nothing, 0, 0, 0, nothing)
        module.parents_in(*head, *store.arrays, 0, 0, marks, 0, nothing)
        module.first_new(*head, *store.arrays, 0, 0, np.zeros(2, dtype=np.int64))

    def begin(self, states: list[Any]) -> None:
        """Begin with a layer of `states`."""
        self.store.begin(states)
        self.starts = [0, self.store.count]

    @property
    def size(self) -> int:
        """How many states the last complete layer has."""
        return self.starts[-1] - self.starts[-2]

    @property
    def depth(self) -> int:
        """The number of the last complete layer."""
        return len(self.starts) - 2

    @property
    def stored(self) -> int:
        """How many states there are in all layers that are kept, and the one being found."""
        return self.store.count

    @property
    def fresh(self) -> int:
        """How many states of the next layer were found."""
        return self.store.count - self.starts[-1]

    @property
    def left(self) -> int:
        """How many states of the last complete layer are not yet expanded."""
        return self.starts[-1] - int(self.info[Info.NEXT])

    def _expand(self, budget: int) -> int:
        store, module = self.store, self.store.spec.module
        self.info[Info.COUNT] = store.count
        result = module.expand(
            *store.spec.head, *store.arrays, *self.work, store.capacity, self.info, budget
        )
        store.count = int(self.info[Info.COUNT])
        return int(result)

    def grow(
        self,
        note: Callable[[], None],
        make_room: Callable[[], Generator[None, None, None]] | None = None,
    ) -> Generator[None, None, bool]:
        """Expand the last layer; whether it was cut short because a goal was found.

        Calls `note` when some states were expanded, and `make_room` when there is no more room.
        """
        task = self.store.task
        counters, info = task.counters, self.info
        info[Info.NEXT], info[Info.END] = self.starts[-2:]
        info[Info.MOST] = info[Info.GOALS_FOUND] = 0
        while True:
            info[Info.EXPANDED] = info[Info.GENERATED] = 0
            result = self._expand(task.budget)
            task.budget -= int(info[Info.EXPANDED])
            counters.expanded += int(info[Info.EXPANDED])
            counters.generated += int(info[Info.GENERATED])
            note()
            if result == Ended.OUT_OF_BUDGET:
                yield
            elif result == Ended.SET_FULL:
                yield from (make_room or self.store.grow)()
            elif result == Ended.WRONG_COST:
                raise task.wrong_cost_among([self.store.state(int(info[Info.NEXT]))])
            else:
                return bool(result == Ended.GOAL_FOUND)

    def has_more(self) -> Generator[None, None, bool]:
        """Expand the last layer until a new state is met, which is not kept; whether one is."""
        import numpy as np  # noqa: PLC0415

        store, task = self.store, self.store.task
        begin, end = self.starts[-2:]
        counts = np.zeros(2, dtype=np.int64)
        while begin < end:
            stop = min(end, begin + task.budget)
            counts[0] = 0
            at = int(store.spec.module.first_new(
                *store.spec.head, *store.arrays, begin, stop, counts
            ))  # fmt: skip
            met = at < stop
            task.budget -= at - begin + met
            task.counters.expanded += at - begin + met
            task.counters.generated += int(counts[0])
            if counts[1]:
                raise task.wrong_cost_among([store.state(at)])
            if at > begin:
                task.counters.waiting(end - begin - 1)
                task.counters.frontier = end - at
            if met:
                return True
            begin = at
            if begin < end:
                yield
        return False

    def next_layer(self) -> None:
        """Go on to the layer that was found."""
        self.starts.append(self.store.count)

    @property
    def goals_found(self) -> int:
        """How many goals were found in the layer that is being found."""
        return int(self.info[Info.GOALS_FOUND])

    @property
    def most_waiting(self) -> int:
        """Most states that waited at once while the layer was expanded."""
        return int(self.info[Info.MOST])

    def drop_all_but(self, layers: int) -> Generator[None, None, bool]:
        """Forget all but the last layers (and the one being found); whether that frees a third."""
        dropped = self.starts[max(0, len(self.starts) - 1 - layers)]
        if dropped * 3 < self.store.capacity:
            return False
        self.starts = [max(0, start - dropped) for start in self.starts]
        self.info[Info.NEXT] -= dropped
        self.info[Info.END] -= dropped
        yield from self.store.forget(dropped)
        return True

    def goals(self, begin: int, end: int) -> list[int]:
        """The indexes of the goals from `begin` to `end`."""
        import numpy as np  # noqa: PLC0415

        module, store = self.store.spec.module, self.store
        found = np.empty(FOUND_AT_ONCE, dtype=np.int64)
        goals: list[int] = []
        while begin < end:
            count = module.goals_among(store.spec.head[0], store.states, begin, end, found)
            goals += found[:count].tolist()
            begin = goals[-1] + 1 if count == FOUND_AT_ONCE else end
        return goals
