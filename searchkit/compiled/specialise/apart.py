"""Functions compiled for arrays that do not overlap: loops may read ahead of their writes."""

from __future__ import annotations

from numba.core.compiler import CompilerBase, DefaultPassBuilder


class Apart(CompilerBase):  # type: ignore[misc]
    """Compiles a function whose arguments point to memory of their own: C says `restrict`.

    A vector of items can then be looked up in tables before any is stored, and what does not depend
    on an item is loaded once. numba can do so, but has no option for it.
    """

    def define_pipelines(self) -> list[DefaultPassBuilder]:
        """The usual passes, for such arguments."""
        self.state.flags.noalias = True
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]
