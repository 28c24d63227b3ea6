"""The catalogue of events, version 1: one model per type, each field derived or observed.

A *derived* field is computed again at replay and compared; an *observed* one came from outside
(time, money, a model, a person) and is taken from the record. The models check at import, at
export and in tests; the hot path builds payloads that fit by construction.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

_OBSERVED = "observed"
Json = Any


def observed(**extra: Any) -> Any:
    """A field that a replay takes from the record."""
    return Field(json_schema_extra={_OBSERVED: True}, **extra)


class Payload(BaseModel):
    """What every payload has in common: fields may be added by a newer minor, never lost."""

    model_config = ConfigDict(extra="allow")


class Observed(Payload):
    """A payload of which nothing is derived."""


class SessionStart(Observed):
    agent: dict[str, Json]
    definition: dict[str, Json]
    limits: dict[str, Json]
    seed: str
    loop_version: int
    engine: str
    plugins: list[dict[str, Json]]


class UserMessage(Observed):
    message: dict[str, Json]
    by: dict[str, Json]
    to: str
    policy: str


class LlmRequest(Payload):
    model: str
    params: dict[str, Json]
    tools: list[dict[str, Json]] | int
    prompt: list[list[Json]]
    n: int
    digest: str
    fingerprint: str
    internal: bool = False
    reserved: Annotated[dict[str, Json] | None, observed()] = None


class LlmAttempt(Observed):
    n: int
    model: str
    reason: Literal["retry", "fallback", "resume", "edited", "route"]


class LlmResponse(Observed):
    message: dict[str, Json]
    stop_reason: str | None
    usage: dict[str, Json] | None
    source: Literal["live", "cache", "recorded", "edited"]
    ms: int | None
    attempt: int


class LlmError(Observed):
    code: str
    message: str
    permanent: bool
    retry_after: float | None
    final: bool
    attempt: int
    partial: str | None
    usage: dict[str, Json] | None = None


class ToolCallBody(Payload):
    call_id: str
    tool: str
    arguments: dict[str, Json]
    digest: str
    version: str
    effectful: bool
    idempotent: bool
    decision: int | None = None
    raw: str | None = None


class ToolResultBody(Observed):
    call_id: str
    tool: str
    success: bool
    message: dict[str, Json]
    source: Literal["live", "recorded", "edited", "person", "stub", "synthetic"]
    cut: dict[str, Json] | None = None


class Resume(Payload):
    call_id: str
    decision: int
    digest: str


class Interrupt(Payload):
    id: Annotated[str, observed()]
    kind: str
    address: str
    generation: int
    parents: list[dict[str, Json]]
    digest: str
    info: Json
    allowed: list[str]
    required_role: str
    expires_at: Annotated[str | None, observed()] = None
    on_expiry: str | None = None


class Decision(Observed):
    interrupt: str
    of: int
    decision: str
    digest: str
    by: dict[str, Json]
    to: str


class StepEnd(Payload):
    step: int
    digest: str
    append: list[list[Json]]
    state: dict[str, Json] | None


class SessionEnd(Payload):
    run: int
    outcome: Literal["finished", "limit", "cancelled", "failed"]
    answer: str | None
    steps: int


class Pause(Observed):
    on: bool
    by: dict[str, Json]
    to: str


class Cancel(Observed):
    after: Literal["now", "model", "tools"]
    by: dict[str, Json]
    to: str


class Steer(Observed):
    message: dict[str, Json]
    by: dict[str, Json]
    to: str


class Guardrail(Payload):
    guard: str
    verdict: Literal["block", "ask", "redact", "pass"]
    category: str
    findings: list[dict[str, Json]]
    stage: Literal["input", "tool", "output"]
    retract: bool | None = None


class Limit(Payload):
    what: str
    limit: Json
    used: Json
    text: str | None = None


class Effect(Payload):
    kind: str
    request: Json
    answer: Annotated[Json, observed()] = None
    error: Annotated[str | None, observed()] = None


class Edit(Payload):
    of: int
    by: str
    message: dict[str, Json]


class Lease(Observed):
    epoch: int
    owner: str
    abandoned: list[int]


class Branch(Observed):
    parent: str
    fork_seq: int
    by: dict[str, Json]
    overrides: dict[str, Json]
    effects: dict[str, str]
    seed: str
    abandoned: list[int]


class ErrorBody(Observed):
    code: str
    message: str


class ChildStart(Payload):
    agent: dict[str, Json]
    definition: dict[str, Json] | int
    message: dict[str, Json]
    info: Json = None
    state: Json = None


class ChildEnd(Payload):
    outcome: str
    answer: str | None
    steps: int


class Note(Payload):
    """``plan``: derived as a whole."""


CATALOGUE: dict[str, type[Payload]] = {
    "session_start": SessionStart,
    "user_message": UserMessage,
    "llm_request": LlmRequest,
    "llm_attempt": LlmAttempt,
    "llm_response": LlmResponse,
    "llm_error": LlmError,
    "tool_call": ToolCallBody,
    "tool_result": ToolResultBody,
    "step_end": StepEnd,
    "session_end": SessionEnd,
    "interrupt": Interrupt,
    "decision": Decision,
    "resume": Resume,
    "pause": Pause,
    "steer": Steer,
    "cancel": Cancel,
    "guardrail": Guardrail,
    "limit": Limit,
    "effect": Effect,
    "child_start": ChildStart,
    "child_end": ChildEnd,
    "plan": Note,
    "edit": Edit,
    "lease": Lease,
    "branch": Branch,
    "error": ErrorBody,
}

PEOPLE = frozenset({"user_message", "steer", "pause", "cancel", "decision"})
FRAME = frozenset({"session_start", "lease", "branch", "error"})
ANSWERS = frozenset({"llm_response", "llm_error", "tool_result"})
EDITABLE = frozenset(
    {"user_message", "steer", "llm_response", "tool_result", "effect", "decision", "llm_request"}
)


def _observed_fields(model: type[Payload]) -> frozenset[str]:
    return frozenset(
        name
        for name, field in model.model_fields.items()
        if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get(_OBSERVED)
    )


#: Observed fields per type; ``None`` means that the whole payload is observed.
OBSERVED: dict[str, frozenset[str] | None] = {
    name: None if issubclass(model, Observed) else _observed_fields(model)
    for name, model in CATALOGUE.items()
}


def check(event_type: str, payload: dict[str, Any]) -> None:
    """Validate a payload against the catalogue.

    Raises:
        KeyError: an unknown event type.
        pydantic.ValidationError: fields that are missing or of another type.
    """
    CATALOGUE[event_type].model_validate(payload)
