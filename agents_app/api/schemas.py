"""What comes in over HTTP, and what goes out where it is no contract."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict, JsonValue, StringConstraints

from agents_app.engine.limits import Count, Money, Tokens
from playhead.rest.api.schemas import Problem

#: What a person writes to an agent: a book, not a library.
Content = Annotated[str, StringConstraints(min_length=1, max_length=1_000_000)]
Title = Annotated[str, StringConstraints(max_length=200)]
Tag = Annotated[str, StringConstraints(max_length=50)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]

Note = Annotated[str, StringConstraints(max_length=2000)]
#: A version's number: what the database holds.
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
READING = {400: Problem, 401: Problem, 403: Problem, 404: Problem, 422: Problem}
WRITING = {**READING, 409: Problem}
DECIDING = {**WRITING, 410: Problem}


class Strict(Schema):
    """A body whose fields are known: a misspelt one is an error, not silence."""

    model_config = ConfigDict(extra="forbid")


class LimitsIn(Strict):
    """Limits of this session instead of the agent's."""

    max_steps: int | None = Field(None, ge=1, le=1000)
    window: Count | None = None
    max_model_calls: Count | None = None
    max_tool_calls: Count | None = None
    max_tokens: Tokens | None = None
    max_cost: Money | None = None


class SessionOverrides(Strict):
    """What this session does otherwise than its agent."""

    model: Word | None = None
    params: dict[str, JsonValue] | None = None


class NewSession(Strict):
    """A session to be started."""

    agent: Word
    input: Content
    version: Number | None = None
    title: Title | None = None
    tags: list[Tag] = Field(default_factory=list, max_length=20)
    limits: LimitsIn | None = None
    overrides: SessionOverrides | None = None


class SessionChange(Strict):
    """Another title, other tags."""

    title: Title | None = None
    tags: list[Tag] | None = Field(None, max_length=20)


class NewMessage(Strict):
    """Something said to a session; it opens the next run."""

    content: Content
    policy: Literal["enqueue"] = "enqueue"


class Nothing(Strict):
    """An empty object."""


class CancelIn(Strict):
    """How to cancel."""

    after: Literal["now"] = "now"
    reason: Annotated[str, StringConstraints(max_length=2000)] | None = None


class DecisionIn(Strict):
    """An answer to a question. What is not sent is not given: null is an answer too."""

    decision: Word
    digest: Word
    arguments: JsonValue = None
    message: Annotated[str, StringConstraints(max_length=100_000)] | None = None
    value: JsonValue = None


class DefinitionIn(Strict):
    """A definition as it is written; what is wrong with it is told by field, all at once."""

    definition: JsonValue


class CheckIn(Strict):
    """A definition to be looked at, or a YAML text of one, as it is being written."""

    definition: JsonValue = None
    yaml: Annotated[str, StringConstraints(max_length=500_000)] | None = None


class NewAgent(DefinitionIn):
    """An agent to be made."""

    note: Note = ""
    publish: bool = True


class NewVersion(DefinitionIn):
    """The next version of an agent, made from the version ``base``."""

    base: Number
    note: Note = ""
    publish: bool = False


class ImportIn(Strict):
    """A definition as YAML. A body of the type ``text/yaml`` is the definition itself."""

    yaml: Annotated[str, StringConstraints(max_length=500_000)]
    note: Note = ""
    publish: bool = True


class PublishIn(Strict):
    """Which version new sessions are to get."""

    version: Number


class HeadOut(Schema):
    """The header of an event."""

    seq: int
    type: str
    ts: str
    scope: str | None
    cause: int | None
    label: str
    tool: str | None
    status: str | None
    ms: int | None
    tokens_in: int | None
    tokens_out: int | None
    cost: str | None
    error: bool
    session: str


class EventOut(Schema):
    """An event of a session's log. ``payload`` is null where bodies were not asked for."""

    schema_version: int
    session_id: str
    seq: int
    event_type: str
    ts: str
    scope: str | None
    cause: int | None
    hash: str
    payload: dict[str, Any] | None
    sealed: list[list[Any]] | None = None
    edited: dict[str, Any] | None = None
    head: HeadOut | None = None


class EventsOut(Schema):
    """A page of events; ``next`` is the ``after`` of the next page, null at the end."""

    items: list[EventOut]
    next: int | None
    head_seq: int
