"""The form of a call that code has made or changed: its secrets are sealed where they enter.

A hook may put a key into the arguments, a strategy may read a call from a text. The tool gets the
real value, by its place; log, policy and approval have the sealed form, at a resume and in a replay
the one that is recorded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agents_app.engine.log.known_form import Form, known_form
from agents_app.engine.messages import spans_within
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.messages import ToolCall
    from agents_app.engine.tools import Tool


def sealed_call(loop: Loop, scope: str, call: ToolCall, tool: Tool | None) -> ToolCall:
    """The call with markers for what is secret in its arguments, and where they stand.

    Args:
        scope: the call's.
    """
    arguments = sanitise(call.arguments)[0]
    known = known_form(arguments, _recorded(loop, scope))
    if known is None:
        names = tool.secret if tool else ()
        paths = [f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names]
        sealed = loop.seals.seal(arguments, secret_paths=paths, spans=call.spans)
        known = sealed.value, sealed.spans
    return replace(call, arguments=known[0], spans=tuple(known[1]))


def sealed_name(call: ToolCall) -> ToolCall:
    """The call under a name that may stand in a scope."""
    name = withhold(sanitise(call.name)[0])
    return call if name == call.name else replace(call, name=name)


def is_recorded(loop: Loop, call: ToolCall, response: int) -> bool:
    """Whether it stands just so in what asked for it: it was sealed there."""
    asked = loop.record.event(response)
    if asked is None or "message" not in asked.payload:
        return False
    return any(call is each for each in loop.record.message(response).calls)


def _recorded(loop: Loop, scope: str) -> Iterator[Form]:
    """The arguments as the log has them: as a person was asked about them, or as they ran."""
    asked = [event for event in loop.record.asked(scope) if event.payload["kind"] == "approval"]
    intent = loop.record.last(scope, "tool_call")
    for event in [*asked, *([intent] if intent else ())]:
        yield event.payload["arguments"], list(spans_within("/arguments", event.sealed or ()))
