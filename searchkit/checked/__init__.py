"""Kernels run step by step beside what machine code would make of them (`engine="checked"`)."""
