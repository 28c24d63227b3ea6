"""Tools: a typed Python function with an effect class and an approval rule."""

from agents_app.engine.tools.agents import agent_tool
from agents_app.engine.tools.chain import chain, step
from agents_app.engine.tools.context import ToolContext
from agents_app.engine.tools.executor import TaskResult, ToolExecutor, run_batch, run_parallel
from agents_app.engine.tools.function import Tool, tool

__all__ = [
    "TaskResult",
    "Tool",
    "ToolContext",
    "ToolExecutor",
    "agent_tool",
    "chain",
    "run_batch",
    "run_parallel",
    "step",
    "tool",
]
