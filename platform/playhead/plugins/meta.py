"""What a plug-in says about itself: a name, a version, and capabilities by name.

A capability is written ``point.name`` (``tool.weather``, ``llm.openai``). There are seven points
and no others: an interface is worth having only where things really get replaced. The loop,
session ids, seq, limits, checkpoints, the approval gate and the validity of a history are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from playhead.plugins.errors import PluginError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from playhead.plugins.context import PluginContext

#: The seven places where a plug-in can stand, and what it stands in for there.
POINTS = {
    "llm": "a model provider",
    "tool": "a tool, or a provider of tools",
    "memory": "a memory",
    "strategy": "a decision strategy: the body of the loop",
    "state": "a session store of the façade",
    "event": "a sink of events",
    "middleware": "a guardrail or another middleware around model and tool calls",
}
_CAPABILITY = re.compile(r"[a-z]+\.[A-Za-z0-9_-]+")
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class PluginMeta:
    """The identity of a plug-in.

    Args:
        name: unique among the plug-ins that are loaded (``weather``).
        version: of the code; it stands in ``session_start``, so that a fault can be traced to it.
        provides: capabilities that it offers.
        requires: capabilities that must be there before it is loaded.
        config_cls: a pydantic model of its configuration; ``None``: it takes none.
    """

    name: str
    version: str
    provides: tuple[str, ...]
    requires: tuple[str, ...] = ()
    config_cls: type[BaseModel] | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise PluginError(
                f"plug-in name {self.name!r}: use lower-case letters, digits, - and _"
            )
        if not isinstance(self.version, str):
            raise PluginError(f"{self.name}: version must be text, not {self.version!r}")
        for capability in (*self.provides, *self.requires):
            check_capability(capability, self.name)


def check_capability(capability: str, plugin: str) -> None:
    """Refuse a capability that belongs to none of the seven points.

    Raises:
        PluginError: names the plug-in and the points there are.
    """
    if not _CAPABILITY.fullmatch(capability) or capability.partition(".")[0] not in POINTS:
        raise PluginError(
            f"{plugin}: {capability!r} is no capability; write point.name with one of the points "
            f"{', '.join(POINTS)}"
        )


class Plugin(Protocol):
    """A plug-in while it lives. Every method is optional; what is not there is not called.

    The phases: *load* (the factory is called, then ``on_load``), *validate* (``on_validate``, after
    its configuration was checked), *start* (``on_start``: open connections), *runtime*, *stop*
    (``on_stop``: close them). ``provide`` gives the object behind a capability; without it the
    plug-in is that object itself.
    """

    def on_load(self, ctx: PluginContext) -> None: ...

    def on_validate(self) -> None: ...

    async def on_start(self) -> None: ...

    async def on_stop(self) -> None: ...

    def provide(self, capability: str) -> Any: ...


class Factory(Protocol):
    """What is registered: usually the plug-in's class. Calling it makes the plug-in."""

    meta: PluginMeta

    def __call__(self) -> Any: ...
