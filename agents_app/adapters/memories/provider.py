"""The memories that ship, and their tools, as one plug-in."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

import playhead
from agents_app.adapters.memories.tools import memory_tools
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents_app.engine.ports import MemoryPort, Remembered, Space
    from playhead.plugins import PluginContext


class MemoryOptions(BaseModel):
    """``["playhead.memories"]`` in ``plugins.toml``: what the tools use.

    ``store``: a memory's name; ``scope``: whose it is, as of the middleware.
    """

    model_config = ConfigDict(extra="forbid")

    store: str = "text"
    scope: Literal["agent", "user", "workspace"] = "agent"


class MemoryStores:
    """``memory.text``, ``memory.vector``, and the tools ``remember`` and ``recall``."""

    meta = PluginMeta(
        "playhead.memories",
        playhead.__version__,
        ("memory.text", "memory.vector", "tool.remember", "tool.recall"),
        config_cls=MemoryOptions,
    )

    def on_load(self, ctx: PluginContext) -> None:
        """Make what is provided; which memory the tools use is looked up when they run."""
        options: MemoryOptions = ctx.config
        self._provided: dict[str, Any] = {
            "memory.text": LateMemory(_by_words),
            "memory.vector": LateMemory(_by_likeness),
            **memory_tools(options.store, options.scope),
        }

    def provide(self, capability: str) -> Any:
        """The object behind a capability."""
        return self._provided[capability]


class LateMemory:
    """A memory that is made when it is first used: plug-ins are loaded before the tables are."""

    def __init__(self, make: Callable[[], MemoryPort]) -> None:
        self._make = lru_cache(make)

    async def write(self, space: Space, key: str, text: str) -> None:
        """Keep a text under a key."""
        await self._make().write(space, key, text)

    async def search(self, space: Space, query: str, *, limit: int) -> list[Remembered]:
        """What fits the query."""
        return await self._make().search(space, query, limit=limit)

    async def forget(self, space: Space, key: str) -> bool:
        """Remove what is kept under a key."""
        return await self._make().forget(space, key)


def _by_words() -> MemoryPort:
    from agents_app.adapters.memories.text import TextMemory

    return TextMemory()


def _by_likeness() -> MemoryPort:
    from agents_app.adapters.memories.vector import VectorMemory

    return VectorMemory()
