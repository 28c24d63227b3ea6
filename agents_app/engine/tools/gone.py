"""A tool whose code has gone: a session that waits for a yes to it still has its question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import ToolError
from agents_app.engine.tools.function import MAX_OUTPUT, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping


def gone_tool(entry: Mapping[str, Any]) -> Tool:
    """What a stored definition says of a tool, with no code: a call of it is an error."""

    async def run(**_: Any) -> str:
        raise ToolError(why_gone(entry["name"]))

    return Tool(
        name=entry["name"],
        description=entry.get("description", ""),
        schema=entry.get("schema") or {},
        run=run,
        effectful=bool(entry.get("effectful")),
        idempotent=bool(entry.get("idempotent")),
        required_role=entry.get("required_role", "approver"),
        timeout=entry.get("timeout") or 60.0,
        max_output=entry.get("max_output", MAX_OUTPUT),
        secret=tuple(entry.get("secret", ())),
        version=entry.get("version", "1"),
        source=entry.get("source", ""),
        gone=True,
    )


def why_gone(name: str) -> str:
    """What a model reads of a call of such a tool."""
    return f"the tool {name} is not installed here any more; nothing was run"
