"""``read_file``, ``write_file``, ``list_files`` and ``search_files`` in a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field

import playhead
from agents_app.adapters.tools.searching import search
from agents_app.adapters.tools.workspace import Workspace
from agents_app.engine.tools import Tool, ToolContext, tool
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    from playhead.plugins import PluginContext


class FileOptions(BaseModel):
    """``["playhead.files"]`` in ``plugins.toml``.

    ``folder``: one workspace for all sessions, in the data folder unless it is absolute; by default
    each session has one of its own, ``workspaces/<session>``.
    """

    model_config = ConfigDict(extra="forbid")

    folder: str = ""
    max_bytes: Annotated[int, Field(ge=1, le=50_000_000)] = 1_000_000
    max_files: Annotated[int, Field(ge=1, le=100_000)] = 1000


class FileTools:
    """The four tools of a workspace."""

    meta = PluginMeta(
        "playhead.files",
        playhead.__version__,
        ("tool.read_file", "tool.write_file", "tool.list_files", "tool.search_files"),
        config_cls=FileOptions,
    )

    def on_load(self, ctx: PluginContext) -> None:
        """Take the options."""
        self._tools = {f"tool.{each.name}": each for each in file_tools(ctx.config)}

    def provide(self, capability: str) -> Tool:
        """The tool behind a capability."""
        return self._tools[capability]


def file_tools(options: FileOptions) -> list[Tool]:
    """The tools for these options."""

    def workspace(ctx: ToolContext) -> Workspace:
        folder = options.folder or f"workspaces/{ctx.session}"
        root = Path(settings.PLAYHEAD_DATA) / folder
        return Workspace(root, max_bytes=options.max_bytes, max_files=options.max_files)

    @tool(max_output=options.max_bytes)
    def read_file(path: str, ctx: ToolContext) -> str:
        """Read a text file of the workspace.

        Args:
            path: relative to the workspace, such as notes/plan.md.
        """
        return workspace(ctx).read(path)

    @tool(effectful=True, idempotent=True, consequence="Writes the file {path}.")
    def write_file(path: str, text: str, ctx: ToolContext) -> str:
        """Write a text file of the workspace; one that is there is replaced.

        Args:
            path: relative to the workspace; folders are made.
            text: the whole content.
        """
        return f"{path} written: {workspace(ctx).write(path, text)} bytes"

    @tool
    def list_files(ctx: ToolContext, folder: str = "") -> list[dict[str, Any]]:
        """List the files of the workspace with their sizes in bytes.

        Args:
            folder: only below this one.
        """
        return [{"path": e.path, "bytes": e.size} for e in workspace(ctx).files(folder)]

    @tool
    def search_files(query: str, ctx: ToolContext, folder: str = "", limit: int = 20) -> Any:
        """Search the text of the workspace's files; the files that say most of it come first.

        Args:
            query: words; a file has to hold all of them, in whatever order and case.
            folder: only below this one.
            limit: how many files.
        """
        return search(workspace(ctx), query, folder, limit=limit)

    return [read_file, write_file, list_files, search_files]
