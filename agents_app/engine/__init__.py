"""The engine: agents, the loop that runs them, and its ports. Knows no framework."""

from agents_app.engine.agent import Agent
from agents_app.engine.config import Config
from agents_app.engine.errors import (
    Divergence,
    Interrupted,
    ModelError,
    ReplayViolation,
    RunFailed,
    SecurityError,
)
from agents_app.engine.facade import AgentLoop
from agents_app.engine.limits import Limits
from agents_app.engine.loop.bus import EventBus
from agents_app.engine.loop.hooks import current
from agents_app.engine.messages import Message, ToolCall, ToolResult
from agents_app.engine.ports import LLMPort, Middleware, ModelPort, StatePort, ToolPort
from agents_app.engine.spec import AgentSpec, Outcome
from agents_app.engine.strategy import Continue, Finish, Strategy
from agents_app.engine.tools import (
    Tool,
    ToolContext,
    ToolExecutor,
    agent_tool,
    chain,
    run_batch,
    run_parallel,
    step,
    tool,
)

__all__ = [
    "Agent",
    "AgentLoop",
    "AgentSpec",
    "Config",
    "Continue",
    "Divergence",
    "EventBus",
    "Finish",
    "Interrupted",
    "LLMPort",
    "Limits",
    "Message",
    "Middleware",
    "ModelError",
    "ModelPort",
    "Outcome",
    "ReplayViolation",
    "RunFailed",
    "SecurityError",
    "StatePort",
    "Strategy",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolExecutor",
    "ToolPort",
    "ToolResult",
    "agent_tool",
    "chain",
    "current",
    "run_batch",
    "run_parallel",
    "step",
    "tool",
]
