"""The engines that are specialised: files that are copied into generated modules.

Below the line `SPECIALISED`, each file uses names that exist only in a generated module: the
kernels of a problem and its heuristic, and the constants about them (`names.py`).
"""
