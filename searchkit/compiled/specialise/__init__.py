"""Making a module of machine code for one problem and heuristic."""
