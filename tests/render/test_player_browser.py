"""The page in a real browser: buttons are clicked, keys are pressed, and the board is looked at.

Left out where Chromium and its driver are not installed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from searchkit import AStar, BreadthFirst, solve
from searchkit.render import Player
from searchkit_peg import hoppers
from searchkit_sliding import eight_puzzle
from tests.support.pages import EVIL, Hostile, HostilePicture, player_of

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
START = "123746058"
"""Some moves from the goal."""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("no browser: chromium and chromedriver are not both installed")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    with webdriver.Chrome(options=options, service=webdriver.ChromeService(driver)) as started:
        yield started


class Shown:
    """A page in the browser."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def __getattr__(self, name: str) -> Any:
        return self.browser.find_element(By.ID, name)

    def click(self, *names: str) -> None:
        for name in names:
            self.browser.find_element(By.ID, name).click()
            self.wait()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.browser.switch_to.active_element.send_keys(key)
            self.wait()

    def run(self, script: str) -> Any:
        return self.browser.execute_script(script)

    def until(self, condition: str) -> None:
        WebDriverWait(self.browser, 300, 0.02).until(lambda _: self.run(f"return {condition}"))

    def wait(self) -> None:
        """Until pieces have arrived, and none is on its way where the browser draws it."""
        self.until("!document.documentElement.dataset.busy && !document.getAnimations().length")

    @property
    def at(self) -> int:
        return int(self.run("return document.documentElement.dataset.at"))

    def pieces(self) -> dict[tuple[float, float], str]:
        """The labels of the pieces that are seen, by where the browser draws their middles.

        In units of the picture, from its upper left corner.
        """
        found = self.run("""
            const svg = document.querySelector("svg.picture");
            const inverse = svg.getScreenCTM().inverse();
            const pieces = [...document.querySelectorAll(".piece")];
            return pieces.filter((each) => getComputedStyle(each).visibility === "visible").map(
              (each) => {
                const box = each.firstElementChild.getBoundingClientRect();
                const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
                const middle = new DOMPoint(x, y).matrixTransform(inverse);
                return [middle.x, middle.y, each.querySelector("text").textContent];
              });
        """)
        return {(round(x, 2), round(y, 2)): label for x, y, label in found}

    def tiles(self) -> str:
        """The 3x3 board, tile by tile."""
        cells = {(round(x - 0.62), round(y - 0.62)): label for (x, y), label in
                 self.pieces().items()}  # fmt: skip
        return "".join(cells.get((i % 3, i // 3), "0") for i in range(9))


Open = Callable[..., Shown]


@pytest.fixture
def show(chromium: Any, tmp_path: Path) -> Iterator[Open]:
    """Open a page, by default without motion, and see that it complains about nothing."""

    def opened(
        page: str, *, width: int = 1100, height: int = 800, dark: bool = False, calm: bool = True
    ) -> Shown:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        media = {
            "prefers-color-scheme": "dark" if dark else "light",
            "prefers-reduced-motion": "reduce" if calm else "no-preference",
        }
        features = [{"name": name, "value": value} for name, value in media.items()]
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        path = tmp_path / "page.html"
        path.write_text(page, encoding="utf-8")
        chromium.get(path.as_uri())
        return Shown(chromium)

    chromium.get_log("browser")
    yield opened
    assert [entry["message"] for entry in chromium.get_log("browser")] == []
    assert chromium.execute_script("return performance.getEntriesByType('resource').length") == 0


def eight(start: str = START) -> tuple[list[str], list[str], str]:
    """The boards and moves of a solution, and its page."""
    problem = eight_puzzle().with_start(eight_puzzle().parse(start))
    solution = solve(problem, AStar()).solution
    assert solution is not None
    boards = [problem.format_state(state) for state in solution.states]
    return boards, [str(each) for each in solution.actions], Player(problem, [solution]).html()


def test_buttons_step_through_the_boards(show: Open) -> None:
    boards, moves, page = eight()
    shown = show(page)
    last = len(moves)
    assert last >= 4
    assert shown.tiles() == boards[0]
    assert not shown.first.is_enabled()
    assert not shown.back.is_enabled()
    for at in range(1, last + 1):
        shown.click("forward")
        assert shown.tiles() == boards[at]
        assert shown.count.text == f"{at} / {last}"
        current = shown.browser.find_elements(By.CSS_SELECTOR, "[aria-current=step]")
        assert [each.text.split() for each in current] == [[str(at), moves[at - 1]]]
        said = shown.live.get_attribute("textContent")
        assert said.startswith(f"Move {at} of {last}: {moves[at - 1]}. ")
        words = ", ".join(" ".join(boards[at][i : i + 3]) for i in (0, 3, 6)).replace("0", "blank")
        assert words in said
        picture = shown.browser.find_element(By.CSS_SELECTOR, "svg.picture")
        assert picture.get_attribute("aria-label") == words
        assert (
            shown.scrub.get_attribute("aria-valuetext") == f"move {at} of {last}: {moves[at - 1]}"
        )
        lit = shown.browser.find_elements(By.CSS_SELECTOR, ".piece.lit")
        assert [each.text for each in lit] == [moves[at - 1]]
    assert not shown.forward.is_enabled()
    assert shown.live.get_attribute("textContent").endswith("This is the end.")
    for at in reversed(range(last)):
        shown.click("back")
        assert shown.tiles() == boards[at]
    shown.click("last")
    assert shown.tiles() == boards[last]
    shown.click("first")
    assert shown.tiles() == boards[0]


def test_keys_the_slider_and_the_list_step_too(show: Open) -> None:
    boards, moves, page = eight()
    shown = show(page)
    last = len(moves)
    expected = 0
    for key, expected in [
        (Keys.ARROW_RIGHT, 1), (Keys.ARROW_RIGHT, 2), (Keys.ARROW_LEFT, 1), (Keys.END, last),
        (Keys.ARROW_RIGHT, last), (Keys.HOME, 0), (Keys.ARROW_LEFT, 0),
    ]:  # fmt: skip
        shown.press(key)
        assert (shown.at, shown.tiles()) == (expected, boards[expected])
    shown.scrub.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert (shown.at, shown.tiles()) == (2, boards[2])
    for number in (3, 0, 1):
        shown.browser.find_elements(By.CSS_SELECTOR, "#moves button")[number].click()
        assert (shown.at, shown.tiles()) == (number, boards[number])
    shown.browser.find_elements(By.CSS_SELECTOR, "#moves button")[3].send_keys(" ")
    assert (shown.at, shown.play.get_attribute("aria-label")) == (3, "Play")
    shown.press("+")
    assert Select(shown.speed).first_selected_option.text == "2×"
    shown.press("-", "-")
    assert Select(shown.speed).first_selected_option.text == "½×"


@pytest.mark.parametrize(
    "calm", [pytest.param(True, marks=pytest.mark.slow), False], ids=["calm", "moving"]
)
def test_it_plays_to_the_end_and_can_be_paused(show: Open, calm: bool) -> None:
    boards, moves, page = eight()
    shown = show(page, calm=calm)
    Select(shown.speed).select_by_visible_text("4×")
    # The page itself looks: where all are busy, it may have played to the end before we do.
    label, live = shown.run("""
        const [play, live] = ["play", "live"].map((id) => document.getElementById(id));
        play.focus();
        play.click();
        const begun = [play.getAttribute("aria-label"), live.getAttribute("aria-live")];
        return new Promise((done) => {
            const look = () => {
                if (document.documentElement.dataset.at <= 1) return setTimeout(look, 5);
                play.click();
                done(begun);
            };
            look();
        });""")
    assert (label, live) == ("Pause", "off")
    shown.wait()
    at = shown.at
    assert shown.play.get_attribute("aria-label") == "Play"
    assert shown.live.get_attribute("aria-live") == "polite"
    assert shown.tiles() == boards[at]
    shown.run("return new Promise((done) => setTimeout(done, 300))")
    assert shown.at == at < len(moves)
    shown.press(" ")  # the button has the focus, and is pressed once
    shown.until("document.querySelector('#play').getAttribute('aria-label') == 'Play again'")
    shown.wait()
    assert (shown.at, shown.tiles()) == (len(moves), boards[-1])
    shown.play.click()
    assert shown.at == 0
    shown.press(Keys.ARROW_RIGHT)
    assert shown.play.get_attribute("aria-label") == "Play"


def test_pieces_glide_and_a_hurry_does_not_harm(show: Open) -> None:
    boards, _, page = eight()
    shown = show(page, calm=False)
    halfway = shown.run("""
        document.querySelector("#forward").click();
        return document.getAnimations().map((each) => each.effect.getTiming().duration);
    """)
    assert len(halfway) == 1
    shown.wait()
    assert shown.tiles() == boards[1]
    shown.run("for (const _ of [1, 2]) document.querySelector('#forward').click()")
    shown.run("document.querySelector('#back').click()")
    shown.wait()
    assert shown.tiles() == boards[2]
    shown = show(page, calm=True)
    assert shown.run("""
        document.querySelector("#forward").click();
        return document.getAnimations().length;
    """) == 0  # fmt: skip


def test_solutions_are_chosen_and_each_leads_to_its_boards(show: Open) -> None:
    problem = hoppers()
    solutions = list(solve(problem, BreadthFirst(), want="all").solutions or ())[:3]
    shown = show(Player(problem, solutions).html())
    for number in (2, 1):
        Select(shown.solution).select_by_index(number)
        solution = solutions[number]
        for state in solution.states:
            pegs = {(round(piece.x, 2), round(piece.y, 2)) for piece in
                    problem.picture(state).pieces}  # fmt: skip
            assert shown.pieces().keys() == pegs
            if shown.forward.is_enabled():
                shown.click("forward")
        listed = shown.browser.find_elements(By.CSS_SELECTOR, "#moves button")
        assert [each.text.split()[-1] for each in listed] == [
            "start", *map(problem.format_action, solution.actions)
        ]  # fmt: skip


def test_a_chain_is_shown_jump_by_jump_and_stops_when_another_move_is_chosen(show: Open) -> None:
    problem = hoppers()
    solution = next(iter(solve(problem, BreadthFirst(), want="all").solutions or ()))
    number = max(range(7), key=lambda at: len(solution.actions[at]))
    jumps = solution.actions[number]
    assert len(jumps) >= 3
    shown = show(Player(problem, [solution]).html(), calm=False)
    Select(shown.speed).select_by_visible_text("4×")
    shown.browser.find_elements(By.CSS_SELECTOR, "#moves button")[number].click()
    shown.wait()
    shown.run("""
        window.moves = [];
        new MutationObserver((found) => {
          for (const { target, oldValue } of found) {
            const now = target.getAttribute("transform");
            if (now !== oldValue) moves.push(now);
          }
        }).observe(document.querySelector(".pieces"),
                   { subtree: true, attributeFilter: ["transform"], attributeOldValue: true });
    """)
    shown.click("forward")
    cells = problem.picture(problem.base.start).cells
    landed = [cells[jump.land] for jump in jumps]
    assert shown.run("return moves") == [
        f"translate({round(cell.x, 3):g} {round(cell.y, 3):g})" for cell in landed
    ]
    shown.click("back")
    before = shown.pieces()
    shown.run("for (const id of ['forward', 'back']) document.querySelector('#' + id).click()")
    shown.run("return new Promise((done) => setTimeout(done, 700))")
    shown.wait()
    assert shown.pieces() == before


def test_the_theme_is_that_of_the_system_or_the_other(show: Open) -> None:
    _, _, page = eight()
    colours = {}
    for dark in (False, True):
        shown = show(page, dark=dark)
        ground = "return getComputedStyle(document.body).backgroundColor"
        colours[dark] = shown.run(ground)
        shown.click("theme")
        other = shown.run(ground)
        shown.press("d")
        assert shown.run(ground) == colours[dark] != other
    assert colours == {False: "rgb(244, 242, 238)", True: "rgb(21, 23, 26)"}


def test_it_fits_on_a_phone(show: Open) -> None:
    shown = show(eight("867254301")[2], width=390, height=844)
    assert shown.run("return document.documentElement.scrollWidth") <= 390
    for name in ("first", "back", "play", "forward", "last", "theme", "speed"):
        size = getattr(shown, name).size
        assert min(size["width"], size["height"]) >= 44, name
    box = shown.run("return document.querySelector('svg.picture').getBoundingClientRect().toJSON()")
    assert box["width"] > 280
    controls = shown.run("return document.querySelector('#play').getBoundingClientRect().bottom")
    assert controls < 844  # board and buttons are seen at once
    shown.click("last")
    assert shown.run("return scrollY") == 0
    assert shown.run("""
        const list = document.querySelector("#moves").getBoundingClientRect();
        const item = document.querySelector("[aria-current]").getBoundingClientRect();
        return item.top >= list.top && item.bottom <= list.bottom + 1;
    """)


@pytest.mark.parametrize("problem", [Hostile(), HostilePicture()], ids=["text", "picture"])
def test_a_hostile_puzzle_is_shown_as_it_is(show: Open, problem: Any) -> None:
    shown = show(player_of(problem, title=EVIL, summary=EVIL).html())
    shown.click("forward", "last")
    assert shown.run("return window.evil") is None
    assert shown.run("return document.images.length") == 0
    assert shown.run("return document.scripts.length") == 2
    assert shown.browser.find_element(By.TAG_NAME, "h1").text == EVIL
    drawn = "pre.picture" if type(problem) is Hostile else ".piece text"
    text = shown.browser.find_element(By.CSS_SELECTOR, drawn).get_attribute("textContent")
    assert text.startswith(EVIL)
    assert EVIL in shown.live.get_attribute("textContent")


def test_texts_are_as_large_as_there_is_room(show: Open) -> None:
    page = player_of(Hostile(), text=lambda state: "\n".join(["│" * 60] * (state + 1))).html()
    sizes = {}
    for width in (1100, 390):
        shown = show(page, width=width)
        board = shown.board.rect
        text = shown.browser.find_element(By.TAG_NAME, "pre").rect
        assert board["x"] <= text["x"]
        assert text["x"] + text["width"] <= board["x"] + board["width"] + 1
        sizes[width] = text["width"]
        before = text["height"]
        shown.click("last")
        assert shown.browser.find_element(By.TAG_NAME, "pre").rect["height"] == before
    assert sizes[1100] > 1.5 * sizes[390]


def test_a_result_plays_in_a_notebook(show: Open) -> None:
    problem = eight_puzzle().with_start(eight_puzzle().parse(START))
    result = solve(problem, AStar())
    shown = show(f"<!doctype html><link rel=icon href=data:,>{result._repr_html_()}")
    assert "optimal" in shown.browser.find_element(By.TAG_NAME, "body").text
    shown.browser.switch_to.frame(shown.browser.find_element(By.TAG_NAME, "iframe"))
    shown.click("last")
    assert shown.tiles() == "123456780"
    shown.browser.switch_to.default_content()
    shown = show(f"<!doctype html><link rel=icon href=data:,>{problem._repr_html_()}")
    shown.browser.switch_to.frame(shown.browser.find_element(By.TAG_NAME, "iframe"))
    assert shown.tiles() == START
    shown.browser.switch_to.default_content()
