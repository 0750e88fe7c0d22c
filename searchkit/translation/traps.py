"""At which line of the author's machine code has left a state to Python, and for want of what."""

from __future__ import annotations

import re
from collections.abc import Callable
from traceback import walk_tb
from types import FrameType
from typing import Any

import numpy as np

from searchkit.errors import Trapped
from searchkit.translation.packing import TRAPS
from searchkit.translation.text import Trap


def trap_at(kernel: Callable[[Any], Any], state: Any) -> Trap | None:
    """Where a kernel leaves a packed state to Python, as it is run in plain Python here.

    None where that cannot be told. What is said gives the values of expressions in braces.
    """
    traps: dict[int, Trap] = getattr(kernel, TRAPS, {})
    try:
        with np.errstate(all="ignore"):
            found = kernel(state)
            if hasattr(found, "__next__"):
                list(found)
    except Trapped as error:
        frame, line = list(walk_tb(error.__traceback__))[-1]
        trap = traps.get(line)
        return None if trap is None else _with_values(trap, frame)
    except Exception:  # plain Python is asked for a message alone
        return None
    return None


def _with_values(trap: Trap, frame: FrameType) -> Trap:
    def value(found: re.Match[str]) -> str:
        return str(eval(found[1], frame.f_globals, frame.f_locals))

    return Trap(trap.place, re.sub(r"\{(.+?)\}", value, trap.what), trap.instead)
