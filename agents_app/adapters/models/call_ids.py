"""The ids and names of calls in one request, as a provider takes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.messages import Message, ToolCall

_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
#: Longer names no provider takes.
_LONGEST_NAME = 64


class CallIds:
    """The provider's own id where it gave one that fits, ours elsewhere; each names one call.

    A session may have begun with another model: what that one called its calls need not be what
    this provider takes, and need not be unique.

    Args:
        fits: what an id may look like, where a provider is strict about it.
    """

    def __init__(self, fits: re.Pattern[str] | None = None) -> None:
        self._fits = fits
        self._wire: dict[str, str] = {}
        self._used: set[str] = set()

    def ask(self, message: Message) -> list[tuple[str, ToolCall]]:
        """The calls of a message, each with the id that it has in the request."""
        return [(self._of(call), call) for call in message.calls]

    def answered(self, message: Message) -> str:
        """The id that the result of a call names."""
        ours = message.tool_call_id or ""
        return self._wire.get(ours, self._fitting(ours))

    def _of(self, call: ToolCall) -> str:
        wire = call.provider_id or call.id
        if wire in self._used or not self._is_fit(wire):
            wire = self._fitting(call.id)
        self._used.add(wire)
        self._wire[call.id] = wire
        return wire

    def _is_fit(self, wire: str) -> bool:
        return self._fits is None or self._fits.fullmatch(wire) is not None

    def _fitting(self, ours: str) -> str:
        return ours if self._is_fit(ours) else _UNFIT.sub("_", ours)


def name_called(call: ToolCall) -> str:
    """The name of a called tool as every provider takes it.

    A model may call what no tool is named, and nothing; its provider refuses such a name when the
    call comes back in the next request.
    """
    return _UNFIT.sub("_", call.name)[:_LONGEST_NAME] or "unknown"


def names_called(messages: Sequence[Message]) -> list[str]:
    """The names of all tools that were called, each once, in order."""
    return list(dict.fromkeys(name_called(call) for each in messages for call in each.calls))
