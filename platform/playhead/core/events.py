"""The event: its envelope, its bytes and its place in the hash chain.

``hash = sha256(prev ‖ sha256(canonical envelope without session_id) ‖ sha256(body))`` over raw
digests. ``body`` is what is stored: the canonical bytes of the payload, or, when they are more
than 256 kB, a stub that names the blob by its sha256.
"""

from __future__ import annotations

import hashlib
from typing import Any

from playhead.core import canonical
from playhead.core.header import Header, header_of
from playhead.core.immutable import immutable

SCHEMA_VERSION = 1
GENESIS = bytes(32)
BLOB_LIMIT = 256 * 1024
BLOB_HEAD = 2000

Payload = dict[str, Any]


@immutable(frozen=True, slots=True)
class Draft:
    """An event that has no place in the log yet."""

    event_type: str
    payload: Payload
    scope: str | None = None
    cause: int | None = None
    sealed: list[list[Any]] | None = None
    edited: Payload | None = None


@immutable(frozen=True, slots=True)
class Event:
    """An immutable event of a session's log, payload parsed."""

    session_id: str
    seq: int
    event_type: str
    ts: str
    payload: Payload
    scope: str | None = None
    cause: int | None = None
    sealed: list[list[Any]] | None = None
    edited: Payload | None = None
    hash: bytes = GENESIS
    schema_version: int = SCHEMA_VERSION

    def to_dict(self) -> dict[str, Any]:
        """The event as it is served, exported and imported."""
        out: dict[str, Any] = {
            "schema_version": self.schema_version,
            "session_id": self.session_id,
            "seq": self.seq,
            "event_type": self.event_type,
            "ts": self.ts,
            "scope": self.scope,
            "cause": self.cause,
            "hash": self.hash.hex(),
            "payload": self.payload,
        }
        if self.sealed:
            out["sealed"] = self.sealed
        if self.edited:
            out["edited"] = self.edited
        return out


@immutable(frozen=True, slots=True)
class StoredEvent:
    """An event as its bytes: what a store writes and reads, what the hash is over."""

    seq: int
    event_type: str
    ts: str
    scope: str | None
    cause: int | None
    sealed: list[list[Any]] | None
    edited: Payload | None
    body: bytes
    hash: bytes
    header: Header
    blob: bytes | None = None
    schema_version: int = SCHEMA_VERSION
    session_id: str = ""

    def event(self) -> Event:
        """The event with its payload parsed (from the blob, where there is one)."""
        payload = canonical.loads(self.body if self.blob is None else self.blob)
        return Event(
            self.session_id, self.seq, self.event_type, self.ts, payload, self.scope, self.cause,
            self.sealed, self.edited, self.hash, self.schema_version,
        )  # fmt: skip


def body_of(payload: Payload) -> tuple[bytes, bytes | None]:
    """The bytes to store for a payload and, when they are too many, the blob they stand for."""
    data = canonical.dumps(payload)
    if len(data) <= BLOB_LIMIT:
        return data, None
    stub = {
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": len(data),
        "head": data[: BLOB_HEAD * 4].decode("utf-8", "ignore")[:BLOB_HEAD],
    }
    return canonical.dumps({"$blob": stub}), data


def link(
    prev: bytes, seq: int, ts: str, draft: Draft, body: bytes, version: int = SCHEMA_VERSION
) -> bytes:
    """The hash of an event that follows the event with hash ``prev``."""
    sha256 = hashlib.sha256
    envelope = _envelope(seq, ts, draft, version)
    return sha256(prev + sha256(envelope).digest() + sha256(body).digest()).digest()


def _envelope(seq: int, ts: str, draft: Draft, version: int) -> bytes:
    """The canonical bytes of an event's envelope."""
    scope, cause = draft.scope, draft.cause
    if draft.sealed or draft.edited or not (type(cause) is int or cause is None):
        envelope = {
            "schema_version": version,
            "seq": seq,
            "event_type": draft.event_type,
            "ts": ts,
            "scope": scope,
            "cause": cause,
        }
        envelope |= {"sealed": draft.sealed} if draft.sealed else {}
        envelope |= {"edited": draft.edited} if draft.edited else {}
        return canonical.dumps(envelope)
    # The same bytes for the plain case, put together in a quarter of the time.
    quoted = canonical.text
    return (
        f'{{"cause":{"null" if cause is None else cause},"event_type":{quoted(draft.event_type)}'
        f',"schema_version":{version},"scope":{"null" if scope is None else quoted(scope)}'
        f',"seq":{seq},"ts":{quoted(ts)}}}'
    ).encode()


def store_form(session_id: str, prev: bytes, seq: int, ts: str, draft: Draft) -> StoredEvent:
    """Chain a draft behind ``prev`` and give it the form that is stored."""
    body, blob = body_of(draft.payload)
    return StoredEvent(
        seq,
        draft.event_type,
        ts,
        draft.scope,
        draft.cause,
        draft.sealed,
        draft.edited,
        body,
        link(prev, seq, ts, draft, body),
        header_of(draft.event_type, draft.payload),
        blob,
        SCHEMA_VERSION,
        session_id,
    )


def rehash(prev: bytes, stored: StoredEvent) -> bytes:
    """The hash that a stored event should have behind ``prev``, from its stored bytes."""
    draft = Draft(stored.event_type, {}, stored.scope, stored.cause, stored.sealed, stored.edited)
    return link(prev, stored.seq, stored.ts, draft, stored.body, stored.schema_version)
