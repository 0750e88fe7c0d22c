"""What is asked of machine code to compare it with an author's rules."""
