"""What ``playhead up`` finds here: the demo's recorded sessions, loaded as an import is."""

from __future__ import annotations

import json
import logging
from importlib.resources import files
from typing import Any

logger = logging.getLogger(__name__)


def prepare(_settings: Any, *, demo: bool) -> None:
    """With ``demo``, load the recorded sessions that are not there yet."""
    if not demo:
        return
    from playhead.accounts.services.setup import workspace_ensure
    from replay_app.services.imports import file_import

    workspace = workspace_ensure()
    shipped = files("agents_app.demo")
    titles = json.loads(shipped.joinpath("titles.json").read_text(encoding="utf-8"))
    folder = shipped.joinpath("recorded")
    for file in sorted(folder.iterdir(), key=lambda each: each.name) if folder.is_dir() else ():
        if file.name.endswith(".jsonl"):
            title = titles.get(file.name.removesuffix(".jsonl"), "")
            text = file.read_text(encoding="utf-8")
            file_import(workspace_id=workspace.id, text=text, title=title)
