"""The execution of one call behind all wraps: what is effectful runs once, however often asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import ToolResult
from playhead.core import canonical
from playhead.core.errors import PlayheadError
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from agents_app.engine.gate import Ready
    from agents_app.engine.loop import Loop
    from agents_app.engine.messages import ToolCall
    from agents_app.engine.tools import ToolContext


class SealedGone(Exception):
    """A sealed argument can't be opened any more."""


class Execution:
    """What the innermost wrap calls. It runs exactly the call of the intent, whatever it is given.

    ``doubt`` is why the outcome is not known (``timeout``, ``sealed_gone``), whatever a wrap makes
    of the exception.
    """

    def __init__(self, loop: Loop, each: Ready, entry: int, context: ToolContext) -> None:
        self.doubt: str | None = None
        self._loop, self._each, self._entry, self._context = loop, each, entry, context
        self._once = each.tool.effectful and not each.tool.idempotent
        self._lock = asyncio.Lock()
        self._entered = False
        self._result: ToolResult | None = None

    async def __call__(self, _call: ToolCall) -> ToolResult:
        async with self._lock:
            if self._once and self._entered:
                if self._result is None:
                    raise RuntimeError("an effectful call runs once; this one brought no result")
                return self._result
            self._entered = True
            try:
                self._result = await self._run()
            except TimeoutError:
                self.doubt = "timeout"
                raise
            except SealedGone:
                self.doubt = "sealed_gone"
                raise
            return self._result

    async def settled(self) -> None:
        """Wait for an execution that a wrap started and left."""
        async with self._lock:
            return

    async def _run(self) -> ToolResult:
        """Run the function on the real arguments, within its time."""
        each = self._each
        if each.tool.in_thread:
            self._loop.flight.in_thread(self._entry)
        keywords = each.typed
        if each.call.spans:
            try:
                opened = self._loop.seals.open(each.call.arguments, each.call.spans)
            except PlayheadError as error:
                raise SealedGone from error
            keywords = each.tool.validate(opened)
        async with asyncio.timeout(each.tool.timeout):
            return result_of(each.call.id, await each.tool.call(keywords, self._context))


def result_of(call_id: str, value: Any) -> ToolResult:
    """Whatever a tool or a wrap gave back as a result: its content is text."""
    content, success = value, True
    if isinstance(value, ToolResult):
        content, success = value.content, bool(value.success)
    if not isinstance(content, str):
        content = canonical.dumps(sanitise(content)[0]).decode()
    return ToolResult(call_id, content, success)
