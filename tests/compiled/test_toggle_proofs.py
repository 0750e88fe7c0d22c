"""Where no sum of toggles leads to a goal, that is proved without a search, and can be checked."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Bidirectional, PackedProblem, Status, solve
from searchkit.certificates import Certificate
from searchkit.errors import LawError, VerificationError
from searchkit.premises.toggle_proofs import toggle_certificate
from searchkit.verify import verify_certificate


class Switches(NamedTuple):
    flips: tuple[int, ...]


class Lamps(PackedProblem[int]):
    """Switches that flip lamps; nothing flips the second."""

    tables = Switches((0b0001, 0b0101, 0b1000))

    def initial_states(self):
        return [0b0000, 0b0100]

    def operators(self, control):
        return range(len(self.tables.flips))

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state & 2 != 0

    def goal_states(self):
        return [state for state in range(16) if state & 2]

    def toggles(self):
        return list(self.tables.flips)

    def apply(self, state, control, operator):
        return state ^ self.tables.flips[operator]

    def predecessors(self, state):
        return self.successors(state)


class Liar(Lamps):
    """A switch flips the second lamp, but `toggles` does not say so."""

    def successors(self, state):
        return [step._replace(state=state ^ 2) for step in Lamps.successors(self, state)[:1]]


def test_it_is_proved_without_a_search():
    result = solve(Lamps(), Bidirectional(), engine="compiled")
    assert result.status is Status.UNSOLVABLE
    assert result.certificate.kind == "toggles"
    assert (result.statistics.expanded, result.statistics.generated) == (0, 0)
    assert verify_certificate(Lamps(), result.certificate).finished


def test_toggles_that_lie_prove_nothing():
    with pytest.raises(LawError, match="toggles says of 0 that it is unsolvable, but the goal 2"):
        solve(Liar(), Bidirectional(), engine="compiled")


@pytest.mark.parametrize(
    ("masks", "told"),
    [
        ([2] * 7, "7 masks, but 8 goals"),
        ([1] + [2] * 7, "mask 1 has an odd number of bits"),
        ([0] + [2] * 7, "mask 0 does not tell a start from goal 2"),
        (["2"] * 8, "must be a list of whole numbers"),
    ],
)
def test_what_proves_nothing_is_refused(masks, told):
    with pytest.raises(VerificationError, match=told):
        verify_certificate(Lamps(), Certificate("toggles", "for sure", {"masks": masks}))


@given(st.lists(st.integers(0, 255), max_size=6), st.integers(0, 255), st.integers(0, 255))
def test_there_is_a_proof_just_where_there_is_no_sum(toggles, start, goal):
    sums = {start}
    for toggle in toggles:
        sums |= {each ^ toggle for each in sums}
    if goal in sums:
        with pytest.raises(ValueError, match="a sum of toggles"):
            toggle_certificate([start], [goal], toggles)
        return
    (mask,) = toggle_certificate([start], [goal], toggles).data["masks"]
    odd = [(mask & flipped).bit_count() & 1 for flipped in (*toggles, start ^ goal)]
    assert odd == [*itertools.repeat(0, len(toggles)), 1]
