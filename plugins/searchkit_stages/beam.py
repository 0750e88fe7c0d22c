"""How a beam goes through the stages, in both engines."""

from __future__ import annotations

from searchkit import UnsuitableError
from searchkit_stages.stage import Stage

MOST_SPENT = 300
"""Expansions from each state of a beam, in each stage."""
MOST_ENDS = 64
"""Ways that are looked for from each state."""
MOST_SLACK = 4
"""Steps by which a way may be longer than the shortest."""
FARTHEST = 254
"""The distances that beams go by are bytes."""


def too_far(stage: Stage) -> UnsuitableError:
    """The error to raise where a beam cannot go by the distances of a stage."""
    return UnsuitableError(
        f"{type(stage).__name__}: a stage takes more than {FARTHEST} steps; use beam=1"
    )
