"""``event.jsonl``: every event a line of a file, for ``tail`` and whatever reads lines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from pydantic import BaseModel, ConfigDict

import playhead
from playhead.core import canonical
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.plugins import PluginContext


class JSONLOptions(BaseModel):
    """``["playhead.jsonl"]`` in ``plugins.toml``: ``path``, in the data folder unless absolute."""

    model_config = ConfigDict(extra="forbid")

    path: str = ""


class JSONLFile:
    """Appends lines, and has them on the disk when a run has ended.

    The file is opened anew for each batch: it may be moved away and compressed at any time.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def write(self, events: Sequence[dict[str, Any]]) -> None:
        """Append events, one a line."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = b"".join(canonical.dumps(event) + b"\n" for event in events)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "ab") as file:
            file.write(data)
            file.flush()
            if any(event["event_type"] == "session_end" for event in events):
                os.fsync(file.fileno())


class JSONLSink:
    """The file as a plug-in; without a ``path`` in its options it is switched off."""

    meta = PluginMeta(
        "playhead.jsonl", playhead.__version__, ("event.jsonl",), config_cls=JSONLOptions
    )

    def on_load(self, ctx: PluginContext) -> None:
        """Take the options."""
        self.path: str = ctx.config.path

    def provide(self, _capability: str) -> JSONLFile | None:
        """The file, if there is to be one."""
        return JSONLFile(Path(settings.PLAYHEAD_DATA) / self.path) if self.path else None
