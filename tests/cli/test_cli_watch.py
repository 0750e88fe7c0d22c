"""`run --html` and `run --play`: pages that are written or not, frames, keys, and Ctrl-C."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from searchkit.cli.app import app
from searchkit.cli.support import terminal_player
from searchkit.cli.support.terminal_player import run
from tests.support.cli_calls import TOYS, Call, runner

ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
EIGHT = ("run", "8-puzzle", "--start", "123746058")


def data_of(page: Path) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text())
    assert found is not None
    return json.loads(found[1])


def test_a_page_is_written_beside_what_is_printed(call: Call, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    plain = call(*EIGHT, "--moves")
    done = call(*EIGHT, "--moves", "--html", str(page))
    assert (done.code, done.out) == (0, plain.out)
    assert done.err_lines == [f"searchkit: note: {page} plays the solution"]
    (solution,) = data_of(page)["solutions"]
    assert " ".join(step["move"] for step in solution["steps"]) == plain.out.strip()
    assert '<p class="summary">4 moves, optimal</p>' in page.read_text()
    assert call(*EIGHT, "--moves", "--quiet", "--html", str(page)).err == ""


def test_of_many_solutions_a_page_has_the_first(call: Call, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    done = call("run", "hoppers", "--all", "--symmetry", "none", "--html", str(page))
    listed = [" ".join(step["move"] for step in each["steps"])
              for each in data_of(page)["solutions"]]  # fmt: skip
    assert listed == done.listed[:20]
    assert len(done.listed) == 72
    assert "72 solutions, 7 moves, optimal; the first 20 of 72 are here" in page.read_text()
    call("run", "hoppers", "--all", "--html", str(page))
    assert len(data_of(page)["solutions"]) == 18
    assert "are here" not in page.read_text()


def test_puzzles_without_pictures_and_other_renderers_give_texts(
    toys: Call, tmp_path: Path
) -> None:
    page = tmp_path / "out.html"
    toys("run", "line", "--renderer", "stars", "--html", str(page))
    (solution,) = data_of(page)["solutions"]
    assert solution["start"] == {"words": "3", "text": "***"}
    toys("run", "jugs", "-p", "a=3", "-p", "want=1", "--json", "--html", str(page))
    assert data_of(page)["title"] == "jugs want=1"
    assert data_of(page)["solutions"][0]["start"] == {"words": "(0, 0)", "text": "(0, 0)"}
    toys("run", "cube2", "--start", "R", "--renderer", "colours", "--html", str(page))
    assert "⬜" in data_of(page)["solutions"][0]["start"]["text"]


def test_a_page_that_cannot_be_written_is_one_line_before_the_search(
    call: Call, tmp_path: Path
) -> None:
    sealed = tmp_path / "sealed.html"
    sealed.touch()
    for target, why in [
        (tmp_path, "Is a directory"),
        (tmp_path / "none" / "out.html", "No such file or directory"),
        (sealed / "out.html", "Not a directory"),
    ]:
        done = call(*EIGHT, "--moves", "--html", str(target))
        assert (done.code, done.out) == (2, "")
        (line,) = done.err_lines
        assert line == f"searchkit: error: --html {target} cannot be written: {why}"


def test_a_page_may_not_be_written_over_what_is_sealed_or_where_there_is_no_room(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever runs the tests may be allowed everything, so that errors must be made.
    for number, code in [(13, 2), (28, 1)]:

        def fail(*_: object, number: int = number, **__: object) -> None:
            raise OSError(number, os.strerror(number))

        with monkeypatch.context() as patches:
            patches.setattr("searchkit.texts.files.os.fsync", fail)
            done = call(*EIGHT, "--moves", "--html", str(tmp_path / "out.html"))
        assert done.code == code
        assert os.strerror(number) in done.err
        assert done.out == call(*EIGHT, "--moves").out


def test_without_a_solution_nothing_is_written(call: Call, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    done = call("run", "8-puzzle", "--start", "123456870", "--moves", "--html", str(page))
    assert done.code == 11
    assert f"there is no solution to watch; {page} is not written" in done.err
    assert not page.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--play", "--all"], "--play and --all exclude each other"),
        (["--play", "--limit", "2"], "--play and --limit exclude each other"),
        (["--play", "--json"], "--play and --json exclude each other"),
        (["--play", "--moves"], "--play and --moves exclude each other"),
        (["--play", "--draw"], "--play and --draw exclude each other"),
        (["--play", "--count"], "--play and --count exclude each other"),
        (["--html", "x.html", "--count"], "--count and --html exclude each other"),
        (["--delay", "1s"], "--delay is for --play; give both"),
        (["--play", "--delay", "soon"], "'soon' is not a time"),
    ],
)
def test_what_does_not_go_together_is_told(call: Call, words: list[str], said: str) -> None:
    done = call(*EIGHT, *words)
    assert done.code == 2
    assert said in done.err_lines[0]
    assert not Path("x.html").exists()


def test_a_puzzle_whose_pictures_fail_is_blamed(toys: Call, tmp_path: Path) -> None:
    plugin = tmp_path / "blot.py"
    plugin.write_text(
        "import searchkit\n"
        "class Blot(searchkit.Problem):\n"
        "    def initial_states(self): return [0]\n"
        "    def successors(self, state): return [searchkit.Step('on', 1)]\n"
        "    def is_goal(self, state): return state == 1\n"
        "    def picture(self, state): return searchkit.picture.Picture(1, 0, [])\n"
        "@searchkit.hookimpl\n"
        "def searchkit_register_puzzles(register): register('blot', Blot)\n"
    )
    page = tmp_path / "out.html"
    done = toys("run", "blot", "--plugin", str(plugin), "--moves", "--html", str(page))
    assert (done.code, done.out) == (1, "on\n")
    (line,) = done.err_lines
    assert line.startswith(
        "searchkit: error: puzzle blot: height of a picture is 0; it must be above 0; `searchkit"
    )


def test_frames_are_printed_where_there_is_no_terminal(toys: Call) -> None:
    done = toys("run", "line", "--play", "--renderer", "stars", "--quiet")
    assert done.code == 0
    assert done.out == (
        "start, 3 moves\n***\n\n1/3  left\n**\n\n2/3  left\n*\n\n3/3  left\n\n"
    )  # fmt: skip


class Pressed:
    """Keys that were pressed beforehand; None is a time without."""

    def __init__(self, *keys: str | None) -> None:
        self.keys = list(keys)
        self.waited: list[float | None] = []

    def next(self, seconds: float | None) -> str | None:
        self.waited.append(seconds)
        key = self.keys.pop(0)
        assert key is not None or seconds is not None  # nobody waits for ever
        return key


def shown(number: int, delay: float, keys: Pressed) -> list[int]:
    return [at for at, _ in run(number, delay, keys)]


def test_time_plays_to_the_end_and_ends_there() -> None:
    keys = Pressed(None, None)
    assert shown(3, 0.5, keys) == [0, 1, 2]
    assert keys.waited == [0.5, 0.5]


def test_keys_step_and_whoever_steps_stays_until_told_to_go() -> None:
    keys = Pressed("forward", "forward", "forward", "back", "first", "back", "last", "quit")
    assert shown(3, 0.5, keys) == [0, 1, 2, 2, 1, 0, 0, 2]
    assert keys.waited == [0.5, *[None] * 7]


def test_a_pause_lasts_and_speed_changes() -> None:
    keys = Pressed(None, "toggle", "faster", "toggle", None, "slower", "slower", None, "quit")
    assert shown(9, 0.8, keys) == [0, 1, 1, 1, 1, 2, 2, 2, 3]
    assert keys.waited == [0.8, 0.8, None, None, 0.4, 0.4, 0.8, 1.6, 1.6]


def test_whoever_has_paused_stays_at_the_end() -> None:
    keys = Pressed("toggle", "toggle", None, None, "back", "quit")
    assert shown(3, 0.5, keys) == [0, 0, 0, 1, 2, 1]
    assert keys.keys == []


def test_without_delay_only_keys_step_and_at_the_end_it_can_be_played_again() -> None:
    keys = Pressed("last", "toggle", None, None, "quit")
    assert shown(3, 0, keys) == [0, 2, 0, 1, 2]
    assert keys.waited == [None, None, 1.0, 1.0, None]


def test_a_start_that_is_a_goal_is_shown_and_no_more() -> None:
    assert shown(1, 0.5, Pressed()) == [0]
    assert [at for at, _ in run(1, 0.5, None)] == [0]


def test_without_keys_time_is_waited_for_in_short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a Ctrl-C that comes just before a wait were heard when the hour is over."""
    now = [0.0]
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(terminal_player.time, "sleep", sleep)
    monkeypatch.setattr(terminal_player.time, "monotonic", lambda: now[0])
    assert [at for at, _ in run(3, 60.0, None)] == [0, 1, 2]
    assert sum(waits) == pytest.approx(120)
    assert max(waits) <= 0.5


