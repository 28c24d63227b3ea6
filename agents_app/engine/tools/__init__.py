"""Tools: a typed Python function with an effect class and an approval rule."""

from agents_app.engine.tools.agents import agent_tool
from agents_app.engine.tools.context import ToolContext
from agents_app.engine.tools.function import Tool, tool

__all__ = ["Tool", "ToolContext", "agent_tool", "tool"]
