"""Tests of searchkit. What several of them share is in `support`."""
