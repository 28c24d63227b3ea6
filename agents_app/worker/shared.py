"""What many sessions of a process hold alike is held once.

A session that waits should cost little more than its context. The definition of its agent and the
list of plug-ins are most of what its first event says, and the agent that is made of them is the
same for all.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from agents_app.adapters import definitions, plugins
from agents_app.engine.limits import Limits
from agents_app.selectors.replayable import spec_of
from agents_app.worker.cache import response_cache
from agents_app.worker.rates import WorkspaceRates
from playhead.core import canonical

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from agents_app.adapters.definitions import Definitions
    from agents_app.adapters.plugins import Plugins
    from agents_app.engine.parts import Parts
    from agents_app.engine.spec import AgentSpec
    from playhead.core.events import Event

T = TypeVar("T")
#: Not ``by``: a hook that asks is given the decision, and may change what it was given.
_ALIKE = frozenset({"agent", "definition", "engine", "limits", "plugins", "policy", "to"})

#: Characters of a text that others are likely to have too: a role, a name, the id of a person.
_SHORT = 40


def share(events: Sequence[Event]) -> None:
    """Let a log refer to the values that others have already, and to the names of its fields.

    A parser makes names and short words anew for every event: they would take most of the room.
    """
    for event in events:
        shared = {
            sys.intern(name): _one(canonical.dumps(value)) if name in _ALIKE else _named(value)
            for name, value in event.payload.items()
        }
        event.payload.clear()
        event.payload.update(shared)


def _named(value: Any) -> Any:
    if type(value) is dict:
        return {sys.intern(name): _word(inner) for name, inner in value.items()}
    return _word(value)


def _word(value: Any) -> Any:
    return sys.intern(value) if type(value) is str and len(value) <= _SHORT else value


@lru_cache(maxsize=512)
def _one(data: bytes) -> Any:
    return canonical.loads(data)


class _Is(Generic[T]):
    """Code of this process as part of a key: equal to nothing but itself."""

    __slots__ = ("it",)

    def __init__(self, it: T) -> None:
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Is) and self.it is other.it

    def __hash__(self) -> int:
        return id(self.it)


def agent_of(start: Event) -> AgentSpec:
    """The agent of a session: one for all whose definition is the same."""
    definition = canonical.dumps(start.payload["definition"])
    return _agent(definition, _Is(definitions.current()), _Is(plugins.current()))


def limits_of(start: Event) -> Limits:
    """The limits of a session: the same object for all that have the same."""
    return _limits(canonical.dumps(start.payload["limits"]))


@lru_cache(maxsize=512)
def _limits(data: bytes) -> Limits:
    return Limits().merged(canonical.loads(data))


@lru_cache(maxsize=512)
def _agent(definition: bytes, _agents: _Is[Definitions], _plugins: _Is[Plugins]) -> AgentSpec:
    return spec_of(canonical.loads(definition))


def parts_of(workspace: str, in_thread: Callable[..., Awaitable[Any]]) -> Parts:
    """What the sessions of a workspace are made of, with what the platform gives to their parts."""
    return _parts(workspace, in_thread, _Is(plugins.current()))


@lru_cache(maxsize=64)
def _parts(workspace: str, in_thread: Callable[..., Awaitable[Any]], code: _Is[Plugins]) -> Parts:
    return code.it.parts.with_given(
        cache=response_cache(workspace),
        memories=replace(code.it.memories, workspace=workspace),
        rates=WorkspaceRates(workspace, in_thread),
    )
