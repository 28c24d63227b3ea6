"""Tools of every agent that need nothing but the session: the time, notes, and a person."""

from __future__ import annotations

from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agents_app.engine.errors import ToolError
from agents_app.engine.tools.context import ToolContext  # noqa: TC001 - read from annotations
from agents_app.engine.tools.function import tool

#: The kind under which notes stand in the log.
NOTE = "note"


@tool
async def clock(ctx: ToolContext, timezone: str = "UTC") -> dict[str, str]:
    """Say what time it is.

    Args:
        timezone: an IANA name such as Europe/Berlin.
    """
    try:
        zone = ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ToolError(f"there is no time zone {timezone!r}; use a name like UTC") from None
    now = ctx.now().astimezone(zone)
    return {
        "time": now.isoformat(timespec="seconds"),
        "weekday": f"{now:%A}",
        "timezone": timezone,
    }


@tool
async def notes(action: Literal["add", "list"], ctx: ToolContext, text: str = "") -> Any:
    """Keep notes of this session, and read them again.

    Args:
        action: add one, or list all.
        text: the note to add.
    """
    if action == "list":
        return [note["text"] for note in ctx.emitted(NOTE)]
    if not text.strip():
        raise ToolError("argument text: a note has a text")
    ctx.emit(NOTE, {"text": text})
    return f"noted as number {len(ctx.emitted(NOTE))}"


@tool(required_role="operator")
async def ask_human(question: str, ctx: ToolContext, options: list[str] | None = None) -> str:
    """Ask a person and wait for the answer.

    Args:
        question: what to ask, with everything that they need to know.
        options: answers to choose from, if only these will do.
    """
    schema: dict[str, Any] = {"type": "string"}
    if options:
        schema["enum"] = options
    return str(ctx.interrupt(question, schema=schema))
