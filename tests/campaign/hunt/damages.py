"""The group `damages`: a file of any kind is damaged, and the commands that read it are called.

What they say is true, or one line says what is broken; what can be made again is made again.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hunt.calls import Answer, call, demand, judge_answer
from hunt.children import begun, ended
from hunt.group import Group
from hunt.kills import contents, forget_code
from hunt.oracle import Wrong

TABLES = {
    "tiles": "sliding -p size=2x3",
    "jumps": "peg -p board=triangle5 --symmetry auto --engine compiled --max-cost 5",
}
CODE = [
    "run",
    "sliding",
    "-p",
    "size=2x3",
    "--start",
    "543210",
    "--moves",
    "--engine",
    "compiled",
    "--algo",
    "bfs",
]
BOARDS = ("123450786", "123456870", "283164705", "120453786", "413726580")


@dataclass(frozen=True)
class Damage:
    """What is damaged: a kind of thing, the place of a file in it, and how."""

    kind: str
    file: float
    way: str
    place: float
    size: int
    seed: int


class Damages(Group):
    """Damaged files."""

    name = "damages"
    summary = "damaged tables, databases, machine code and boards: no wrong answer, no traceback"
    short, minutes, hours, chunk = 6, 400, 4000, 20
    patience = 240.0

    def __init__(self, folder: Path, *, brief: bool = False) -> None:
        super().__init__(folder, brief=brief)
        self.sound = folder / "sound"
        self.truth: dict[str, dict[str, str]] = {}
        self.costs: dict[str, int | None] = {}
        self.code_out = ""

    def make(self, rng: random.Random) -> Damage:
        kind = rng.choice((*["tiles"] * 6, *["jumps"] * 5, *["pdb"] * 6, *["boards"] * 2, "code"))
        if self.brief:
            kind = rng.choice(("tiles", "tiles", "pdb", "boards"))
        ways = (
            "flip",
            "flip",
            "flip",
            "cut",
            "extend",
            "zero",
            "delete",
            "swap",
            "number",
            "other",
        )
        return Damage(
            kind, rng.random(), rng.choice(ways), rng.random(), rng.choice((1, 7, 8, 128, 4096)),
            rng.getrandbits(32),
        )  # fmt: skip

    def prepare(self) -> None:
        """Make what is to be damaged, and ask what is true while it is sound."""
        self.sound.mkdir(parents=True)
        tables = ["tiles"] if self.brief else list(TABLES)
        for name, words in ((name, TABLES[name]) for name in tables):
            folder = self.sound / name
            call(["explore", *words.split(), "-q", "--limit", "0", "--checkpoint", str(folder)])
            states = self.states(name)
            self.truth[name] = {state: self.asked(folder, state).out for state in states}
        os.environ["SEARCHKIT_DATA_DIR"] = str(self.sound / "pdb")
        call(["pdb", "build", "8-puzzle", "5-3", "-q"])
        for board in BOARDS[:2] if self.brief else BOARDS:
            self.costs[board] = cost_of(self.solved(board))
        (self.sound / "boards").mkdir()
        (self.sound / "boards" / "boards.txt").write_text("\n".join(BOARDS) + "\n")
        if not self.brief:
            self.code_out = self.with_code(self.sound / "code")

    def states(self, name: str) -> list[str]:
        if name == "tiles":
            return ["123450", "123405", "543210", "512340", "013425", "213450", "210453"]
        solution = json.loads(call(["run", "peg", "-p", "board=triangle5", "--json"]).out)
        return [*solution["solutions"][0]["states"][:6], "o/../..o/.o../o..o."]

    def asked(self, folder: Path, state: str) -> Answer:
        return call(["table", str(folder), "--state", state])

    def solved(self, board: str) -> Answer:
        return call(
            ["run", "8-puzzle", "--start", board, "--heuristic", "pdb:5-3", "--algo", "astar",
             "--json", "--engine", "reference"]
        )  # fmt: skip

    def run(self, case: Damage) -> Counter[str]:
        if not self.sound.exists():
            self.prepare()
        room = self.folder / "room"
        shutil.rmtree(room, ignore_errors=True)
        shutil.copytree(self.sound / case.kind, room, copy_function=shutil.copy2)
        damage(room, case)
        told = Counter({f"{case.kind} {case.way}": 1})
        if case.kind in TABLES:
            told += self.table(case, room)
        elif case.kind == "pdb":
            told += self.pdb(room)
        elif case.kind == "boards":
            judge_answer(call(["run", "8-puzzle", "--boards", str(room / "boards.txt"), "--moves"]))
        elif not self.brief:
            out = self.with_code(room)
            if out != self.code_out:
                raise Wrong(f"with damaged machine code it says {out}, not {self.code_out}")
        return told

    def table(self, case: Damage, room: Path) -> Counter[str]:
        said: Counter[str] = Counter()
        rng = random.Random(case.seed)
        truth = self.truth[case.kind]
        for state in rng.sample(list(truth), 2):
            answer = self.asked(room, state)
            judge_answer(answer)
            if answer.code == 0:
                demand(answer.out == truth[state], answer, f"not {truth[state]} of a damaged table")
            said[f"table --state: exit {answer.code}"] += 1
        answer = call(["table", str(room), "--check"])
        judge_answer(answer)
        said[f"table --check: exit {answer.code}"] += 1
        sound = contents(self.sound / case.kind)
        if answer.code == 0:
            now = contents(room)
            same = all(now.get(name) == data for name, data in sound.items() if "layer" in name)
            demand(same, answer, "layers are damaged, and it is said that they are not")
        words = TABLES[case.kind].split()
        answer = call(["explore", *words, "-q", "--limit", "0", "--checkpoint", str(room)])
        judge_answer(answer)
        if answer.code in (0, 12):
            now = contents(room)
            for name, data in sound.items():
                same = "checked" in name or now.get(name) == data
                demand(same, answer, f"it goes on, and {name} is not as it should be")
        said[f"explore: exit {answer.code}"] += 1
        return said

    def pdb(self, room: Path) -> Counter[str]:
        os.environ["SEARCHKIT_DATA_DIR"] = str(room)
        said: Counter[str] = Counter()
        for words in (["pdb", "list"], ["pdb", "info", "1.2.3.4.5", "--check"]):
            judge_answer(call(words))
        for board, cost in self.costs.items():
            answer = self.solved(board)
            judge_answer(answer)
            if answer.code in (0, 11):
                found = cost_of(answer)
                demand(found == cost, answer, f"cost {found}, but {cost} is right")
            said[f"pdb: exit {answer.code}"] += 1
        answer = call(["pdb", "build", "8-puzzle", "5-3", "-q"])
        judge_answer(answer)
        if answer.code == 0:
            for board, cost in self.costs.items():
                again = self.solved(board)
                demand(cost_of(again) == cost, again, "not repaired by a new build")
        return said

    def with_code(self, cache: Path) -> str:
        cache.mkdir(exist_ok=True)
        streams = self.folder / "streams"
        streams.mkdir(exist_ok=True)
        done = ended(begun(CODE, streams, partial(forget_code, cache)), streams)
        if done.code != 0 or "Traceback" in done.err:
            raise Wrong(f"with damaged machine code: exit {done.code}: {done.err[-400:]}")
        return done.out


def cost_of(answer: Answer) -> int | None:
    """The cost that a JSON document tells."""
    try:
        cost: int | None = json.loads(answer.out)["cost"]
    except ValueError:
        return -1
    return cost


def damage(room: Path, case: Damage) -> None:
    """Damage one file below `room`."""
    files = sorted(path for path in room.rglob("*") if path.is_file())
    path = files[int(case.file * len(files))]
    data = path.read_bytes()
    place = int(case.place * max(1, len(data) - 1))
    if case.way == "flip" and data:
        bit = 1 << case.seed % 8
        data = data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]
    elif case.way == "cut":
        data = data[:place]
    elif case.way == "extend":
        data += random.Random(case.seed).randbytes(case.size)
    elif case.way == "zero":
        data = data[:place] + bytes(min(case.size, len(data) - place)) + data[place + case.size :]
    elif case.way == "delete":
        path.unlink()
        return
    elif case.way == "swap":
        other = files[case.seed % len(files)]
        data, others = other.read_bytes(), data
        other.write_bytes(others)
    elif case.way == "number":
        data = numbered(data, case.seed)
    elif case.way == "other":
        starts = (b"PK\x03\x04", b"\x93NUMPY\x02\x00", b"{}", b"[1", b"\xff\xfe", b"null", b"")
        start = starts[case.seed % len(starts)]
        data = start + data[len(start) :] if case.seed & 8 else start
    path.write_bytes(data)


def numbered(data: bytes, seed: int) -> bytes:
    """A text with one number changed."""
    places = [place for place, byte in enumerate(data) if 48 <= byte <= 57]
    if not places:
        return data
    place = places[seed % len(places)]
    return data[:place] + bytes([48 + (data[place] - 47) % 10]) + data[place + 1 :]
