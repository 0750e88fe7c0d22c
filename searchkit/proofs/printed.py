"""A proof as a page that people can tick off, line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from searchkit.errors import UsageError
from searchkit.problem import Problem
from searchkit.proofs.judging import Named, asked
from searchkit.proofs.rules import NEVER
from searchkit.texts.amounts import plural

MOST_PRINTED = 1000


def page(path: str | Path, problem: Problem[Any, Any], named: Named | None = None) -> Iterator[str]:
    """The lines of a page that has the whole of a proof that was written for `problem`.

    `UsageError` where there are more than a thousand states.
    """
    header, entries, rules = asked(path, problem, named)
    if header["states"] > MOST_PRINTED:
        raise UsageError(
            f"{header['states']:,} states are too many to print; give --proof a file, which "
            "searchkit verify checks"
        )
    listed = dict(entries)
    below, bound = header["below"], header["below"] + (header["count"] is not None)
    yield f"No solution costs less than {below}; {header['rests on']}."
    yield ""
    yield "Tick off each state below if these are all its steps, and each of them leads"
    yield "  - to a state that is on the page at the same cost or at a smaller one,"
    if header["heuristic"] != "zero":
        yield f"  - or to a goal, at {below} or later,"
        yield f"  - or to a state where the cost and its estimate h make {bound} or more."
    elif bound == below:
        yield f"  - or to any state, even a goal, at {below} or later."
    else:
        yield f"  - or to a goal, at {below} or later,"
        yield f"  - or to any other state, at {bound} or later."
    begins = [text for text in header["starts"] if text in listed]
    begin = f"It begins at 0 with {' and '.join(begins)}. " if begins else ""
    yield f"{begin}No state of the page may be a goal."
    for text in sorted({*header["starts"]} - {*begins}):
        h = rules.h(text)
        why = "a dead end by h" if h == NEVER else f"{h} or more from a goal by h"
        yield f"It does not begin with {text}, which is {'a goal' if rules.goal(text) else why}."
    costs = Counter(listed.values())
    for cost in sorted(costs, key=lambda cost: cost or 0):
        number = costs[cost]
        yield ""
        yield f"At {cost}: {plural(number, 'state')}"
        for text, g in sorted(listed.items()):
            if g != cost:
                continue
            yield f"  [ ] {text}"
            for action, after, price in rules.successors(text):
                at = cost + price
                if rules.goal(after):
                    where = "a goal"
                elif listed.get(after, NEVER) <= at:
                    where = f"there at {listed[after]}"
                else:
                    h = rules.h(after)
                    where = f"{at} + {h} make {at + h}" if h else f"not below {bound}"
                    where = "no way to a goal" if h == NEVER else where
                yield f"        {action}: at {at} to {after}, {where}"
    yield ""
    yield plural(len(listed), "state")
