"""Predecessors are the successors seen from the other end."""

from __future__ import annotations

from collections.abc import Hashable

from searchkit.capabilities import HasPredecessors
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.checks.multisets import missing, repeated
from searchkit.premises.asking import Met


def check(ground: Ground) -> Findings:
    """Look for each step among the predecessors of its end, and the other way round. O(steps)."""
    known: dict[Hashable, list[Met]] = {}
    forward: dict[Hashable, list[Met]] = {}
    # States that were not visited are looked at as well, but no more than were.
    for visit in ground.visits():
        here = visit.key
        for step in visit.steps:
            if step.key not in known:
                if step.key not in ground.number and len(known) > ground.most:
                    continue
                known[step.key] = ground.take(step.state, "predecessors")
            if _is_missing(step, here, known[step.key]):
                action = ground.action_text(step.action)
                yield Breach(
                    f"predecessors({ground.text(step.state)}) has {action} from "
                    f"{ground.text(visit.state)} at cost {step.cost}",
                    _listed(ground, known[step.key]),
                    "predecessors",
                    then=action,
                )
                break
        if here not in known:
            known[here] = ground.take(visit.state, "predecessors")
        for step in known[here]:
            if step.key not in forward:
                if not ground.is_expanded(step.key) and len(forward) > ground.most:
                    continue
                forward[step.key] = ground.steps_from(step)
            if _is_missing(step, here, forward[step.key]):
                yield Breach(
                    f"{ground.action_text(step.action)} leads here from {ground.text(step.state)} "
                    f"at cost {step.cost}, as predecessors says",
                    f"successors there has {_listed(ground, forward[step.key])}",
                    "predecessors",
                )
                break
        twice = repeated([(each.action, each.key) for each in known[here]])
        if twice is not None:
            found = f"predecessors has {ground.action_text(twice[0])} twice"
            yield Breach("each step is listed once", found, "predecessors")
    return None


def _is_missing(step: Met, key: Hashable, steps: list[Met]) -> bool:
    """Whether no step like `step`, but with the key `key`, is among `steps`."""
    rows = [(each.action, each.key, each.cost) for each in steps]
    return missing([(step.action, key, step.cost)], rows) is not None


def _listed(ground: Ground, steps: list[Met]) -> str:
    texts = [
        f"{ground.action_text(step.action)} with {ground.text(step.state)} at cost {step.cost}"
        for step in steps[:4]
    ]
    return "; ".join(texts) + ("; ..." if len(steps) > 4 else "") or "nothing"


LAW = Law(__name__, __doc__, check, (HasPredecessors,))
