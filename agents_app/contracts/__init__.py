"""What crosses the border of this app: frozen values, the shapes of docs/protocol.md.

Unknown is ``None``, never 0. Times are aware and in UTC; money is a decimal as text (US dollars).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

JsonObject = dict[str, JsonValue]
SessionStatus = Literal[
    "queued", "running", "waiting", "paused", "finished", "limit", "cancelled", "failed"
]
InterruptStatus = Literal["pending", "decided", "expired", "cancelled"]
#: A row of ``heads``: one value per name of ``HEAD_COLUMNS``.
HEAD_COLUMNS = (
    "seq",
    "type",
    "ts",
    "scope",
    "cause",
    "label",
    "tool",
    "status",
    "ms",
    "tokens_in",
    "tokens_out",
    "cost",
    "error",
    "session",
)


@dataclass(frozen=True, slots=True)
class AgentRef:
    """An agent by slug and name."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class AgentToolView:
    """A tool that an agent has. ``approval`` is ``True``, ``False`` or ``"when"`` (it depends)."""

    name: str
    description: str
    effectful: bool
    idempotent: bool
    approval: bool | str
    required_role: str
    consequence: str | None
    schema: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class AgentVersionView:
    """One stored definition of an agent."""

    version: int
    digest: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that a session can be started with; ``costs`` says that using it is paid for."""

    name: str
    default: bool
    costs: bool


@dataclass(frozen=True, slots=True)
class SessionCounts:
    """How many sessions an agent has."""

    running: int
    total: int


@dataclass(frozen=True, slots=True)
class AgentView:
    """An agent in its published version, else in its newest.

    A list leaves out instructions, schemas, versions, ``options`` (of the strategy) and ``params``
    (of the model). ``origin`` is ``code`` for one that the
    modules of the installation define, ``console`` for one that people made; ``newest`` is the
    number of its newest version, ``published`` of the one that new sessions get.
    """

    slug: str
    name: str
    description: str
    version: int
    strategy: str
    model: str
    tools: list[AgentToolView]
    middleware: list[JsonObject]
    limits: JsonObject
    samples: list[str]
    models: list[ModelChoice]
    sessions: SessionCounts
    origin: Literal["code", "console"]
    published: int | None
    newest: int
    instructions: str | None = None
    options: JsonObject | None = None
    params: JsonObject | None = None
    versions: list[AgentVersionView] | None = None


@dataclass(frozen=True, slots=True)
class UsageView:
    """Tokens of a session's own live model calls."""

    input: int | None
    output: int | None
    cached: int | None
    reasoning: int | None


@dataclass(frozen=True, slots=True)
class LastEvent:
    """The newest event of a session, as a list shows it."""

    seq: int
    event_type: str
    label: str


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session as it is listed and read; not ``published``: it tries a version out."""

    id: str
    root: str
    parent: str | None
    fork_seq: int | None
    agent: str
    agent_name: str
    version: int
    published: bool
    model: str
    title: str
    tags: list[str]
    status: SessionStatus
    waiting_for: str | None
    lost: bool
    due_at: datetime | None
    head_seq: int
    run: int
    usage: UsageView
    cost: str | None
    started_at: datetime
    updated_at: datetime
    ended_at: datetime | None
    outcome: str | None
    answer: str | None
    pending: int
    error: JsonObject | None
    last: LastEvent | None
    imported: bool


@dataclass(frozen=True, slots=True)
class SessionRef:
    """A session as other apps hold it: its row's number, and what is needed to read its log."""

    pk: int
    id: str
    workspace_id: str
    root: int
    lineage: tuple[tuple[int, int], ...]
    head_seq: int


@dataclass(frozen=True, slots=True)
class Person:
    """Who decided."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class InterruptAbout:
    """What the session of a question is called, and who runs in it (slug and name)."""

    title: str
    agent: str
    agent_name: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is going to be done, exactly so, when it is approved."""

    tool: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What came with a decision."""

    arguments: JsonObject | None = None
    message: str | None = None
    value: JsonValue = None


@dataclass(frozen=True, slots=True)
class LateView:
    """What a worker came back with after it had lost the session: no result, but worth knowing."""

    content: str
    success: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class InterruptView:
    """A question to people. ``can_decide`` is about the one who reads it.

    ``late`` is what came too late of a call in doubt.
    """

    id: str
    session: str
    about: InterruptAbout
    seq: int
    kind: str
    address: str
    parents: list[JsonObject]
    tool: str | None
    call_id: str | None
    arguments: JsonObject | None
    digest: str
    proposal: Proposal | None
    info: JsonValue
    consequence: str | None
    allowed: list[str]
    schema: JsonObject | None
    required_role: str
    expires_at: datetime | None
    on_expiry: str | None
    status: InterruptStatus
    decision: str | None
    answer: AnswerView | None
    decided_by: Person | None
    decided_at: datetime | None
    created_at: datetime
    can_decide: bool
    late: LateView | None = None


@dataclass(frozen=True, slots=True)
class HeadColumns:
    """Headers of events as columns: ``data[name][n]`` belongs to the n-th event."""

    columns: list[str]
    data: dict[str, list[JsonValue]]
    head_seq: int
    next: int | None


@dataclass(frozen=True, slots=True)
class Origin:
    """The event that carries a message and, where it carries several, the place in it."""

    seq: int
    i: int | None = None


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """A message that a model saw."""

    message: JsonObject
    origin: Origin | None
    digest: str
    chars: int


@dataclass(frozen=True, slots=True)
class PromptAttempt:
    """A physical attempt that differed from the request."""

    n: int
    reason: str
    model: str


@dataclass(frozen=True, slots=True)
class PromptView:
    """What a model saw, whole. ``previous`` is the former request of the same activation."""

    seq: int
    model: str
    params: JsonObject
    tools: list[JsonObject]
    messages: list[PromptMessage]
    digest: str
    fingerprint: str
    previous: int | None
    attempts: list[PromptAttempt]


@dataclass(frozen=True, slots=True)
class StateMessage:
    """A message of an activation's transcript."""

    message: JsonObject
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class ActivationState:
    """An activation after its last finished step; ``state`` is ``None`` when it is not kept."""

    address: str
    step: int
    state: JsonObject | None
    middleware: JsonObject
    messages: list[StateMessage]


@dataclass(frozen=True, slots=True)
class StateView:
    """What a session was at an event."""

    seq: int
    status: SessionStatus
    run: int
    activations: list[ActivationState]
    open_interrupts: list[str]
    usage: UsageView
    cost: str | None


@dataclass(frozen=True, slots=True)
class BranchPlan:
    """A branch to be made of a session: where, what differs, and what tools may do.

    ``replace`` is the edited event (``event_type``, ``payload``); ``effects`` names for a tool
    ``recorded``, ``ask``, ``live`` or ``stub``.
    """

    at: int
    replace: Mapping[str, JsonValue] | None = None
    overrides: Mapping[str, JsonValue] = field(default_factory=dict)
    effects: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    why: str | None = None
    tags: Sequence[str] = ()
