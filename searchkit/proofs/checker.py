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
from contextlib import ExitStack, suppress
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


def many(number: int, noun: str) -> str:
    """A number and a noun."""
    return f"{number:,} {noun}" + "s" * (number != 1)


def check(header: dict[str, Any], entries: Entries, given: Any, memory: int = 1 << 30) -> Verdict:
    """What a header and its list prove by these rules, within `memory` bytes or so."""
    claim = check_cost if header["claim"] == "cost" else check_distances
    with ExitStack() as afterwards:
        rules = Rules(given, header["heuristic"], header["goals"], afterwards)
        kind, edges, proved = claim(header, entries, rules, memory)
    states, rests_on = header["states"], "checked by the rules alone"
    if rules.falls:
        proved.append(f"h falls by more than the cost on {many(rules.falls, 'edge')}, which it may")
    proved.append(f"{many(states, 'state')}, {many(edges, 'edge')}")
    if header["heuristic"] != "zero":
        rests_on = f"assuming that h, {ascii(header['heuristic'])[1:-1]}, is admissible"
        told = [] if rules.falls else ["h falls on no edge by more than the cost"]
        proved += told if edges else ["everything rests on h"] * (states == 0)
    return Verdict(kind, states, edges, rests_on, "; ".join(proved))


def check_cost(header: dict[str, Any], entries: Entries, rules: Rules, memory: int) -> Proved:
    """Tests 1 to 3 of the top, then the solution and the count."""
    below, bound = header["below"], header["below"] + (header["count"] is not None)
    edges = 0
    for text in header["goals"] or ():
        need(rules.expanded(text)[0], f"{text!a} is listed as a goal and is none")
    starts = [start for _, start, _, _ in rules.expanded(None)[2]]
    need(starts and sorted(starts) == sorted(set(header["starts"])), "the rules start elsewhere")

    def to_be_held() -> Iterator[tuple[str, int]]:
        nonlocal edges
        origin: Iterable[Any] = [(None, 0)]  # its steps lead to the starts, for nothing
        for text, g in chain(origin, rising(entries, header)):
            goal, h, steps = rules.expanded(text)
            need(not goal and g is not None, f"{text!a} is a goal, or has no number")
            edges += len(steps) * (text is not None)
            for cost, after, ends, h_after in steps:
                rules.falls += h > cost + h_after
                if ends:
                    need(g + cost >= below, f"{text!a} at {g} leads to the goal {after!a}")
                elif g + cost + h_after < bound:
                    yield after, g + cost

    for text, cost, g in looked_up(to_be_held(), rising(entries, header), memory):
        need(g <= cost, f"{text!a} is reached at {cost} and listed at {g}")
    kind, proved = "lower bound", [f"no way costs less than {below:,}"]
    if header["solution"] is not None:
        replay(header, rules)
        kind, steps = "optimal", many(len(header["solution"]), "step")
        proved.append(f"the solution of {steps} is optimal")
    if header["count"] is not None:
        ways = count(below, rising(entries, header), rules, memory)
        told = many(min(ways, LARGEST), "solution") + (" is" if ways == 1 else " are")
        need(ways == header["count"], f"{told} optimal")
        kind = "count"
        proved[-1] += f", one of {ways:,}" if ways > 1 else ", the only one"
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
    edges = finite = 0

    def steps() -> Iterator[tuple[str, int]]:
        nonlocal edges, finite
        for text, g in rising(entries, header):
            goal, _, leads = rules.expanded(text)
            need(goal == (g == 0), f"{text!a} is a goal and not at 0, or at 0 and no goal")
            edges, finite = edges + len(leads), finite + (g is not None and not goal)
            for cost, after, _, _ in leads:
                need(cost > 0, f"a step from {text!a} costs nothing")
                yield f"{after}\t{text}", cost

    ahead = looked_up(steps(), rising(entries, header), memory // 2)
    ways = ((key.partition("\t")[2], cost + g) for key, cost, g in ahead if g is not None)
    for text, distance, g in looked_up(ways, rising(entries, header), memory // 2):
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


def looked_up(
    rows: Iterable[tuple[str, int]], entries: Iterator[Any], memory: int
) -> Iterator[tuple[str, int, Any]]:
    """The least number of each key, in order, and what the list says of the state before its tab.

    Rows for which there is no memory wait in sorted files.
    """
    least: dict[str, int] = {}
    size, runs = 0, []
    with ExitStack() as files:
        for key, number in rows:
            size += (key not in least) * (len(key) + RECORD)
            least[key] = min(number, least.get(key, number))
            if size > memory:
                file = files.enter_context(
                    tempfile.TemporaryFile("w+", -1, "utf-8", "\n", errors="surrogatepass")
                )
                file.writelines(f"{key}\t{number}\n" for key, number in sorted(least.items()))
                runs.append(told(file))
                least, size = {}, 0
        entry = next(entries, None)
        ordered = heapq.merge(sorted(least.items()), *runs)
        for key, same in groupby(ordered, lambda row: row[0]):
            text = key.partition("\t")[0]
            while entry and entry[0] < text:
                entry = next(entries, None)
            if not entry or entry[0] != text:
                raise Refused(f"{text!a} is reached, and the list lacks it")
            yield key, next(same)[1], entry[1]
    for _ in entries:  # to the end, where its length and its digest are compared
        pass


def told(file: IO[str]) -> Iterator[tuple[str, int]]:
    """The rows of a sorted file."""
    file.seek(0)
    for line in file:
        key, _, number = line.rpartition("\t")
        yield key, int(number)


class Rules:
    """The rules of whoever checks. What goes wrong in them is a refusal that names the state."""

    def __init__(self, given: Any, heuristic: str, goals: Any, afterwards: ExitStack) -> None:
        self.given, self.goals, self.falls = given, goals and set(goals), 0
        self.h: Any = getattr(given, "heuristics", {}).get(heuristic) or getattr(given, "h", None)
        if heuristic == "zero":
            self.h = lambda state: 0
        lacks = [name for name in ("starts", "successors", "goal") if not hasattr(given, name)]
        if lacks or self.h is None or hasattr(given, "text") != hasattr(given, "state"):
            named = f", h for {heuristic!a} (a proof by the heuristic zero needs none)"
            told = "the rules need starts, successors, goal, text with state"
            raise Unusable(told + named * (heuristic != "zero"))
        self.write, self.read = getattr(given, "text", text_of), getattr(given, "state", state_of)
        self.alarm: Any = id  # which does nothing
        with suppress(AttributeError, ValueError):  # there are no signals here
            before = signal.signal(signal.SIGALRM, too_slow)
            afterwards.callback(signal.signal, signal.SIGALRM, before or signal.SIG_DFL)
            self.alarm = signal.alarm

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
    if isinstance(node, ast.Tuple | ast.Set):
        return (tuple if isinstance(node, ast.Tuple) else frozenset)(map(state_of, node.elts))
    value = ast.literal_eval(node)
    return frozenset() if value == {} else value


def read(path: str | Path) -> tuple[dict[str, Any], Entries]:
    """The header of a proof, and its list, which is read again at each pass."""
    lines = lines_of(path)
    need(next(lines, b"") == b"searchkit-proof 1", "the first line is not `searchkit-proof 1`")
    header = {key: value_of(next(lines, b""), key, kind) for key, kind in KEYS.items()}
    need(next(lines, None) == b"", "no empty line ends the header")
    texts = [*header["starts"], *(header["goals"] or [])]
    need(all(type(text) is str for text in texts), "a start or a goal is not a text")
    for step in header["solution"] or []:
        shape = [type(each) for each in step] if type(step) is list else []
        need(shape == [str, str, int], "a step of the solution is not [action, state, cost]")
    alone = header["heuristic"] == "zero" and not header["starts"]
    match [header[key] for key in ("claim", "below", "solution", "from", "count")]:
        case ["cost", int(), None, None, None] | ["cost", int(), list(), str(), int() | None]:
            fits = True
        case claim:
            fits = claim == ["distances", None, None, None, None] and alone
    need(fits, "the claim does not fit the rest of the header")
    return header, Listed(path, header["sha256"])


def value_of(line: bytes, key: str, kind: str) -> Any:
    """What a line of the header says of this key, which is of this kind."""
    name, _, value = line.partition(b": ")
    need(name == key.encode(), f"the header does not go on with `{key}`")
    try:
        found = json.loads(  # an object with a key twice is none
            value.decode(),
            object_pairs_hook=lambda rows: len(dict(rows)) == len(rows) and dict(rows),
        )
    except (ValueError, RecursionError) as error:
        raise Refused(f"`{key}` of the header: {error}") from None
    fits = type(found).__name__ == kind.rstrip("?") or (found is None and kind[-1] == "?")
    fits = fits and (type(found) is not int or 0 <= found < LARGEST)
    need(fits, f"`{key}` of the header does not fit `{kind}`")
    return found


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
    stream, rest = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=UNPACKER), b""
    with Path(path).open("rb") as file:
        packed = file.peek(6)[:6] == b"\xfd7zXZ\0"
        size = BLOCK >> 9 if packed else BLOCK  # xz makes 7,000 bytes of one at most
        while block := file.read(size):
            try:
                *whole, rest = (rest + (stream.decompress(block) if packed else block)).split(b"\n")
            except (lzma.LZMAError, EOFError) as error:
                raise Refused(f"the file is damaged: {error}") from None
            yield from whole
            need(len(rest) < LONGEST, "a line is too long")
    need(not packed or stream.eof, "the file is cut off")
    need(not (rest or stream.unused_data), "the file ends within a line, or more follows it")


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
        verdict = check(*read(given.proof), rules, given.memory << 20)
    except Refused as why:
        print(f"refused: {str(why)[:1000]}")
        return 1
    except BaseException as why:  # SystemExit of the rules, too: it must not end in a 0
        print(f"{type(why).__name__}: {str(why)[:1000]}", file=sys.stderr)
        return 2
    print(f"{verdict.rests_on}\n{verdict.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
