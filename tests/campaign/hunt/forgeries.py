"""The group `forgeries`: files that machine code reads are forged, and every checksum made to fit.

Rows that no layer has are refused by name. Of what may be right, nothing can be said: but no call
ends by a signal, none fails by a bug, and nobody blames the puzzle.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hunt.calls import Answer, call, demand, judge_answer
from hunt.children import begun, ended
from hunt.group import Group
from searchkit.tables.signed import digest
from tests.support.forging import forge_layer, forge_manifest

PLAIN = """
from searchkit import Problem, Step

class Row(Problem):
    undirected = True
    def initial_states(self):
        return [(("one", "two", "three", "four"), None, 0)]
    def is_goal(self, state):
        return False
    def successors(self, state):
        row, held, level = state
        for i in range(len(row) - 1):
            yield Step(i, ((*row[:i], row[i + 1], row[i], *row[i + 2:]), held, level))
        for change in (-1, 1):
            if 0 <= level + change < 5:
                yield Step(change, (row, held, level + change))
        if held is None:
            yield Step("take", (row[:-1], row[-1], level))
        else:
            yield Step("put", ((*row, held), None, level))
"""
TABLES = {
    "tiles": "sliding -p size=2x3 --max-cost 6",
    "jumps": "peg -p board=triangle5 --symmetry auto --engine compiled --max-cost 4",
    "stack": "pancakes -p size=6 --max-cost 3",
    "words": "15-puzzle --max-cost 5",
    "plain": "plain.py --engine compiled --max-cost 3",
}
NO_LAYER = ("beyond", "huge", "twice", "back", "falling", "spread")
PERHAPS = ("drop", "near", "manifest", "manifest", "entries")
NUMBERS = (-1, 0, 1, 2, 1 << 16, 1 << 31, 1 << 40, (1 << 63) - 1, 1 << 64, 1 << 80)
ODD = (None, True, 1.5, "", "x", [], {}, "../../x", float("1e300"))


@dataclass(frozen=True)
class Forgery:
    """What is forged, and how."""

    kind: str
    way: str
    layer: float
    seed: int


class Forgeries(Group):
    """Forged files with checksums that fit."""

    name = "forgeries"
    summary = "forged tables and databases: no signal, no bug, nobody blames the puzzle"
    short, minutes, hours, chunk = 4, 200, 3000, 20
    patience = 240.0

    def __init__(self, folder: Path, *, brief: bool = False) -> None:
        super().__init__(folder, brief=brief)
        self.sound = folder / "sound"

    def make(self, rng: random.Random) -> Forgery:
        kind = rng.choice((*TABLES, *TABLES, "pdb", "unfinished"))
        if self.brief:
            kind = rng.choice(("tiles", "pdb"))
        ways = ("manifest", "entries") if kind == "pdb" else (*NO_LAYER, *PERHAPS)
        if kind == "unfinished":
            ways = ("manifest", "entries")
        return Forgery(kind, rng.choice(ways), rng.random(), rng.getrandbits(32))

    def prepare(self) -> None:
        """Make what is to be forged."""
        self.sound.mkdir(parents=True)
        (self.folder / "plain.py").write_text(PLAIN)
        for name in ["tiles"] if self.brief else TABLES:
            done = call(
                ["explore", *self.words(name), "-q", "--checkpoint", str(self.sound / name)]
            )
            demand(done.code in (0, 12), done, "a sound table is not made")
        os.environ["SEARCHKIT_DATA_DIR"] = str(self.sound / "pdb")
        call(["pdb", "build", "8-puzzle", "5-3", "-q"])
        if not self.brief:
            self.keep_unfinished()

    def keep_unfinished(self) -> None:
        """Keep the first slices of a build where the command would look for them."""
        from searchkit.heuristics.patterns.choose import space_named  # noqa: PLC0415
        from searchkit.heuristics.patterns.compiled_build import Build  # noqa: PLC0415
        from searchkit.heuristics.patterns.library import Library  # noqa: PLC0415
        from searchkit_sliding import eight_puzzle  # noqa: PLC0415

        building = Build(space_named(eight_puzzle(), "5-3"), 0)
        for _, _ in zip(building.run(), range(5), strict=False):
            pass
        library = Library(self.sound / "unfinished" / "patterns")
        path = library.path_of(building.database().identity, halved=False)
        building.values.flags.writeable = True
        building.keep(path.with_name(f"{path.name}.unfinished"))

    def words(self, name: str) -> list[str]:
        """What is explored."""
        words = TABLES[name].split()
        return [str(self.folder / words[0]), *words[1:]] if name == "plain" else words

    def run(self, case: Forgery) -> Counter[str]:
        if not self.sound.exists():
            self.prepare()
        room = self.folder / "room"
        shutil.rmtree(room, ignore_errors=True)
        shutil.copytree(self.sound / case.kind, room)
        rng = random.Random(case.seed)
        told = Counter({f"{case.kind} {case.way}": 1})
        if case.kind in TABLES:
            forge_table(room, case, rng)
            return told + self.table(case, room)
        forge_database(room, case, rng)
        os.environ["SEARCHKIT_DATA_DIR"] = str(room)
        for words in (
            ["run", "8-puzzle", "--start", "867254301", "--algo", "astar", "--heuristic", "pdb:5-3",
             "--engine", "compiled", "-q", "--max-memory", "1GB", "--max-time", "20s"],
            ["pdb", "build", "8-puzzle", "5-3", "-q"],
        ):  # fmt: skip
            answer = self.called(words)
            judge_answer(answer)
            told[f"{words[0]}: exit {answer.code}"] += 1
        return told

    def table(self, case: Forgery, room: Path) -> Counter[str]:
        """Go on with a forged table, and check it."""
        told: Counter[str] = Counter()
        words = self.words(case.kind)
        more = [*words[:-1], str(int(words[-1]) + 2)]
        explore = ["explore", *more, "-q", "--max-memory", "1GB", "--checkpoint", str(room)]
        if case.seed % 4 == 0 and case.kind != "jumps":
            explore += ["--workers", "2"]
        plugin = ["--plugin", words[0]] if case.kind == "plain" else []
        for line in (["table", str(room), "--check", *plugin], explore):
            answer = self.called(line)
            judge_answer(answer)
            if case.way in NO_LAYER:
                demand(answer.code == 2, answer, f"{case.way} is not refused")
            if answer.code == 2:
                demand(str(room) in answer.err, answer, "the folder is not named")
            told[f"{line[0]}: exit {answer.code}"] += 1
        return told

    def called(self, words: list[str]) -> Answer:
        """A call in a child, which may end by a signal."""
        streams = self.folder / "streams"
        streams.mkdir(exist_ok=True)
        done = ended(begun(words, streams), streams)
        return Answer(tuple(words), done.code, done.out, done.err, 0.0)


def forge_table(room: Path, case: Forgery, rng: random.Random) -> None:
    """Forge the rows of a layer, or what the manifest says."""
    if case.way in ("manifest", "entries"):
        forge_manifest(room, lambda content: change_leaf(content, rng))
        return
    many = len(list(room.glob("layer-*")))
    is_last = case.layer > 0.5 or case.way in ("twice", "back", "falling")
    layer = -1 if is_last else int(2 * case.layer * (many - 1))
    forge_layer(room, lambda rows: changed(rows, case.way, rng), layer)


def changed(rows: list[Any], way: str, rng: random.Random) -> list[Any]:
    """Rows as a forger has them."""
    is_wide = isinstance(rows[0], tuple)

    def row(word: int) -> Any:
        return (word, *rows[-1][1:]) if is_wide else word

    match way:
        case "beyond":
            return [*rows, row(rng.randrange(1 << 62, 1 << 63))]
        case "huge":
            return [*rows, row((1 << 64) - 1)]
        case "twice":
            return [*rows, rows[-1]]
        case "back":
            return [*rows, rng.choice(rows)]
        case "falling":
            return [*rows[::-1], rows[-1]]
        case "spread":
            return sorted({*rows, *(row(rng.randrange(1 << 50, 1 << 64)) for _ in range(500))})
        case "drop" if len(rows) > 1:
            rows.pop(rng.randrange(len(rows)))
        case "near":
            rows.append(row((rows[-1][0] if is_wide else rows[-1]) + rng.randrange(1, 9)))
    return rows


def leaves(content: Any) -> list[tuple[Any, Any]]:
    """All places in lists and dicts."""
    if not isinstance(content, (list, dict)):
        return []
    places = list(content) if isinstance(content, dict) else range(len(content))
    return [found for at in places for found in ((content, at), *leaves(content[at]))]


def change_leaf(content: Any, rng: random.Random) -> None:
    """Change one thing that is said."""
    inside, at = rng.choice(leaves(content))
    inside[at] = rng.choice(rng.choice((NUMBERS, ODD)))


def forge_database(room: Path, case: Forgery, rng: random.Random) -> None:
    """Forge what a manifest says, or some values, of a database or of what is kept of a build."""
    path = rng.choice(sorted([*room.rglob("manifest.json"), *room.rglob("state.json")]))
    content = json.loads(path.read_text())
    del content["check"]
    if case.way == "manifest":
        change_leaf(content, rng)
    else:
        is_whole = path.name == "manifest.json"
        name = "values" if is_whole else rng.choice(sorted(content["files"]))
        file = path.parent / ("values.bin" if is_whole else content["files"][name])
        data = bytearray(file.read_bytes())
        for _ in range(rng.choice((1, 9, 999))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if is_whole and rng.random() < 0.5:
            data = data[: rng.randrange(1, len(data))]
            content |= {"bytes": len(data), "entries": len(data)}
        file.write_bytes(data)
        found = hashlib.sha256(data).hexdigest()
        if is_whole:
            content["sha256"] = found
        else:
            content["sha256"][name] = found
    path.write_text(json.dumps(content | {"check": digest(content)}))
