"""Proofs made by a plain search with the rules of whoever checks them, and files of them."""

from __future__ import annotations

import gzip
import hashlib
import heapq
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from searchkit.proofs.checker import KEYS, read
from searchkit.proofs.rules import state_of, text_of

Header = dict[str, Any]
Entries = list[tuple[str, int | None]]


def prove(
    rules: Any, *, heuristic: str = "zero", count: int | None = None
) -> tuple[Header, Entries]:
    """An honest proof, without listed goals; a count is believed."""
    h = (lambda state: 0) if heuristic == "zero" else rules.h
    reached, ways = (
        {},
        [(0, number, start, None, []) for number, start in enumerate(rules.starts())],
    )
    number, best = len(ways), None
    while ways:
        paid, _, state, _, way = heapq.heappop(ways)
        if state in reached:
            continue
        reached[state] = paid
        if rules.goal(state):
            best = best or (paid, way)
            continue
        for action, after, cost in rules.successors(state):
            number += 1
            step = [str(action), after, cost]
            heapq.heappush(ways, (paid + cost, number, after, None, [*way, step]))
    assert best is not None
    bound = best[0] + (count is not None)
    starts = [*rules.starts()]
    entries: Entries = [
        (state, paid)
        for state, paid in reached.items()
        if not rules.goal(state) and paid + h(state) < bound
    ]
    header = {
        "puzzle": None,
        "claim": "cost",
        "starts": starts,
        "goals": None,
        "below": best[0],
        "heuristic": heuristic,
        "rests on": "nothing at all",
        "solution": best[1],
        "from": starts[0],
        "count": count,
        "within": None if count is None else 0,
        "words": None,
    }
    return header, sorted(entries)


def written(path: Path, header: Header, entries: Entries, *, packed: bool = True) -> Path:
    """A file of a header and a list as they are, with the right length and the right digest."""
    rows = (f"{text}\t{'-' if g is None else g}\n" for text, g in entries)
    body = "".join(rows).encode("utf-8", "surrogatepass")
    known = {"within": None, "words": None} | header
    known |= {"states": len(entries), "sha256": hashlib.sha256(body).hexdigest()}
    lines = "".join(f"{key}: {json.dumps(known[key])}\n" for key in KEYS)
    data = b"searchkit-proof 1\n" + lines.encode() + b"\n" + body
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


def said(path: Path) -> tuple[Header, Entries]:
    """What a proof says, by whatever words."""
    header, entries = read(path)
    return header | {"words": None, "sha256": None}, [*entries]


def jugs(
    sizes: tuple[int, ...] = (8, 5, 3), wanted: tuple[int, ...] = (4, 4, 0)
) -> SimpleNamespace:
    """Jugs without marks: the first is full, and what is poured fills a jug or empties one."""

    def successors(text: str) -> Any:
        state = state_of(text)
        for source, amount in enumerate(state):
            for target, size in enumerate(sizes):
                poured = min(amount, size - state[target])
                if poured and source != target:
                    after = list(state)
                    after[source] -= poured
                    after[target] += poured
                    yield f"{sizes[source]} to {size}", text_of(tuple(after)), 1

    return SimpleNamespace(
        starts=lambda: [text_of((sizes[0], *[0] * (len(sizes) - 1)))],
        successors=successors,
        goal=lambda state: state == text_of(wanted),
    )


def sliding(start: str, goal: str = "12345.", columns: int = 3) -> SimpleNamespace:
    """A sliding puzzle whose states are texts, with the sum of the distances of its tiles."""

    def distance(one: int, other: int) -> int:
        rows = abs(one // columns - other // columns)
        return rows + abs(one % columns - other % columns)

    def successors(state: str) -> Any:
        hole = state.index(".")
        for at, tile in enumerate(state):
            if distance(at, hole) == 1:
                cells = list(state)
                cells[at], cells[hole] = ".", tile
                yield tile, "".join(cells), 1

    return SimpleNamespace(
        starts=lambda: [start],
        successors=successors,
        goal=lambda state: state == goal,
        h=lambda state: sum(
            distance(at, goal.index(tile)) for at, tile in enumerate(state) if tile != "."
        ),
    )


CELLS = [(row, column) for row in range(5) for column in range(5) if (row + column) % 2 == 0]
MIDDLE = frozenset({(2, 2)})
WAYS = [(1, 1), (1, -1), (-1, 1), (-1, -1), (0, 2), (0, -2), (2, 0), (-2, 0)]
Pegs = frozenset[tuple[int, int]]


def hoppers() -> SimpleNamespace:
    """Thirteen cells in rows of 3 2 3 2 3, the middle one empty; a chain of jumps is one move."""

    def chains(pegs: Pegs, path: tuple[Any, ...]) -> Any:
        row, column = path[-1]
        for down, right in WAYS:
            over, land = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if over in pegs and land in CELLS and land not in pegs:
                after = pegs - {path[-1], over} | {land}
                yield (*path, land), after, 1
                if after != MIDDLE:
                    yield from chains(after, (*path, land))

    return SimpleNamespace(
        starts=lambda: [text_of(frozenset(CELLS) - MIDDLE)],
        successors=lambda text: (
            (path, text_of(after), cost)
            for pegs in [state_of(text)]
            for peg in sorted(pegs)
            for path, after, cost in chains(pegs, (peg,))
        ),
        goal=lambda text: text == text_of(MIDDLE),
    )