class Terminal:
    """The command line in a terminal of its own."""

    def __init__(self, *args: str, **environment: str) -> None:
        self.ours, theirs = pty.openpty()
        self.before = termios.tcgetattr(theirs)
        words = [sys.executable, "-m", "searchkit", "--plugin", TOYS, *args]
        more = {"COLUMNS": "80", "LINES": "24", "TERM": "xterm-256color", **environment}
        variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            words,
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            env=variables | more,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
        )
        self.theirs = theirs
        self.seen = ""

    def until(self, text: str) -> None:
        """Read until `text` is seen, after what was waited for before."""
        end = time.monotonic() + 120
        while text not in ANSI.sub("", self.seen):
            assert time.monotonic() < end, f"{text!r} not in {self.seen!r}"
            if select.select([self.ours], [], [], 0.1)[0]:
                self.seen += os.read(self.ours, 4096).decode()
        self.last, self.seen = self.seen, ""

    def press(self, keys: bytes) -> None:
        os.write(self.ours, keys)

    def end(self) -> tuple[int, str]:
        """The exit code, and what was left on the screen."""
        code = self.process.wait(300)
        while select.select([self.ours], [], [], 0.1)[0]:
            self.seen += os.read(self.ours, 4096).decode()
        assert termios.tcgetattr(self.theirs) == self.before
        return code, self.seen


