"""What `searchkit run` does besides solving one start."""
