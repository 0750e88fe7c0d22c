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
import threading
import types
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

HEADER = (  # the keys in their order, and what they hold, with ? or null; a bool is no int
    "puzzle: dict?, claim: str, starts: list, goals: list?, below: int?, heuristic: str, "
    "rests on: str, solution: list?, from: str?, count: int?, states: int, sha256: str"
)
KEYS = dict(each.split(": ") for each in HEADER.split(", "))
LONGEST, BLOCK, UNPACKER = 1 << 24, 1 << 20, 1 << 28  # bytes: a line, a read, the tables of xz
MOST_STEPS, PATIENCE = 100_000, 20  # steps from one state; seconds that the rules take for them
RECORD, LARGEST = 150, 10**4000  # bytes of a state in memory beside its text; numbers are less

Entries = Iterable[tuple[str, Any]]  # states and their numbers; None is a distance of `-`
Proved = tuple[str, int, list[str]]  # the kind of verdict, edges, what is proved


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


def many(number: int, noun: str, one: str = "", more: str = "") -> str:
    """A number and a noun, and a verb, in the right form."""
    return f"{number:,} {noun}" + (one if number == 1 else f"s{more}")


def check(header: dict[str, Any], entries: Entries, rules: Any, memory: int = 1 << 30) -> Verdict:
    """What a header and its list prove by these rules, within `memory` bytes or so."""
    claim = check_cost if header["claim"] == "cost" else check_distances
    asked = Rules(rules, header["heuristic"], header["goals"])
    try:
        kind, edges, proved = claim(header, entries, asked, memory)
    finally:
        asked.done()
    states, rests_on = header["states"], "checked by the rules alone"
    proved.append(f"{many(states, 'state')}, {many(edges, 'edge')}")
    if header["heuristic"] != "zero":
        rests_on = f"assuming that h, {ascii(header['heuristic'])[1:-1]}, is admissible"
        proved += ["everything rests on h"] * (states == 0)
    return Verdict(kind, states, edges, rests_on, "; ".join(proved))


def check_cost(header: dict[str, Any], entries: Entries, rules: Rules, memory: int) -> Proved:
    """Tests 1 to 3 of the top, then the solution and the count."""
    below, bound = header["below"], header["below"] + (header["count"] is not None)
    ledger, edges, falls = Ledger(memory), 0, 0
    for text in header["goals"] or ():
        need(rules.expanded(text)[0], f"{text!a} is listed as a goal and is none")
    starts = [start for _, start, _, _ in rules.expanded(None)[2]]
    need(starts and sorted(starts) == sorted(set(header["starts"])), "the rules start elsewhere")
    origin: list[tuple[Any, Any]] = [(None, 0)]  # its steps lead to the starts, for nothing
    for text, g in chain(origin, rising(entries, header)):
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
        proved.append(f"the solution of {many(len(header['solution']), 'step')} is optimal")
    if header["count"] is not None:
        ways = count(below, rising(entries, header), rules, memory)
        told = many(min(ways, LARGEST), "solution", " is", " are")
        need(ways == header["count"], f"{told} optimal")
        kind, proved[-1] = (
            "count",
            f"{proved[-1]}, " + (f"one of {ways:,}" if ways > 1 else "the only one"),
        )
    if falls:
        proved.append(f"h falls by more than the cost on {many(falls, 'edge')}, which it may")
    return kind, edges, proved


def replay(header: dict[str, Any], rules: Rules) -> None:
    """The solution goes from a start by steps of the rules to a goal, its first, and costs C."""
    at, paid = None, 0
    for _, after, cost in [["", header["from"], 0], *header["solution"]]:
        goal, _, steps = rules.expanded(at)
        need(not goal, "the solution goes on from a goal")
        need((cost, after) in {step[:2] for step in steps}, f"no such step leads to {after!a}")
        at, paid = after, paid + cost
    need(rules.expanded(at)[0], "the solution does not end at a goal")
    need(paid == header["below"], f"the solution costs {paid:,}")


