"""What crosses where agents are made: versions, checks, and what an agent can be made of."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as member
from datetime import datetime
from typing import Literal

from pydantic import JsonValue

from agents_app.contracts import AgentView, JsonObject


@dataclass(frozen=True, slots=True)
class AgentVersionRow:
    """A version as it is listed. ``published``: new sessions get it; ``by``: who made it."""

    version: int
    note: str
    digest: str
    by: str | None
    created_at: datetime
    published: bool
    published_at: datetime | None
    sessions: int


@dataclass(frozen=True, slots=True)
class AgentVersionDetail:
    """A version with its definition as it is written."""

    version: int
    note: str
    digest: str
    by: str | None
    created_at: datetime
    published: bool
    published_at: datetime | None
    definition: JsonObject


@dataclass(frozen=True, slots=True)
class FaultView:
    """A field of a definition, as a dotted path, and what to do about it.

    ``line``, from 1, where it was read from YAML; of a text that is none, ``field`` is empty.
    ``code`` is a stable word for what ``message`` says with ``params``, where it has one.
    """

    field: str
    message: str
    line: int | None = None
    code: str | None = None
    params: dict[str, str | int] = member(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckView:
    """What there is to say of a definition, and the definition as YAML.

    ``definition`` is how it was read, ``None`` when it is no object: a YAML text, too.
    """

    problems: list[FaultView]
    warnings: list[FaultView]
    yaml: str
    definition: JsonObject | None


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A field that two versions say otherwise; ``null`` where one does not say it."""

    field: str
    before: JsonValue
    after: JsonValue


@dataclass(frozen=True, slots=True)
class DiffView:
    """What differs between two versions, as they are written."""

    changes: list[ChangeView]


@dataclass(frozen=True, slots=True)
class AppliedView(AgentView):
    """An agent, and what became of it: it was made, got a version, or was like that already."""

    result: Literal["created", "version", "unchanged"] = "unchanged"


@dataclass(frozen=True, slots=True)
class PartOffer:
    """A strategy or a middleware; ``options`` is the JSON Schema of its options."""

    name: str
    summary: str
    options: JsonObject
    source: str


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool that an agent can be given.

    ``agent`` is the slug of the agent that answers in it; ``source`` tells two of one name apart.
    Where the effect class is not known, a definition may say it, laxer too. ``off`` says what has
    to be set before it does anything.
    """

    name: str
    description: str
    schema: JsonObject
    effectful: bool
    idempotent: bool
    effects_known: bool
    approval: bool | str
    required_role: str
    consequence: str | None
    timeout: float
    agent: str | None
    source: str
    off: str | None


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """A model that is known by name, ``provider:model``."""

    name: str
    provider: str
    paid: bool
    default: bool


@dataclass(frozen=True, slots=True)
class ProviderOffer:
    """A provider of models; ``open``: any name may be one of its models."""

    name: str
    paid: bool
    open: bool


@dataclass(frozen=True, slots=True)
class AgentOffer:
    """An agent that another one can ask, in its published version."""

    slug: str
    name: str
    version: int
    description: str


@dataclass(frozen=True, slots=True)
class PartsView:
    """Everything that an agent can be made of here.

    ``problems`` are sentences about plug-ins that can't be used, for those who may edit.
    """

    strategies: list[PartOffer]
    middleware: list[PartOffer]
    tools: list[ToolOffer]
    models: list[ModelOffer]
    providers: list[ProviderOffer]
    agents: list[AgentOffer]
    limits: JsonObject
    problems: list[str]
