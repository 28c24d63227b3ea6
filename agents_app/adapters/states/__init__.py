"""State stores of the façade besides the one in memory: Redis, the database, files.

Each is a ``StatePort``: ``AgentLoop(llm, state_store=FileStateStore("states"))``. Import the one
you want from its module; by the name that a plug-in gives it, it comes from ``state_store``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine.ports import StatePort
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from playhead.plugins import PluginRegistry


def state_store(name: str, *, registry: PluginRegistry | None = None) -> StatePort:
    """The store that a plug-in provides as ``state.<name>``.

    Args:
        name: ``memory``, ``file``, ``database``, ``redis``, or what a plug-in adds.
        registry: by default that of this process.

    Raises:
        InvalidInput: no plug-in provides it, or what it provides is no store.
    """
    if registry is None:
        from agents_app.adapters import plugins  # it finds this package among what ships

        registry = plugins.registry()
    if name not in registry.names("state"):
        known = ", ".join(registry.names("state"))
        said = f"there is no state store {name!r}; use one of: {known}"
        raise InvalidInput(said, detail={"field": "state_store"})
    store = registry.get(f"state.{name}")
    if not isinstance(store, StatePort):
        said = f"state.{name} is no store: it needs load, save and delete"
        raise InvalidInput(said, detail={"field": "state_store"})
    return store