def count(below: int, entries: Entries, rules: Rules, memory: int) -> int:
    """How many ways cost C: sums over exact steps, from the goals back to the origin, None."""
    exact: dict[Any, int] = {None: 0}
    for text, g in entries:
        exact[text] = g
        memory -= len(text) + 2 * RECORD
        if memory < 0:
            raise Unusable("to count, more --memory is needed")
    ways: dict[Any, int] = {}  # from states that are done
    begun: dict[Any, tuple[int, list[str]]] = {}  # from those between the origin and here
    circles: set[str] = set()
    todo: list[Any] = [None]
    while todo:
        here = todo[-1]
        if here in ways:
            todo.pop()
        elif here in begun:  # and all to which it leads is done
            ends, on = begun.pop(here)
            ways[here] = ends + sum(ways.get(after, 0) for after in on)
        else:
            steps = [(exact[here] + step[0], *step[1:3]) for step in rules.expanded(here)[2]]
            ends = sum(goal and paid == below for paid, _, goal in steps)
            on = [after for paid, after, _ in steps if exact.get(after) == paid]
            begun[here] = ends, on
            circles.update(after for after in on if after in begun)
            todo += [after for after in on if after not in begun]
    need(not any(map(ways.get, circles)), "a circle of cost 0 makes the solutions endless")
    return ways[None]


