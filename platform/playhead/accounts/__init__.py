"""Workspaces, users, their roles, API keys and one-time login links."""
