"""What ships with Playhead, offered through the same door as anybody's plug-in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import playhead
from agents_app.adapters.memories.provider import MemoryStores
from agents_app.adapters.models.providers import (
    AnthropicModels,
    OpenAIModels,
    OpenAIResponsesModels,
    ScriptedModels,
)
from agents_app.adapters.sinks.jsonl import JSONLSink
from agents_app.adapters.sinks.outlet import Outlet
from agents_app.adapters.states.provider import StateStores
from agents_app.adapters.tools.files import FileTools
from agents_app.adapters.tools.http import HttpTool
from agents_app.adapters.tools.sql import SqlTool
from agents_app.adapters.tracing import TracingMiddleware
from agents_app.engine.parts import BUILT_IN
from agents_app.engine.tools.calculator import calculator
from agents_app.engine.tools.everyday import ask_human, clock, notes
from playhead.plugins import provides_all

if TYPE_CHECKING:
    from playhead.plugins.meta import Factory


def builtin() -> list[Factory]:
    """The plug-ins of this release, in the order in which they are listed."""
    version = playhead.__version__
    strategies = {f"strategy.{name}": part for name, part in BUILT_IN.strategies.items()}
    parts = {**BUILT_IN.middleware, "tracing": TracingMiddleware}
    middleware = {f"middleware.{name}": part for name, part in parts.items()}
    tools = {f"tool.{each.name}": each for each in (calculator, clock, notes, ask_human)}
    return [
        provides_all(strategies, name="playhead.strategies", version=version),
        provides_all(middleware, name="playhead.middleware", version=version),
        ScriptedModels,
        OpenAIModels,
        OpenAIResponsesModels,
        AnthropicModels,
        provides_all(tools, name="playhead.tools", version=version),
        HttpTool,
        FileTools,
        SqlTool,
        StateStores,
        MemoryStores,
        Outlet,
        JSONLSink,
    ]
