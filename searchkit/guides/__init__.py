"""How near a goal a state may be, by what is seen of rules that have no heuristic."""
