"""What many sessions of a process hold alike is held once.

A session that waits should cost little more than its context. The definition of its agent and the
list of plug-ins are most of what its first event says, and the agent that is made of them is the
same for all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agents_app.adapters import definitions, plugins
from agents_app.selectors.replayable import spec_of
from playhead.core import canonical

if TYPE_CHECKING:
    from agents_app.engine.spec import AgentSpec
    from playhead.core.events import Event

_ALIKE = ("definition", "plugins", "limits")


def share(start: Event) -> None:
    """Let a ``session_start`` refer to the values that others of the same agent have already."""
    for name in _ALIKE:
        if name in start.payload:
            start.payload[name] = _one(canonical.dumps(start.payload[name]))


@lru_cache(maxsize=512)
def _one(data: bytes) -> Any:
    return canonical.loads(data)


def agent_of(start: Event) -> AgentSpec:
    """The agent of a session: one for all whose definition is the same."""
    definition = canonical.dumps(start.payload["definition"])
    return _agent(definition, _Is(definitions.current()), _Is(plugins.current()))


class _Is:
    """The code of this process, as part of a key: only the same thing is equal to it."""

    __slots__ = ("_it",)

    def __init__(self, it: object) -> None:
        self._it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Is) and self._it is other._it

    def __hash__(self) -> int:
        return id(self._it)


@lru_cache(maxsize=512)
def _agent(definition: bytes, _agents: _Is, _plugins: _Is) -> AgentSpec:
    return spec_of(canonical.loads(definition))