@pytest.fixture
def terminal() -> Iterator[type[Terminal]]:
    made: list[Terminal] = []

    class Kept(Terminal):
        def __init__(self, *args: str, **environment: str) -> None:
            made.append(self)
            super().__init__(*args, **environment)

    yield Kept
    for each in made:
        each.process.kill()
        each.process.wait()
        if each.process.stderr:
            each.process.stderr.close()
        os.close(each.ours)
        os.close(each.theirs)


def test_keys_step_in_a_terminal(terminal: type[Terminal]) -> None:
    screen = terminal("run", "line", "--play", "--renderer", "stars", "--delay", "0")
    screen.until("q: go on")
    for keys, seen in [(b"\x1b[C", "1/3"), (b"n", "2/3"), (b"\x1b[D", "1/3"), (b"\x1b[F", "3/3"),
                       (b"\x1bOD", "2/3"), (b"\x1b[H", "***")]:  # fmt: skip
        screen.press(keys)
        screen.until(seen)
    screen.press(b"zq")
    code, left = screen.end()
    assert code == 0
    assert "3 moves, optimal" in left


def test_ctrl_c_ends_playing_and_leaves_the_terminal_as_it_was(terminal: type[Terminal]) -> None:
    screen = terminal("run", "line", "--play", "--delay", "1h")
    screen.until("q: go on")
    screen.press(b"\x03")
    code, left = screen.end()
    assert code == 130
    assert "3 moves, optimal; interrupted" in left


RED = """
import searchkit
class Red(searchkit.Problem):
    def initial_states(self): return [0]
    def successors(self, state): return [searchkit.Step("on", 1)]
    def is_goal(self, state): return state == 1
    def render(self, state): return f"\x1b[31mred {state}\x1b[0m"
@searchkit.hookimpl
def searchkit_register_puzzles(register): register("red", Red)
"""


@pytest.mark.slow_variants("False")
@pytest.mark.parametrize("plain", [False, True])
def test_colours_are_those_of_the_puzzle_unless_none_are_wanted(
    terminal: type[Terminal], tmp_path: Path, plain: bool
) -> None:
    (tmp_path / "red.py").write_text(RED)
    more = {"NO_COLOR": "1"} if plain else {}
    screen = terminal(
        "run", "red", "--plugin", str(tmp_path / "red.py"), "--play", "--delay", "1ms", **more
    )
    code, left = screen.end()
    assert code == 0
    assert "red 1" in ANSI.sub("", left)
    assert ("\x1b[31m" in left) is not plain


@pytest.mark.slow
def test_time_plays_in_a_terminal(terminal: type[Terminal]) -> None:
    screen = terminal("run", "line", "--play", "--delay", "1ms", "--quiet")
    code, left = screen.end()
    assert code == 0
    assert "3/3" in ANSI.sub("", left)


def test_ctrl_c_without_keys_ends_playing_too() -> None:
    """Where standard input is not a terminal, time plays; the signal comes to the process."""
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "searchkit", "--plugin", TOYS, "run", "line", "--play",
             "--delay", "1h"]  # fmt: skip
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL
    ) as process:
        try:
            seen = b""
            while b"start" not in seen:
                seen += os.read(ours, 4096)
            process.send_signal(signal.SIGINT)
            assert process.wait(300) == 130
        finally:
            process.kill()
    os.close(ours)
    os.close(theirs)


def test_help_tells_of_the_options() -> None:
    text = runner().invoke(app, ["run", "--help-all"]).output
    assert text.index("--draw") < text.index("--html") < text.index("--play")
    assert "[default: 700ms]" in " ".join(text.split())
