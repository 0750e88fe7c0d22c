"""The group `plugins`: files of puzzles in which one thing or two is wrong, and commands on them.

Where uniform-cost search calls a changed puzzle solved or unsolvable, its states are explored
here as well, by its own rules and a loop of our own.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

from hunt.calls import Answer, call, demand, inside, judge_answer, judge_time
from hunt.group import Group

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = {
    "farmer.py": "farmer",
    "bridge.py": "bridge",
    "jugs.py": "jugs",
    "missionaries.py": "missionaries",
    "hanoi.py": "hanoi",
    "first_puzzle.py": "my-pancakes",
    "fast_pancakes.py": "fast-pancakes",
    "knight.py": "knight",
    "sokoban.py": "sokoban",
    "sokoban_pushes.py": "pushes",
    "grid_map.py": "grid-map",
}
LIMITED = "--max-time 0.3s --max-expansions 3000 --max-memory 100MB"
CALLS = (
    *[f"run NAME --engine reference --algo ucs --json {LIMITED}"] * 4,
    f"run NAME --engine reference --count {LIMITED}",
    f"run NAME --engine reference --algo astar {LIMITED}",
    f"run NAME --engine reference --algo idastar --limit 3 {LIMITED}",
    f"run NAME --engine reference --algo bidirectional --moves {LIMITED}",
    f"run NAME --engine reference --random --seed 1 --draw {LIMITED}",
    f"explore NAME --engine reference {LIMITED}",
    "info NAME",
    "check NAME --states 20 --max-time 0.3s --engine reference",
    "list",
)
OTHERS = ("None", "True", "0", "1", "-1", "2", "1.5", "float('nan')", "float('inf')", "''", "'x'",
          "()",
          "[]", "{}", "(1, 2)", "[1]", "{1}", "object()", "1 << 70", "range(3)", "lambda: 0",
          "print",
          "state", "self", "missing")  # fmt: skip
EXPLORED = 4000
COMPILED = 0.02
"""How often kernels are compiled: that takes seconds."""
LIMIT_SECONDS = 0.3


@dataclass(frozen=True)
class Plugin:
    """The text of a file, the call, and what was done."""

    text: str
    words: tuple[str, ...]
    done: tuple[str, ...]


@cache
def text_of(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


def expressions(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """The places of expressions: the node that holds one, its field, its place in a list."""
    for node in ast.walk(tree):
        if isinstance(
            node, (ast.While, ast.ImportFrom, ast.arguments, ast.JoinedStr, ast.FormattedValue)
        ):
            continue
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "bases"):
                continue
            if isinstance(value, ast.expr):
                yield node, name, None, value
            elif isinstance(value, list):
                for place, each in enumerate(value):
                    if isinstance(each, ast.expr) and not isinstance(node, ast.ClassDef):
                        yield node, name, place, each


def changed(rng: random.Random, text: str) -> tuple[str, str]:
    """The text of a file with one thing changed."""
    try:
        tree = ast.parse(text)  # ten times as fast as a copy
    except SyntaxError:  # that is enough
        return text, "no more"
    way = rng.choice(("value", "value", "value", "result", "result", "near", "near", "drop", "name",
                      "method", "order"))  # fmt: skip
    methods = [
        (holder, each)
        for holder in ast.walk(tree)
        if isinstance(holder, ast.ClassDef)
        for each in holder.body
        if isinstance(each, ast.FunctionDef)
    ]
    holder, method = rng.choice(methods)
    if way in ("value", "near") and not any(expressions(method)):
        way = "name"
    if way == "value":
        _put(rng.choice(list(expressions(method))), _parsed(rng.choice(OTHERS)))
    elif way == "result":
        ends = [n for n in ast.walk(method) if isinstance(n, (ast.Return, ast.Yield))]
        if ends:
            rng.choice(ends).value = _parsed(rng.choice(OTHERS))
    elif way == "near":
        _alter(rng, rng.choice(list(expressions(method))))
    elif way == "drop":
        bodies = [n.body for n in ast.walk(method) if isinstance(getattr(n, "body", None), list)]
        body = rng.choice(bodies)
        body[rng.randrange(len(body))] = ast.Pass()
    elif way == "name":
        method.name = rng.choice((method.name[:-1], method.name + "s", "x" + method.name))
    elif way == "method":
        holder.body.remove(method)
    elif way == "order" and len(method.args.args) > 1:
        method.args.args.pop()
    return ast.unparse(ast.fix_missing_locations(tree)), f"{way} in {method.name}"


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _put(place: tuple[ast.AST, str, int | None, ast.expr], value: ast.expr) -> None:
    node, name, index, old = place
    if isinstance(getattr(old, "ctx", None), (ast.Store, ast.Del)):
        return
    if index is None:
        setattr(node, name, value)
    else:
        getattr(node, name)[index] = value


def _alter(rng: random.Random, place: tuple[ast.AST, str, int | None, ast.expr]) -> None:
    """Put something alike in the place of an expression."""
    value = place[3]
    if isinstance(value, ast.Constant) and type(value.value) is int:
        _put(place, ast.Constant(value.value + rng.choice((1, -1, 2))))
    elif isinstance(value, ast.Compare):
        others = (ast.Lt(), ast.LtE(), ast.Gt(), ast.Eq(), ast.NotEq(), ast.In())
        _put(
            place, ast.Compare(value.left, [rng.choice(others)] * len(value.ops), value.comparators)
        )
    elif isinstance(value, ast.BinOp):
        others = (ast.Add(), ast.Sub(), ast.Mult(), ast.BitOr(), ast.Mod())
        _put(place, ast.BinOp(value.left, rng.choice(others), value.right))
    elif isinstance(value, ast.Call) and value.args:
        arguments = value.args[:-1] if rng.random() < 0.5 else [*value.args, value.args[0]]
        _put(place, ast.Call(value.func, arguments, value.keywords))
    elif isinstance(value, ast.Tuple) and value.elts:
        _put(place, ast.Tuple(value.elts[:-1], ast.Load()))
    else:
        _put(place, ast.UnaryOp(ast.Not(), value))


class Plugins(Group):
    """Files of puzzles that are nearly right."""

    name = "plugins"
    summary = "mutated plugin files: one line, no traceback, and no wrong answer"
    short, minutes, hours = 15, 2000, 12_000
    patience = 90.0

    def make(self, rng: random.Random) -> Plugin:
        name = rng.choice(list(FILES))
        text, done = text_of(name), []
        for _ in range(rng.choice((1, 1, 1, 2))):
            text, what = changed(rng, text)
            done.append(what)
        if rng.random() < 0.03:
            place = rng.randrange(len(text))
            text, done = (
                text[:place] + rng.choice(("(", "\x00", "\n  x", "é", "")) + text[place + 3 :],
                ["torn"],
            )
        words = rng.choice(CALLS).replace("NAME", FILES[name]).split()
        if rng.random() < COMPILED:
            words = [word.replace("reference", "auto") for word in words]
        return Plugin(text, tuple(words), tuple(done))

    def run(self, case: Plugin) -> Counter[str]:
        room = self.folder / "room" / "work"
        with inside(room):
            path = room / "plugin.py"
            path.write_text(case.text, encoding="utf-8")
            answer = call([*case.words, "--plugin", str(path)])
            judge_answer(answer, blames_puzzle=True)
            judge_time(answer, LIMIT_SECONDS)
            if "ucs" in case.words and answer.code in (0, 11):
                judge_result(answer, path)
        return Counter({f"exit {answer.code}": 1})


def judge_result(answer: Answer, path: Path) -> None:
    """Compare with what a plain search by the same rules says, if that comes to an end."""
    document = json.loads(answer.out)
    certificate = document["certificate"]
    if certificate is not None and certificate["kind"] != "closed set":
        return
    best = explored(path, document["puzzle"])
    if best == "unknown":
        return
    said = document["cost"] if document["status"] == "solved" else None
    demand(said == best, answer, f"cost {said}, but a plain search finds {best}")


def explored(path: Path, name: str) -> Any:
    """The cost of a cheapest solution, None if there is none, "unknown" if nobody can tell."""
    made: dict[str, Any] = {}

    def register(title: str, factory: Any, **more: Any) -> None:
        made[title] = factory, [each.default for each in more.get("parameters", [])]

    try:
        spec = importlib.util.spec_from_file_location("changed_plugin", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.searchkit_register_puzzles(register)
        factory, defaults = made[name]
        problem = factory(*defaults)
        number = count()
        queue = [(0, next(number), start) for start in problem.initial_states()]
        closed = set()
        while queue:
            g, _, state = heappop(queue)
            key = problem.key(state)
            if key in closed:
                continue
            if problem.is_goal(state):
                return g
            closed.add(key)
            if len(closed) > EXPLORED:
                return "unknown"
            for _, child, cost in problem.successors(state):
                heappush(queue, (g + cost, next(number), child))
    except Exception:
        return "unknown"
    return None
