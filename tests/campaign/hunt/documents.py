"""The group `documents`: JSON documents of solutions and proofs with something changed, verified.

What `verify` accepts of the 8-puzzle is replayed here, by rules of our own.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hunt.calls import Answer, call, demand, inside, judge_answer, judge_time
from hunt.group import Group

CALLS = (
    "run 8-puzzle --start 123450786",
    "run 8-puzzle --scramble 9 --seed 2",
    "run 8-puzzle --scramble 7 --seed 4 --algo wastar",
    "run 8-puzzle --start 283164705 --goal 123804765 --all",
    "run 8-puzzle --scramble 12 --seed 1 --algo bfs --limit 2",
    "run 8-puzzle --start 123456870",
    "run 8-puzzle --scramble 20 --seed 7 --max-expansions 5",
    "run 6-puzzle --random --seed 3 --algo bidirectional",
    "run hoppers --limit 2",
    "run peg -p board=triangle5 --algo bfs --max-cost 3",
    "run sliding -p size=2x2 --start 1320 --algo bfs",
    "run cube2 --scramble 3 --seed 5",
    "run pancakes -p size=5 --random --seed 6 --algo idastar",
    "run topspin -p size=6 --scramble 4 --seed 1 --algo anytime",
)
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 31, 1.5, -0.0, 1e308, 10**30, 2**63, "", " ", "0", "1", "6",
    "123456780", "123450786", "123456870", "8-puzzle", "hoppers", "solved", "unsolvable",
    "limit reached",
    "interrupted", "bfs", "astar", "start", "goal", "closed set", "parity", "start by start", [],
    {}, [[]],
    [None], {"start": "123450786"}, "\x00", "\x1b[2J", "\ud800", "x" * 300, "/dev/zero",
    "../../x", "nan",
)  # fmt: skip


@dataclass(frozen=True)
class Document:
    """The text of a document, and what was done to one that is right."""

    text: bytes
    done: tuple[str, ...]


def places_of(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values within a JSON value."""
    if place:
        yield place
    items = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        yield from places_of(inner, (*place, key))


