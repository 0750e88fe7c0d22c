"""The successors of states in arrays, listed by machine code."""

from __future__ import annotations

from typing import Any

import numpy as np

from searchkit.compiled.specialise.kernels.children import NO_ROOM, TRAPPED, Children
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import Run


def list_successors(
    run: Run, spec: Specialised, rows: np.ndarray[Any, Any], room: Children
) -> tuple[Children, np.ndarray[Any, Any]]:
    """The successors of the states in `rows`, one after another, and where those of each end.

    They are in `room`, or in larger room where that is too little. Raises `ProblemError` for a
    wrong cost. For modules with the file `successors`.
    """
    ends = np.zeros(len(rows), dtype=np.int64)
    while True:
        done = spec.module.successors_of(spec.head[0], spec.listed, rows, room, ends)
        if done == len(rows):
            return room, ends
        if ends[done] == NO_ROOM:
            room = spec.wider(room, rows[done], used=int(ends[done - 1]) if done else 0)
        elif ends[done] == TRAPPED:
            spec.traps.deal_with(python_state(rows[done]))
        else:
            raise run.wrong_cost_among([python_state(rows[done])])
