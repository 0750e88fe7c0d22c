"""From a solution to the frames that are shown, in which each piece is followed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import attrs

from searchkit.capabilities import HasMotion, HasPicture
from searchkit.errors import ProblemError
from searchkit.picture import Phase, Picture, Piece, Shape
from searchkit.problem import Problem
from searchkit.result import Solution

AnyProblem = Problem[Any, Any]
Text = Callable[[Any], str]
"""What draws a state as text."""


@attrs.frozen
class Role:
    """One piece through a film: what does not change about it. `label` is the longest it has."""

    shape: Shape
    width: float
    height: float
    label: str


@attrs.frozen
class Placed:
    """A piece in a frame: the number of its role, and what may change about it."""

    role: int
    x: float
    y: float
    colour: str
    label: str


@attrs.frozen
class Frame:
    """What is seen at once: pieces, or a text; and the same in words."""

    words: str
    pieces: tuple[Placed, ...] | None = None
    text: str | None = None


@attrs.frozen
class Shot:
    """A step: its action as text, its cost, the state after it, and one or several frames."""

    move: str
    cost: int
    state: str
    frames: tuple[Frame, ...]


@attrs.frozen
class Film:
    """A solution, frame by frame."""

    state: str
    start: Frame
    shots: tuple[Shot, ...]

    @property
    def cost(self) -> int:
        """The cost of the solution."""
        return sum(shot.cost for shot in self.shots)


class Cast:
    """The roles of some films. A piece has the role of its first name, shape and size.

    So one who has that role in one film has it in the others, and one drawing serves all.
    """

    def __init__(self) -> None:
        self.roles: list[Role] = []
        self._numbers: dict[tuple[Hashable, Shape, float, float, int], int] = {}

    def find(self, piece: Piece, taken: set[int]) -> int:
        """The role of a piece that enters, while those in `taken` are played."""
        copy = 0
        while True:
            key = (piece.name, piece.shape, piece.width, piece.height, copy)
            role = self._numbers.get(key)
            if role is None:
                role = self._numbers[key] = len(self.roles)
                self.roles.append(Role(piece.shape, piece.width, piece.height, ""))
            if role not in taken:
                return role
            copy += 1

    def suits(self, role: int, piece: Piece) -> bool:
        """Whether a piece still looks like its role."""
        known = self.roles[role]
        return (known.shape, known.width, known.height) == (piece.shape, piece.width, piece.height)

    def label(self, role: int, label: str) -> None:
        """Note a label that a role has."""
        if len(label) > len(self.roles[role].label):
            self.roles[role] = attrs.evolve(self.roles[role], label=label)


class Director:
    """Follows the pieces of one film: who plays which role, picture by picture."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self._playing: dict[Hashable, int] = {}

    def frame(
        self, picture: Picture, words: str, renamed: Mapping[Hashable, Hashable] | None = None
    ) -> Frame:
        """The next frame. `renamed` tells the new names of pieces by their old ones."""
        before, now = self._playing, {}
        renamed = renamed or {}
        old_names = {new: old for old, new in renamed.items()}
        new: list[Piece] = []
        for piece in picture.pieces:
            old = old_names.get(piece.name, None if piece.name in renamed else piece.name)
            role = before.get(old)
            if role is not None and self.cast.suits(role, piece):
                now[piece.name] = role
            else:
                new.append(piece)
        for piece in new:
            now[piece.name] = self.cast.find(piece, {*before.values(), *now.values()})
        self._playing = now
        placed = []
        for piece in picture.pieces:
            role = now[piece.name]
            self.cast.label(role, piece.label)
            placed.append(Placed(role, piece.x, piece.y, piece.colour.value, piece.label))
        return Frame(words, tuple(placed))


def picture_of(problem: AnyProblem, state: Any) -> Picture | None:
    """The picture of a state; None if the problem draws none. Errors name a wrong one."""
    if not isinstance(problem, HasPicture):
        return None
    picture: object = problem.picture(state)
    if not isinstance(picture, Picture):
        name = type(problem).__name__
        raise ProblemError(f"{name}: picture returned {picture!r}; it must be a Picture")
    return picture


def film(
    problem: AnyProblem,
    solution: Solution[Any, Any],
    cast: Cast | None = None,
    text: Text | None = None,
) -> Film:
    """The film of a solution; its frames are texts where `text` is given, or nothing better is.

    O(states x pieces). Raises `ProblemError` if the problem's pictures cannot be used.
    """
    if text is not None or not isinstance(problem, HasPicture):
        return _film_of_texts(problem, solution, text or problem.render)
    director = Director(Cast() if cast is None else cast)
    state = solution.start
    picture = picture_of(problem, state)
    assert picture is not None
    start = director.frame(picture, _words(problem, state, picture))
    shots = []
    for step in solution.steps:
        frames = [
            director.frame(phase.picture, _words(problem, step.state, phase.picture), phase.renamed)
            for phase in _phases(problem, state, step.action, step.state)
        ]
        state = step.state
        shots.append(_shot(problem, step, tuple(frames)))
    return Film(problem.format_state(solution.start), start, tuple(shots))


def _phases(problem: AnyProblem, state: Any, action: Any, after: Any) -> list[Phase]:
    picture = picture_of(problem, after)
    assert picture is not None
    if not isinstance(problem, HasMotion):
        return [Phase(picture)]
    phases = list(problem.motion(state, action))
    name = type(problem).__name__
    for phase in phases:
        if not isinstance(phase, Phase):
            raise ProblemError(f"{name}: motion gave {phase!r}; it must give each Phase of a step")
    if not phases or set(phases[-1].picture.pieces) != set(picture.pieces):
        raise ProblemError(
            f"{name}: motion of {problem.format_action(action)} must end with the picture of "
            f"{problem.format_state(after)}"
        )
    return phases


def _words(problem: AnyProblem, state: Any, picture: Picture) -> str:
    return picture.words or problem.format_state(state)


def _shot(problem: AnyProblem, step: Any, frames: tuple[Frame, ...]) -> Shot:
    action = " ".join(problem.format_action(step.action).split())
    return Shot(action, step.cost, problem.format_state(step.state), frames)


def _film_of_texts(problem: AnyProblem, solution: Solution[Any, Any], text: Text) -> Film:
    def frame(state: Any) -> Frame:
        return Frame(problem.format_state(state), text=text(state))

    return Film(
        problem.format_state(solution.start),
        frame(solution.start),
        tuple(_shot(problem, step, (frame(step.state),)) for step in solution.steps),
    )
