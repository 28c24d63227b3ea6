"""The stores that ship, as one plug-in: each is made when it is first asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field

import playhead
from agents_app.engine.states import MemoryStateStore
from playhead.core.errors import InvalidInput
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    from agents_app.adapters.states.redis import RedisStateStore
    from agents_app.engine.ports import StatePort
    from playhead.plugins import PluginContext


class StateOptions(BaseModel):
    """``["playhead.states"]`` in ``plugins.toml``.

    ``ttl``: seconds that Redis keeps a state; ``folder``: of the files, in the data folder unless
    it is absolute; ``redis_url``: by default ``REDIS_URL``.
    """

    model_config = ConfigDict(extra="forbid")

    ttl: Annotated[float, Field(gt=0)] | None = None
    folder: str = "states"
    redis_url: str = ""


class StateStores:
    """``state.memory``, ``state.file``, ``state.database`` and ``state.redis``."""

    meta = PluginMeta(
        "playhead.states",
        playhead.__version__,
        ("state.memory", "state.file", "state.database", "state.redis"),
        config_cls=StateOptions,
    )

    def __init__(self) -> None:
        self._made: dict[str, StatePort] = {}

    def on_load(self, ctx: PluginContext) -> None:
        """Take the options."""
        self.options: StateOptions = ctx.config

    def provide(self, capability: str) -> StatePort:
        """The store behind a capability, the same one each time.

        Raises:
            InvalidInput: Redis is asked for, and no address of one is known.
        """
        if capability not in self._made:
            self._made[capability] = self._make(capability)
        return self._made[capability]

    def _make(self, capability: str) -> StatePort:
        if capability == "state.file":
            from agents_app.adapters.states.files import FileStateStore

            return FileStateStore(Path(settings.PLAYHEAD_DATA) / self.options.folder)
        if capability == "state.database":
            from agents_app.adapters.states.database import DatabaseStateStore

            return DatabaseStateStore()
        return self._redis() if capability == "state.redis" else MemoryStateStore()

    def _redis(self) -> RedisStateStore:
        from agents_app.adapters.states.redis import RedisStateStore

        url = self.options.redis_url or settings.REDIS_URL
        if not url:
            said = "state.redis needs an address: set REDIS_URL, or redis_url in plugins.toml"
            raise InvalidInput(said, detail={"field": "redis_url"})
        return RedisStateStore(url, ttl=self.options.ttl)
