"""Solutions in stages along tables."""
