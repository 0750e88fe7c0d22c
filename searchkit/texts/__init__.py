"""Files and texts: read and written whole, harmless to a terminal, numbers for people."""
