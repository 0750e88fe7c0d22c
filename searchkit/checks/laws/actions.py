"""The actions of one state differ, and their texts."""

from __future__ import annotations

from searchkit.authors.user_code import short
from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Law, at_states
from searchkit.checks.multisets import repeated


def look(ground: Ground, visit: Visit) -> Breach | None:
    """Compare the actions of the state, and their texts, with each other. O(steps)."""
    actions = [step.action for step in visit.steps]
    twice = repeated(actions)
    if twice is not None:
        found = f"two steps have the action {short(twice)}"
        return Breach("every action is that of one step", found, "action successors")
    texts = []
    for action in actions:
        text = ground.ask("format_action", action)
        if not isinstance(text, str) or not text or not text.isprintable():
            found = f"the action {short(action)} has the text {short(text)}"
            return Breach("a text of one line", found, "format_action")
        texts.append(text)
    same = repeated(texts)
    if same is not None:
        found = f"two have the text {same!r}"
        return Breach("the texts of different actions differ", found, "format_action action")
    return None


LAW = Law(__name__, __doc__, at_states(look))
