"""What can be wrong with plug-ins, said before any session runs."""

from __future__ import annotations

from playhead.core.errors import PlayheadError


class PluginError(PlayheadError):
    """A plug-in, or how plug-ins fit together, is wrong; the message names the plug-in."""

    code = "plugin_error"


class CapabilityNotFound(PluginError):
    """No plug-in provides the capability."""

    code = "capability_not_found"

    def __init__(self, capability: str, *, wanted_by: str | None = None) -> None:
        who = f"{wanted_by} requires it; " if wanted_by else ""
        super().__init__(
            f"No plug-in provides {capability}: {who}install or enable one that does.",
            detail={"capability": capability},
        )
        self.capability = capability