def at(value: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        value = value[key]
    return value


def changed(rng: random.Random, document: Any) -> tuple[Any, str]:
    """A copy with one thing changed."""
    document = copy.deepcopy(document)
    places = list(places_of(document))
    if not places:
        return document, "nothing"
    place = rng.choice(places)
    holder, key = at(document, place[:-1]), place[-1]
    value = holder[key]
    way = rng.choice(("value", "value", "other", "near", "drop", "twice", "turned", "name", "more"))
    if way == "value":
        holder[key] = rng.choice(VALUES)
    elif way == "other":
        holder[key] = copy.deepcopy(at(document, rng.choice(places)))
    elif way == "near":
        holder[key] = near(rng, value)
    elif way == "drop":
        del holder[key]
    elif way == "twice" and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif way == "turned" and isinstance(value, list):
        value.reverse()
    elif way == "name" and isinstance(holder, dict):
        holder[rng.choice(("x", key + "s", key.upper()))] = holder.pop(key)
    elif way == "more" and isinstance(value, dict):
        value[rng.choice(("x", "vacant", "size", "note"))] = rng.choice(VALUES)
    return document, f"{way} {'.'.join(map(str, place))}"


def near(rng: random.Random, value: Any) -> Any:
    """A value that is much like another."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, (int, float)):
        return value + rng.choice((1, -1, 2, 0.5, -2 * value))
    if isinstance(value, str) and value:
        letters = list(value)
        i, j = rng.randrange(len(letters)), rng.randrange(len(letters))
        letters[i], letters[j] = letters[j], letters[i]
        return "".join(letters) if rng.random() < 0.6 else value[:i] + value[i + 1 :]
    if isinstance(value, list) and value:
        other = list(value)
        i, j = rng.randrange(len(other)), rng.randrange(len(other))
        other[i], other[j] = other[j], other[i]
        return other
    return [value]


def torn(rng: random.Random, text: bytes) -> tuple[bytes, str]:
    """The bytes with something broken."""
    if not text:
        return b"\x00", "torn: of nothing"
    place = rng.randrange(len(text))
    way = rng.choice(("cut", "flip", "insert", "twice"))
    if way == "cut":
        return text[:place], "torn: cut"
    if way == "flip":
        return text[:place] + bytes([text[place] ^ 1 << rng.randrange(8)]) + text[place + 1 :], way
    if way == "insert":
        more = rng.choice(
            (b'"', b"{", b"[" * 3000, b"\x00", b"\xff", b",", b"9" * 5000, b'"cost": 1,')
        )
        return text[:place] + more + text[place:], "torn: insert"
    return text + text, "torn: twice"


class Documents(Group):
    """Documents for `verify`."""

    name = "documents"
    summary = "mutated documents for verify: what is accepted is true"
    short, minutes, hours = 80, 3000, 12_000
    patience = 120.0

    made: tuple[tuple[Any, str], ...] = ()

    def prepare(self) -> None:
        """Make the documents that are right."""
        found = []
        for line in CALLS[:: 4 if self.brief else 1]:
            text = call([*line.split(), "--json"]).out
            found.append((json.loads(text), text))
        self.made = tuple(found)

    def make(self, rng: random.Random) -> Document:
        if not self.made:
            self.prepare()
        document, text = rng.choice(self.made)
        done: list[str] = []
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            document, what = changed(rng, document)
            done.append(what)
        written = json.dumps(document, ensure_ascii=rng.random() < 0.5)
        raw = written.encode("utf-8", errors="surrogatepass")
        if rng.random() < 0.1:
            raw, what = torn(rng, text.encode())
            done = [what]
        return Document(raw, tuple(done))

    def run(self, case: Document) -> Counter[str]:
        with inside(self.folder / "room" / "work"):
            answer = call(["verify", "-"], case.text)
            judge_answer(answer)
            judge_time(answer, 0.0, case.text)
        if answer.code == 0:
            judge_accepted(answer, case.text)
        return Counter({f"exit {answer.code}": 1})


def judge_accepted(answer: Answer, text: bytes) -> None:
    """What was accepted of the 8-puzzle is true by rules of our own."""
    document = json.loads(text)
    if document.get("puzzle") != "8-puzzle":
        return
    goal = document["goal"]
    solutions = document["solutions"]
    for solution in solutions:
        state = solution["start"]
        for action, after in zip(solution["actions"], solution["states"][1:], strict=True):
            state = slid(state, action)
            demand(state == after, answer, f"a step to {after} is said to be right")
        demand(state == goal, answer, f"{state} is said to be the goal {goal}")
        demand(solution["cost"] == len(solution["actions"]), answer, "a wrong cost is accepted")
        begun = solution["start"] == document["start"]
        demand(begun, answer, "another start is accepted")
    if document["status"] == "unsolvable":
        demand(not solutions, answer, "solutions of what is unsolvable")
        odd = is_odd(document["start"]) != is_odd(goal)
        demand(odd, answer, "a false proof is accepted")


def slid(state: str, tile: str) -> str | None:
    """The board after a tile has moved into the blank beside it; None if it cannot."""
    if len(state) != 9 or tile not in state or tile == "0":
        return None
    here, blank = state.index(tile), state.index("0")
    if abs(here // 3 - blank // 3) + abs(here % 3 - blank % 3) != 1:
        return None
    cells = list(state)
    cells[here], cells[blank] = "0", tile
    return "".join(cells)


def is_odd(state: str) -> bool:
    """The parity of the tiles in reading order: on 3x3 cells no move changes it."""
    tiles = [tile for tile in state if tile != "0"]
    pairs = sum(a > b for i, a in enumerate(tiles) for b in tiles[i + 1 :])
    return pairs % 2 == 1
