"""What can be wrong with plug-ins, said before any session runs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from playhead.core.errors import PlayheadError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What is meant for the process and not about a plug-in, wherever it is raised.
OURS = (KeyboardInterrupt, GeneratorExit)


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


def told(error: BaseException) -> str:
    """What an error of a plug-in says, by its name where its text alone says too little."""
    plain = isinstance(error, Exception) and not isinstance(error, LookupError) and str(error)
    return plain or repr(error)


@contextmanager
def blamed(where: str) -> Iterator[None]:
    """Run code of a plug-in: whatever it raises, an exit too, is an error that names it.

    Raises:
        PluginError: what it raised, told after ``where``.
    """
    try:
        yield
    except (PluginError, *OURS):
        raise
    except BaseException as error:
        raise PluginError(f"{where}: {told(error)}") from error
