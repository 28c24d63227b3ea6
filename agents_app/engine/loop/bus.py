"""The event bus: observation only. A listener that raises disturbs nobody."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

log = logging.getLogger(__name__)
Listener = Callable[[dict[str, Any]], Any]


#: Other names of the same moments.
_SAME = {"on_llm_call": "before_llm_call", "on_tool_use": "tool_executed"}


class EventBus:
    """Names: ``on_start``, ``before_llm_call`` (``on_llm_call``), ``after_llm_call``,
    ``tool_executed`` (``on_tool_use``), ``on_step_complete``, ``on_end``; ``*`` hears all.
    """

    __slots__ = ("_listeners",)

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = {}

    def on(self, name: str, listener: Listener) -> Callable[[], None]:
        """Listen to a name; returns a function that stops listening."""
        listeners = self._listeners.setdefault(_SAME.get(name, name), [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def emit(self, name: str, **data: Any) -> None:
        """Tell every listener of ``name`` and of ``*``."""
        if not self._listeners:
            return
        for listener in [*self._listeners.get(name, ()), *self._listeners.get("*", ())]:
            try:
                listener({"name": name, **data})
            except (Exception, SystemExit, KeyboardInterrupt):
                log.exception("a listener of %s failed", name)
