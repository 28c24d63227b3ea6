"""Events as they are served: the stored bytes of a body go out as they are, nothing re-serialises.

Only for eyes that may not see personal data a body is read, masked and written again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agents_app.contracts import HEAD_COLUMNS
from playhead.core import canonical
from playhead.core.usage import money_text

if TYPE_CHECKING:
    from agents_app.selectors.masks import Eyes
    from playhead.core.events import StoredEvent
    from playhead.core.header import Header


def event_json(stored: StoredEvent, *, bodies: bool, eyes: Eyes, head: bool = True) -> str:
    """One event as JSON text; without ``bodies`` its payload is null."""
    envelope: dict[str, Any] = {
        "schema_version": stored.schema_version,
        "session_id": stored.session_id,
        "seq": stored.seq,
        "event_type": stored.event_type,
        "ts": stored.ts,
        "scope": stored.scope,
        "cause": stored.cause,
        "hash": stored.hash.hex(),
    }
    if stored.sealed:
        envelope["sealed"] = stored.sealed
    if stored.edited:
        envelope["edited"] = stored.edited
    if head:
        envelope["head"] = head_of(stored, eyes)
    text = canonical.dumps(envelope).decode()
    return f'{text[:-1]},"payload":{_payload(stored, bodies=bodies, eyes=eyes)}}}'


def _payload(stored: StoredEvent, *, bodies: bool, eyes: Eyes) -> str:
    if not bodies:
        return "null"
    body = stored.body if stored.blob is None else stored.blob
    if eyes.reveal:
        return body.decode()
    return canonical.dumps(eyes.value(canonical.loads(body))).decode()


def head_of(stored: StoredEvent, eyes: Eyes) -> dict[str, Any]:
    """The header of an event by the names of its columns."""
    values = head_values(
        stored.session_id,
        stored.seq,
        stored.event_type,
        stored.ts,
        stored.scope,
        stored.cause,
        stored.header,
        eyes,
    )
    return dict(zip(HEAD_COLUMNS, values, strict=True))


def head_values(
    session_id: str,
    seq: int,
    event_type: str,
    ts: str,
    scope: str | None,
    cause: int | None,
    header: Header,
    eyes: Eyes,
) -> list[Any]:
    """A header in the order of ``HEAD_COLUMNS``."""
    return [
        seq,
        event_type,
        ts,
        scope,
        cause,
        eyes.text(header.label),
        header.tool,
        header.status,
        header.ms,
        header.tokens_in,
        header.tokens_out,
        money_text(header.cost),
        header.error,
        session_id,
    ]


def events_frame(texts: list[str]) -> str:
    """A frame of the socket that carries events."""
    return f'{{"type":"events","events":[{",".join(texts)}]}}'


def events_page(texts: list[str], *, after: int | None, head_seq: int) -> str:
    """A page of events over HTTP; ``after`` is where the next one begins, ``None`` at the end."""
    return f'{{"items":[{",".join(texts)}],"next":{json.dumps(after)},"head_seq":{head_seq}}}'
