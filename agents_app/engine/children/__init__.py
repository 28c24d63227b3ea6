"""Agents below agents: they step in their parent's log."""
