"""JSON Lines: one event a line, each line standing for itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from playhead.core import canonical
from playhead.core.errors import LogError
from playhead.core.events import GENESIS, Event
from playhead.core.upcast import upcast

_FIELDS = ("session_id", "seq", "event_type", "ts", "payload")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file held; ``truncated`` when its last line was torn and dropped."""

    events: list[Event]
    truncated: bool


def dump_jsonl(events: Iterable[Event | Mapping[str, Any]]) -> str:
    """Events as JSON Lines, canonical."""
    forms = (event.to_dict() if isinstance(event, Event) else dict(event) for event in events)
    return "".join(canonical.dumps(form).decode() + "\n" for form in forms)


def load_jsonl(text: str | bytes) -> Loaded:
    """Events from JSON Lines, lifted to the current schema version.

    Raises:
        LogError: a line that is no event, a gap in ``seq``, or a version newer than this release.
    """
    lines = (text.decode() if isinstance(text, bytes) else text).split("\n")
    torn = bool(lines and lines[-1].strip())
    events: list[Event] = []
    truncated = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            if torn and number == len(lines):
                truncated = True
                break
            raise LogError(f"line {number} is not JSON: {error}", code="bad_line") from None
        events.append(event_from_dict(data, line=number))
    _check_order(events)
    return Loaded(events, truncated)


def event_from_dict(data: Any, *, line: int | None = None) -> Event:
    """An event from its served form.

    Raises:
        LogError: fields are missing or the version is unknown.
    """
    where = f"line {line}" if line else "event"
    if not isinstance(data, Mapping):
        raise LogError(f"{where} is not an object", code="bad_line")
    data = upcast(dict(data))
    missing = [name for name in _FIELDS if name not in data]
    if missing or not isinstance(data["payload"], Mapping):
        raise LogError(f"{where} lacks {', '.join(missing) or 'a payload object'}", code="bad_line")
    try:
        raw_hash = bytes.fromhex(data.get("hash") or "") or GENESIS
    except (ValueError, TypeError):
        raise LogError(f"{where}: hash is not hexadecimal", code="bad_line") from None
    return Event(
        data["session_id"], data["seq"], data["event_type"], data["ts"], dict(data["payload"]),
        data.get("scope"), data.get("cause"), data.get("sealed"), data.get("edited"), raw_hash,
        data["schema_version"],
    )  # fmt: skip


def _check_order(events: list[Event]) -> None:
    for expected, event in enumerate(events, events[0].seq if events else 1):
        if event.seq != expected:
            raise LogError(
                f"seq {expected} is missing: found {event.seq}",
                code="gap",
                detail={"seq": expected},
            )
