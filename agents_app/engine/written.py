"""A call that a model wrote as text: what is sealed in the text is sealed in its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import ToolCall
from playhead.core.detect.finding import MARKER
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agents_app.engine.messages import Message, Span


def written_call(
    reply: Message, name: str, arguments: Mapping[str, Any], place: int = 0
) -> ToolCall:
    """A call of a reply, in the one form of values; JSON escapes can spell what no log holds.

    ``place`` is its number among the calls that the reply is read as.
    """
    seq = reply.origin[0] if reply.origin else 0
    values = sanitise(dict(arguments))[0]
    spans = tuple(_spans(values, "", _sealed(reply))) if reply.spans else ()
    return ToolCall(f"c{seq}.{place}", sanitise(name)[0], values, spans=spans)


def _sealed(reply: Message) -> dict[str, Any]:
    """The vault id of each marker of the text.

    A marker that also stands there as mere text is left out: parsing forgets which was which.
    """
    found: dict[str, list[Any]] = {}
    for pointer, start, end, vault_id in reply.spans:
        if pointer == "/content" and MARKER.fullmatch(reply.content, start, end):
            found.setdefault(reply.content[start:end], []).append(vault_id)
    return {
        marker: ids[0] for marker, ids in found.items() if reply.content.count(marker) == len(ids)
    }


def _spans(value: Any, path: str, sealed: Mapping[str, Any]) -> Iterator[Span]:
    if isinstance(value, str):
        for found in MARKER.finditer(value):
            if found.group() in sealed:
                yield [path, found.start(), found.end(), sealed[found.group()]]
    elif isinstance(value, dict):
        for key, item in value.items():
            place = key.replace("~", "~0").replace("/", "~1")
            yield from _spans(item, f"{path}/{place}", sealed)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _spans(item, f"{path}/{i}", sealed)