def check_distances(header: dict[str, Any], entries: Entries, rules: Rules, memory: int) -> Proved:
    """Each state of the list is exactly as far from a goal as it says."""
    steps, least, edges, finite = Ledger(memory // 2), Ledger(memory // 2), 0, 0
    for text, g in rising(entries, header):
        goal, _, leads = rules.expanded(text)
        need(goal == (g == 0), f"{text!a} is a goal and not at 0, or at 0 and no goal")
        edges, finite = edges + len(leads), finite + (g is not None and not goal)
        for cost, after, _, _ in leads:
            need(cost > 0, f"a step from {text!a} costs nothing")
            steps.add(f"{after}\t{text}", cost)
    for key, cost, g in looked_up(steps, rising(entries, header)):
        if g is not None:
            least.add(key.partition("\t")[2], cost + g)
    for text, distance, g in looked_up(least, rising(entries, header)):
        need(g == distance, f"{text!a} is {distance:,} from a goal, and says otherwise")
        finite -= 1
    need(finite == 0, "a state is listed at a distance, and no goal can be reached from it")
    return "distances", edges, ["each distance to a goal is exact"]


def rising(entries: Entries, header: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The list, which must be in order, without repetition, and as long as the header says."""
    last, number = "", 0
    for text, g in entries:
        need(number == 0 or last < text, f"{text!a} is not in order")
        last, number = text, number + 1
        need(number <= header["states"], "the list is longer than its header says")
        yield text, g
    need(number == header["states"], "the list is shorter than its header says")


def looked_up(ledger: Ledger, entries: Iterator[Any]) -> Iterator[tuple[str, int, Any]]:
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
        self.given, self.goals = given, goals and set(goals)
        self.h: Any = getattr(given, "heuristics", {}).get(heuristic) or getattr(given, "h", None)
        if heuristic == "zero":
            self.h = lambda state: 0
        lacks = [name for name in ("starts", "successors", "goal") if not hasattr(given, name)]
        if lacks or self.h is None or hasattr(given, "text") != hasattr(given, "state"):
            raise Unusable("the rules need starts, successors, goal, h if named, text with state")
        self.write, self.read = getattr(given, "text", text_of), getattr(given, "state", state_of)
        main = threading.current_thread() is threading.main_thread()
        rings = main and hasattr(signal, "alarm")
        self.alarm: Any = signal.alarm if rings else lambda seconds: None
        self.before = signal.signal(signal.SIGALRM, too_slow) if rings else None

    def done(self) -> None:
        """Nothing more is asked."""
        if self.before is not None:
            signal.signal(signal.SIGALRM, self.before)

    def expanded(self, text: str | None) -> tuple[bool, int, list[tuple[int, str, bool, int]]]:
        """Whether a state is a goal; its h; if it is none, its steps: cost, text, goal, h each."""
        goal, h = False, 0
        steps: list[tuple[int, str, bool, int]] = []
        try:
            self.alarm(PATIENCE)
            if text is None:
                found: Any = ((None, start, 0) for start in self.given.starts())
            else:
                state = self.read(text)
                again, goal, h = self.looked_at(state)
                need(again == text, f"is written {again!a} by the rules")
                found = () if goal else self.given.successors(state)
            for _, after, cost in found:  # looked at one by one: rules may change what they gave
                if type(cost) is not int or not 0 <= cost < LARGEST or len(steps) == MOST_STEPS:
                    raise Refused(f"has a step that costs {cost!r}, or too many steps")
                steps.append((cost, *self.looked_at(after)))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit, too: it must not end in a 0
            why = error if isinstance(error, Refused) else f"makes the rules fail: {error!r}"
            raise Refused(f"{text or 'the start'!a} {why}") from error
        finally:
            self.alarm(0)
        return goal, h, steps

    def looked_at(self, state: Any) -> tuple[str, bool, int]:
        """The text of a state, by which it can be read back; whether it is a goal; its h."""
        text, goal, h = self.write(state), self.given.goal(state), self.h(state)
        back = state if self.read is state_of else self.read(text)
        fits = type(text) is str and (text.isprintable() or min(text) >= " ")
        fits = fits and type(back) is type(state) and back == state
        if not (fits and type(goal) is bool and type(h) is int and 0 <= h < LARGEST):
            said = f"read as {back!r}, goal {goal!r}, h {h!r}"
            raise Refused(f"has to do with {text!r}, {said}, which cannot be")
        if goal and (h or (self.goals is not None and text not in self.goals)):
            raise Refused(f"has to do with {text!r}, a goal with h {h} or not listed")
        return text, goal, h


def too_slow(*_: object) -> None:
    """The alarm has gone off."""
    raise Slow(f"more than {PATIENCE} seconds")


def text_of(state: Any) -> str:
    """The canonical text of a plain value: no other has the same."""
    kind = type(state)
    if kind in (int, bool, str, type(None)) or (kind is float and state - state == 0):
        return repr(state)
    if kind not in (tuple, frozenset):
        raise TypeError(f"a {kind.__name__} is not plain: the rules need `text` and `state`")
    texts = list(map(text_of, state))
    if kind is frozenset:
        return "{" + ", ".join(sorted(texts)) + "}"
    return "(" + ", ".join(texts) + ",)"[len(texts) != 1 :]


def state_of(text: str | ast.expr) -> Any:
    """The plain value with this canonical text."""
    node = ast.parse(text, mode="eval").body if isinstance(text, str) else text
    if isinstance(node, ast.Tuple):
        return tuple(map(state_of, node.elts))
    if isinstance(node, ast.Set):
        return frozenset(map(state_of, node.elts))
    value = ast.literal_eval(node)
    return frozenset() if value == {} else value


class Ledger:
    """The least number of each key, told in order of keys; sorted files bound its memory."""

    def __init__(self, memory: int) -> None:
        self.memory, self.size = memory, 0
        self.least: dict[str, int] = {}
        self.files: list[IO[str]] = []

    def add(self, key: str, number: int) -> None:
        """Another number of a key."""
        if key not in self.least:
            self.size += len(key) + RECORD
        self.least[key] = min(number, self.least.get(key, number))
        if self.size > self.memory:  # a file that is gone when nobody uses it
            file = tempfile.TemporaryFile("w+", -1, "utf-8", "\n", errors="surrogatepass")  # noqa: SIM115
            file.writelines(f"{key}\t{number}\n" for key, number in sorted(self.least.items()))
            self.files.append(file)
            self.least, self.size = {}, 0

    def __del__(self) -> None:
        for file in self.files:
            file.close()

    def __iter__(self) -> Iterator[tuple[str, int]]:
        rows = heapq.merge(sorted(self.least.items()), *map(told, self.files))
        return (next(same) for _, same in groupby(rows, lambda row: row[0]))


def told(file: IO[str]) -> Iterator[tuple[str, int]]:
    """The rows of a file of a ledger."""
    file.seek(0)
    for line in file:
        key, _, number = line.rpartition("\t")
        yield key, int(number)


def read(path: str | Path) -> tuple[dict[str, Any], Entries]:
    """The header of a proof, and its list, which is read again at each pass."""
    lines, header = lines_of(path), {}
    need(next(lines, b"") == b"searchkit-proof 1", "the first line is not `searchkit-proof 1`")
    for key, kind in KEYS.items():
        name, _, value = next(lines, b"").partition(b": ")
        need(name == key.encode(), f"the header does not go on with `{key}`")
        try:
            found = header[key] = json.loads(value.decode(), object_pairs_hook=no_key_twice)
        except (ValueError, RecursionError) as error:
            raise Refused(f"`{key}` of the header: {error}") from None
        fits = type(found).__name__ == kind.rstrip("?") or (found is None and kind[-1] == "?")
        fits = fits and (type(found) is not int or 0 <= found < LARGEST)
        need(fits, f"`{key}` of the header does not fit `{kind}`")
    need(next(lines, None) == b"", "no empty line ends the header")
    texts = [*header["starts"], *(header["goals"] or [])]
    need(all(type(text) is str for text in texts), "a start or a goal is no text")
    for step in header["solution"] or []:
        shape = [type(each) for each in step] if type(step) is list else []
        need(shape == [str, str, int], "a step of the solution is not [action, state, cost]")
    alone = header["heuristic"] == "zero" and not header["starts"]
    match [header[key] for key in ("claim", "below", "solution", "from", "count")]:
        case ["cost", int(), None, None, None] | ["cost", int(), list(), str(), int() | None]:
            pass
        case ["distances", None, None, None, None] if alone:
            pass
        case _:
            raise Refused("the claim does not fit the rest of the header")
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

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        digest, text = hashlib.sha256(), ""
        for line in islice(lines_of(self.path), len(KEYS) + 2, None):
            digest.update(line + b"\n")
            try:
                *same, rest, g = line.split(b"\t")  # same: how much of the text before it repeats
                number = None if g == b"-" else int(g)
                fits = number is None or (0 <= number < LARGEST and b"%d" % number == g)
                need(fits, f"{g[:80]!a} is no number")
                need(len(text := text[: int(*same or "0")] + rest.decode()) < LONGEST, "too long")
                yield text, number
            except (TypeError, ValueError) as error:
                raise Refused(f"the list: {error}") from None
        need(digest.hexdigest() == self.sha256, "the list is not the one of its sha256")


def lines_of(path: str | Path) -> Iterator[bytes]:
    """The lines of a file, compressed by xz or not. No more than one of them is in memory."""
    with Path(path).open("rb") as file:
        packed, rest = file.read(6) == b"\xfd7zXZ\0", b""
        file.seek(0)
        for block in unpacked(file) if packed else iter(lambda: file.read(BLOCK), b""):
            *whole, rest = (rest + block).split(b"\n")
            yield from whole
            need(len(rest) < LONGEST, "a line is too long")
    need(not rest, "the file ends within a line")


def unpacked(file: IO[bytes]) -> Iterator[bytes]:
    """What a file of xz holds, block by block."""
    stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=UNPACKER)
    while not stream.eof:
        data = file.read(BLOCK) if stream.needs_input else b""
        need(data or not stream.needs_input, "the file is cut off")
        try:
            yield stream.decompress(data, BLOCK)
        except lzma.LZMAError as error:
            raise Refused(f"the file is damaged: {error}") from None
    need(not stream.unused_data and not file.read(1), "something follows the compressed proof")


def main() -> int:
    """The command: 0 is accepted, 1 refused, 2 neither."""
    parser = argparse.ArgumentParser(description="Check a proof by rules of your own.")
    parser.add_argument("proof", metavar="PROOF")
    parser.add_argument("rules", metavar="RULES.py")
    parser.add_argument("--memory", type=int, default=1000, metavar="MB", help="[1000]")
    given = parser.parse_args()
    rules = sys.modules["rules"] = types.ModuleType("rules")
    try:
        exec(compile(Path(given.rules).read_bytes(), given.rules, "exec"), rules.__dict__)
    except BaseException as error:
        print(f"{given.rules}: {error!r}", file=sys.stderr)
        return 2
    try:
        verdict = check(*read(given.proof), rules, given.memory << 20)
    except Refused as why:
        print(f"refused: {str(why)[:1000]}")
        return 1
    except (Unusable, OSError, MemoryError) as why:
        print(str(why) or repr(why), file=sys.stderr)
        return 2
    print(f"{verdict.rests_on}\n{verdict.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
