"""Small random graphs, what is true of them by brute force, and proofs of it, honest and not."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

from searchkit.proofs.rules import text_of

INFINITE = 10**6
NAMES = [0, -1, "it's", (1, 2), (3,), frozenset({2, 10}), 2.5, True, None, frozenset()]


class Graph:
    """States 0 to size - 1, steps with costs, starts, goals and a heuristic of any kind."""

    def __init__(self, random: Random) -> None:
        self.size = size = random.randint(2, 7)
        self.zero = random.random() < 0.4
        least = 0 if self.zero else 1
        self.steps = [
            [
                (action, random.choice([state, *range(size)]), random.randint(least, 3))
                for action in range(random.randint(0, 3))
            ]
            for state in range(size)
        ]
        for steps in self.steps:
            if steps and random.random() < 0.2:
                steps.append((len(steps), *random.choice(steps)[1:]))
        self.starts = random.sample(range(size), random.choice([1, min(2, size - 1)]))
        others = sorted(set(range(size)) - set(self.starts))
        among = range(size) if random.random() < 0.2 else others
        self.goals = set(random.sample(among, random.choice([1, 1, min(2, len(among))])))
        self.names = random.sample(NAMES, size)
        self.left = self.to_goal()
        self.cost = min(self.left[start] for start in self.starts)
        self.h = [random.randint(0, min(left, 9)) for left in self.left]
        if random.random() < 0.1:
            at = random.randrange(size)
            self.h[at] += random.randint(1, 3)
        self.admissible = all(h <= left for h, left in zip(self.h, self.left, strict=True))

    def to_goal(self) -> list[int]:
        """The cost from each state to the nearest goal; `INFINITE` where there is none."""
        left = [0 if state in self.goals else INFINITE for state in range(self.size)]
        for _ in range(self.size):
            for state, steps in enumerate(self.steps):
                for _, after, cost in steps:
                    left[state] = min(left[state], cost + left[after])
        return left

    def from_start(self) -> dict[int, int]:
        """The cost at which each state is reached, where ways end at goals."""
        reached = dict.fromkeys(self.starts, 0)
        for _ in range(self.size):
            for state, paid in list(reached.items()):
                for _, after, cost in self.steps[state] if state not in self.goals else ():
                    reached[after] = min(reached.get(after, INFINITE), paid + cost)
        return reached

    def solutions(self, within: int) -> int | None:
        """How many ways cost up to so much more than the least, from all starts to first goals.

        None if a circle makes them endless. Of those that cost more, none meets a state twice.
        """
        total, most = 0, self.cost + within
        if within:
            return sum(self.simple(start, most, {start}) for start in self.starts)
        layer = {(start, 0): 1 for start in self.starts if self.left[start] <= most}
        for _ in range(self.size * (most + 1) + 1):
            following: dict[tuple[int, int], int] = {}
            for (state, paid), number in layer.items():
                if state in self.goals:
                    total += number
                    continue
                for _, after, cost in self.steps[state]:
                    to = after, paid + cost
                    if to[1] + self.left[after] <= most:
                        following[to] = following.get(to, 0) + number
            layer = following
        return None if layer else total

    def simple(self, state: int, most: int, met: set[int]) -> int:
        """How many ways from a state cost up to `most`, and meet none of these, or one twice."""
        if state in self.goals:
            return int(most >= 0)
        return sum(
            self.simple(after, most - cost, met | {after})
            for _, after, cost in self.steps[state]
            if after not in met and cost <= most
        )

    def rules(self) -> SimpleNamespace:
        """As whoever checks a proof writes them."""
        texts = [text_of(name) for name in self.names]
        number = {text: at for at, text in enumerate(texts)}

        def successors(state: Any) -> Any:
            for action, after, cost in self.steps[number[state]]:
                yield f"action {action}", texts[after], cost

        return SimpleNamespace(
            starts=lambda: [texts[start] for start in self.starts],
            successors=successors,
            goal=lambda state: number[state] in self.goals,
            heuristics={"guess": lambda state: self.h[number[state]]},
        )

    def best(self) -> tuple[int, list[list[Any]]]:
        """Where a solution of least cost begins, and its steps, none of which is taken twice."""
        start = min(self.starts, key=lambda each: self.left[each])
        todo: list[tuple[int, list[list[Any]]]] = [(start, [])]
        seen = {start}
        for state, way in todo:
            if state in self.goals:
                return start, way
            for action, after, cost in self.steps[state]:
                if after not in seen and self.left[after] + cost == self.left[state]:
                    seen.add(after)
                    step = [f"action {action}", text_of(self.names[after]), cost]
                    todo.append((after, [*way, step]))
        raise AssertionError("a state is said to lead to a goal, and leads to none")


class Proof:
    """The header and the list of a proof."""

    def __init__(self, header: dict[str, Any], entries: list[tuple[str, int | None]]) -> None:
        self.header = header | {"states": len(entries)}
        self.entries = sorted(entries, key=lambda entry: entry[0])


def claimed(graph: Graph, random: Random) -> tuple[Proof, bool]:
    """A claim of any kind with a complete list; and whether it is true."""
    if random.random() < 0.2:
        return distances(graph), not graph.zero
    text = [text_of(name) for name in graph.names]
    known = graph.cost < INFINITE
    kind = random.choice(["lower bound", "optimal", "count"]) if known else "lower bound"
    below = graph.cost if known else random.randint(0, 9)
    start, way, count, true, within = None, None, None, True, random.choice([0, 0, 1, 2])
    if kind == "lower bound":
        below = max(0, below + random.choice([-2, -1, 0, 0, 1, 1]))
        true = below <= graph.cost
    else:
        start, way = graph.best()
    bound = below
    if kind == "count":
        count, bound = graph.solutions(within), below + within + 1
        if count is None or random.random() < 0.3:  # by a list which might not suffice
            count, bound, true = random.randint(1, 3), bound - random.randint(0, 1), False
    heuristic = random.choice(["zero", "guess", "guess"])
    h = graph.h if heuristic == "guess" else [0] * graph.size
    listed = [
        (text[state], paid)
        for state, paid in graph.from_start().items()
        if state not in graph.goals and paid + h[state] < bound
    ]
    header = {
        "claim": "cost",
        "starts": [text[each] for each in graph.starts],
        "goals": random.choice([None, sorted(text[goal] for goal in graph.goals)]),
        "below": below,
        "heuristic": heuristic,
        "solution": way,
        "from": None if start is None else text[start],
        "count": count,
        "within": None if count is None else within,
    }
    return Proof(header, listed), true and (heuristic == "zero" or graph.admissible)


def distances(graph: Graph) -> Proof:
    """That each state is as far from a goal as it is."""
    header = dict.fromkeys(("goals", "below", "solution", "from", "count", "within"))
    return Proof(
        header | {"claim": "distances", "starts": [], "heuristic": "zero"},
        [
            (text_of(name), None if left >= INFINITE else left)
            for name, left in zip(graph.names, graph.left, strict=True)
        ],
    )


def changed(proof: Proof, graph: Graph, random: Random) -> Proof:
    """The same with one to three changes, which may make it false."""
    header, entries = dict(proof.header), list(proof.entries)
    texts = [text_of(name) for name in graph.names]
    for _ in range(random.choice([1, 1, 2, 3])):
        if random.random() < 0.5 or header["claim"] == "distances":
            change_list(entries, texts, random)
        else:
            change_header(header, texts, random)
    if random.random() < 0.9:
        header["states"] = len(entries)
    found = Proof(header, entries)
    found.header, found.entries = header, entries  # in whatever order
    return found


def change_list(entries: list[tuple[str, Any]], texts: list[str], random: Random) -> None:
    """Leave a state out, add one, move one, or change its number."""
    at = random.randrange(len(entries)) if entries else 0
    match random.choice(["drop", "number", "number", "add", "twice", "swap", "-"]):
        case "drop" if entries:
            entries.pop(at)
        case "number" if entries:
            text, g = entries[at]
            entries[at] = text, max(0, (g or 0) + random.choice([-2, -1, -1, 1, 1, 2]))
        case "add":
            entries.append((random.choice(texts), random.randint(0, 6)))
            entries.sort(key=lambda entry: entry[0])
        case "twice" if entries:
            entries.insert(at, (entries[at][0], random.randint(0, 4)))
        case "swap" if len(entries) > 1:
            other = random.randrange(len(entries))
            entries[at], entries[other] = entries[other], entries[at]
        case "-" if entries:
            text, g = entries[at]
            entries[at] = text, random.randint(1, 4) if g is None else None


def change_header(header: dict[str, Any], texts: list[str], random: Random) -> None:
    """Claim more or less, or something else."""
    match random.choice(["below", "below", "count", "starts", "goals", "h", "step", "step"]):
        case "below":
            header["below"] = max(0, header["below"] + random.choice([-1, 1, 1, 2]))
        case "count" if header["solution"] is not None:
            header["count"] = random.choice([None, 0, 1, 2, 3, (header["count"] or 0) + 1])
            header["within"] = None if header["count"] is None else random.randint(0, 2)
        case "starts":
            header["starts"] = random.sample(texts, random.randint(1, min(2, len(texts))))
        case "goals":
            header["goals"] = random.choice(
                [None, random.sample(texts, random.randint(0, min(2, len(texts))))]
            )
        case "h":
            header["heuristic"] = random.choice(["zero", "guess"])
        case "step" if header["solution"]:
            way = header["solution"] = [list(step) for step in header["solution"]]
            at = random.randrange(len(way))
            match random.choice(["state", "state", "cost", "drop", "again"]):
                case "state":
                    way[at][1] = random.choice(texts)
                case "cost":
                    way[at][2] = random.randint(0, 3)
                case "drop":
                    way.pop(at)
                case "again":
                    way.insert(at, way[at])


def falsehoods(proof: Proof, graph: Graph, verdict: Any) -> list[str]:
    """What is not so in an accepted proof, if its heuristic is admissible."""
    header, text = proof.header, [text_of(name) for name in graph.names]
    listed = dict(proof.entries)
    found = []
    if len(listed) != len(proof.entries) or list(listed) != sorted(listed):
        found.append("the list is not one")
    if len(listed) != header["states"] or verdict.states != len(listed):
        found.append("states")
    if header["claim"] == "distances":
        wrong = [
            text
            for text, left in zip(text, graph.left, strict=True)
            if text in listed and listed[text] != (None if left >= INFINITE else left)
        ]
        return found + ["distance"] * bool(wrong)
    if sorted(header["starts"]) != sorted(text[start] for start in graph.starts):
        found.append("starts")
    goals = {text[goal] for goal in graph.goals}
    if goals & set(listed):
        found.append("a goal is in the list")
    met = {start for start in graph.starts if start in graph.goals}
    for state in range(graph.size):
        if text[state] in listed:
            met |= {after for _, after, _ in graph.steps[state] if after in graph.goals}
    named = goals if header["goals"] is None else set(header["goals"])
    if not {text[goal] for goal in met} <= named <= goals:
        found.append("goals")
    if header["heuristic"] == "guess" and any(graph.h[goal] for goal in met):
        found.append("h of a goal")
    if header["heuristic"] == "zero" or graph.admissible:
        found += untrue(header, graph)
    return found


def untrue(header: dict[str, Any], graph: Graph) -> list[str]:
    """Which of the claims on costs are not so."""
    found = []
    if header["below"] > graph.cost:
        found.append("the bound")
    if header["solution"] is not None and not solves(header, graph):
        found.append("the solution")
    if header["count"] is not None and header["count"] != graph.solutions(header["within"]):
        found.append("the count")
    return found


def solves(header: dict[str, Any], graph: Graph) -> bool:
    """Is the solution one, of least cost, and of the cost that is claimed?"""
    state = {text_of(name): at for at, name in enumerate(graph.names)}
    at, paid = state[header["from"]], 0
    if at not in graph.starts:
        return False
    for _, after, cost in header["solution"]:
        steps = {(to, price) for _, to, price in graph.steps[at]}
        if at in graph.goals or (state[after], cost) not in steps:
            return False
        at, paid = state[after], paid + cost
    return at in graph.goals and paid == graph.cost == header["below"]


def trial(checker: Any, seed: int) -> tuple[list[str], list[str]]:
    """What is wrong with a checker, by one graph; the kinds of what it accepted."""
    random = Random(seed)
    graph = Graph(random)
    rules = graph.rules()
    proof, true = claimed(graph, random)
    wrong, accepted = [], []
    for attempt in range(4):
        memory = random.choice([1 << 30, 1 << 30, 300])
        try:
            verdict = checker.check(proof.header, proof.entries, rules, memory)
        except checker.Unusable:
            pass
        except checker.Refused as why:
            if attempt == 0 and true:
                wrong.append(f"a true proof is refused: {why}")
        else:
            accepted.append(verdict.kind)
            wrong += falsehoods(proof, graph, verdict)
        proof = changed(claimed(graph, random)[0], graph, random)
    return wrong, accepted
