"""One run of a tool outside of a turn: as a step of a chain, or as a task of an executor."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agents_app.engine.blame import note_place
from agents_app.engine.errors import ToolError, is_control
from agents_app.engine.tools.arguments import InvalidArguments, expected
from agents_app.engine.tools.context import ToolContext
from agents_app.engine.tools.threads import THREADS, Threads
from playhead.core import canonical
from playhead.core.errors import PlayheadError
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from agents_app.engine.tools.function import Tool


def context_alone(key: str) -> ToolContext:
    """The context of a run that belongs to no session: nobody can be asked in it."""

    def ask(info: Any, **_: Any) -> Any:
        raise ToolError(f"nobody can be asked here: {info}")

    return ToolContext(key=key, address="", ask=ask)


def arguments_of(tool: Tool, given: Any) -> dict[str, Any]:
    """Arguments from an object, or from the one value that a tool with one parameter takes.

    Raises:
        InvalidArguments: a value for a tool with several parameters.
    """
    if isinstance(given, Mapping):
        return dict(given)
    names = list(tool.schema.get("properties") or {})
    if len(names) != 1:
        raise InvalidArguments(f"give an object. {expected(tool.schema)}", None)
    return {names[0]: given}


async def text_of(
    tool: Tool, given: Any, context: ToolContext, *, threads: Threads = THREADS
) -> str:
    """Run a tool within its time and return its result as text.

    Raises:
        InvalidArguments: names the field and says what is expected.
        ToolError: whatever the tool raised, and a result that says that it failed.
        TimeoutError: the tool took longer than its ``timeout``.
    """
    typed = tool.validate(arguments_of(tool, given))
    turn = await threads.turn(context.session or context.key) if tool.in_thread else None
    try:
        async with asyncio.timeout(tool.timeout) as clock:
            value = await tool.call(typed, context, turn)
    except TimeoutError as error:
        if not clock.expired():
            raise ToolError(f"TimeoutError: {error}") from error
        raise TimeoutError(f"no result after {tool.timeout:g} s") from error
    except BaseException as error:
        if is_control(error):
            raise
        if not isinstance(error, PlayheadError):  # its author wants to know where
            note_place(f"tool {tool.name}", error)
        raise ToolError(_said(error)) from error
    return _text(tool, value)


def _said(error: BaseException) -> str:
    return error.message if isinstance(error, PlayheadError) else f"{type(error).__name__}: {error}"


def _text(tool: Tool, value: Any) -> str:
    content = getattr(value, "content", value)
    if getattr(value, "success", True) is False:
        raise ToolError(str(content))
    text = content if isinstance(content, str) else canonical.dumps(sanitise(content)[0]).decode()
    if len(text) <= tool.max_output:
        return text
    return (
        f"{text[: tool.max_output]}\n[cut: the first {tool.max_output} of {len(text)} characters]"
    )
