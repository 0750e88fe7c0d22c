"""A puzzle whose every text tries to command the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from searchkit import Parameter, Problem, Step, hookimpl
from searchkit.certificates import Certificate

POISON = "\x1b]0;pwn\x07\x9b31m\x7f\u202e"


class Poison(Problem[int, str]):
    """Walk from 3 to 0, or to nowhere."""

    def __init__(self, mode: str = "") -> None:
        self.mode = mode

    def initial_states(self) -> list[int]:
        return [3]

    def with_start(self, state: int) -> Poison:
        return self

    def successors(self, state: int) -> Iterator[Step[int, str]]:
        if self.mode == "broken":
            raise ValueError(POISON)
        for number in range(2):
            if state > 0:
                yield Step(f"{number}{POISON}", state - 1)

    def is_goal(self, state: int) -> bool:
        return state == 0 and self.mode != "nowhere"

    def certificate(self, state: int) -> Certificate | None:
        if self.mode != "nowhere":
            return None
        return Certificate(f"kind{POISON}", f"why{POISON}", {POISON: POISON})

    def check_certificate(self, state: int, certificate: Certificate) -> str | None:
        return f"no{POISON}"

    def heuristic(self, state: int) -> int:
        return state

    def format_state(self, state: int) -> str:
        return f"{state}{POISON}"

    def parse(self, text: str) -> int:
        if not text[:1].isdigit():
            raise ValueError(f"{text} {POISON}")
        return int(text[0])

    def format_action(self, action: str) -> str:
        return action

    def render(self, state: int) -> str:
        return f"picture {state}\n{POISON}"

    def board_sets(self) -> dict[str, str]:
        return {f"set{POISON}": POISON}


@hookimpl
def searchkit_register_puzzles(register: Any) -> None:
    register(
        "poison", Poison, summary=f"summary {POISON}",
        parameters=[Parameter("mode", "", POISON)],
    )  # fmt: skip


@hookimpl
def searchkit_register_renderers(register: Any) -> None:
    register(
        "drawn", lambda problem, state: f"{state} {POISON}",
        suits=lambda problem: isinstance(problem, Poison), summary=POISON,
    )  # fmt: skip


@hookimpl
def searchkit_register_heuristics(register: Any) -> None:
    raise ValueError(POISON)
