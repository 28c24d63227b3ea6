"""What comes in over HTTP, and what goes out where it is no contract."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict, JsonValue, StringConstraints

from agents_app.contracts import AgentRef, SessionView
from playhead.rest.api.schemas import Problem

READING = {400: Problem, 401: Problem, 403: Problem, 404: Problem, 422: Problem}
WRITING = {**READING, 409: Problem}
OPENING = {400: Problem, 404: Problem, 410: Problem, 422: Problem}

Seq = Annotated[int, Field(ge=1, le=2**31 - 1)]
Title = Annotated[str, StringConstraints(max_length=200)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Strict(Schema):
    """A body whose fields are known."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class ReplaceIn(Strict):
    """The event that takes the place of the one at the fork; its payload is laid over the old."""

    event_type: Word
    payload: dict[str, JsonValue]


class OverridesIn(Strict):
    """What holds from the first request after the fork."""

    model: Word | None = None
    instructions: Annotated[str, StringConstraints(max_length=200_000)] | None = None
    params: dict[str, JsonValue] | None = None
    version: int | None = Field(None, ge=1, le=2**31 - 1)


class BranchIn(Strict):
    """A branch: where it leaves, and what is different in it."""

    at: Seq
    replace: ReplaceIn | None = None
    overrides: OverridesIn | None = None
    effects: dict[Word, Literal["recorded", "ask", "live", "stub"]] = Field(default_factory=dict)
    title: Title = ""
    why: Annotated[str, StringConstraints(max_length=2000)] | None = None
    runs: Literal[1] = 1


class BranchesOut(Schema):
    """The sessions that were made."""

    sessions: list[SessionView]


class Empty(Strict):
    """An empty object."""


class ShowIn(Strict):
    """What a link shows besides what was said."""

    arguments: bool = True
    results: bool = True
    prompts: bool = False
    cost: bool = False


class SharePreviewIn(Strict):
    """What a link would be about."""

    first: Seq | None = Field(None, alias="from")
    last: Seq | None = Field(None, alias="to")
    show: ShowIn = Field(default_factory=ShowIn)


class ShareIn(SharePreviewIn):
    """A link to be made. Without an expiry it opens until it is revoked."""

    expires_in: int | None = Field(None, ge=60, le=366 * 24 * 3600)
    title: Title | None = None


class ShareMadeOut(Schema):
    """A new link; its token is told once."""

    id: str
    url: str | None
    token: str | None
    expires_at: datetime | None


class ShareOut(Schema):
    """A link as its owners see it: without its token, which nobody keeps."""

    model_config = ConfigDict(populate_by_name=True)

    id: str
    title: str
    first: int = Field(alias="from")
    last: int = Field(alias="to")
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    views: int
    last_view_at: datetime | None
    url: str | None = None


class RangeOut(Schema):
    """Both ends are included."""

    model_config = ConfigDict(populate_by_name=True)

    first: int = Field(alias="from")
    last: int = Field(alias="to")


class SharedEventOut(Schema):
    """A masked event; ``payload.hidden`` names what is not shown."""

    schema_version: int
    session_id: str
    seq: int
    event_type: str
    ts: str
    scope: str | None
    cause: int | None
    hash: str
    payload: dict[str, Any]
    edited: dict[str, Any] | None = None


class SharedReplayOut(Schema):
    """What the page of a link shows, frozen when the link was made."""

    title: str
    agent: AgentRef
    status: str
    range: RangeOut
    total: int
    snapshot_at: str
    expires_at: str | None
    masked: dict[str, int]
    verdict: dict[str, Any] | None
    head_hash: str
    columns: list[str]
    data: dict[str, list[JsonValue]]
    events: list[SharedEventOut]
