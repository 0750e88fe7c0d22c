"""The compiled engines: the algorithms over packed states, specialised to one problem."""
