"""What a server gave back, as the text that a model reads. Whatever it says, it is data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playhead.core import canonical
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence


def text_of(result: Any) -> str:
    """The content of a ``CallToolResult``: text as it is, everything else described.

    It is as long as the server makes it: the loop cuts it, when its secrets are sealed.
    """
    parts = [_block(block) for block in result.content]
    structured = result.structured_content
    if structured is not None and not _says(parts, structured):
        parts.append(canonical.dumps(sanitise(structured)[0]).decode())
    return "\n".join(parts) or "(no content)"


def _says(parts: Sequence[str], structured: Any) -> bool:
    """Whether the text says already what the structured content does."""
    for part in parts:
        try:
            if json.loads(part) == structured:
                return True
        except (ValueError, RecursionError):
            continue
    return structured in (parts[0], {"result": parts[0]}) if len(parts) == 1 else False


def _block(block: Any) -> str:
    if block.type == "text":
        return str(block.text)
    if block.type in ("image", "audio"):
        return f"[{block.type} {block.mime_type}, {_size(block.data)} bytes, not shown]"
    if block.type == "resource_link":
        about = f": {block.description}" if block.description else ""
        return f"[resource {block.name} at {block.uri}{about}]"
    return _resource(block.resource)


def _resource(resource: Any) -> str:
    text = getattr(resource, "text", None)
    if text is not None:
        return f"[resource {resource.uri}]\n{text}"
    kind = resource.mime_type or "of unknown type"
    return f"[resource {resource.uri} {kind}, {_size(resource.blob)} bytes, not shown]"


def _size(base64: str) -> int:
    return len(base64) * 3 // 4 - base64[-2:].count("=")
