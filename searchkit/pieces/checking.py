"""The judge: a puzzle in its plain form, and certificates, in which nothing is believed.

What is used of a puzzle are its orbits and what its moves do, as the definition says it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import attrs

from searchkit.certificates import Certificate, entries
from searchkit.errors import ParseError, VerificationError
from searchkit.pieces.changes import Motion
from searchkit.pieces.definition import Definition
from searchkit.pieces.notation import format_state, read_state
from searchkit.pieces.patterns import Pattern, after, solved
from searchkit.problem import StartAndGoal, Step
from searchkit.texts.amounts import quoted

Point = tuple[int, int, int]
"""An orbit, a place, and how a piece there is turned."""
Element = dict[Point, Point]
MOST_WORK = 100_000_000


def check_certificate(
    definition: Definition, start: Pattern, certificate: Certificate
) -> str | None:
    """None if the certificate proves that no moves lead between `start` and the solved state.

    Else why it does not. Raises `VerificationError` for data that are not what they should be.
    """
    checks: Mapping[str, Callable[[Definition, Pattern, Mapping[str, Any]], str | None]] = {
        "pieces of other places": _check_pieces,
        "sum of turns and parities": _check_sum,
        "chain of stabilisers": _check_chain,
    }
    if certificate.kind not in checks:
        kind = quoted(certificate.kind)
        return f"{kind} is not a kind of certificate here; known: {', '.join(checks)}"
    return checks[certificate.kind](definition, start, certificate.data)


def _places_of(definition: Definition, name: str, places: list[int]) -> int:
    """The number of an orbit of which no move leads out of some places."""
    names = [orbit.name for orbit in definition.orbits]
    if name not in names:
        raise VerificationError(f"there is no orbit {quoted(name)}")
    number = names.index(name)
    if not places or any(not 0 <= place < definition.orbits[number].places for place in places):
        raise VerificationError(f"orbit {name} does not have all of the places that are named")
    if len(set(places)) < len(places):
        raise VerificationError(f"a place of orbit {name} is named twice")
    for move in definition.moves:
        change = move.changes.get(name)
        if change and {change.sources[place] for place in places} != set(places):
            raise VerificationError(f"move {move.name} leads out of the places of orbit {name}")
    return number


def _check_pieces(definition: Definition, start: Pattern, data: Mapping[str, Any]) -> str | None:
    name, places = entries(data, {"orbit": str, "places": list[int]})
    number = _places_of(definition, name, places)
    looks = definition.orbits[number].looks
    there = Counter(start[number][place][0] for place in places)
    if there == Counter(looks[place] for place in places):
        return f"the pieces in these places of orbit {name} are those of the solved state"
    return None


def _check_sum(definition: Definition, start: Pattern, data: Mapping[str, Any]) -> str | None:
    modulus, claimed, parts = entries(
        data, {"modulus": int, "sum": int, "parts": list[dict[str, Any]]}
    )
    if modulus < 2:
        raise VerificationError(f"the modulus is {modulus}; it must be 2 or more")
    total = 0
    totals = dict.fromkeys((move.name for move in definition.moves), 0)
    seen: set[tuple[int, int]] = set()
    for part in parts:
        name, places, turn, odd = entries(
            part, {"orbit": str, "places": list[int], "turn": int, "odd": int}, "a part"
        )
        number = _places_of(definition, name, places)
        orbit = definition.orbits[number]
        if seen & {(number, place) for place in places}:
            raise VerificationError(f"a place of orbit {name} is in two parts")
        seen |= {(number, place) for place in places}
        if 2 * odd % modulus:
            return f"orbit {name}: twice the weight of a parity is not 0 modulo {modulus}"
        for move in definition.moves:
            change = move.changes.get(name)
            if change is not None:
                totals[move.name] += turn * sum(change.turns[place] for place in places)
                totals[move.name] += odd * _parity([change.sources[place] for place in places])
        looks = [orbit.looks[place] for place in places]
        for place in places:
            # Turning a piece by this much cannot be seen, so it must count for nothing.
            if turn * orbit.counted[place] % modulus:
                return f"orbit {name}: the weight of a turn is not kept by what can be seen"
        if odd % modulus and len(set(looks)) < len(looks):
            return f"orbit {name} has pieces that look alike, so that its parity cannot be seen"
        homes: dict[int, list[int]] = {}
        for place in reversed(places):
            homes.setdefault(orbit.looks[place], []).append(place)
        order = []
        for place in places:
            look, turned = start[number][place]
            if not homes.get(look):
                return f"orbit {name} has other pieces in these places than when solved"
            order.append(homes[look].pop())
            total += turn * (turned - orbit.turned[order[-1]])
        total += odd * _parity(order)
    for name, sum_of_move in totals.items():
        if sum_of_move % modulus:
            return f"move {name} adds {sum_of_move % modulus}, not 0"
    if total % modulus != claimed:
        return f"the start adds up to {total % modulus}, not {claimed}"
    if claimed == 0:
        return "the start adds up to 0, as what can be reached does"
    return None


def _parity(order: list[int]) -> int:
    """0 if numbers are an even permutation of their order by size, else 1. O(n log n)."""
    rest = dict(zip(sorted(order), order, strict=True))
    odd = len(order)
    while rest:
        place, odd = next(iter(rest)), odd + 1
        while place in rest:
            place = rest.pop(place)
    return odd % 2


def _check_chain(definition: Definition, start: Pattern, data: Mapping[str, Any]) -> str | None:
    base_data, generators_data = entries(
        data, {"base": list[list[int]], "generators": list[list[list[list[int]]]]}
    )
    base = [_point(definition, pair) for pair in base_data]
    generators = [_element(definition, each) for each in generators_data]
    moves = [
        _element(
            definition,
            [
                [
                    list(move.changes[orbit.name].sources),
                    [turn % orbit.told_apart for turn in move.changes[orbit.name].turns],
                ]
                if orbit.name in move.changes and orbit.matters
                else [list(range(orbit.places)), [0] * orbit.places]
                for orbit in definition.orbits
            ],
        )
        for move in definition.moves
    ]
    identity = {point: point for point in moves[0]}
    levels = []
    for number, point in enumerate(base):
        kept = [each for each in generators if all(each[b] == b for b in base[:number])]
        levels.append((point, kept, _orbit(point, kept, identity)))
    work = sum(len(kept) * len(orbit) for _, kept, orbit in levels) * len(base) * len(identity)
    if work > MOST_WORK:
        return "the chain is too long to be checked"

    def left_of(element: Element, first: int) -> Element | None:
        for point, _, orbit in levels[first:]:
            back = orbit.get(element[point])
            if back is None:
                return element
            element = {x: back[y] for x, y in element.items()}
        return element

    for number, (point, kept, orbit) in enumerate(levels):
        for generator in kept:
            for here, back in orbit.items():
                way = {y: x for x, y in back.items()}  # takes the base point here
                assert way[point] == here
                element = {x: generator[y] for x, y in way.items()}
                element = {x: orbit[generator[here]][y] for x, y in element.items()}
                if left_of(element, number + 1) != identity:
                    return f"the generators of level {number} make more than the chain has"
    for move, element in zip(definition.moves, moves, strict=True):
        if left_of(element, 0) != identity:
            return f"move {move.name} is not in the chain"
    motion = []
    for orbit_, row in zip(definition.orbits, start, strict=True):
        if not orbit_.matters:
            motion.append([list(range(orbit_.places)), [0] * orbit_.places])
            continue
        if len(set(orbit_.looks)) < orbit_.places or len(set(orbit_.counted)) > 1:
            return f"orbit {orbit_.name} has pieces that look alike; a chain does not settle that"
        sources = [orbit_.looks.index(look) for look, _ in row]
        turns = [
            (turned - orbit_.turned[source]) % orbit_.told_apart
            for (_, turned), source in zip(row, sources, strict=True)
        ]
        motion.append([sources, turns])
    if left_of(_element(definition, motion), 0) == identity:
        return "the start is in the chain"
    return None


def _point(definition: Definition, pair: list[int]) -> Point:
    if len(pair) != 2 or not 0 <= pair[0] < len(definition.orbits):
        raise VerificationError("a base point must be an orbit and a place")
    if not 0 <= pair[1] < definition.orbits[pair[0]].places:
        raise VerificationError("a base point must be a place of its orbit")
    return pair[0], pair[1], 0


def _element(definition: Definition, rows: list[list[list[int]]]) -> Element:
    """Where each point goes; `VerificationError` if that is not a permutation."""
    found: Element = {}
    if len(rows) != len(definition.orbits):
        raise VerificationError("a generator must have a row for each orbit")
    for number, (orbit, row) in enumerate(zip(definition.orbits, rows, strict=True)):
        if len(row) != 2 or any(len(part) != orbit.places for part in row):
            raise VerificationError(f"a generator does not fit orbit {orbit.name}")
        sources, turns = row
        if sorted(sources) != list(range(orbit.places)):
            raise VerificationError(f"a generator does not permute orbit {orbit.name}")
        for place in range(orbit.places):
            for turned in range(orbit.told_apart):
                to = number, place, (turned + turns[place]) % orbit.told_apart
                found[number, sources[place], turned] = to
    return found


def _orbit(point: Point, generators: list[Element], identity: Element) -> dict[Point, Element]:
    """By what the point can become: an element that takes it back."""
    found = {point: identity}
    todo = [point]
    while todo:
        here = todo.pop()
        for generator in generators:
            there = generator[here]
            if there not in found:
                before = {y: x for x, y in generator.items()}
                back = found[here]
                found[there] = {x: back[before[x]] for x in before}
                todo.append(there)
    return found


SOLVED: Any = attrs.Factory(lambda plain: solved(plain.definition), takes_self=True)


@attrs.frozen(eq=False)
class PlainPieces(StartAndGoal[Pattern, Any]):
    """The puzzle over patterns: slow, to be read, and to compare the packed form with."""

    definition: Definition
    start: Pattern = attrs.field(default=SOLVED)
    goal: Pattern = attrs.field(default=SOLVED)

    undirected = True

    def __attrs_post_init__(self) -> None:
        for what, state in (("start", self.start), ("goal", self.goal)):
            if self._is_illegal(state):
                raise ParseError(f"the {what} is illegal: a piece is where it may not be")

    def _is_illegal(self, state: Pattern) -> bool:
        """Whether a label is in a place where it must not be, pair by pair."""
        for orbit, row in zip(self.definition.orbits, state, strict=True):
            if orbit.illegal:
                labels = [orbit.pieces[orbit.looks.index(look)] for look, _ in row]
                if any(labels[place] == label for place, label in orbit.illegal):
                    return True
        return False

    @cached_property
    def _motions(self) -> list[tuple[Any, Motion]]:
        label = self.definition.label
        return [(label(each.name), each.motion) for each in self.definition.steps]

    def successors(self, state: Pattern) -> list[Step[Pattern, Any]]:
        """Every power of every move, but for those that lead to an illegal state."""
        steps = [
            Step(name, after(self.definition, state, motion)) for name, motion in self._motions
        ]
        return [step for step in steps if not self._is_illegal(step.state)]

    def format_state(self, state: Pattern) -> str:
        """The stickers, or the pieces in each place."""
        return format_state(self.definition, state)

    def parse(self, text: str) -> Pattern:
        """Read pieces, stickers, or moves made on the solved puzzle."""
        return read_state(self.definition, text)

    def random_state(self, rng: random.Random) -> Pattern:
        """A state after many random steps."""
        state = self.goal
        for _ in range(200):
            child = after(self.definition, state, rng.choice(self._motions)[1])
            if not self._is_illegal(child):
                state = child
        return state

    def check_certificate(self, start: Pattern, certificate: Certificate) -> str | None:
        """Whether a certificate proves that the goal cannot be reached."""
        return check_certificate(self.definition.solved_as(self.goal), start, certificate)
