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
from agents_app.engine.parts import BUILT_IN
from playhead.plugins import provides_all

if TYPE_CHECKING:
    from playhead.plugins.meta import Factory


def builtin() -> list[Factory]:
    """The plug-ins of this release: strategies, middleware, model providers, stores, sinks."""
    version = playhead.__version__
    strategies = {f"strategy.{name}": part for name, part in BUILT_IN.strategies.items()}
    middleware = {f"middleware.{name}": part for name, part in BUILT_IN.middleware.items()}
    return [
        provides_all(strategies, name="playhead.strategies", version=version),
        provides_all(middleware, name="playhead.middleware", version=version),
        ScriptedModels,
        OpenAIModels,
        OpenAIResponsesModels,
        AnthropicModels,
        StateStores,
        MemoryStores,
        Outlet,
        JSONLSink,
    ]
