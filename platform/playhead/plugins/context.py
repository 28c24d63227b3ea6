"""The only way in which a plug-in gets at others: capabilities by name, never a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.plugins.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Callable

    from playhead.plugins.meta import PluginMeta


class PluginContext:
    """Handed to ``on_load``. ``config`` is an instance of the plug-in's ``config_cls``."""

    def __init__(self, meta: PluginMeta, config: Any, get: Callable[[str], Any]) -> None:
        self.meta = meta
        self.config = config
        self._get = get

    def require(self, capability: str) -> Any:
        """The object behind a capability that the plug-in's ``requires`` names.

        Raises:
            PluginError: it is not named there, so nothing says that it is loaded before.
        """
        if capability not in self.meta.requires:
            raise PluginError(
                f"{self.meta.name} asks for {capability}: name it in requires, so that it is "
                "loaded first"
            )
        return self._get(capability)
