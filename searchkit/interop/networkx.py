"""Small state graphs as graphs of networkx."""

from __future__ import annotations

import math
from typing import Any

from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.errors import UsageError
from searchkit.interop import missing
from searchkit.problem import Problem

try:
    import networkx as nx
except ModuleNotFoundError:
    raise missing("networkx") from None

MOST_STATES = 10_000


def to_networkx(problem: Problem[Any, Any], *, max_states: int = MOST_STATES) -> nx.DiGraph[Any]:
    """Makes the graph of all states that can be reached from the starts.

    A node is the key of a state. Its attributes: `state`; `label`, the text of the state; `start`
    and `goal`, whether it is one; `distance`, the cost of a cheapest way to a goal, infinity if
    there is none. Goals have successors like other states.

    An edge is the cheapest step from one state to another: `cost`, `action` and `label`, the text
    of the action. Of several steps that are as cheap the first one counts.

    O(states + steps) calls of the problem's methods, and Dijkstra's algorithm (1959) for the
    distances.

    Args:
        problem: What to draw.
        max_states: The most nodes that the graph may have.

    Raises:
        UsageError: There are more states.

    >>> from searchkit import Problem, Step
    >>> from searchkit.interop.networkx import to_networkx
    >>> class Walk(Problem[int, str]):
    ...     def initial_states(self):
    ...         return [0]
    ...     def successors(self, state):
    ...         return [Step("up", state + 1)] if state < 3 else []
    ...     def is_goal(self, state):
    ...         return state == 2
    >>> graph = to_networkx(Walk())
    >>> list(graph.nodes(data="distance"))
    [(0, 2), (1, 1), (2, 0), (3, inf)]
    >>> graph.edges[0, 1]["label"]
    'up'
    """
    expect(problem, Problem, "problem", "a Problem")
    expect(max_states, int, "max_states", "a whole number, 1 or more")
    graph: nx.DiGraph[Any] = nx.DiGraph()
    with blaming(problem):
        for start in problem.initial_states():
            graph.add_node(problem.key(start), state=start, start=True)
        waiting = list(graph)
        for node in waiting:  # it grows while it is read
            state = graph.nodes[node]["state"]
            for action, child, cost in problem.successors(state):
                key = problem.key(child)
                if key not in graph:
                    waiting.append(key)
                    graph.add_node(key, state=child, start=False)
                known = graph.get_edge_data(node, key)
                if known is None or cost < known["cost"]:
                    label = problem.format_action(action)
                    graph.add_edge(node, key, action=action, cost=cost, label=label)
            if len(graph) > max_states:
                raise UsageError(
                    f"more than {max_states:,} states can be reached; raise max_states, or take "
                    "a smaller problem"
                )
        for data in graph.nodes.values():
            data["label"] = problem.format_state(data["state"])
            data["goal"] = bool(problem.is_goal(data["state"]))
    goals = [node for node, goal in graph.nodes(data="goal") if goal]
    against = graph.reverse(copy=False)
    costs = nx.multi_source_dijkstra_path_length(against, goals, weight="cost") if goals else {}
    for node, data in graph.nodes.items():
        data["distance"] = costs.get(node, math.inf)
    return graph
