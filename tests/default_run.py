"""What the default run keeps of tests of which `pytest -m slow` runs the whole."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

SHARE = 8
"""Of so many examples of a property the default run tries one."""
FEWEST = 3
"""But of so many, and of no more where a property has the marker `few`."""

UNKNOWN = pytest.StashKey[list[str]]()
"""Variants that markers name, and that are not there."""
Values = set[tuple[str, int]]
"""Of each parameter, which of its values a variant has."""


def apportion(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The default run tries less, and `pytest -m slow` the rest."""
    unknown = variants_are_slow(items)
    config.stash[UNKNOWN] = [] if any("[" in each for each in config.args) else unknown
    if config.option.markexpr == "not slow":
        fewer_examples(items)
    elif config.option.markexpr == "slow":
        properties_are_slow(items)


def fewer_examples(items: Iterable[pytest.Item]) -> None:
    """Properties are tried on a part of the examples that their `max_examples` says."""
    scaled: set[int] = set()
    for item in items:
        test = getattr(item, "obj", None)
        test = getattr(test, "__func__", test)
        if is_hypothesis_test(test) and id(test) not in scaled:
            scaled.add(id(test))
            whole = getattr(test, "_hypothesis_internal_use_settings", None) or settings.default
            share = 0 if item.get_closest_marker("few") else whole.max_examples / SHARE
            part = min(whole.max_examples, max(FEWEST, math.ceil(share)))
            test._hypothesis_internal_use_settings = settings(whole, max_examples=part)


def properties_are_slow(items: Iterable[pytest.Item]) -> None:
    """Properties are among the slow tests, too: these try them on all of their examples."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.slow)


def variants_are_slow(items: Iterable[pytest.Item]) -> list[str]:
    """Some variants of a test are slow: those that `slow_variants` names, or `spread` leaves out.

    `spread` keeps those that it names, or else enough of them that each value of each parameter is
    in one. Returns the names that no variant has.
    """
    unknown: list[str] = []
    tests = defaultdict(list)
    for item in items:
        if item.get_closest_marker("spread") or item.get_closest_marker("slow_variants"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for test, variants in tests.items():
        slow, kept = (_named(variants, marker) for marker in ("slow_variants", "spread"))
        there = {each.callspec.id for each in variants}
        unknown += (f"{test}[{name}]" for name in sorted((slow | kept) - there))
        if variants[0].get_closest_marker("spread") and not kept:
            fast = [each for each in variants if not each.get_closest_marker("slow")]
            kept = {each.callspec.id for each in _cover(fast)}
        for each in variants:
            if each.callspec.id in slow or (kept and each.callspec.id not in kept):
                each.add_marker(pytest.mark.slow)
    return unknown


def _named(variants: list[Any], marker: str) -> set[str]:
    return {name for mark in variants[0].iter_markers(marker) for name in mark.args}


def _cover(variants: list[Any]) -> list[Any]:
    values = {each: _values(each) for each in variants}
    missing: Values = set().union(*values.values())
    kept = []
    while missing:
        kept.append(max(variants, key=lambda each: len(values[each] & missing)))
        missing -= values[kept[-1]]
    return kept


def _values(variant: Any) -> Values:
    """Arguments that are given together are one parameter."""
    left, found = dict(variant.callspec.params), set()
    for mark in variant.iter_markers("parametrize"):
        names = mark.args[0] if mark.args else mark.kwargs["argnames"]
        split = names.split(",") if isinstance(names, str) else names
        given = [id(left.pop(name.strip(), None)) for name in split]
        found.add((str(names), hash(tuple(given))))
    return found | {(name, id(value)) for name, value in left.items()}
