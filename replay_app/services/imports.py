"""Reading our own files back: JSON Lines, proven before a line of them is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from agents_app import facade
from playhead.core import catalogue
from playhead.core.errors import LogError
from replay_app.engine.files import load_jsonl
from replay_app.engine.verify import chain_of_events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.core.events import Event

#: Ids and slugs stand in addresses and in names of files: they have no other signs.
_ADDRESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a file: the session, its events, and whether a torn last line was dropped."""

    session_id: str
    events: int
    truncated: bool


def file_import(*, workspace_id: str, text: str | bytes, title: str = "") -> Imported:
    """Store a recorded session; the same file again changes nothing.

    A last line that is torn is dropped, and said. The session is read, replayed and branched, and
    never written to again. Without a title it has that of its first message.

    Raises:
        LogError: no log, a newer schema version, a gap, an event that is not what was written or
            does not fit the catalogue; says which.
        Conflict: another session has this id here.
    """
    loaded = load_jsonl(text)
    events_check(loaded.events)
    session_id = facade.session_import(workspace_id=workspace_id, events=loaded.events, title=title)
    return Imported(session_id, len(loaded.events), loaded.truncated)


def events_check(events: Sequence[Event]) -> None:
    """Refuse events that are no whole log: order, chain, and each payload by the catalogue.

    Raises:
        LogError: names the first event that is wrong.
    """
    if not events or events[0].event_type != "session_start" or events[0].seq != 1:
        raise LogError("The file does not begin with session_start.", code="bad_start")
    for event in events:
        try:
            catalogue.check(event.event_type, event.payload)
        except KeyError:
            said = f"Event {event.seq}: there is no event type {event.event_type!r}."
            raise LogError(said, code="bad_event_type") from None
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            field = ".".join(map(str, first["loc"]))
            said = f"Event {event.seq} ({event.event_type}): {field}: {first['msg']}"
            raise LogError(said, code="bad_payload") from None
        _check_names(event)
    chain = chain_of_events(events)
    if chain.error is not None:
        raise LogError(f"{chain.error['message']}.", code="bad_hash", detail=chain.error)


def _check_names(event: Event) -> None:
    """Refuse a name that our own writers never give: the hash covers no session id."""
    names = [("session_id", event.session_id, _ID)]
    if event.event_type == "interrupt":
        names.append(("id", event.payload["id"], _ID))
    if event.event_type == "session_start":
        names.append(("agent.slug", event.payload["agent"]["slug"], _ADDRESS))
    for field, name, form in names:
        if not form.fullmatch(str(name)):
            said = f"Event {event.seq}: {field} {str(name)[:64]!r}: use letters, digits, - and _."
            raise LogError(said, code="bad_id", detail={"field": field})
