"""`searchkit compare` on sets of boards: each run in a process of its own."""
