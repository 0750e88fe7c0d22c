"""Checks a proof that no way from a start to a goal costs less than C, by rules of your own.

    python checker.py PROOF RULES.py [--memory MB]

RULES.py defines `starts()`, `successors(state)`, which gives (action, state, cost), `goal(state)`
and, where the proof names a heuristic, `h(state)` or `heuristics = {NAME: h}`. States are plain
values, or `text(state)` writes them and `state(text)` reads them. This file needs only Python.

A proof is a list of states s, each with a number g(s). Say that it *holds* s at c if it has s with
g(s) <= c. Let B be C, or C + 1 where all optimal solutions are counted. Checked is that

1. no state of the list is a goal;
2. the list holds each start at 0, unless h(start) >= B, or the start is a goal and C = 0;
3. for each step from an s of the list to a t, with c = g(s) + cost: if t is a goal, c >= C;
   otherwise the list holds t at c, unless c + h(t) >= B.

So each way to a goal costs C or more, provided that h nowhere exceeds what is left to pay.
If the list holds each state of the way before the goal at its cost so far, this is 3 for the last
step. Otherwise let t be the first that it does not hold, at cost c: by 2 or 3, c + h(t) >= B >= C.

Counts: a way of cost C < B never leaves the list, and each g on it is exact, since a smaller one
would, by 3, reach the goal below C. So these are the ways along steps with g(t) = g(s) + cost.

Distances: g(s) is the cost from s to the nearest goal, `-` where there is none. A goal has 0, any
other state the least of cost + g(t) over its steps; each t is listed, each cost above 0. Along the
least, g falls to 0 at a goal, and no step makes it fall by more than the step costs.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import heapq
import json
import lzma
import signal
import sys
import tempfile
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

KEYS = {  # of the header, in order, and what each may hold; bool is no int here
    "puzzle": (dict, type(None)),
    "claim": (str,),
    "starts": (list,),
    "goals": (list, type(None)),
    "below": (int, type(None)),
    "heuristic": (str,),
    "rests on": (str,),
    "solution": (list, type(None)),
    "from": (str, type(None)),
    "count": (int, type(None)),
    "states": (int,),
    "sha256": (str,),
}
LONGEST, BLOCK, UNPACKER = 1 << 24, 1 << 16, 1 << 28  # bytes: a line, a read, the tables of xz
MOST_STEPS, PATIENCE = 100_000, 20  # steps from one state; seconds that the rules take for them
RECORD, MOST_RUNS = 150, 64  # bytes of a state beside its text; sorted files open at once

Header = dict[str, Any]
Entry = tuple[str, Any]  # a state and its number, or None for a distance of `-`
Entries = Iterable[Entry]
Step = tuple[int, str, bool, int]  # its cost; where it leads: the text, whether a goal, h
Proved = tuple[str, int, list[str]]  # the kind, edges, what is proved


class Refused(Exception):  # noqa: N818
    """The file proves nothing, or not by these rules."""


class Unusable(Exception):  # noqa: N818
    """There is no answer: the rules lack something, or the memory does not suffice."""


class Slow(BaseException):
    """The rules take too long; no `except Exception` of theirs catches this."""


class Verdict(NamedTuple):
    """What is proved, and what is left to believe."""

    kind: str
    states: int
    edges: int
    rests_on: str
    text: str


def need(holds: object, why: str) -> None:
    """Go on only if this holds."""
    if not holds:
        raise Refused(why)


def check(header: Header, entries: Entries, rules: Any, memory: int = 1 << 30) -> Verdict:
    """What a header and its list prove by these rules, within `memory` bytes or so."""
    asked = Rules(rules, header["heuristic"], header["goals"])
    claim = check_cost if header["claim"] == "cost" else check_distances
    with watched(asked):
        kind, edges, proved = claim(header, entries, asked, memory)
    states, rests_on = header["states"], "checked by the rules alone"
    proved.append(f"{states:,} states, {edges:,} edges")
    if header["heuristic"] != "zero":
        rests_on = f"assuming that h, {ascii(header['heuristic'])[1:-1]}, is admissible"
        proved += ["everything rests on h"] * (states == 0)
    return Verdict(kind, states, edges, rests_on, "; ".join(proved))


def check_cost(header: Header, entries: Entries, rules: Rules, memory: int) -> Proved:
    """Tests 1 to 3 of the top, then the solution and the count."""
    below, bound = header["below"], header["below"] + (header["count"] is not None)
    ledger, edges, falls = Ledger(memory), 0, 0
    for text in header["goals"] or ():
        need(rules.expanded(text)[0], f"{text!a} is listed as a goal and is none")
    starts = [start for _, start, _, _ in rules.expanded(None)[2]]
    need(starts and sorted(starts) == sorted(set(header["starts"])), "the rules start elsewhere")
    before: Iterator[tuple[Any, Any]] = iter([(None, 0)])
    for text, g in chain(before, rising(entries, header)):
        goal, h, steps = rules.expanded(text)
        need(not goal and g is not None, f"{text!a} is a goal, or has no number")
        edges += len(steps) * (text is not None)
        for cost, after, ends, h_after in steps:
            falls += h > cost + h_after
            if ends:
                need(g + cost >= below, f"{text!a} at {g} leads to the goal {after!a} for {cost}")
            elif g + cost + h_after < bound:
                ledger.add(after, g + cost)
    for text, cost, g in looked_up(ledger, rising(entries, header)):
        need(g <= cost, f"{text!a} is reached at {cost} and listed at {g}")
    kind, proved = "lower bound", [f"no way costs less than {below:,}"]
    if header["solution"] is not None:
        replay(header, rules)
        kind = "optimal"
        proved.append(f"the solution of {len(header['solution']):,} steps is optimal")
    if header["count"] is not None:
        ways = count(header, entries, rules, memory)
        need(ways == header["count"], f"{ways:,} solutions are optimal")
        kind, proved[-1] = (
            "count",
            f"{proved[-1]}, " + (f"one of {ways:,}" if ways > 1 else "the only one"),
        )
    if falls:
        proved.append(f"h falls by more than the cost on {falls:,} edges, which it may")
    return kind, edges, proved


def replay(header: Header, rules: Rules) -> None:
    """The solution goes from a start by steps of the rules to a goal, its first, and costs C."""
    at: Any = None
    paid = 0
    for _, after, cost in [("", header["from"], 0), *header["solution"]]:
        goal, _, steps = rules.expanded(at)
        need(not goal, "the solution goes on from a goal")
        need((cost, after) in {step[:2] for step in steps}, f"no such step leads to {after!a}")
        at, paid = after, paid + cost
    need(rules.expanded(at)[0], "the solution does not end at a goal")
    need(paid == header["below"], f"the solution costs {paid:,}")


def count(header: Header, entries: Entries, rules: Rules, memory: int) -> int:
    """How many ways cost C: sums over exact steps, from the goals back to before the starts."""
    exact: dict[str | None, int] = {None: 0}
    for text, g in rising(entries, header):
        exact[text] = g
        memory -= len(text) + 2 * RECORD
        if memory < 0:
            raise Unusable("to count, more --memory is needed")
    ways: dict[str | None, int] = {}
    sums: dict[str | None, int] = {}  # unfinished ones, of the states between a start and here
    circles: set[str] = set()
    todo: list[tuple[str | None, list[str]]] = []

    def enter(text: str | None) -> None:
        steps = [
            (after, ends)
            for cost, after, ends, _ in rules.expanded(text)[2]
            if exact[text] + cost == (header["below"] if ends else exact.get(after))
        ]
        sums[text] = sum(ends for _, ends in steps)
        todo.append((text, [after for after, ends in steps if not ends]))

    enter(None)
    while todo:
        here, on = todo[-1]
        if not on:
            ways[here] = sums.pop(here)
            todo.pop()
        elif on[-1] in ways:
            sums[here] += ways[on.pop()]
        elif on[-1] in sums:
            circles.add(on.pop())
        else:
            enter(on[-1])
    need(not any(map(ways.get, circles)), "a circle of cost 0 makes the solutions endless")
    return ways[None]


def check_distances(header: Header, entries: Entries, rules: Rules, memory: int) -> Proved:
    """Each state of the list is exactly as far from a goal as it says."""
    steps, least, edges, between = Ledger(memory // 2), Ledger(memory // 2), 0, 0
    for text, g in rising(entries, header):
        goal, _, leads = rules.expanded(text)
        need(goal == (g == 0), f"{text!a} is a goal and not at 0, or at 0 and no goal")
        between += g is not None and not goal
        edges += len(leads)
        for cost, after, _, _ in leads:
            need(cost > 0, f"a step from {text!a} costs nothing")
            steps.add(f"{after}\t{text}", cost)
    for key, cost, g in looked_up(steps, rising(entries, header)):
        if g is not None:
            least.add(key.partition("\t")[2], cost + g)
    for text, found, g in looked_up(least, rising(entries, header)):
        need(g == found, f"{text!a} is {found:,} from a goal, and says otherwise")
        between -= 1
    need(between == 0, "a state is listed at a distance, and no goal can be reached from it")
    return "distances", edges, ["each distance to a goal is exact"]


def rising(entries: Entries, header: Header) -> Iterator[Entry]:
    """The list, which must be in order, without repetition, and as long as the header says."""
    last: str | None = None
    number = 0
    for number, (text, g) in enumerate(entries, 1):
        need(last is None or last < text, f"{text!a} is not in order")
        need(number <= header["states"], "the list is longer than its header says")
        last = text
        yield text, g
    need(number == header["states"], "the list is shorter than its header says")


def looked_up(ledger: Ledger, entries: Iterator[Entry]) -> Iterator[tuple[str, int, Any]]:
    """What a ledger says, and what the list says of the state with which the key begins."""
    entry = next(entries, None)
    for key, number in ledger:
        text = key.partition("\t")[0]
        while entry and entry[0] < text:
            entry = next(entries, None)
        if not entry or entry[0] != text:
            raise Refused(f"{text!a} is reached, and the list lacks it")
        yield key, number, entry[1]
    for _ in entries:  # to the end, where its length and its digest are compared
        pass


class Rules:
    """The rules of whoever checks. What goes wrong in them is a refusal that names the state."""

    def __init__(self, given: Any, heuristic: str, goals: list[str] | None) -> None:
        self.given, self.goals, self.busy, self.calls, self.seen = given, goals, False, 0, -1
        self.h: Any = getattr(given, "heuristics", {}).get(heuristic) or getattr(given, "h", None)
        if heuristic == "zero":
            self.h = lambda state: 0
        lacks = [name for name in ("starts", "successors", "goal") if not hasattr(given, name)]
        if lacks or self.h is None or hasattr(given, "text") != hasattr(given, "state"):
            raise Unusable("the rules need starts, successors, goal, h if named, text with state")
        self.write = getattr(given, "text", text_of)
        self.read = getattr(given, "state", plain_state)

    def expanded(self, text: str | None) -> tuple[bool, int, list[Step]]:
        """Whether a state is a goal; its h; its steps, if it is none. To starts, if it is None."""
        self.busy, self.calls = True, self.calls + 1
        try:
            goal, h, steps = False, 0, []
            found: Any
            if text is None:
                found = ((None, start, 0) for start in self.given.starts())
            else:
                state = self.read(text)
                again, goal, h = self.looked_at(state)
                need(again == text, f"is not as the rules write it, {again!a}")
                found = () if goal else self.given.successors(state)
            for _, after, cost in found:  # seen one by one: rules may change what they gave
                need(type(cost) is int and cost >= 0, f"has a step that costs {cost!r}")
                steps.append((cost, *self.looked_at(after)))
                need(len(steps) < MOST_STEPS, "has too many successors")
        except Refused as why:
            raise Refused(f"{text!a} {why}") from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit, too: it must not end in a 0
            raise Refused(f"{text!a} makes the rules fail: {error!r}") from error
        finally:
            self.busy = False
        return goal, h, steps

    def looked_at(self, state: Any) -> tuple[str, bool, int]:
        """The text of a state, by which it can be read back; whether it is a goal; its h."""
        text, goal, h = self.write(state), self.given.goal(state), self.h(state)
        need(
            type(text) is str and (text.isprintable() or min(text) >= " "), f"has the text {text!a}"
        )
        need(type(goal) is bool, f"leads to {text!a}, a goal: {goal!r}")
        need(type(h) is int and h >= 0 and not (goal and h), f"leads to {text!a} with h {h!r}")
        need(
            not goal or self.goals is None or text in self.goals,
            f"leads to {text!a}, no listed goal",
        )
        if self.read is not plain_state:
            back = self.read(text)
            need(
                type(back) is type(state) and back == state, f"leads to {text!a}, read as {back!r}"
            )
        return text, goal, h


@contextmanager
def watched(rules: Rules) -> Iterator[None]:
    """Rules that do not come to an end are stopped, where a signal can do it."""

    def look(*_: object) -> None:
        if rules.busy and rules.calls == rules.seen:
            raise Slow(f"more than {PATIENCE} seconds")
        rules.seen = rules.calls

    try:
        before = signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)
    except (AttributeError, ValueError):  # there is no such signal, or this is no main thread
        yield
        return
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def text_of(state: Any) -> str:
    """The canonical text of a plain value: no other has the same."""
    kind = type(state)
    if kind in (int, bool, str, type(None)) or (kind is float and state - state == 0):
        return repr(state)
    if kind is frozenset:
        return "{" + ", ".join(sorted(map(text_of, state))) + "}"
    if kind is not tuple:
        raise TypeError(f"a {kind.__name__} is not plain: the rules need `text` and `state`")
    return "(" + ", ".join(map(text_of, state)) + ",)"[len(state) != 1 :]


def plain_state(text: str) -> Any:
    """The plain value with this canonical text."""

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Constant(found):
                return found
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as found)):
                return -found
            case ast.Tuple(parts):
                return tuple(map(value, parts))
            case ast.Set(parts):
                return frozenset(map(value, parts))
            case ast.Dict([]):
                return frozenset()
        raise ValueError("no plain value")

    return value(ast.parse(text, mode="eval").body)


class Ledger:
    """The least number of each key, told in order of keys; sorted files bound its memory."""

    def __init__(self, memory: int) -> None:
        self.memory, self.size = memory, 0
        self.least: dict[str, int] = {}
        self.runs: list[IO[str]] = []

    def add(self, key: str, number: int) -> None:
        """Another number of a key."""
        known = self.least.get(key)
        if known is None or number < known:
            self.least[key] = number
        self.size += (len(key) + RECORD) * (known is None)
        if self.size > self.memory:
            self.runs.append(written(sorted(self.least.items())))
            self.least, self.size = {}, 0
            if len(self.runs) == MOST_RUNS:
                self.runs = [written(heapq.merge(*map(told, self.runs)))]

    def __iter__(self) -> Iterator[tuple[str, int]]:
        last = None
        for key, number in heapq.merge(sorted(self.least.items()), *map(told, self.runs)):
            if key != last:
                yield key, number
            last = key


def written(rows: Iterable[tuple[str, int]]) -> IO[str]:
    """A file that is gone when nobody uses it."""
    file = tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n")  # noqa: SIM115
    file.writelines(f"{key}\t{number}\n" for key, number in rows)
    return file


def told(file: IO[str]) -> Iterator[tuple[str, int]]:
    """What was written into a file."""
    file.seek(0)
    for line in file:
        key, _, number = line.rpartition("\t")
        yield key, int(number)


def read(path: str | Path) -> tuple[Header, Entries]:
    """The header of a proof, and its list, which is read anew each time that it is gone through."""
    lines, header = lines_of(path), {}
    need(next(lines, b"") == b"searchkit-proof 1", "the first line is not `searchkit-proof 1`")
    for key, kinds in KEYS.items():
        name, _, value = next(lines, b"").partition(b": ")
        need(name == key.encode(), f"the header does not go on with `{key}`")
        try:
            header[key] = json.loads(value.decode(), object_pairs_hook=no_key_twice)
        except (ValueError, RecursionError) as error:
            raise Refused(f"`{key}` of the header: {error}") from None
        need(type(header[key]) in kinds and header[key] != -1, f"`{key}` of the header: wrong kind")
    need(next(lines, None) == b"", "no empty line ends the header")
    starts, goals, solution = header["starts"], header["goals"], header["solution"]
    need(
        all(type(text) is str for text in [*starts, *(goals or ())]), "a start or a goal is no text"
    )
    for step in solution or ():
        fits = type(step) is list and [type(each) for each in step] == [str, str, int]
        need(fits, "a step of the solution is not [action, state, cost]")
    if header["claim"] == "cost":
        need(header["below"] is not None, "`below` is missing")
        need((solution is None) == (header["from"] is None), "`solution` needs `from`")
        need(header["count"] is None or solution is not None, "a count needs a solution")
    else:
        alone = [
            header[key] for key in ("starts", "below", "heuristic", "solution", "from", "count")
        ]
        need(header["claim"] == "distances", "the claim is neither `cost` nor `distances`")
        need(alone == [[], None, "zero", None, None, None], "distances have no more than a list")
    return header, Listed(path, header["sha256"])


def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


class Listed:
    """The list of a file: states and numbers."""

    def __init__(self, path: str | Path, sha256: str) -> None:
        self.path, self.sha256 = path, sha256

    def __iter__(self) -> Iterator[Entry]:
        digest = hashlib.sha256()
        for line in islice(lines_of(self.path), len(KEYS) + 2, None):
            digest.update(line + b"\n")
            text, _, g = line.rpartition(b"\t")
            try:
                number = None if g == b"-" else int(g)
                need(
                    number is None or (str(number).encode() == g and number >= 0), f"{g!a} is no g"
                )
                yield text.decode(), number
            except ValueError as error:
                raise Refused(f"the list: {error}") from None
        need(digest.hexdigest() == self.sha256, "the list is not the one of its sha256")


def lines_of(path: str | Path) -> Iterator[bytes]:
    """The lines of a file, compressed by xz or not. No more than one of them is in memory."""
    with Path(path).open("rb") as file:
        packed = file.read(6) == b"\xfd7zXZ\0"
        file.seek(0)
        rest = b""
        for block in unpacked(file) if packed else iter(lambda: file.read(BLOCK), b""):
            *whole, rest = (rest + block).split(b"\n")
            yield from whole
            need(len(rest) < LONGEST, "a line is too long")
    need(not rest, "the file ends within a line")


def unpacked(file: IO[bytes]) -> Iterator[bytes]:
    """What a file of xz holds, block by block."""
    data = file.read(BLOCK)
    while data:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=UNPACKER)
        while not stream.eof:
            need(data or not stream.needs_input, "the file is cut off")
            try:
                yield stream.decompress(data, BLOCK)
            except lzma.LZMAError as error:
                raise Refused(f"the file is damaged: {error}") from None
            data = file.read(BLOCK) if stream.needs_input else b""
        data = stream.unused_data or file.read(BLOCK)


def loaded(path: str) -> Any:
    """A file of rules as a module."""
    rules = sys.modules["rules"] = types.ModuleType("rules")
    try:
        exec(compile(Path(path).read_bytes(), path, "exec"), rules.__dict__)
    except (Exception, SystemExit) as error:
        raise Unusable(f"{path}: {error!r}") from error
    return rules


def main() -> int:
    """The command: 0 is accepted, 1 refused, 2 neither."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("proof", metavar="PROOF")
    parser.add_argument("rules", metavar="RULES.py")
    parser.add_argument("--memory", type=int, default=1000, metavar="MB", help="[1000]")
    given = parser.parse_args()
    try:
        header, entries = read(given.proof)
        verdict = check(header, entries, loaded(given.rules), given.memory << 20)
    except Refused as why:
        print(f"refused: {str(why)[:1000]}")
        return 1
    except (Unusable, OSError) as why:
        print(why, file=sys.stderr)
        return 2
    print(f"{verdict.rests_on}\n{verdict.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
