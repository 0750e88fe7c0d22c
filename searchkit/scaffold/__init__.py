"""New plugins: what `searchkit new` writes."""

from searchkit.scaffold.project import LIKE, Names, new_file, new_project

__all__ = ["LIKE", "Names", "new_file", "new_project"]
