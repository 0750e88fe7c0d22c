"""Drawings and films of solutions: SVG, a page that plays them, and Jupyter.

Nothing here knows a puzzle: problems draw themselves (`searchkit.capabilities.HasPicture`), and
those that do not are shown by their text.
"""

from searchkit.render.drawings import svg
from searchkit.render.films import Film, film
from searchkit.render.page import MOST_SOLUTIONS, Player

__all__ = ["MOST_SOLUTIONS", "Film", "Player", "film", "svg"]
