"""Full-text search over a workspace: files that hold every word, with the lines that do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import ToolError

if TYPE_CHECKING:
    from agents_app.adapters.tools.workspace import Workspace

#: Bytes that one search reads, lines that it shows of a file, and characters of a line.
READS, LINES, WIDTH = 20_000_000, 5, 200


def search(workspace: Workspace, query: str, folder: str, *, limit: int) -> dict[str, Any]:
    """``{"files": [{"path", "hits", "lines": [{"line", "text"}]}], "searched", "left_out"}``.

    A file that is no text or too large is left out, and counted.

    Raises:
        ToolError: no word to look for.
    """
    words = query.casefold().split()
    if not words:
        raise ToolError("argument query: give at least one word")
    found: list[dict[str, Any]] = []
    searched = left_out = read = 0
    for entry in workspace.files(folder):
        read += entry.size
        text = _text(workspace, entry.path) if read <= READS else None
        if text is None:
            left_out += 1
            continue
        searched += 1
        if hit := _hit(entry.path, text, words):
            found.append(hit)
    found.sort(key=lambda each: (-each["hits"], each["path"]))
    return {"files": found[: max(1, limit)], "searched": searched, "left_out": left_out}


def _text(workspace: Workspace, path: str) -> str | None:
    try:
        return workspace.read(path)
    except ToolError:
        return None


def _hit(path: str, text: str, words: list[str]) -> dict[str, Any] | None:
    folded = text.casefold()
    if not all(word in folded for word in words):
        return None
    lines = [
        {"line": number, "text": line.strip()[:WIDTH]}
        for number, line in enumerate(text.splitlines(), start=1)
        if any(word in line.casefold() for word in words)
    ]
    hits = sum(folded.count(word) for word in words)
    return {"path": path, "hits": hits, "lines": lines[:LINES]}
