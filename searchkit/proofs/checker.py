"""Checks a proof that no way from a start to a goal costs less than C, by rules of your own.

    python checker.py PROOF RULES.py [MEGABYTES OF MEMORY]

A state is a text. RULES.py defines `starts()`, `successors(state)`, which gives (action, state,
cost), `goal(state)` and, where the proof names a heuristic, `h(state)` or `heuristics = {NAME: h}`.

A proof lists states s with numbers g(s). It *holds* s at c if it has s with g(s) <= c. Let B be C,
or C + k + 1 where the solutions that cost up to C + k are counted. Checked is that

1. no state of the list is a goal;
2. the list holds each start at 0, unless h(start) >= B, or the start is a goal and C = 0;
3. for each step from an s of the list to a t, with c = g(s) + cost: if t is a goal, c >= C;
   otherwise the list holds t at c, unless c + h(t) >= B.

So each way to a goal costs C or more, provided that h nowhere exceeds what is left to pay. If the
list holds each state before the goal at its cost so far, this is 3 for the last step. Otherwise let
t be the first that it does not hold, at cost c: by 2 or 3, c + h(t) >= B >= C. In the same way, who
sets out at g(s) from an s of the list pays C or more. So a way that costs up to C + k never leaves
the list, and is at no s later than g(s) + k. Distances d are checked as g = -d: no step makes d
fall by more than it costs, and one by just that, but at goals, and where d is beyond all numbers.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import runpy
import signal
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

KEYS = (  # of the header, in their order; then their values, all texts being s, and all numbers i
    *("puzzle", "claim", "starts", "goals", "below", "heuristic", "rests on", "solution"),
    *("from", "count", "within", "words", "states", "sha256"),
)
LIST, NULL = r"\[(s(, s)*)?\]", "(null )"
WAY = rf"(i s s ({NULL}{{4}}|\[(\[s, s, i\](, )?)*\] s (i i |{NULL}{{2}}))|null s s {NULL}{{4}})"
VALUES = rf"(\{{.*\}}|null) s {LIST} ({LIST}|null) {WAY}({LIST}|null) i s"
LINE = re.compile(r"([^\t\ud800-\udfff]*)\t(-|0|[1-9][0-9]{0,3999})")  # a state's; its number
LONGEST, DISK = 1 << 24, 16  # bytes of a line; how many times the memory the list has on disk
MOST_STEPS, PATIENCE = 100_000, 20  # steps from one state; seconds that the rules take for them
STEP, LARGEST, NEVER = 150, 10**4000, 10**4200  # bytes of a step in memory; numbers; that of `-`
RULES_ALONE, MORE = "checked by the rules alone", "more memory can be allowed (--max-memory)"

Entries = Iterable[tuple[str, int | None]]  # states and their numbers; None is a distance of `-`
Leads = dict[Any, list[tuple[Any, int]]]  # to a state, 0 for goals, from which; and how much later
Verdict = NamedTuple(  # noqa: UP014  (what is proved, and what is left to believe)
    "Verdict", [("kind", str), ("states", int), ("edges", int), ("rests_on", str), ("text", str)]
)


class Refused(Exception):  # noqa: N818
    """The file proves nothing, or not by these rules."""


class Unusable(Exception):  # noqa: N818
    """There is no answer: the rules lack something, or the memory does not suffice."""


def need(holds: object, why: str, *of: object) -> None:
    """Go on only if this holds; of what takes megabytes to say, the beginning is told."""
    if not holds:
        raise Refused(why.format(*(ascii(each)[:500] for each in of)))


def check(header: dict[str, Any], entries: Entries, given: Any, memory: int = 1 << 30) -> Verdict:
    """What a header and its list prove by these rules, within `memory` bytes or so."""
    with ExitStack() as stack:
        proof = Check(header, given, stack)
        try:
            edges, falls, leads = proof.of_list(proof.stored(entries, memory, stack), memory)
        except sqlite3.Error as error:
            raise Unusable(f"the list cannot be kept in a file: {error}; {MORE}") from error
        if header["solution"] is not None:
            proof.of_solution(leads)
        return proof.verdict(edges, falls)


class Check:
    """What a header claims, and the rules of whoever checks; what is wrong is a refusal."""

    def __init__(self, header: dict[str, Any], given: Any, stack: ExitStack) -> None:
        self.header, self.given, self.name = header, given, header["heuristic"]
        self.is_cost, self.below = header["claim"] == "cost", header["below"] or 0
        self.late = -1 if header["within"] is None else header["within"]  # k
        known = getattr(given, "heuristics", {}).get(self.name) or getattr(given, "h", None)
        self.h: Any = known if self.name != "zero" else lambda state: 0
        if not (all(hasattr(given, each) for each in ("starts", "successors", "goal")) and self.h):
            raise Unusable(f"rules need starts, successors, goal, h for {self.name!a} if not zero")
        self.alarm: Any = id  # which does nothing
        with suppress(AttributeError, ValueError):  # there are no signals here
            before = signal.signal(signal.SIGALRM, lambda *_: sys.exit("Slow"))
            stack.callback(signal.signal, signal.SIGALRM, before or signal.SIG_DFL)
            self.alarm = signal.alarm

    def expanded(self, state: str | None) -> tuple[bool, int, list[tuple[int, str, bool, int]]]:
        """Whether it is a goal; its h; if it is none, its steps: cost, state, goal, h each."""
        goal, h, steps = False, 0, list[tuple[int, str, bool, int]]()
        try:
            self.alarm(PATIENCE)
            if state is None:  # leads to the starts
                found: Any = ((None, start, 0) for start in self.given.starts())
            else:
                goal, h = self.looked_at(state)
                found = () if goal else self.given.successors(state)
            for _, after, cost in found:
                fits = type(cost) is int and 0 <= cost < LARGEST and len(steps) < MOST_STEPS
                need(fits, "{} has a step that costs {}, or too many steps", state, cost)
                steps.append((cost, after, *self.looked_at(after)))
        except (Exception, SystemExit) as error:
            need(type(error) is Refused, "{} makes the rules fail: {}", state or "a start", error)
            raise
        finally:
            self.alarm(0)
        return goal, h, steps

    def looked_at(self, state: str) -> tuple[bool, int]:
        """Whether a state is a goal; its h."""
        goal, h, goals = self.given.goal(state), self.h(state), self.header["goals"]
        fits = type(state) is str and type(goal) is bool and type(h) is int and 0 <= h < LARGEST
        fits = fits and not (goal and (h or (goals is not None and state not in goals)))
        need(fits, "{} is no text, or of goal {}, h {}, which cannot be", state, goal, h)
        state.encode()  # fails where no file can hold it
        return goal, h

    def of_ends(self) -> int:
        """The header has the starts of the rules, how many there are, and goals."""
        for state in self.header["goals"] or ():
            need(self.expanded(state)[0], "{} is listed as a goal and is none", state)
        starts = sorted(step[1] for step in self.expanded(None)[2])
        need(starts == sorted({*self.header["starts"]}) != [], "the rules start elsewhere or twice")
        return len(starts)

    def stored(self, entries: Entries, memory: int, stack: ExitStack) -> Any:
        """The list, in order, in a temporary database: what asks it."""
        ask = stack.enter_context(closing(sqlite3.connect(""))).execute
        ask(f"PRAGMA max_page_count = {2 + (memory * DISK >> 12)}")  # of 4 KiB; few are in memory
        ask("CREATE TABLE list (state PRIMARY KEY, g) WITHOUT ROWID")
        last, number, states = "", 0, self.header["states"]
        for state, g in entries:
            need(number == 0 or last < state, "{} is not in order", state)
            last, number, known = state, number + 1, NEVER if g is None else g
            need(number <= states, "the list is longer than its header says")
            ask("INSERT INTO list VALUES (?, ?)", (state, str(known if self.is_cost else -known)))
        need(number == states, "the list is shorter than its header says")
        return ask

    def of_list(self, ask: Any, memory: int) -> tuple[int, int, Leads]:
        """Edges; on how many h falls by more than the cost; and steps that are late by up to k."""
        edges, falls, leads = -self.of_ends() if self.is_cost else 0, 0, Leads()
        bound = self.below + self.late + 1 if self.is_cost else NEVER
        rows = "SELECT NULL, 0 WHERE ? UNION ALL SELECT state, g FROM list"  # NULL leads to starts
        for state, number in ask(rows, (self.is_cost,)):
            g, (goal, h, steps) = int(number), self.expanded(state)
            need(not self.is_cost or not (goal or g == NEVER), "{} is a goal, or has no g", state)
            edges, is_exact = edges + len(steps), self.is_cost or g == -NEVER * (not goal)
            for cost, after, ends, h_after in steps:
                row = ask("SELECT g FROM list WHERE state = ?", (after,)).fetchone()
                c, least = g + cost, row and int(row[0])
                least = self.below if ends and self.is_cost else least
                falls += h > cost + h_after
                need(self.is_cost or cost > 0, "a step from {} costs nothing", state)
                if c + h_after < bound:
                    why = "the goal {} at {}" if ends else "{} at {}, where the list lacks it"
                    need(least is not None and least <= c, "{} leads to " + why, state, after, c)
                is_exact = is_exact or c == least
                if least is not None and 0 <= c - least <= self.late:
                    leads.setdefault(0 if ends else after, []).append((state, c - least))
                    if (memory := memory - (STEP + len(after)) * (self.late + 1)) < 0:
                        raise Unusable(f"to count takes more memory; {MORE}")
            need(is_exact, "{} is not as far from a goal as its number", state)
        return edges, falls, leads

    def of_solution(self, leads: Leads) -> None:
        """The solution costs C, and there are as many as the header says."""
        at, paid = None, 0
        for _, after, cost in [["", self.header["from"], 0], *self.header["solution"]]:
            steps = self.expanded(at)[2]  # a goal has none
            need((cost, after) in {step[:2] for step in steps}, "no such step leads to {}", after)
            at, paid = after, paid + cost
        is_goal, most = self.expanded(at)[0], self.header["count"]
        need(is_goal and paid == self.below, "the solution ends at {}, and costs {}", at, paid)
        number = None if most is None else self.counted(leads)
        need(number == most, "the number of solutions is {}", number)

    def counted(self, leads: Leads) -> int:
        """How many ways lead from None to 0, late by up to k in all, and meet no state twice."""
        onward, todo, ways = {(0, 0): list[Any]()}, [(0, 0)], dict[Any, int]()
        for after in todo:
            for state, more in leads.get(after[0], ()):
                here = state, after[1] + more
                if here[1] <= self.late:
                    todo += [] if here in onward else [here]
                    onward.setdefault(here, []).append(after)
        if self.late:  # some may meet a state twice: each is walked
            number, walks = 0, list[Any]((here, (None,)) for here in onward if here[0] is None)
            while walks:
                here, path = walks.pop()
                number += here[0] == 0
                walks += [(each, (*path, each[0])) for each in onward[here] if each[0] not in path]
            return number
        with suppress(CycleError):
            for here in TopologicalSorter(onward).static_order():
                ways[here] = sum(map(ways.__getitem__, onward[here])) + (here == (0, 0))
        need(ways, "a circle of cost 0 makes the solutions endless")
        return ways.get((None, 0), 0)

    def verdict(self, edges: int, falls: int) -> Verdict:
        """What is proved once everything has been checked."""
        way, count, states = (self.header[key] for key in ("solution", "count", "states"))
        kind, text = "lower bound", f"no way costs less than {self.below:,}"
        if not self.is_cost:
            kind, text = "distances", "each distance to a goal is exact"
        if way is not None:
            kind = "optimal" if count is None else "count"
            text += f"; the solution of {len(way):,} step{'s' * (len(way) != 1)} is optimal"
            text += {None: "", 1: ", the only one"}.get(count, f", one of {count or 0:,}")
            text += f" up to {self.below + self.late:,}" if self.late > 0 else ""
        text += f"; {states:,} state{'s' * (states != 1)}, {edges:,} edge{'s' * (edges != 1)}"
        by = RULES_ALONE
        if self.name != "zero":
            by = f"assuming that h, {ascii(self.name)[1:-1]}, is admissible"
            fall = f"h falls by more than the cost on {falls:,} of them, which it may"
            text += f"; {fall}" if states else "; everything rests on h"
        return Verdict(kind, states, edges, by, text)


def read(path: str | Path) -> tuple[dict[str, Any], Entries]:
    """The header of a proof, and its list, which can be read once."""
    lines, header = lines_of(path), dict[str, Any]()
    need(next(lines, b"") == b"searchkit-proof 1", "the first line is not `searchkit-proof 1`")
    try:
        for key in KEYS:
            line = next(lines, b"").decode()
            header[key] = json.loads(line.partition(": ")[2])
            need(line == f"{key}: {json.dumps(header[key])}", "{} is not in its place", line)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{key!r} of the header: {error}") from None
    need(next(lines, None) == b"", "no empty line ends the header")
    values = " ".join(map(json.dumps, header.values()))
    kinds = re.sub(r"\b\d{1,4000}\b", "i", re.sub(r'"(\\.|[^"\\])*"', "s", values))
    need(re.fullmatch(VALUES, kinds), "the header does not fit together: {}", kinds[:300])
    need(header["claim"] == ("distances" if header["below"] is None else "cost"), "no such claim")
    return header, list_of(lines, header)


def list_of(lines: Iterator[bytes], header: dict[str, Any]) -> Entries:
    """States and numbers. With words, bytes from 32 on are how many are shared, and the others."""
    digest, shared, words = hashlib.sha256(), b"", dict(enumerate(header["words"] or (), 32))
    longest = max(map(len, words.values()), default=1)
    for line in lines:
        digest.update(line + b"\n")
        shared = shared[: ord(line[:1] or b" ") - 32] + line[1:] if words else line
        need(len(shared) * longest < LONGEST, "the list: a text is too long")
        text = shared.decode("latin-1").translate(words) if words else line.decode(errors="replace")
        row: Any = LINE.fullmatch(text)
        need(row, "the list: {} is no state and number", line[:80])
        yield row[1], None if row[2] == "-" else int(row[2])
    need(digest.hexdigest() == header["sha256"], "the list is not the one of its sha256")


def lines_of(path: str | Path) -> Iterator[bytes]:
    """The lines of a file, compressed by gzip or not. No more than one of them is in memory."""
    with Path(path).open("rb") as file:
        stream: Any = gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == b"\x1f\x8b" else file
        try:
            while line := stream.readline(LONGEST):
                need(line.endswith(b"\n"), "a line is too long, or the file ends within it")
                yield line[:-1]
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise Refused(f"the file is damaged: {error}") from None


def main() -> int:
    """The command: 0 is accepted, 1 refused, 2 neither."""
    try:
        if len(sys.argv) not in (3, 4):
            raise Unusable("call python checker.py PROOF RULES.py [MEGABYTES OF MEMORY]")
        proof, rules, memory = (*sys.argv[1:], "1000")[:3]
        verdict = check(*read(proof), SimpleNamespace(**runpy.run_path(rules)), int(memory) << 20)
    except BaseException as why:  # SystemExit of the rules, too: it must not end in a 0
        code, kind = 1 if isinstance(why, Refused) else 2, type(why).__name__.lower()
        print(f"{kind}: {str(why)[:2000]}", file=sys.stdout if code == 1 else sys.stderr)
        return code
    print(f"{verdict.rests_on}\n{verdict.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
