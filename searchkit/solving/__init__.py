"""From a call of `solve` to its result: which engine runs, its trial, and what it has proved."""
