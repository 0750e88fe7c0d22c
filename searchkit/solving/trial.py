"""What the reference engine may do at first, before machine code is worth its loading."""

from __future__ import annotations

import attrs

from searchkit.limits import LimitKind, Limits

TRIAL_NODES = 30_000
TRIAL_SECONDS = 1.0
"""So much the reference engine may do before machine code is worth its loading."""


def is_worth_code(expanded: int) -> bool:
    """Whether this many expansions of the reference engine make machine code worth its loading."""
    return expanded > TRIAL_NODES


def trial_limits(limits: Limits) -> Limits:
    """What the reference engine may do at first: a part of `limits`."""
    expansions = TRIAL_NODES if limits.expansions is None else min(limits.expansions, TRIAL_NODES)
    time = TRIAL_SECONDS if limits.time is None else min(limits.time, TRIAL_SECONDS)
    return attrs.evolve(limits, expansions=expansions, time=time)


def end_of_trial(
    limit: LimitKind | None, seconds: float, limits: Limits
) -> tuple[bool, LimitKind | None]:
    """Whether a trial that took this long and was stopped by `limit`, if by any, is the end of all.

    And by which limit. Where no time is left, that is the limit of time: machine code would be made
    for nothing.
    """
    is_over = limits.time is not None and seconds >= limits.time
    has_more = limits.expansions is None or limits.expansions > TRIAL_NODES
    if limit is LimitKind.EXPANSIONS and has_more:
        return is_over, LimitKind.TIME if is_over else limit
    return limit is not LimitKind.TIME or is_over, limit
