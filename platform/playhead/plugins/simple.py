"""The short form of a plug-in: one capability, one object, nothing to open or close."""

from __future__ import annotations

from typing import Any

from playhead.plugins.meta import PluginMeta


class _Provided:
    """A factory, and the plug-in that it makes, of one object that is there already."""

    def __init__(self, meta: PluginMeta, value: Any) -> None:
        self.meta = meta
        self._value = value

    def __call__(self) -> _Provided:
        return self

    def provide(self, _capability: str) -> Any:
        return self._value


def provides(
    capability: str, value: Any, *, name: str | None = None, version: str = "1"
) -> _Provided:
    """A plug-in that provides ``value`` as ``capability``.

    Args:
        capability: ``point.name``, such as ``tool.weather``.
        value: what stands behind it (docs/plugins.md says what each point takes).
        name: of the plug-in; by default the capability's own.
        version: of the code, as it will stand in the log.
    """
    return _Provided(PluginMeta(name or capability, version, (capability,)), value)
