"""What tests share: random problems, slow searches to compare with, calls, and checks."""
