"""A short part of the campaign, and that it finds what is planted, and goes on where it stopped."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from contextlib import nullcontext
from itertools import count
from pathlib import Path

import attrs
import pytest
from hunt import children, command, graphs, workers
from hunt.command import main
from hunt.command_lines import BASES
from hunt.graph_groups import PlainGraphs
from hunt.group import Group
from hunt.groups import GROUPS
from hunt.oracle import Graph
from hunt.pressure import as_before
from hunt.processes import Limits, Watched
from hunt.shrink import shrunk
from hunt.workers import Done, Failure, campaign

from searchkit.cli.app import COMMANDS
from searchkit.compiled.specialise.plain import plainly

SEED = 10
COMPILED = 2
"""The trials of each group that may make machine code; later ones do without."""
BUILDS = {"damages", "forgeries", "limits"}
"""Groups whose databases take seconds in plain Python; their machine code is the same each time."""


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    """Neither small sizes nor folders of its own outlast a test."""
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", os.environ["SEARCHKIT_DATA_DIR"])
    with as_before():
        yield


@pytest.mark.parametrize("share", [12, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GROUPS)
def test_short_part(name: str, share: int, tmp_path: Path) -> None:
    group = GROUPS[name](tmp_path, brief=True)
    for number in range(-(-group.short // share)):
        with nullcontext() if number < COMPILED or name in BUILDS else plainly():
            text = group.fails(group.case(SEED, number))
        assert text is None, f"{name}, seed {SEED}, trial {number}: {text}"


def test_whole_spaces_are_explored_by_machine_code(tmp_path: Path) -> None:
    group = GROUPS["compiled"](tmp_path, brief=True)
    cases = (group.case(SEED, number) for number in count())
    with plainly():
        explored = next(each for each in cases if each.exploring)
        assert group.fails(explored) is None


def test_a_child_is_ended_by_a_signal_that_comes_at_once(tmp_path: Path, monkeypatch) -> None:
    fork = os.fork

    def forked() -> int:
        child = fork()
        if not child:
            os.kill(os.getpid(), signal.SIGTERM)
        return child

    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    monkeypatch.setattr(os, "fork", forked)
    try:
        child = children.begun(["list"], tmp_path)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert children.ended(child, tmp_path).code == -signal.SIGTERM


@pytest.mark.parametrize(("number", "code"), [(0, 0), (1, 1), (2, 0)])
def test_a_child_without_a_stream_is_as_python_begins_it(
    number: int, code: int, tmp_path: Path
) -> None:
    told = Limits(tmp_path).run(Watched("stream", ("new", "my-puzzle"), number=number))
    assert told == {f"stream {number}: exit {code}": 1}


def test_the_oracle_knows_a_diamond() -> None:
    steps = (((0, 1, 1), (1, 2, 0), (2, 2, 0)), ((0, 3, 1),), ((5, 3, 2),), ((0, 0, 1),))
    graph = Graph(steps, (0,), frozenset({3}))
    assert graph.distances == [2, 1, 2, 0]
    assert graph.count == 3
    assert list(graph.solutions()) == [(0, (0, 0)), (0, (1, 5)), (0, (2, 5))]
    assert graph.replay(0, (2, 5)) == (2, [0, 2, 3])
    assert graph.reached([3]) == [{3}, {0}, {1, 2}]


@pytest.mark.parametrize(
    "planted",
    [
        lambda result: attrs.evolve(result, lower_bound=result.lower_bound + 1),
        lambda result: attrs.evolve(result, count=result.count and result.count + 1),
        lambda result: attrs.evolve(result, complete=not result.complete),
    ],
)
def test_what_is_planted_is_found_and_made_small(planted, tmp_path, monkeypatch) -> None:
    solve = graphs.solve
    monkeypatch.setattr(graphs, "solve", lambda *a, **more: planted(solve(*a, **more)))
    group = PlainGraphs(tmp_path)
    case = next(
        case for case in (group.case(1, number) for number in range(200)) if group.fails(case)
    )
    small = shrunk(group, case, 20.0)
    assert group.fails(small)
    assert len(small.searches) == 1
    assert len(small.space.graph.steps) <= 2


def test_the_same_numbers_are_the_same_cases(tmp_path: Path) -> None:
    for kind in (PlainGraphs, GROUPS["packed"], GROUPS["commands"]):
        group = kind(tmp_path, brief=True)
        assert repr(group.case(1, 7)) == repr(group.case(1, 7)) != repr(group.case(1, 8))


def test_every_command_is_called() -> None:
    assert {line.split()[0] for line in BASES} == set(COMMANDS)


def test_it_goes_on_where_it_was_stopped(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(PlainGraphs, "chunk", 20)
    words = ["--group", "plain", "--jobs", "1", "--state", str(tmp_path / "state.json")]
    assert main([*words, "--trials", "30"]) == 0
    assert main([*words, "--trials", "50"]) == 0
    assert main([*words, "--trials", "50"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in told] == [
        "plain: 30 trials", "plain: 50 trials", "plain: 50 trials"
    ]  # fmt: skip


def test_ctrl_c_ends_with_the_figures_so_far(capsys, monkeypatch) -> None:
    def stopped(kind, seed, chunks, jobs, heard) -> None:
        heard(Done(0, 7, Counter(), 1.0))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "campaign", stopped)
    assert main(["--group", "plain", "--group", "packed"]) == 130
    (told,) = capsys.readouterr().out.splitlines()
    assert told.startswith("plain: 7 trials, 0 wrong")


class Dies(Group):
    """A group whose third trial ends its process."""

    name = "dies"

    def make(self, rng):
        return 0

    def case(self, seed, number):
        return number

    def run(self, case):
        if case == 3:
            os._exit(7)
        return Counter({"lives": 1})


def test_a_process_that_dies_is_told_and_replaced() -> None:
    heard = []
    campaign(Dies, 1, iter([(0, 6)]), 1, lambda news: heard.append(news) or True)
    assert [type(news) for news in heard] == [Failure, Done, Done]
    assert heard[0].number == 3
    assert "died" in heard[0].text
    assert [(news.begin, news.end) for news in heard[1:]] == [(0, 4), (4, 6)]


def test_what_is_made_is_told_before_all_of_it_is(monkeypatch) -> None:
    monkeypatch.setattr(workers, "TELL_SECONDS", -1.0)
    heard = []
    campaign(Dies, 1, iter([(4, 7)]), 1, lambda news: heard.append(news) or True)
    assert [(news.begin, news.end, news.told["lives"]) for news in heard] == [
        (4, 5, 1), (5, 6, 1), (6, 7, 1)
    ]  # fmt: skip
