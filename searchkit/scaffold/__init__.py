"""New plugins: what `searchkit new` writes."""

from searchkit.scaffold.names import Names
from searchkit.scaffold.project import LIKE, new_file, new_project

__all__ = ["LIKE", "Names", "new_file", "new_project"]
