"""Starting, naming and steering sessions."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction

from agents_app import permissions
from agents_app.adapters import definitions, live, plugins
from agents_app.adapters.choices import model_check
from agents_app.engine.limits import Limits
from agents_app.engine.spec import ENGINE, LOOP_VERSION, from_definition, without_secrets
from agents_app.models import AgentVersion, Session
from agents_app.models import Head as HeadRow
from agents_app.models.find import session_row, version_row
from agents_app.services.inputs import payload_enter, refuse_secrets
from agents_app.services.writing import Writing, log_write
from playhead.core.errors import InvalidInput, NotFound, PlayheadError
from playhead.core.events import Draft
from playhead.core.header import clip
from playhead.core.ids import new_id, new_seed
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.adapters.stores.port import Head
    from playhead.accounts.contracts import Principal

TITLE = 200
SEARCHED = 4000


def session_create(
    *,
    by: Principal,
    agent: str,
    text: str,
    version: int | None = None,
    title: str | None = None,
    tags: Sequence[str] = (),
    limits: Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> str:
    """Start a session: its rows and its first two events in one transaction; returns its id.

    Raises:
        NotFound: no such agent or version in the caller's workspace.
        PlayheadError: ``forbidden``: the version was never published, and an editor tries it out.
        InvalidInput: an unknown model, a limit that is none, a part that is not here.
    """
    stored = _version(by=by, agent=agent, version=version)
    definition = _definition(stored, overrides or {}, limits or {})
    with transaction.atomic():
        session = Session.objects.create(
            public_id=new_id("sess"),
            workspace_id=workspace_of(by),
            agent_version=stored,
            model=definition["model"],
            tags=_tags(tags),
            created_by_id=by.id if by.kind == "user" else None,
        )
        HeadRow.objects.create(session=session)
        events = log_write(
            session=session, decide=lambda _: _opening(session, stored, definition, by, text)
        )
        said = str(events[1].payload["message"]["content"])
        session.title = _title(title) if title else clip(said, TITLE)
        session.search = f"{agent} {said[:SEARCHED]}"
        session.save(update_fields=["title", "search"])
    return session.public_id


def _opening(
    session: Session, stored: AgentVersion, definition: dict[str, Any], by: Principal, text: str
) -> Writing:
    slug = definition["slug"]
    start = {
        "agent": {
            "slug": slug,
            "name": definition["name"],
            "version": stored.number,
            "digest": stored.digest,
        },
        "definition": definition,
        "limits": definition["limits"],
        "seed": new_seed(),
        "loop_version": LOOP_VERSION,
        "engine": ENGINE,
        "plugins": plugins.registry().versions(),
    }
    said = _message(session, by, text, policy="start", slug=slug)
    return Writing([Draft("session_start", start), *said.drafts], said.vault)


def _message(session: Session, by: Principal, text: str, *, policy: str, slug: str) -> Writing:
    entered = payload_enter(
        root=session.root_id or session.pk,
        given={"message": {"role": "user", "content": text}},
        fixed={"by": by.by, "to": f"agent:{slug}", "policy": policy},
    )
    return Writing([Draft("user_message", entered.payload, sealed=entered.sealed)], entered.vault)


def message_add(*, by: Principal, session_id: str, text: str) -> dict[str, Any]:
    """Say something to a session: it opens the next run, after the present one has ended."""
    session = session_row(workspace_id=workspace_of(by), session_id=session_id)
    slug = session.agent_version.agent.slug

    def decide(head: Head) -> Writing:
        policy = "start" if head.state.ended else "enqueue"
        return _message(session, by, text, policy=policy, slug=slug)

    return log_write(session=session, decide=decide)[0].to_dict()


def session_rename(
    *, by: Principal, session_id: str, title: str | None, tags: Sequence[str] | None
) -> None:
    """Give a session another title or other tags; they stand beside the log."""
    session = session_row(workspace_id=workspace_of(by), session_id=session_id)
    if title is not None:
        session.title = _title(title)
    if tags is not None:
        session.tags = _tags(tags)
    with transaction.atomic():
        session.save(update_fields=["title", "tags"])
        live.wake(session=session.pk, workspace_id=session.workspace_id, seq=session.head.seq)


def workspace_of(by: Principal) -> str:
    if by.workspace is None:
        raise NotFound("You belong to no workspace.")
    return by.workspace.id


def _version(*, by: Principal, agent: str, version: int | None) -> AgentVersion:
    stored = version_row(workspace_id=workspace_of(by), slug=agent, number=version)
    version_usable(by, stored)
    return stored


def version_usable(by: Principal, version: AgentVersion) -> None:
    """Refuse a version that was never published to those who may not make one.

    Raises:
        PlayheadError: ``forbidden``; editors try out what is not published yet.
    """
    if version.published_at is None and not by.has(permissions.EDIT):
        raise PlayheadError(
            f"Version {version.number} of {version.agent.slug} is not published: trying it out "
            f"takes the role {permissions.EDIT}.",
            code="forbidden",
            detail={"required_role": permissions.EDIT.value, "field": "version"},
        )


def _definition(
    stored: AgentVersion, overrides: Mapping[str, Any], limits: Mapping[str, Any]
) -> dict[str, Any]:
    """The agent as this session runs it: the version, with what the caller chose instead."""
    definition = without_secrets(json.loads(stored.definition))
    chosen, _ = sanitise({name: value for name, value in overrides.items() if value is not None})
    refuse_secrets("overrides", chosen)
    if "model" in chosen:
        model_check(str(chosen["model"]))
    _makeable(definition)
    return {
        **definition,
        "model": chosen.get("model", definition["model"]),
        "params": {**definition["params"], **chosen.get("params", {})},
        "limits": {**definition["limits"], **_limits(limits, definition["limits"])},
    }


def _makeable(definition: Mapping[str, Any]) -> None:
    """Refuse what this installation has not the code of: it would only wait for it."""
    spec = from_definition(definition, definitions.current().tools_of(definition["slug"]))
    try:
        plugins.current().parts.check(spec)
    except InvalidInput as error:
        said = plugins.current().because(error.message)
        raise InvalidInput(said, detail=error.detail) from error


#: What who starts a session may make stricter than its agent has it, and not laxer.
_BUDGETS = ("max_model_calls", "max_tool_calls", "max_tokens", "max_cost")


def _limits(limits: Mapping[str, Any], of_agent: Mapping[str, Any]) -> dict[str, Any]:
    steps = limits.get("max_steps", 1)
    if not isinstance(steps, int) or not 1 <= steps <= 1000:
        raise InvalidInput("max_steps is 1 to 1000.", detail={"field": "limits.max_steps"})
    for name in _BUDGETS:
        most = of_agent.get(name)
        if most is not None and Decimal(limits.get(name, most)) > Decimal(most):
            said = f"{name} is at most {most}: the agent's own limit."
            raise InvalidInput(said, detail={"field": f"limits.{name}"})
    return {name: limits[name] for name in Limits.__slots__ if name in limits}


def _title(title: str) -> str:
    plain, _ = sanitise(title)
    return " ".join(withhold(str(plain)).split())[:TITLE]


def _tags(tags: Sequence[str]) -> list[str]:
    plain = withhold(sanitise(list(tags))[0])
    return sorted({str(tag).strip()[:50] for tag in plain if str(tag).strip()})[:20]
