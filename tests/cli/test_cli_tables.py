"""Tables fit the terminal: nothing is cut off, whatever the width."""

from __future__ import annotations

import pytest

from searchkit.cli.support.output import print_table

HEAD = ["algorithm", "heuristic", "moves", "expanded", "generated", "stored", "memory", "seconds"]
ROWS = [
    ["bidirectional", "", "31", "12,452", "34,620", "20,220", "1.9 MB", "0.104"],
    [
        "idastar",
        "linear-conflict",
        "gave up (expansions)",
        "145,569,786",
        "1",
        "13",
        "9 MB",
        "60.000",
    ],
]


def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, wide: int) -> str:
    monkeypatch.setenv("COLUMNS", str(wide))
    print_table(HEAD, ROWS, right=HEAD[3:], spare=["generated", "memory"])
    return capsys.readouterr().out


@pytest.mark.parametrize("wide", [200, 120, 100, 80, 60, 40, 30])
def test_no_cell_is_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, wide: int
) -> None:
    out = printed(capsys, monkeypatch, wide)
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= wide
    kept = range(8) if wide >= 120 else [0, 1, 2, 3, 5, 7]
    digits = "".join(row[place] for row in ROWS for place in kept)
    assert all(out.count(digit) >= digits.count(digit) for digit in "0123456789")


def test_numbers_are_whole_at_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = printed(capsys, monkeypatch, 80)
    for word in ["expanded", "stored", "seconds", "145,569,786", "bidirectional", "60.000"]:
        assert word in out
    assert "generated" not in out
