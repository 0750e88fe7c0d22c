"""`verify --search`: another kind of engine looks for what is cheaper."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.test_cli_lies import HONEST, honest
from tests.support.cli_calls import TOYS, Call

SLOW = "by depth-first search with a growing bound"


def verify(call: Call, document: str | dict[str, Any], *more: str) -> Any:
    text = document if isinstance(document, str) else json.dumps(document)
    return call("--plugin", TOYS, "verify", "-", "--search", *more, stdin=text)


@pytest.mark.slow_variants(
    "run 8-puzzle --start 123456870",
    "run hoppers --all --algo astar",
    "run hoppers --limit 2",
    "run hoppers --all --symmetry none --algo bfs",
    "run 8-puzzle --algo wastar -o weight=1.5 --start 341208765",
)
@pytest.mark.parametrize(
    "line", [*HONEST, "run hoppers --count", "run 8-puzzle --start 341208765 --max-expansions 50"]
)
def test_what_is_honest_is_proved_by_another_engine(call: Call, line: str) -> None:
    text = honest(line)
    outcome = verify(call, text, "--json")
    assert outcome.code == 0, outcome.err
    (told,) = json.loads(outcome.out)["documents"]
    assert told["ok"]
    blind = json.loads(text)["algorithm"] in ("bfs", "ucs", "bidirectional")
    if json.loads(text)["lower_bound"] != 0:
        assert (SLOW in told["text"]) == blind
        assert ("by uniform-cost search" in told["text"]) != blind
        unchecked = {name for claim in told["not_checked"] for name in claim["fields"]}
        assert "lower_bound" not in unchecked


def test_a_detour_that_no_replay_finds_is_found(call: Call) -> None:
    """Round four cells the long way: its states lie on no shorter way, so it is believed else."""
    document = json.loads(honest("run 8-puzzle --start 123405786"))
    moves, states = [*"8658658658"], ["123405786"]
    for move in moves:
        states.append(states[-1].translate(str.maketrans(f"0{move}", f"{move}0")))
    document["solutions"][0].update(actions=moves, states=states, cost=len(moves))
    document.update(cost=len(moves), lower_bound=len(moves))
    document["statistics"] |= {"expanded": 100, "generated": 300}
    assert call("verify", "-", stdin=json.dumps(document)).code == 0
    outcome = verify(call, document)
    assert outcome.code == 2
    assert "that no solution costs less than 10, but one costs 2: 5 6" in outcome.err


def test_the_cheaper_solution_is_shown(call: Call) -> None:
    document = json.loads(honest("run 8-puzzle --start 341208765 --max-expansions 50"))
    document["lower_bound"] = 21
    outcome = verify(call, document)
    assert outcome.code == 2
    assert "it says that no solution costs less than 21, but one costs 20: 4 1 8 4" in outcome.err


@pytest.mark.slow
def test_that_there_is_none_is_searched_to_the_end(call: Call) -> None:
    outcome = verify(call, honest("run 8-puzzle --start 123456870"))
    assert outcome.code == 0
    assert outcome.out.startswith("there is no solution: 181,440 states by uniform-cost search in")
    assert "checked: that no goal can be reached, by uniform-cost search" in outcome.out


def test_what_a_certificate_is_too_large_for_is_proved_by_the_search(
    toys: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = toys("run", "jugs", "-p", "want=9", "--json", "-q").out
    monkeypatch.setattr("searchkit.cli.commands.verify.MOST_EXPANSIONS", 10)
    assert toys("verify", "-", "-q", stdin=text).code == 12
    both = toys("verify", "-", "-q", "--search", stdin=text)
    assert both.code == 0
    assert both.out.startswith("there is no solution: ")
    assert "not checked: the certificate, of kind 'closed set', is of more" in both.out


@pytest.mark.parametrize(
    ("limit", "code", "words"),
    [
        (("--max-expansions", "500"), 12, "nothing below 5; the rest was not searched: the expans"),
        (("--max-memory", "10KB"), 22, "nothing below 1; the rest was not searched: the memory"),
        (("--max-time", "0s"), 23, "nothing is known; the rest was not searched: the time limit"),
    ],
)
def test_a_limit_ends_it_with_its_own_code(
    call: Call, limit: tuple[str, str], code: int, words: str
) -> None:
    outcome = verify(call, honest("run hoppers --limit 2"), *limit)
    assert outcome.code == code
    assert outcome.out.startswith(words)
    assert "ok: 2 solutions verified" in outcome.out
    assert "not checked: that no solution costs less" in outcome.out


def test_a_document_on_each_line_is_searched_each(call: Call) -> None:
    lines = "\n".join(
        json.dumps(json.loads(honest(line)))
        for line in (
            "run 8-puzzle --start 123450786",
            "run 8-puzzle --start 413726580 --algo idastar",
        )
    )
    outcome = verify(call, lines, "-q")
    assert outcome.code == 0
    first, second = outcome.out.splitlines()
    assert first.startswith("1: no solution costs less than 1: ")
    assert second.startswith("2: no solution costs less than 8: ")
