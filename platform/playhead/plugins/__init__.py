"""Plug-ins: identity, capabilities by name, one life. It knows no plug-in and no framework."""

from playhead.plugins.configuration import PluginSettings
from playhead.plugins.context import PluginContext
from playhead.plugins.errors import CapabilityNotFound, PluginError
from playhead.plugins.meta import POINTS, PluginMeta
from playhead.plugins.registry import PluginRegistry
from playhead.plugins.simple import provides, provides_all

__all__ = [
    "POINTS",
    "CapabilityNotFound",
    "PluginContext",
    "PluginError",
    "PluginMeta",
    "PluginRegistry",
    "PluginSettings",
    "provides",
    "provides_all",
]
