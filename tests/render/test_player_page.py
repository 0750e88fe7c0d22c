"""The page without a browser: its data is replayed by plain rules, and nothing escapes."""

from __future__ import annotations

import hashlib
import random
import re
from base64 import b64encode
from importlib.resources import files
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import AStar, BreadthFirst, UsageError, solve
from searchkit.picture import Colour
from searchkit.render import MOST_SOLUTIONS, Player
from searchkit_cube import cube2
from searchkit_peg import hoppers
from searchkit_sliding import eight_puzzle
from tests.support.pages import EVIL, Hostile, HostilePicture, Page, player_of


def tiles_in(frame: dict[str, Any]) -> list[int]:
    """The tiles of the 3x3 board in reading order, read from where they are drawn."""
    tiles = [0] * 9
    for _, x, y, _, label in frame["pieces"]:
        column, row = round(x - 0.62), round(y - 0.62)
        assert tiles[3 * row + column] == 0
        tiles[3 * row + column] = int(label)
    return tiles


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_the_data_of_a_page_is_a_game_by_plain_rules(seed):
    problem = eight_puzzle()
    problem = problem.with_start(problem.random_state(random.Random(seed)))
    solution = solve(problem, AStar()).solution
    page = Page(Player(problem, [solution]).html())
    assert page.data["format"] == "searchkit-player/1"
    (told,) = page.data["solutions"]
    tiles = tiles_in(told["start"])
    assert "".join(map(str, tiles)) == told["state"] == problem.format_state(problem.start)
    for step in told["steps"]:
        (frame,) = step["frames"]
        after = tiles_in(frame)
        here, blank = tiles.index(int(step["move"])), tiles.index(0)
        assert abs(here // 3 - blank // 3) + abs(here % 3 - blank % 3) == 1
        tiles[blank], tiles[here] = tiles[here], 0
        assert after == tiles
        assert step["state"] == "".join(map(str, tiles))
        assert step["cost"] == 1
    assert tiles == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    assert told["cost"] == len(told["steps"]) == solution.cost
    assert page.inside("li") == [step["move"] for step in told["steps"]]


def test_all_solutions_can_be_chosen_and_each_is_a_game_of_solitaire():
    problem = hoppers()
    result = solve(problem, BreadthFirst(), want="all")
    page = Page(Player(problem, result.solutions).html())
    told = page.data["solutions"]
    assert len(told) == MOST_SOLUTIONS < result.count
    assert len(page.all("option")) == MOST_SOLUTIONS + 5  # and the speeds
    moves = [[step["move"] for step in each["steps"]] for each in told]
    assert len({tuple(each) for each in moves}) == MOST_SOLUTIONS
    places = {}
    for piece in problem.picture(problem.base.board.full).pieces:
        places[round(piece.x, 3), round(piece.y, 3)] = piece.name
    for each in told:
        pegs = {places[x, y] for _, x, y, _, _ in each["start"]["pieces"]}
        assert pegs == set(range(13)) - {6}
        for step in each["steps"]:
            visited = [int(cell) for cell in step["move"].strip("[]").split(",")]
            for (here, there), frame in zip(pairwise(visited), step["frames"], strict=True):
                over = {a for a in pegs if is_between(problem, here, a, there)}
                assert len(over) == 1
                pegs = pegs - over - {here} | {there}
                assert {places[x, y] for _, x, y, _, _ in frame["pieces"]} == pegs
        assert pegs == {6}


def is_between(problem: Any, here: int, middle: int, there: int) -> bool:
    cells = problem.base.board.cells
    return all(2 * cells[middle][axis] == cells[here][axis] + cells[there][axis] for axis in (0, 1))


@pytest.mark.parametrize("problem", [Hostile(), HostilePicture()], ids=["text", "picture"])
def test_a_hostile_puzzle_does_not_get_out_of_its_texts(problem):
    player = player_of(problem, title=EVIL, summary=EVIL)
    page = Page(player.html())
    known = {
        "html", "head", "meta", "link", "title", "style", "body", "header", "div", "h1", "p",
        "button", "svg", "circle", "path", "main", "section", "g", "rect", "text", "pre", "label",
        "input", "output", "select", "option", "span", "h2", "ol", "li", "kbd", "noscript",
        "script",
    }  # fmt: skip
    assert {tag for tag, _ in page.elements} <= known
    assert len(page.all("script")) == 2
    assert not any(name.startswith("on") for _, found in page.elements for name in found)
    assert page.inside("title") == page.inside("h1") == [EVIL]
    assert page.data["title"] == EVIL
    assert page.data["solutions"][0]["steps"][1]["move"] == f"{EVIL}1"
    assert page.inside("li") == [f"{EVIL}{number}" for number in range(3)]


def test_a_hostile_page_can_be_written(tmp_path):
    for problem in (Hostile(), HostilePicture()):
        player_of(problem).save(tmp_path / "page.html")
        written = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert "<img" not in written


def test_only_the_scripts_and_styles_of_the_page_itself_may_run():
    page = Page(player_of(cube2().with_start(cube2().parse("R U"))).html())
    (policy,) = (
        meta["content"]
        for meta in page.all("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for kind, text in (("script", page.inside("script")[-1]), ("style", page.inside("style")[0])):
        digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in policy


def test_nothing_is_loaded_from_anywhere():
    text = player_of(cube2().with_start(cube2().parse("R U"))).html()
    text = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    loads = r"https?:|[\"'(=]\s*//|@import|url\(|src=|srcset|fetch\(|XMLHttpRequest|import\("
    assert not re.search(loads, text)
    page = Page(text)
    assert [link["href"] for link in page.all("link")] == ["data:,"]


def test_every_control_has_a_name():
    page = Page(player_of(eight_puzzle().with_start(eight_puzzle().parse("123450786"))).html())
    labelled = {label.get("for") for label in page.all("label")}
    for button in page.all("button"):
        assert button["aria-label"]
    (scrub,) = page.all("input")
    assert scrub["id"] in labelled
    (drawing,) = (each for each in page.all("svg") if each.get("role") == "img")
    assert drawing["aria-label"] == "1 2 3, 4 5 blank, 7 8 6"
    (live,) = (each for each in page.all("div") if "aria-live" in each)
    assert live["aria-live"] == "polite"
    assert page.all("html") == [{"lang": "en"}]


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read_on_what_is_behind_them(theme):
    style = (files("searchkit.render") / f"{theme}.css").read_text()
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", style))
    pairs = [("ink", "page"), ("ink", "card"), ("muted", "page"), ("muted", "card"),
             ("ink", "button"), ("muted", "button"), ("ink", "button-hover"), ("on-main", "main"),
             ("on-main", "main-hover"), ("ink", "board"), ("ink", "frame"),
             ("muted", "board")]  # fmt: skip
    pieces = {colour.value for colour in Colour} - {"board", "frame"}
    pairs += [(f"on-{name}", name) for name in pieces]
    poor = {pair: contrast(*(colours[name] for name in pair)) for pair in pairs}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}
    # What is not a text, but must be seen.
    for pair in [("main", "card"), ("focus", "card"), ("lit", "plain"), ("lit", "frame")]:
        assert contrast(*(colours[name] for name in pair)) >= (1.2 if pair[0] == "lit" else 3)


def test_both_themes_set_the_same_things():
    names = [
        re.findall(r"--([\w-]+):", (files("searchkit.render") / f"{theme}.css").read_text())
        for theme in ("light", "dark")
    ]
    assert names[0] == names[1]
    used = re.findall(r"var\(--([\w-]+)\)", (files("searchkit.render") / "page.css").read_text())
    assert set(used) == set(names[0])


def test_there_must_be_something_to_play():
    with pytest.raises(UsageError, match="no solution to play"):
        Player(eight_puzzle(), [])


def test_states_are_drawn_by_the_given_text():
    problem = eight_puzzle().with_start(eight_puzzle().parse("123450786"))
    page = Page(player_of(problem, text=lambda state: "<b>").html())
    assert page.data["solutions"][0]["start"]["text"] == "<b>"
    assert page.all("b") == []
    assert page.inside("pre") == ["<b>"]
