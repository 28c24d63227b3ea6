"""The order in which plug-ins are loaded: who is required comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playhead.plugins.errors import CapabilityNotFound, PluginError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playhead.plugins.meta import PluginMeta


def load_order(metas: Mapping[str, PluginMeta], providers: Mapping[str, str]) -> list[str]:
    """Names in topological order; among equals the order of registration.

    Args:
        metas: plug-ins by name.
        providers: which plug-in provides a capability.

    Raises:
        CapabilityNotFound: a requirement that nobody provides.
        PluginError: a cycle; the message prints it.
    """
    order: list[str] = []
    path: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        if name in path:
            cycle = " → ".join([*path[path.index(name) :], name])
            raise PluginError(f"Plug-ins require one another in a circle: {cycle}")
        path.append(name)
        for capability in metas[name].requires:
            if capability not in providers:
                raise CapabilityNotFound(capability, wanted_by=name)
            visit(providers[capability])
        path.pop()
        order.append(name)

    for name in metas:
        visit(name)
    return order
