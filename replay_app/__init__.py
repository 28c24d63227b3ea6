"""Scrub, replay, branch, compare, share and export recorded sessions."""
