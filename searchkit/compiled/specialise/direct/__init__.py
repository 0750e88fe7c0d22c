"""Functions of generated modules, made machine code straight from their text."""
