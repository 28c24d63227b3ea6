"""A plug-in with a life: it has a configuration, and keeps something open while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TextIO

from pydantic import BaseModel, Field

from agents_app.engine import ToolResult
from playhead.plugins import PluginContext, PluginMeta


class Options(BaseModel):
    """``[weather-station]`` in ``plugins.toml``. ``journal``: a file for what it has measured."""

    place: str = Field(min_length=1)
    journal: Path | None = None


class Station:
    """The tool ``observe``: what the station measures now."""

    meta = PluginMeta(
        "weather-station",
        "0.3.1",
        provides=("tool.observe",),
        requires=("event.sink",),
        config_cls=Options,
    )
    name = "observe"
    schema: dict[str, Any] = {
        "name": "observe",
        "description": "Tell what the weather station measures now.",
        "parameters": {"type": "object", "properties": {}},
    }
    _file: TextIO | None = None

    def on_load(self, ctx: PluginContext) -> None:
        self.options: Options = ctx.config
        self.sink = ctx.require("event.sink")

    async def on_start(self) -> None:
        if self.options.journal:
            self._file = self.options.journal.open("a", buffering=1)
        self._note("opened")

    async def on_stop(self) -> None:
        self._note("closed")
        if self._file:
            self._file.close()

    async def execute(self, arguments: dict[str, Any]) -> ToolResult:
        self._note("measured")
        self.sink.emit("tool.weather.request", {"place": self.options.place})
        return ToolResult("", f"{self.options.place} now: 20 °C", True)

    def _note(self, what: str) -> None:
        if self._file:
            self._file.write(what + "\n")
