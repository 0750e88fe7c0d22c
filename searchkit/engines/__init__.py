"""What reference and compiled engines share: outer loops, and what explorers can say."""
