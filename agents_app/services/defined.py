"""The tools that a definition names: the agent's own, and those of the agents that it can ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def tools_in(definition: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every tool of a stored definition, at whatever depth.

    A child that a strategy makes has tools of the agent that it was made from.
    """
    for tool in definition.get("tools", ()):
        yield tool
        if tool.get("agent"):
            yield from tools_in(tool["agent"])
        for below in tool.get("agents", ()):
            yield from tools_in(below)
