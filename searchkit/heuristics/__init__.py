"""General heuristics: combinations of others, their names as text, and pattern databases."""
