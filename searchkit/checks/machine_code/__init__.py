"""Machine code that is compared with what the same kernels do in plain Python.

The modules are imported when they are called, so that numba is loaded only then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from searchkit.compiled.engines import blaming_kernels

if TYPE_CHECKING:
    from searchkit.checks.machine_code.kernel_calls import KernelCalls
    from searchkit.explore.state_graph import StateGraph
    from searchkit.heuristics.forms import Forms
    from searchkit.packed import PackedHeuristic, PackedProblem


def packed_space(
    problem: PackedProblem[Any], roots: list[Any], most: int, listener: Callable[[str], None]
) -> StateGraph | None:
    """All states and steps."""
    from searchkit.checks.machine_code.spanning import packed_space  # noqa: PLC0415

    with blaming_kernels(problem):
        return packed_space(problem, roots, most, listener)


def compiled_forms(
    problem: PackedProblem[Any],
    heuristic: PackedHeuristic,
    states: Sequence[Any],
    rows: Any = None,
) -> Forms:
    """The forms of a heuristic over states, which may be there as `rows`."""
    from searchkit.checks.machine_code.stepping import CompiledForms  # noqa: PLC0415

    with blaming_kernels(problem):
        return CompiledForms.of(problem, heuristic, states, rows)


def kernel_calls(
    problem: PackedProblem[Any], heuristic: PackedHeuristic, starts: Sequence[Any]
) -> KernelCalls:
    """The kernels as machine code, to be called."""
    from searchkit.checks.machine_code.kernel_calls import KernelCalls  # noqa: PLC0415

    with blaming_kernels(problem):
        made = KernelCalls.of(problem, heuristic, starts)
        made.on_states(starts[:1])
        made.on_steps(starts[:1])
        if made.has_ranks:
            made.on_ranks([])
        return made
