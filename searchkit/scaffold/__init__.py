"""New plugin projects: what `searchkit new` writes."""

from searchkit.scaffold.names import Names
from searchkit.scaffold.project import new_project

__all__ = ["Names", "new_project"]
