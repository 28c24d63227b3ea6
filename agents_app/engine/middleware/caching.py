"""Caching: the same request gets the stored answer, and the log says so.

It stands inside the seam: a replay takes the recorded answer and never asks the cache.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from agents_app.engine.loop.hooks import current
from agents_app.engine.messages import from_log, stored
from agents_app.engine.placing import after
from agents_app.engine.ports import ModelReply
from playhead.core import canonical

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelHandler, ModelRequest, ResponseCache

#: Ends of an answer that is whole (providers' words); a cut or refused one is not kept.
_WHOLE = frozenset(
    {None, "stop", "tool_calls", "end_turn", "tool_use", "stop_sequence", "completed"}
)


class MemoryCache:
    """Answers in this process, the one used longest ago dropped first."""

    def __init__(self, capacity: int = 256) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    async def get(self, key: str) -> dict[str, Any] | None:
        """The answer of that fingerprint."""
        data = self._kept.get(key)
        if data is None:
            return None
        self._kept.move_to_end(key)
        value: dict[str, Any] = canonical.loads(data)
        return value

    async def set(self, key: str, value: dict[str, Any]) -> None:
        """Keep an answer; what is stored is bytes, so nobody can change it afterwards."""
        self._kept[key] = canonical.dumps(value)
        self._kept.move_to_end(key)
        while len(self._kept) > self._capacity:
            self._kept.popitem(last=False)


class CachingMiddleware:
    """Answers a request from the cache where one with the same fingerprint was answered before.

    The fingerprint covers prompt, tools, model and parameters. Not kept are answers with a sealed
    value (it belongs to one session tree), answers that were cut off, and answers that call an
    effectful tool: what was right to do then is not right to propose again now.
    """

    name = "caching"
    roles = ("cache",)
    placing = (after("guard", "an answer from the cache would not be looked at."),)

    def __init__(self, cache: ResponseCache | None = None) -> None:
        self.cache: ResponseCache = MemoryCache() if cache is None else cache

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        """The stored answer, else the model's, which is stored."""
        known = await self.cache.get(request.fingerprint)
        if known is not None:
            return _reply(known)
        began = current().monotonic()
        reply = await call(request)
        if _can_be_kept(reply):
            ms = round((current().monotonic() - began) * 1000)
            await self.cache.set(request.fingerprint, _form(reply, ms))
        return reply


def _can_be_kept(reply: ModelReply) -> bool:
    if reply.source != "live" or reply.message.spans:
        return False
    if reply.stop_reason not in _WHOLE:
        return False
    for call in reply.message.calls:
        tool = current().tool(call.name)
        if tool is None or tool.effectful or call.raw is not None:
            return False
    return True


def _form(reply: ModelReply, ms: int) -> dict[str, Any]:
    """The stored form; a provider's call ids are its own affair of that one time."""
    message = stored(reply.message)
    for call in message.get("tool_calls", ()):
        call.pop("provider_id", None)
    return {
        "message": message,
        "stop_reason": reply.stop_reason,
        "usage": reply.usage.to_log() if reply.usage else None,
        "model": reply.model,
        "ms": ms,
    }


def _reply(known: dict[str, Any]) -> ModelReply:
    return ModelReply(
        from_log(known["message"]),
        stop_reason=known["stop_reason"],
        model=known["model"],
        source="cache",
        saved={"usage": known["usage"], "ms": known["ms"]},
    )
