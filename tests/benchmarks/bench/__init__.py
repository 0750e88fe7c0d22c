"""Ratios of searchkit's times to those of named baselines, measured side by side."""
