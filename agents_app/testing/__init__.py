"""What tests of agents and of adapters need; a supported API."""

from agents_app.testing.doubles import (
    InMemoryStateStore,
    MockLLMAdapter,
    MockTool,
    ScriptedModel,
    ScriptExhausted,
)
from agents_app.testing.model_server import ModelServer, serving

__all__ = [
    "InMemoryStateStore",
    "MockLLMAdapter",
    "MockTool",
    "ModelServer",
    "ScriptExhausted",
    "ScriptedModel",
    "serving",
]
