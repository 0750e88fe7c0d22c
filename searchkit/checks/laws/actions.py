"""The actions of one state differ, and so do their texts."""

from __future__ import annotations

from searchkit.authors.user_code import call, short
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.checks.multisets import repeated


def check(ground: Ground) -> Findings:
    """Compare the actions of each state, and their texts, with each other. O(steps)."""
    for visit in ground.visits():
        actions = [step.action for step in visit.steps]
        twice = repeated(actions)
        if twice is not None:
            yield Breach(
                at=visit,
                expected="every action is that of one step",
                found=f"two steps have the action {short(twice)}",
                blame=("action", "successors"),
            )
            continue
        texts = []
        for action in actions:
            text = call("format_action", ground.problem.format_action, action)
            if not isinstance(text, str) or not text or not text.isprintable():
                yield Breach(
                    at=visit,
                    expected="a text of one line",
                    found=f"the action {short(action)} has the text {short(text)}",
                    blame=("format_action",),
                )
                break
            texts.append(text)
        same = repeated(texts)
        if same is not None:
            yield Breach(
                at=visit,
                expected="the texts of different actions differ",
                found=f"two have the text {same!r}",
                blame=("format_action", "action"),
            )
    return None


LAW = Law("actions", "the actions of one state differ, and their texts", check)
