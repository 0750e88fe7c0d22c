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


def limit_of_trial(limit: LimitKind | None, seconds: float, limits: Limits) -> LimitKind | None:
    """What has stopped a trial that was stopped by `limit`, if by any, after `seconds`.

    Where no time is left, that is the limit of time: machine code would be made for nothing.
    """
    if limit is not LimitKind.EXPANSIONS or limits.time is None or seconds < limits.time:
        return limit
    return (
        limit
        if limits.expansions is not None and limits.expansions <= TRIAL_NODES
        else LimitKind.TIME
    )


def is_done_in_trial(
    limit: LimitKind | None, expanded: int, seconds: float, limits: Limits
) -> bool:
    """Whether a trial that `limit` has stopped, if any did, is all that `limits` allow."""
    if limit is LimitKind.EXPANSIONS:
        return expanded < TRIAL_NODES
    if limit is LimitKind.TIME:
        return limits.time is not None and seconds >= limits.time
    return True
