"""Puzzles in files of strangers' own: what is said of a start that cannot be solved."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.cli_calls import Call

FIELDS = '''
from searchkit.fields import Array, Fields

class Tiles(Fields):
    """Fifteen tiles, two of them exchanged."""

    undirected = True

    def __init__(self):
        self.moves = [(i, j) for i in range(16) for j in range(16)
                      if abs(i % 4 - j % 4) + abs(i // 4 - j // 4) == 1]
        self.declare(cells=Array(16, 16))
        self.start = self.pack(cells=[*range(1, 14), 15, 14, 0])
        self.goal = self.pack(cells=[*range(1, 16), 0])

    def legal(self, s, i, j):
        return s.cells[j] == 0

    def apply(self, s, i, j):
        s.cells[j] = s.cells[i]
        s.cells[i] = 0
'''


def test_a_stranger_is_told_by_a_certificate_that_verifies(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "tiles.py"
    file.write_text(FIELDS)
    outcome = call("run", str(file), "--json", "-q")
    assert outcome.code == 11
    document = json.loads(outcome.out)
    assert document["certificate"]["kind"] == "invariant"
    verified = call("verify", "--plugin", str(file), "-", stdin=outcome.out)
    assert verified.code == 0, verified.err
    assert "the certificate, of kind 'invariant', holds" in verified.out
    document["certificate"]["data"]["parts"][0]["orders"] = []
    refused = call("verify", "--plugin", str(file), "-", stdin=json.dumps(document))
    assert refused.code == 2
    assert "a move can add 1 to a sum modulo 2" in refused.err
