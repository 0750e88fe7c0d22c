"""Depth-first search over packed states: iterative deepening and IDA*."""
