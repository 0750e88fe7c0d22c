"""Problems as environments of gymnasium: reinforcement learning on any state space."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from searchkit.algorithms.validators import expect, shortened
from searchkit.authors.blame import blaming
from searchkit.errors import UnsuitableError, UsageError
from searchkit.interop import missing
from searchkit.packed import PackedProblem, has_expand, packed_steps
from searchkit.problem import Problem, Step
from searchkit.puzzles import find_puzzle, of_file
from searchkit.registry import Registry
from searchkit.scramble import scramble
from searchkit.texts.text_files import texts_of_files

try:
    import gymnasium as gym
    from gymnasium import spaces
except ModuleNotFoundError:
    raise missing("gymnasium") from None

Array = np.ndarray[Any, Any]
Encoder = Callable[[Any], Array]

PUZZLE_ID = "searchkit/Puzzle-v0"
TRIES = 100
"""How many walks of a wanted length are tried to find one that does not end at a goal."""
MOST_STATES = 10_000
"""How many states are looked at to find the actions of a problem that does not number them."""


class SearchEnv(gym.Env[Array, np.int64]):
    """An environment whose states, actions and costs are those of `problem`.

    `reset` draws one of the problem's starts; or, with `shuffles`, a state that many random steps
    from a goal. `options={"shuffles": 5}` does so for one episode, `options={"state": s}` begins
    at that state.

    An action is a number: it stands for `actions[number]`, by default the operators of a packed
    problem, or all actions of a small one. `info["action_mask"]` tells which are legal; one that
    is not changes nothing and costs `penalty`. The reward is the cost of the step, negative; an
    episode terminates at a goal and is truncated after `max_steps`.

    The observation is the packed state, bit by bit, the lowest first; or what `encode` makes of a
    state, an array in `observation_space`.

    >>> from searchkit.registry import Registry
    >>> from searchkit.interop.gymnasium import SearchEnv
    >>> env = SearchEnv(Registry.load().puzzles.get("8-puzzle").create(), shuffles=1)
    >>> observation, info = env.reset(seed=1)
    >>> env.action_space, int(info["action_mask"].sum())
    (Discrete(9), 3)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  (gymnasium's)

    def __init__(
        self,
        problem: Problem[Any, Any],
        *,
        shuffles: int | None = None,
        max_steps: int | None = None,
        penalty: float = 1.0,
        encode: Encoder | None = None,
        observation_space: spaces.Space[Array] | None = None,
        actions: Sequence[Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        expect(problem, Problem, "problem", "a Problem")
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode is {render_mode!r}; it must be 'ansi' or None")
        _check_count("shuffles", shuffles, least=0)
        _check_count("max_steps", max_steps, least=1)
        self.problem = problem
        self.shuffles = shuffles
        self.max_steps = max_steps
        self.penalty = float(penalty)
        self.render_mode = render_mode
        with blaming(problem):
            self.actions, self._are_operators = _actions(problem, actions)
            self.encode = _bits(problem) if encode is None else encode
            if observation_space is None:
                some = next(iter(problem.initial_states()))
                observation_space = _space(np.asarray(self.encode(some)), encode is None)
        self.observation_space = observation_space
        self._numbers = {label: number for number, label in enumerate(self.actions)}
        self.action_space = spaces.Discrete(len(self.actions))
        self._steps: dict[int, Step[Any, Any]] = {}
        self._state: Any = None
        self._taken = 0

    @property
    def state(self) -> Any:
        """The state at hand."""
        return self._state

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin an episode; see the class for `options`. Raises `UsageError` for others."""
        super().reset(seed=seed)
        given = dict(options or {})
        shuffles = given.pop("shuffles", self.shuffles)
        _check_count("shuffles", shuffles, least=0)
        is_given = "state" in given
        state = given.pop("state", None)
        if given:
            known = "'shuffles' and 'state'"
            raise UsageError(f"reset has no option {next(iter(given))!r}; its options are {known}")
        self._taken = 0
        with blaming(self.problem):
            return self._at(state if is_given else self._drawn(shuffles))

    def step(self, action: np.int64 | int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take an action: observation, reward, terminated, truncated, info."""
        if not isinstance(action, (int, np.integer)) or not 0 <= action < len(self.actions):
            raise UsageError(f"action is {action!r}; it must be from 0 to {len(self.actions) - 1}")
        self._taken += 1
        step = self._steps.get(int(action))
        with blaming(self.problem):
            observation, info = self._at(self._state if step is None else step.state)
        reward = -self.penalty if step is None else -float(step.cost)
        info["legal"] = step is not None
        truncated = self.max_steps is not None and self._taken >= self.max_steps
        return observation, reward, info["solved"], truncated, info

    def action_masks(self) -> Array:
        """Which actions are legal, as truth values."""
        mask = np.zeros(len(self.actions), dtype=np.bool_)
        mask[list(self._steps)] = True
        return mask

    def action_text(self, action: int) -> str:
        """What a legal action is called in the notation of the problem."""
        return self.problem.format_action(self._steps[int(action)].action)

    def render(self) -> str | None:
        """The picture of the state at hand, as text."""
        return None if self.render_mode is None else self.problem.render(self._state)

    def _drawn(self, shuffles: int | None) -> Any:
        rng = random.Random(int(self.np_random.integers(1 << 62)))
        if shuffles is None:
            return rng.choice(list(self.problem.initial_states()))
        for _ in range(TRIES):
            state = scramble(self.problem, shuffles, rng)
            if not shuffles or not self.problem.is_goal(state):
                break
        return state

    def _numbered(self, state: Any) -> dict[int, Step[Any, Any]]:
        """The steps out of `state` by their numbers; `UsageError` if one has none. O(steps)."""
        problem, steps = self.problem, list(self.problem.successors(state))
        labels = [step[0] for step in steps]
        if self._are_operators:
            labels = [step.operator for step in packed_steps(cast(Any, problem), state)]
        for label in labels:
            if label not in self._numbers:
                raise UsageError(
                    f"action {problem.format_action(label)} of state {problem.format_state(state)} "
                    f"is none of the {len(self.actions)} actions"
                )
        numbers = map(self._numbers.__getitem__, labels)
        return {number: Step(*step) for number, step in zip(numbers, steps, strict=True)}

    def _at(self, state: Any) -> tuple[Array, dict[str, Any]]:
        self._state = state
        self._steps = self._numbered(state)
        info: dict[str, Any] = {
            "action_mask": self.action_masks().astype(np.int8),
            "solved": bool(self.problem.is_goal(state)),
        }
        return self.encode(state), info


def _check_count(name: str, value: int | None, *, least: int) -> None:
    if value is not None and (not isinstance(value, int | np.integer) or value < least):
        raise UsageError(
            f"{name} is {shortened(value)}; it must be a whole number, {least} or more, or None"
        )


def _bits(problem: Problem[Any, Any]) -> Encoder:
    """What makes a packed state an array of its bits, the lowest bit of the first word first."""
    if not isinstance(problem, PackedProblem):
        raise UnsuitableError(
            f"{type(problem).__name__} has no packed states to observe; give encode=, a function "
            "that makes an array of a state"
        )
    one = problem.words == 1

    def bits(state: Any) -> Array:
        words = np.array([state] if one else state, dtype="<u8")
        return np.unpackbits(words.view(np.uint8), bitorder="little").view(np.int8)

    return bits


def _space(example: Array, are_bits: bool) -> spaces.Space[Any]:
    """The space of arrays like `example`: whatever fits its type."""
    if are_bits:
        return spaces.MultiBinary(len(example))
    if np.issubdtype(example.dtype, np.integer):
        most = np.iinfo(example.dtype)
        return spaces.Box(most.min, most.max, example.shape, example.dtype.type)
    return spaces.Box(-np.inf, np.inf, example.shape, example.dtype.type)


def puzzle_env(
    puzzle: str, parameters: Mapping[str, str] | None = None, **options: Any
) -> SearchEnv:
    """The environment of a puzzle, registered or in a file; `options` are those of `SearchEnv`.

    >>> import gymnasium
    >>> import searchkit.interop.gymnasium
    >>> env = gymnasium.make("searchkit/Puzzle-v0", puzzle="8-puzzle", shuffles=3)
    >>> env.action_space
    Discrete(9)
    """
    registry = Registry.load()
    name, values = of_file(registry, puzzle, parameters or {})
    entry = find_puzzle(registry, name)
    values = texts_of_files(entry.parameters, values)
    return SearchEnv(entry.create(**values), **options)


if PUZZLE_ID not in gym.registry:
    gym.register(PUZZLE_ID, entry_point="searchkit.interop.gymnasium:puzzle_env")


def _actions(
    problem: Problem[Any, Any], actions: Sequence[Any] | None
) -> tuple[tuple[Any, ...], bool]:
    """The given `actions`, or the operators of a packed problem, or all actions of a small one.

    And whether they are operators.
    """
    if actions is None and isinstance(problem, PackedProblem) and not has_expand(problem):
        controls = range(problem.controls)
        listed = {each for control in controls for each in problem.operators(control)}
        return tuple(sorted(listed)), True
    labels = tuple(all_actions(problem) if actions is None else actions)
    if not labels or len(set(labels)) < len(labels):
        raise UsageError("actions must be one or more, each of them another")
    return labels, False


def all_actions(problem: Problem[Any, Any]) -> list[Any]:
    """All actions of a small problem, in the order in which breadth-first search meets them."""
    starts = list(problem.initial_states())
    seen = {problem.key(state) for state in starts}
    labels: dict[Any, None] = {}
    for state in starts:  # it grows while it is read
        for action, child, _ in problem.successors(state):
            labels[action] = None
            key = problem.key(child)
            if key not in seen:
                seen.add(key)
                starts.append(child)
        if len(seen) > MOST_STATES:
            raise UsageError(
                f"more than {MOST_STATES:,} states can be reached, too many to find all actions; "
                "give them, as actions=[...]"
            )
    return list(labels)
