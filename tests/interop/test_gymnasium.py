"""Environments of gymnasium: they keep its rules, and step as the problem does."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import BreadthFirst, Costs, Problem, Step, UsageError, solve
from searchkit.errors import UnsuitableError
from searchkit.interop.gymnasium import SearchEnv, puzzle_env
from searchkit.registry import Registry

REGISTRY = Registry.load()


def puzzle(name: str, **parameters: str) -> Any:
    return REGISTRY.puzzles.get(name).create(**parameters)


class Priced(Problem[int, str]):
    """Numbers from 0 to 20: halve or add; halving is free."""

    costs = Costs.INTEGER

    def initial_states(self) -> list[int]:
        return [19]

    def successors(self, state: int) -> list[Step[int, str]]:
        steps = [Step("add", state + 1, 3)] if state < 20 else []
        return steps if state % 2 or not state else [Step("halve", state // 2, 0), *steps]

    def is_goal(self, state: int) -> bool:
        return state == 5


def one_number(state: int) -> np.ndarray[Any, Any]:
    return np.array([state], dtype=np.int8)


@pytest.mark.parametrize(
    "env",
    [
        SearchEnv(puzzle("8-puzzle"), shuffles=10, max_steps=50),
        SearchEnv(puzzle("24-puzzle")),
        SearchEnv(puzzle("cube2"), shuffles=3),
        SearchEnv(Priced(), encode=one_number),
    ],
    ids=["8-puzzle", "24-puzzle", "cube2", "plain"],
)
def test_the_checker_finds_nothing(env: SearchEnv) -> None:
    check_env(env, skip_render_check=True)  # a warning is an error here


def test_the_checker_finds_nothing_in_a_registered_puzzle() -> None:
    made = gym.make("searchkit/Puzzle-v0", puzzle="8-puzzle", shuffles=4, max_episode_steps=20)
    check_env(made.unwrapped)
    assert made.spec is not None
    assert made.spec.max_episode_steps == 20
    other = puzzle_env("sliding", {"size": "2x3"}, render_mode="ansi")
    other.reset()
    assert other.render() == other.problem.render(other.state)
    assert other.action_space.n == 6


def replayed(env: SearchEnv, seed: int, steps: int) -> None:
    """Walk at random, the legal and the other actions alike, beside the problem's own steps."""
    problem, rng = env.problem, random.Random(seed)
    env.reset(seed=seed)
    for _ in range(steps):
        state = env.state
        listed = list(problem.successors(state))
        mask = env.action_masks()
        assert int(mask.sum()) == len(listed)
        action = rng.randrange(len(mask))
        text = env.action_text(action) if mask[action] else None
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        assert info["legal"] == mask[action]
        assert (info["action_mask"] == env.action_masks()).all()
        if text is None:
            assert (env.state, reward) == (state, -env.penalty)
        else:
            [step] = [each for each in listed if problem.format_action(each.action) == text]
            assert (env.state, reward) == (step.state, -step.cost)
        assert terminated == problem.is_goal(env.state) == info["solved"]
        assert observation in env.observation_space


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(
        [("8-puzzle", {}), ("peg", {"model": "jumps"}), ("hoppers", {"model": "jumps"})]
    ),
    st.integers(0, 10**6),
)
def test_steps_are_those_of_the_problem(which: tuple[str, dict[str, str]], seed: int) -> None:
    name, parameters = which
    replayed(SearchEnv(puzzle(name, **parameters), penalty=2.5), seed, 40)


def test_steps_of_a_plain_problem_with_costs() -> None:
    env = SearchEnv(Priced(), encode=one_number)
    assert env.actions == ("add", "halve")
    for seed in range(5):
        replayed(env, seed, 30)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_observations_are_the_bits_of_the_state(seed: int) -> None:
    for name in ("8-puzzle", "24-puzzle"):
        env = SearchEnv(puzzle(name), shuffles=30)
        observation, _ = env.reset(seed=seed)
        words = (env.state,) if env.problem.words == 1 else env.state  # type: ignore[attr-defined]
        number = sum(word << 64 * place for place, word in enumerate(words))
        assert sum(int(bit) << place for place, bit in enumerate(observation)) == number
        assert len(observation) == 64 * len(words)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8))
