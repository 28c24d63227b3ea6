"""The execution of one call behind all wraps: what is effectful runs once, however often asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents_app.engine.blame import note_place
from agents_app.engine.errors import OutcomeUnknown, ToolError, is_control
from agents_app.engine.messages import ToolResult
from agents_app.engine.tool_calls.exits import guard_tasks, tried_to_exit
from agents_app.engine.tools.threads import THREADS
from playhead.core import canonical
from playhead.core.errors import PlayheadError
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.messages import ToolCall
    from agents_app.engine.tool_calls.gate import Ready
    from agents_app.engine.tools import ToolContext
    from agents_app.engine.tools.threads import Turn


class SealedGone(Exception):
    """A sealed argument can't be opened any more."""


class Execution:
    """What the innermost wrap calls. It runs exactly the call of the intent, whatever it is given.

    ``doubt`` is why the outcome is not known (``timeout``, ``blocked``, ``lost``,
    ``sealed_gone``), whatever a wrap makes of the exception; ``late`` is what to say of a call that
    took too long; ``tries`` how often the function was run.
    """

    def __init__(self, loop: Loop, each: Ready, entry: int, context: ToolContext) -> None:
        self.doubt: str | None = None
        self.late: str | None = None
        self._loop, self._each, self._entry, self._context = loop, each, entry, context
        self._once = each.tool.effectful and not each.tool.idempotent
        self._lock = asyncio.Lock()
        self.tries = 0
        self._result: ToolResult | None = None

    async def __call__(self, _call: ToolCall) -> ToolResult:
        async with self._lock:
            if self._once and self.tries:
                if self._result is None:
                    raise RuntimeError("an effectful call runs once; this one brought no result")
                return self._result
            self.tries += 1
            self._result = await self._run()
            return self._result

    async def settled(self) -> None:
        """Wait for an execution that a wrap started and left."""
        async with self._lock:
            return

    async def _run(self) -> ToolResult:
        """Run the function on the real arguments, within its time."""
        tool, keywords = self._each.tool, self._opened()
        turn = await self._thread() if tool.in_thread else None
        guard_tasks()
        try:
            async with asyncio.timeout(tool.timeout) as clock:
                self._context.timed_by(clock)
                value = await tool.call(keywords, self._context, turn)
        except TimeoutError:
            self.doubt = "timeout"
            if clock.expired():
                self._is_late(blocked=turn is not None and turn.blocked)
            raise
        except OutcomeUnknown:
            self.doubt = "lost"
            raise
        except BaseException as error:
            if is_control(error):
                raise
            if not isinstance(error, PlayheadError):  # its author wants to know where
                note_place(f"tool {tool.name}", error)
            if isinstance(error, Exception):
                raise
            raise tried_to_exit(error) from error
        return result_of(self._each.call.id, value)

    def _opened(self) -> dict[str, Any]:
        """The arguments with real values in the place of markers."""
        each = self._each
        if not each.call.spans:
            return each.typed
        try:
            opened = self._loop.seals.open(each.call.arguments, each.call.spans)
        except PlayheadError as error:
            self.doubt = "sealed_gone"
            raise SealedGone from error
        return each.tool.validate(opened)

    async def _thread(self) -> Turn:
        """A place for the thread; waiting for one takes nothing of the call's own time."""
        session, within = self._loop.session_id, self._each.tool.timeout
        try:
            async with asyncio.timeout(within):
                turn = await THREADS.turn(session)
        except TimeoutError:
            held = THREADS.running(session)
            who = f"{held} earlier calls of this session"
            if held < THREADS.per_session:  # its own are not what keeps it waiting
                who = "calls of other sessions"
            said = f"not started: {who} still hold their threads after {within:g} s"
            raise ToolError(said) from None
        self._loop.flight.in_thread(self._entry)
        return turn

    def _is_late(self, *, blocked: bool) -> None:
        self.late = f"no result after {self._each.tool.timeout:g} s"
        if blocked:
            self.doubt = "blocked"
            self.late += "; its thread can't be stopped and may still be at work"


def result_of(call_id: str, value: Any) -> ToolResult:
    """Whatever a tool or a wrap gave back as a result: its content is text."""
    content, success = value, True
    if isinstance(value, ToolResult):
        content, success = value.content, bool(value.success)
    if not isinstance(content, str):
        content = canonical.dumps(sanitise(content)[0]).decode()
    return ToolResult(call_id, content, success)
