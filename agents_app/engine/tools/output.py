"""What is kept of a result that is longer than its tool may answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.core import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

Spans = list[list[Any]]


def bounded(
    payload: dict[str, Any], spans: Sequence[Sequence[Any]], limit: int
) -> tuple[dict[str, Any], Spans]:
    """A ``tool_result`` with at most ``limit`` characters of its content, and its sealed spans.

    It is cut when its secrets are sealed already: half a secret is found by nobody. The payload
    then says in ``cut`` how long the whole was, how much is kept, and the whole's sha256.
    """
    content, kept = payload["message"]["content"], [list(span) for span in spans]
    if len(content) <= limit:
        return payload, kept
    end = _end(kept, "/message/content", limit)
    whole = digest.sha(content.encode(errors="surrogatepass")).hex()
    note = f"\n[cut: the first {end} of {len(content)} characters; sha256 of the whole {whole}]"
    message = {**payload["message"], "content": content[:end] + note}
    cut = {"size": len(content), "kept": end, "sha256": whole}
    payload = {**payload, "message": message, "cut": cut}
    kept = _within(kept, "/message/content", end)
    if payload.get("error"):
        said = payload["error"]["message"]
        end = _end(kept, "/error/message", limit)
        payload["error"] = {**payload["error"], "message": said[:end]}
        kept = _within(kept, "/error/message", end)
    return payload, kept


def _end(spans: Spans, path: str, limit: int) -> int:
    """Where to cut: before a sealed value that lies across the limit."""
    across = [s[1] for s in spans if s[0] == path and s[1] < limit < s[2]]
    return min(across, default=limit)


def _within(spans: Spans, path: str, end: int) -> Spans:
    return [span for span in spans if span[0] != path or span[2] <= end]