def test_shuffles_are_so_many_steps_from_the_goal(seed: int, shuffles: int) -> None:
    env = SearchEnv(puzzle("8-puzzle"))
    observation, info = env.reset(seed=seed, options={"shuffles": shuffles})
    assert not info["solved"]
    result = solve(env.problem.with_start(env.state), BreadthFirst())  # type: ignore[attr-defined]
    assert result.cost is not None
    assert 1 <= result.cost <= shuffles
    assert (shuffles - result.cost) % 2 == 0
    again, _ = env.reset(seed=seed, options={"shuffles": shuffles})
    assert (again == observation).all()
    env.reset(options={"shuffles": 0})
    assert env.problem.is_goal(env.state)


def test_a_solution_is_worth_minus_its_cost() -> None:
    env = SearchEnv(puzzle("8-puzzle"))
    env.reset(options={"state": env.problem.parse("123450786")})  # type: ignore[attr-defined]
    [action] = [each for each in np.flatnonzero(env.action_masks()) if env.action_text(each) == "6"]
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["legal"]) == (-1.0, True, False, True)


def test_episodes_are_truncated_but_a_goal_comes_first() -> None:
    env = SearchEnv(Priced(), encode=one_number, max_steps=2)
    env.reset()
    ends = [env.step(0)[2:4] for _ in range(2)]
    assert ends == [(False, False), (False, True)]
    env.reset(options={"state": 10})
    assert env.step(0)[3] is False
    assert env.step(0)[2:4] == (False, True)
    env.reset(options={"state": 10})
    assert env.step(1)[2:4] == (True, False)


def test_masks_are_what_gymnasium_samples_by() -> None:
    env = SearchEnv(puzzle("8-puzzle"))
    _, info = env.reset(seed=3)
    for _ in range(50):
        action = env.action_space.sample(info["action_mask"])
        *_, info = env.step(action)
        assert info["legal"]


def test_wrong_use_is_told_in_one_line() -> None:
    eight = puzzle("8-puzzle")
    for options in ({"shuffles": -1}, {"shuffles": "5"}, {"max_steps": 0}):
        with pytest.raises(UsageError, match="it must be a whole number"):
            SearchEnv(eight, **options)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="render_mode is 'human'"):
        SearchEnv(eight, render_mode="human")
    with pytest.raises(UnsuitableError, match="give encode="):
        SearchEnv(Priced())
    with pytest.raises(UsageError, match="action halve of state 10 is none of the 1 actions"):
        SearchEnv(Priced(), encode=one_number, actions=["add"]).reset(options={"state": 10})
    env = SearchEnv(eight)
    with pytest.raises(UsageError, match="no option 'shuffle'; its options are"):
        env.reset(options={"shuffle": 3})
    env.reset()
    with pytest.raises(UsageError, match="action is 9; it must be from 0 to 8"):
        env.step(9)
    with pytest.raises(UsageError, match="action is 'x'; it must be from 0 to 8"):
        env.step("x")


def test_a_large_plain_problem_needs_its_actions() -> None:
    class Endless(Priced):
        def successors(self, state: int) -> list[Step[int, str]]:
            return [Step("add", state + 1)]

    with pytest.raises(UsageError, match="more than 10,000 states"):
        SearchEnv(Endless(), encode=one_number)
    assert SearchEnv(Endless(), encode=one_number, actions=["add"]).action_space.n == 1


@pytest.mark.parametrize("library", ["gymnasium", "networkx"])
def test_a_library_that_is_missing_is_told_in_one_line(library: str) -> None:
    code = (
        "import sys, importlib\n"
        f"sys.modules[{library!r}] = None\n"
        f"try: importlib.import_module('searchkit.interop.{library}')\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], text=True, capture_output=True, check=True, timeout=300
    )
    assert done.stdout == (
        f"searchkit.interop.{library} needs {library}, which is not installed; install searchkit "
        f"with its extra: pip install '.[{library}]'\n"
    )
