"""What can be wrong with plug-ins, said before any session runs."""

from __future__ import annotations

import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playhead.core.errors import PlayheadError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What is meant for the process and not about a plug-in, wherever it is raised.
OURS = (KeyboardInterrupt, GeneratorExit)
_HERE = str(Path(__file__).parent)


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
        self.capability, self.wanted_by = capability, wanted_by


def told(error: BaseException) -> str:
    """What an error of a plug-in says, by its name where its text alone says too little."""
    plain = isinstance(error, Exception) and not isinstance(error, LookupError) and str(error)
    return plain or repr(error)


def place_of(error: BaseException) -> str:
    """`` (file, line n)`` of the last line of the author's file that it passed, or nothing.

    The file is the first one that is neither ours here nor the machinery of imports.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((_HERE, "<frozen")) and "importlib" not in frame.filename
    ]
    lines = [frame.lineno for frame in frames if frame.filename == frames[0].filename]
    return f" ({Path(frames[0].filename).name}, line {lines[-1]})" if lines else ""


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
        raise PluginError(f"{where}: {told(error)}{place_of(error)}") from error
