"""The code of authors of puzzles and plugins: how it is called, and what it may have meant."""
