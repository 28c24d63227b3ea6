"""The tables of replay: links."""

from replay_app.models.shares import ShareLink

__all__ = ["ShareLink"]
