"""Limits at work: what is used, what an intent may still take, and rates that are shared."""
