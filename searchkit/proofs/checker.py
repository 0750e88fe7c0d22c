"""Checks a proof that no way from a start to a goal costs less than C, by rules of your own.

    python checker.py PROOF RULES.py [--memory MB]

RULES.py defines `starts()`, `successors(state)`, which gives (action, state, cost), `goal(state)`
and, where the proof names a heuristic, `h(state)` or `heuristics = {NAME: h}`. States are plain
values, or `text(state)` writes them and `state(text)` reads them. This file needs only Python.

A proof lists states s with numbers g(s). It *holds* s at c if it has s with g(s) <= c. Let B be C,
or C + 1 where all optimal solutions are counted. Checked is that

1. no state of the list is a goal;
2. the list holds each start at 0, unless h(start) >= B, or the start is a goal and C = 0;
3. for each step from an s of the list to a t, with c = g(s) + cost: if t is a goal, c >= C;
   otherwise the list holds t at c, unless c + h(t) >= B.

So each way to a goal costs C or more, provided that h nowhere exceeds what is left to pay. If the
list holds each state before the goal at its cost so far, this is 3 for the last step. Otherwise let
t be the first that it does not hold, at cost c: by 2 or 3, c + h(t) >= B >= C. With B = C + 1, a
way of cost C never leaves the list, and each g on it is exact, or 3 would fail below C.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import lzma
import mmap
import re
import runpy
import signal
import sys
import tempfile
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

KEYS = (  # of the header, in their order; and the first letters of the types of their values
    *("puzzle", "claim", "starts", "goals", "below", "heuristic", "rests on"),
    *("solution", "from", "count", "states", "sha256"),
)
SHAPES = r"[dN]s\[s*\](\[s*\]|N)(iss(NNN|\[(\[ssi\])*\]s[iN])|NssNNN)is"
LINE = re.compile(rb"(?:(\d{1,9})\t)?([^\t]*)\t(-|0|[1-9]\d{0,3999})")  # (same,) rest and number
LONGEST, BLOCK, UNPACKER = 1 << 24, 1 << 20, 1 << 28  # bytes: a line, a read, the tables of xz
MOST_STEPS, PATIENCE = 100_000, 20  # steps from one state; seconds that the rules take for them
RECORD, LARGEST = 150, 10**4000  # bytes of a state in memory beside its text; numbers are less
RULES_ALONE = "checked by the rules alone"
NEVER, UTF = LARGEST**2, ("utf-8", "surrogatepass")  # the distance `-`; the encoding of texts

Header = dict[str, Any]
Entries = Iterable[tuple[str, Any]]  # states and their numbers; None is a distance of `-`


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


def too_slow(*_: object) -> None:
    """The alarm has gone off."""
    raise Slow(f"more than {PATIENCE} seconds")


def need(holds: object, why: str, *of: object) -> None:
    """Go on only if this holds."""
    if not holds:
        raise Refused(why.format(*of))


def many(number: int, noun: str) -> str:
    """A number and a noun."""
    return f"{number:,} {noun}" + "s" * (number != 1)


def check(header: Header, entries: Entries, given: Any, memory: int = 1 << 30) -> Verdict:
    """What a header and its list prove by these rules, within `memory` bytes or so."""
    with ExitStack() as stack:
        rules = Rules(given, header, stack)
        table = Table(header, entries, memory >> 2 * (header["count"] is not None), stack)
        test = check_cost if header["claim"] == "cost" else check_distances
        return verdict(header, *test(header, rules, table))


def verdict(header: Header, edges: int, falls: int) -> Verdict:
    """What is proved once everything has been checked."""
    claim, way, ways, h = (header[key] for key in ("claim", "solution", "count", "heuristic"))
    states, by_h = header["states"], h != "zero"
    one_of = "" if ways is None else f", one of {ways:,}" if ways > 1 else ", the only one"
    told = {
        "each distance to a goal is exact": claim == "distances",
        f"no way costs less than {header['below'] or 0:,}": claim == "cost",
        f"the solution of {many(len(way or ()), 'step')} is optimal{one_of}": way is not None,
        f"h falls by more than the cost on {many(falls, 'edge')}, which it may": falls,
        f"{many(states, 'state')}, {many(edges, 'edge')}": True,
        "h falls on no edge by more than the cost": by_h and edges and not falls,
        "everything rests on h": by_h and not states,
    }
    text = "; ".join(said for said, holds in told.items() if holds)
    kind = "lower bound" if way is None else "optimal" if ways is None else "count"
    by = f"assuming that h, {ascii(h)[1:-1]}, is admissible" if by_h else RULES_ALONE
    return Verdict(kind if claim == "cost" else claim, states, edges, by, text)


def check_ends(header: Header, rules: Rules) -> int:
    """The header has the starts of the rules, how many there are, and goals."""
    for text in header["goals"] or ():
        need(rules.expanded(text)[0], "{!a} is listed as a goal and is none", text)
    starts = sorted(step[1] for step in rules.expanded(None)[2])
    need(starts and starts == sorted(set(header["starts"])), "the rules start elsewhere")
    return len(starts)


def check_cost(header: Header, rules: Rules, table: Table) -> tuple[int, int]:
    """Tests 1 to 3 of the top; how many edges there are, and on how many of them h falls."""
    below, is_counted = header["below"], header["count"] is not None
    leads: dict[Any, list[Any]] = defaultdict(list)  # exact steps; those to goals at C lead to 0
    edges, falls, origin = -check_ends(header, rules), 0, [(None, 0)]  # it leads to the starts
    for text, g in chain[Any](origin, table.rows()):
        goal, h, steps = rules.expanded(text)
        need(not goal and g < NEVER, "{!a} is a goal, or has no number", text)
        edges += len(steps)
        for cost, after, ends, h_after in steps:
            c, least = g + cost, below if ends else table.get(after)
            falls += h > cost + h_after
            if c + h_after < below + is_counted:
                need(least is not None, "{!a} is reached, and the list lacks it", after)
                why = "to the goal {!a} at {}" if ends else "to {!a} at {}, listed at more"
                need(least <= c, "{!a} leads " + why, text, after, c)
            if is_counted and c == least:
                leads[text].append(0 if ends else after)
    if header["solution"] is not None:
        check_solution(header, rules, leads)
    return edges, falls


def check_solution(header: Header, rules: Rules, leads: dict[Any, list[Any]]) -> None:
    """The solution costs C, to its first goal; and as many ways lead from None to 0 as are claimed.

    These are summed from the ends back.
    """
    at, paid = None, 0
    for _, after, cost in [["", header["from"], 0], *header["solution"]]:
        goal, _, steps = rules.expanded(at)
        need(not goal, "the solution goes on from a goal")
        need((cost, after) in {step[:2] for step in steps}, "no such step leads to {!a}", after)
        at, paid = after, paid + cost
    need(rules.expanded(at)[0], "the solution does not end at a goal")
    need(paid == header["below"], "the solution costs {:,}", paid)
    if header["count"] is None:
        return
    ways: dict[Any, int] = {0: 1}  # from states that are done
    begun, circles, todo = set[Any](ways), set[Any](), [None]
    while todo:
        here = todo[-1]
        if here not in begun:
            begun.add(here)
            circles.update(after for after in leads[here] if after in begun and after not in ways)
            todo += [after for after in leads[here] if after not in begun]
        elif todo.pop() not in ways:  # and all to which it leads is done
            ways[here] = sum(ways.get(after, 0) for after in leads[here])
    need(not any(map(ways.get, circles)), "a circle of cost 0 makes the solutions endless")
    number = ways[None]
    said = many(min(number, LARGEST), "solution") + (" is" if number == 1 else " are")
    need(number == header["count"], "{} optimal", said)


def check_distances(header: Header, rules: Rules, table: Table) -> tuple[int, int]:
    """A goal is at 0, another state at the least of cost + distance over its steps: edges, and 0.

    Each step costs more than 0, so that along the least ones a distance falls to 0 at a goal.
    """
    edges = 0
    for text, g in table.rows():
        goal, _, steps = rules.expanded(text)
        edges, least = edges + len(steps), NEVER * (not goal)
        for cost, after, _, _ in steps:
            further = table.get(after)
            need(cost > 0, "a step from {!a} costs nothing", text)
            need(further is not None, "{!a} is reached, and the list lacks it", after)
            least = min(least, cost + further)
        need(g == least, "{!a} is not as far from a goal as its number", text)
    return edges, 0


def in_order(header: Header, entries: Entries) -> Entries:
    """The list, which must be in order, without repetition, and as long as the header says."""
    last, number = "", 0
    for text, g in entries:
        need(number == 0 or last < text, "{!a} is not in order", text)
        last, number = text, number + 1
        need(number <= header["states"], "the list is longer than its header says")
        yield text, g
    need(number == header["states"], "the list is shorter than its header says")


class Table:
    """The list in a file, sorted as it is, and in memory as far as there is room."""

    def __init__(self, header: Header, entries: Entries, memory: int, stack: ExitStack) -> None:
        file: Any = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        size = 0
        self.known, self.ends = dict[str, int](), array("Q", [0])
        for text, g in in_order(header, entries):
            size, number = size + len(text) + RECORD, NEVER if g is None else g
            self.ends.append(self.ends[-1] + file.write(f"{text}\t{g}".encode(*UTF)))
            if size <= memory:
                self.known[text] = number
            elif header["count"] is not None:
                raise Unusable("to count, more --memory is needed")
        file.write(b"\n")
        file.flush()
        self.file = stack.enter_context(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def row(self, place: int) -> tuple[str, int]:
        """A state and its number."""
        line = self.file[self.ends[place] : self.ends[place + 1]].decode(*UTF)
        text, _, g = line.rpartition("\t")
        return text, NEVER if g == "None" else int(g)

    def rows(self) -> Iterator[tuple[str, int]]:
        """All of them, in order."""
        return map(self.row, range(len(self.ends) - 1))

    def get(self, text: str) -> Any:
        """The number of a state that is listed."""
        count = len(self.ends) - 1
        if text in self.known or len(self.known) == count:
            return self.known.get(text)
        place = bisect_left(range(count), text, key=lambda each: self.row(each)[0])
        found, g = self.row(place) if place < count else (None, None)
        return g if found == text else None


class Rules:
    """The rules of whoever checks. What goes wrong in them is a refusal that names the state."""

    def __init__(self, given: Any, header: Header, stack: ExitStack) -> None:
        self.given, self.goals, name = given, header["goals"], header["heuristic"]
        known = {"h": getattr(given, "h", None), **getattr(given, "heuristics", {})}
        self.h: Any = (lambda state: 0) if name == "zero" else known.get(name) or known["h"]
        has = [hasattr(given, each) for each in ("starts", "successors", "goal", "text", "state")]
        if not (all(has[:3]) and has[3] == has[4] and self.h):
            named = f", h for {name!a} (a proof by the heuristic zero needs none)" * (
                name != "zero"
            )
            raise Unusable(f"the rules need starts, successors, goal, text with state{named}")
        self.write, self.read = getattr(given, "text", text_of), getattr(given, "state", state_of)
        self.alarm: Any = id  # which does nothing
        with suppress(AttributeError, ValueError):  # there are no signals here
            before = signal.signal(signal.SIGALRM, too_slow)
            stack.callback(signal.signal, signal.SIGALRM, before or signal.SIG_DFL)
            self.alarm = signal.alarm

    def expanded(self, text: str | None) -> tuple[bool, int, list[tuple[int, str, bool, int]]]:
        """Whether a state is a goal; its h; if it is none, its steps: cost, text, goal, h each."""
        goal, h, steps = False, 0, list[tuple[int, str, bool, int]]()
        try:
            self.alarm(PATIENCE)
            if text is None:
                found: Any = ((None, start, 0) for start in self.given.starts())
            else:
                again, goal, h = self.looked_at(state := self.read(text))
                need(again == text, "is written {!a} by the rules", again)
                found = () if goal else self.given.successors(state)
            for _, after, cost in found:  # looked at one by one: rules may change what they gave
                fits = type(cost) is int and 0 <= cost < LARGEST and len(steps) < MOST_STEPS
                need(fits, "has a step that costs {!r}, or too many steps", cost)
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
        fits = fits and type(goal) is bool and type(h) is int and 0 <= h < LARGEST
        said = "has to do with {!r}, read as {!r}, goal {!r}, h {!r}, which cannot be"
        need(fits, said, text, back, goal, h)
        fits = not goal or (h == 0 and (self.goals is None or text in self.goals))
        need(fits, "has to do with {!r}, a goal with h {} or not listed", text, h)
        return text, goal, h


def text_of(state: Any) -> str:
    """The canonical text of a plain value: no other has the same."""
    kind = type(state)
    if kind in (int, bool, str, type(None)) or (kind is float and state - state == 0):
        return repr(state)
    if kind is frozenset:
        return "{" + ", ".join(sorted(map(text_of, state))) + "}"
    if kind is tuple:
        return "(" + ", ".join(map(text_of, state)) + ",)"[len(state) != 1 :]
    raise TypeError(f"a {kind.__name__} is not plain: the rules need `text` and `state`")


def state_of(text: str | ast.expr) -> Any:
    """The plain value with this canonical text."""
    node = ast.parse(text, mode="eval").body if isinstance(text, str) else text
    if isinstance(node, ast.Tuple | ast.Set):
        return (tuple if isinstance(node, ast.Tuple) else frozenset)(map(state_of, node.elts))
    value = ast.literal_eval(node)
    return frozenset() if value == {} else value


def shape(value: Any) -> str:
    """The first letters of types, those of a list in brackets."""
    return f"[{''.join(map(shape, value))}]" if type(value) is list else type(value).__name__[0]


def read(path: str | Path) -> tuple[Header, Entries]:
    """The header of a proof, and its list, which can be read once."""
    lines, kinds = lines_of(path), ""
    header: Header = {}
    need(next(lines, b"") == b"searchkit-proof 1", "the first line is not `searchkit-proof 1`")
    for key in KEYS:
        name, _, value = next(lines, b"").partition(b": ")
        need(name == key.encode(), "the header does not go on with `{}`", key)
        try:
            found = header[key] = json.loads(value.decode(), object_pairs_hook=once)
            kinds += shape(found)
        except (ValueError, RecursionError) as error:
            raise Refused(f"`{key}` of the header: {error}") from None
        need(type(found) is not int or 0 <= found < LARGEST, "`{}` of the header is no size", key)
    need(next(lines, None) == b"", "no empty line ends the header")
    need(re.fullmatch(SHAPES, kinds), "the header does not fit together: {}", kinds[:80])
    alone = header["heuristic"] == "zero" and header["starts"] == []
    claim = "cost" if type(header["below"]) is int else "distances" if alone else None
    need(header["claim"] == claim, "the claim does not fit the rest of the header")
    return header, list_of(lines, header["sha256"])


def once(pairs: list[tuple[str, Any]]) -> Any:
    """A JSON object, none if a key occurs twice."""
    return len(dict(pairs)) == len(pairs) and dict(pairs)


def list_of(lines: Iterator[bytes], sha256: str) -> Iterator[tuple[str, Any]]:
    """States and numbers."""
    digest, text = hashlib.sha256(), ""
    for line in lines:
        digest.update(line + b"\n")
        row: Any = LINE.fullmatch(line)
        need(row, "the list: {!a} is no state and number", line[:80])
        try:  # a line may begin with how much of the text before it repeats
            text = text[: int(row[1] or 0)] + row[2].decode()
        except ValueError as error:
            raise Refused(f"the list: {error}") from None
        need(len(text) < LONGEST, "the list: a text is too long")
        yield text, None if row[3] == b"-" else int(row[3])
    need(digest.hexdigest() == sha256, "the list is not the one of its sha256")


def lines_of(path: str | Path) -> Iterator[bytes]:
    """The lines of a file, compressed by xz or not. No more than one of them is in memory."""
    stream, rest = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=UNPACKER), b""
    with Path(path).open("rb") as file:
        packed = file.peek(6)[:6] == b"\xfd7zXZ\0"
        while block := file.read(BLOCK >> 9 * packed):  # xz makes 7,000 bytes of one at most
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
    try:
        rules = SimpleNamespace(**runpy.run_path(given.rules))
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
