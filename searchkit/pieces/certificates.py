"""Why a state cannot be reached: what the moves keep, or a chain of stabilisers, as data.

`searchkit.pieces.checking` verifies it with code that shares nothing with this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from searchkit.certificates import Certificate
from searchkit.pieces.chain import Chain, Element
from searchkit.pieces.components import Component, displaced, motion_to, numbers_of
from searchkit.pieces.definition import Definition
from searchkit.pieces.group import Group
from searchkit.pieces.patterns import Pattern, solved

PIECES = "pieces of other places"
SUM = "sum of turns and parities"
CHAIN = "chain of stabilisers"
MOST_WORK = 20_000_000
"""The most steps that a checker in plain Python is to make for a chain."""


def can_certify(group: Group) -> bool:
    """Whether there is a certificate for each pattern that cannot be reached."""
    if group.is_all_that_invariants_allow:
        return True
    chain = group.chain
    differ = all(
        orbit.are_all_different and len(set(orbit.counted)) == 1
        for orbit in group.definition.orbits
        if orbit.matters
    )
    return differ and chain is not None and _work(chain) <= MOST_WORK


def certificate_of(group: Group, pattern: Pattern) -> Certificate | None:
    """Why the moves do not lead from the solved state to a pattern; None if that is not known.

    None as well if they do.
    """
    definition, components = group.definition, group.components
    strange = displaced(definition, components, pattern)
    if strange is not None:
        name = definition.orbits[strange.orbit].name
        where = ", ".join(map(str, strange.places[:12])) + ("..." * (len(strange.places) > 12))
        text = f"orbit {name} has pieces in the places {where} which no move takes there"
        return Certificate(PIECES, text, {"orbit": name, "places": strange.places})
    if group.is_all_that_invariants_allow and group.invariants.index == 1:
        return None
    motion = motion_to(definition, components, pattern)
    numbers = numbers_of(components, motion)
    if not group.invariants.contains(numbers):
        found = group.invariants.weights(numbers)
        assert found is not None
        return _of_sum(group, *found, numbers, pattern)
    if can_certify(group) and group.can_reach(pattern) is False and group.chain is not None:
        return _of_chain(group, group.chain)
    return None


def _of_sum(
    group: Group, modulus: int, weights: tuple[int, ...], numbers: tuple[int, ...], pattern: Pattern
) -> Certificate:
    parts: list[Mapping[str, Any]] = []
    words, guilty = [], list[str]()
    for number, each in enumerate(group.components):
        turn, odd = weights[2 * number : 2 * number + 2]
        if not turn and not odd:
            continue
        name = group.definition.orbits[each.orbit].name
        parts.append({"orbit": name, "places": each.places, "turn": turn, "odd": odd})
        words += [f"turns of {name}"] * (turn > 0) + [f"parity of {name}"] * (odd > 0)
        guilty += _turned_in(group.definition, each, pattern) if turn else []
    total = sum(n * w for n, w in zip(numbers, weights, strict=True)) % modulus
    ones = all(weight in (0, 1) for weight in weights)
    text = (
        f"{' and '.join(dict.fromkeys(words))}{'' if ones else ', weighted,'} add up to {total} "
        f"modulo {modulus}; every move adds 0"
    )
    if guilty:
        text += f"; perhaps the piece at {guilty[0]} is turned"
    elif sum(odd > 0 for odd in weights[1::2]):
        text += "; perhaps two pieces are exchanged"
    return Certificate(SUM, text, {"modulus": modulus, "sum": total, "parts": parts})


def _turned_in(definition: Definition, each: Component, pattern: Pattern) -> list[str]:
    """The places in a component whose own pieces are turned there."""
    orbit = definition.orbits[each.orbit]
    home = solved(definition)[each.orbit]
    return [
        definition.place_name(each.orbit, place)
        for place in each.places
        if pattern[each.orbit][place] != home[place]
        and pattern[each.orbit][place][0] == orbit.looks[place]
    ]


def _of_chain(group: Group, chain: Chain) -> Certificate:
    offsets = group.offsets
    base = []
    for level in chain.levels:
        number = max(i for i, offset in enumerate(offsets[:-1]) if offset <= level.point)
        each = group.components[number]
        place = each.places[(level.point - offsets[number]) // each.orientations]
        base.append([each.orbit, place])
    listed: dict[bytes, Element] = {}
    for level in chain.levels:
        listed |= {one.tobytes(): one for one in level.generators}
    generators = [
        [[list(change.sources), list(change.turns)] for change in group.motion(one)]
        for one in listed.values()
    ]
    text = (
        f"the moves generate {chain.order:,} motions, and the one that leads to this state is not "
        "among them"
    )
    return Certificate(CHAIN, text, {"base": base, "generators": generators})


def _work(chain: Chain) -> int:
    sifts = sum(level.size * len(level.generators) for level in chain.levels)
    return sifts * len(chain.levels) * chain.degree
