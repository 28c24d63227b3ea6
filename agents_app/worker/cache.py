"""The caching middleware's store: Django's cache, bounded by its settings, one room a workspace."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.cache import cache

#: How long an answer is kept (seconds).
KEPT = 24 * 3600


class WorkspaceCache:
    """Answers by request fingerprint; what one workspace asked never answers another."""

    def __init__(self, workspace: str) -> None:
        self._prefix = f"llm.{workspace}."

    async def get(self, key: str) -> dict[str, Any] | None:
        """The stored answer, ``None`` when there is none or the cache is away."""
        try:
            return await asyncio.to_thread(cache.get, self._prefix + key)
        except Exception:  # a cache that is away has an exception of its own per library
            return None

    async def set(self, key: str, value: dict[str, Any]) -> None:
        """Keep an answer, if the cache is there."""
        try:
            await asyncio.to_thread(cache.set, self._prefix + key, value, KEPT)
        except Exception:
            return


def response_cache(workspace: str) -> WorkspaceCache:
    """The cache of a workspace."""
    return WorkspaceCache(workspace)
