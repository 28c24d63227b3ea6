"""The short form of a plug-in: objects that are there already, nothing to open or close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.plugins.meta import PluginMeta

if TYPE_CHECKING:
    from collections.abc import Mapping


class Provided:
    """A factory, and the plug-in that it makes, of objects by capability."""

    def __init__(self, meta: PluginMeta, values: Mapping[str, Any]) -> None:
        self.meta = meta
        self._values = dict(values)

    def __call__(self) -> Provided:
        return self

    def provide(self, capability: str) -> Any:
        """The object behind a capability."""
        return self._values[capability]


def provides(
    capability: str, value: Any, *, name: str | None = None, version: str = "1"
) -> Provided:
    """A plug-in that provides ``value`` as ``capability``.

    Args:
        capability: ``point.name``, such as ``tool.weather``.
        value: what stands behind it (docs/plugins.md says what each point takes).
        name: of the plug-in; by default the capability's own.
        version: of the code, as it will stand in the log.
    """
    return provides_all({capability: value}, name=name or capability, version=version)


def provides_all(values: Mapping[str, Any], *, name: str, version: str = "1") -> Provided:
    """A plug-in that provides several objects by their capabilities."""
    return Provided(PluginMeta(name, version, tuple(values)), values)
