"""Sets of states as machine code, and which of them lie on optimal solutions."""
