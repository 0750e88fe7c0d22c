"""Best-first search over packed states: A*, uniform cost, weighted, greedy and anytime."""
