"""Agents that people make: a new one, a next version, which version is published."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from agents_app.adapters.catalogue import catalogue_of
from agents_app.engine.drafting import drafted
from agents_app.models import Agent, AgentVersion
from agents_app.services.sessions import workspace_of
from playhead.audit.services import record
from playhead.core import canonical
from playhead.core.errors import Conflict, InvalidInput, NotFound
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from agents_app.engine.drafting import Drafted
    from agents_app.engine.spec import AgentSpec
    from playhead.accounts.contracts import Principal

NOTE = 2000
Applied = Literal["created", "version", "unchanged"]


def draft_read(*, workspace_id: str, definition: Any) -> Drafted:
    """A definition as this workspace can have it, or what is wrong with it."""
    return drafted(definition, catalogue_of(workspace_id))


def draft_right(by: Principal, definition: Any) -> tuple[Drafted, AgentSpec]:
    """A definition and the agent that it makes.

    Raises:
        InvalidInput: it makes none; ``detail["errors"]`` has every fault by its field.
    """
    draft = draft_read(workspace_id=workspace_of(by), definition=definition)
    if draft.spec is None:
        raise _faulty([asdict(fault) for fault in draft.faults])
    return draft, draft.spec


def agent_create(*, by: Principal, definition: Any, note: str = "", publish: bool = True) -> str:
    """Store a new agent in its first version; returns its slug.

    Raises:
        InvalidInput: the definition; ``detail["errors"]`` has every fault by its field.
        Conflict: ``slug_taken``.
    """
    draft, spec = draft_right(by, definition)
    _create(by, draft, spec, note=note, publish=publish)
    return spec.slug


def _create(by: Principal, draft: Drafted, spec: AgentSpec, *, note: str, publish: bool) -> None:
    with transaction.atomic():
        agent = _claimed(by, spec)
        _version_add(by, agent, draft, spec, note=note, publish=publish)
        _audit(by, agent, "agent.create")


def agent_apply(
    *, by: Principal, definition: Any, note: str = "", publish: bool = True
) -> tuple[str, Applied]:
    """Let an agent be as a definition says: made, in a next version, or as it is.

    What is written, and what it comes to, is compared with the newest version, so that the same
    definition applied twice changes nothing, and one whose tools changed gets a version.

    Returns the slug, and what was done.

    Raises:
        InvalidInput: the definition; ``detail["errors"]`` has every fault by its field.
        Conflict: ``read_only``: the agent is code; ``stale``: another version came between.
    """
    draft, spec = draft_right(by, definition)
    found = Agent.objects.filter(workspace_id=workspace_of(by), slug=spec.slug).first()
    if found is None or _newest(found) is None:
        _create(by, draft, spec, note=note, publish=publish)
        return spec.slug, "created"
    _editable(found)
    with transaction.atomic():
        agent = Agent.objects.select_for_update().get(pk=found.pk)
        newest = _newest(agent)
        if newest is None or not _is_same(newest, draft, spec):
            _version_add(by, agent, draft, spec, note=note, publish=publish)
            return spec.slug, "version"
        if publish and agent.published != newest.number:
            _publish(by, agent, newest)
    return spec.slug, "unchanged"


def _is_same(row: AgentVersion, draft: Drafted, spec: AgentSpec) -> bool:
    written = None if row.written is None else json.loads(row.written)
    same = canonical.dumps(written) == canonical.dumps(draft.written)
    return same and row.digest == spec.digest()


def version_create(
    *, by: Principal, slug: str, definition: Any, base: int, note: str = "", publish: bool = False
) -> int:
    """Store the next version of an agent; returns its number.

    Args:
        base: the version that the definition was made from: it has to be the newest.

    Raises:
        NotFound: no such agent.
        InvalidInput: the definition; or one of another slug.
        Conflict: ``stale``: somebody made a version meanwhile; ``read_only``: the agent is code.
    """
    agent = agent_row(workspace_id=workspace_of(by), slug=slug)
    _editable(agent)
    draft, spec = draft_right(by, definition)
    if spec.slug != slug:
        said = f"is {spec.slug!r}; a version of {slug} keeps its slug"
        raise _faulty([{"field": "slug", "message": said}])
    with transaction.atomic():
        agent = Agent.objects.select_for_update().get(pk=agent.pk)
        newest = _newest(agent)
        if newest is None or newest.number != base:
            raise _stale(agent)
        made = _version_add(by, agent, draft, spec, note=note, publish=publish)
    return made.number


def version_publish(*, by: Principal, slug: str, version: int) -> None:
    """Let new sessions have that version; an older one rolls back.

    Raises:
        NotFound: no such agent or version.
        Conflict: ``read_only``: the agent is code.
    """
    agent = agent_row(workspace_id=workspace_of(by), slug=slug)
    _editable(agent)
    with transaction.atomic():
        agent = Agent.objects.select_for_update().get(pk=agent.pk)
        row = agent.versions.startable().filter(number=version).first()
        if row is None:
            raise NotFound(f"{slug} has no version {version}.", detail={"field": "version"})
        if agent.published != row.number:
            _publish(by, agent, row)


def agent_row(*, workspace_id: str, slug: str) -> Agent:
    """An agent that has a version which can be started.

    Raises:
        NotFound: there is none in this workspace.
    """
    agent = Agent.objects.filter(workspace_id=workspace_id, slug=slug).first()
    if agent is None or _newest(agent) is None:
        raise NotFound(f"There is no agent {slug!r}.")
    return agent


def _faulty(errors: list[dict[str, str]]) -> InvalidInput:
    first = errors[0]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    said = f"The definition does not fit: {first['field']} {first['message']}{more}"
    return InvalidInput(said, detail={"errors": errors})


def _claimed(by: Principal, spec: AgentSpec) -> Agent:
    """The row of a new agent; one that a recorded session brought along can be taken over."""
    shown = {"name": spec.name, "description": spec.description, "origin": Agent.Origin.CONSOLE}
    agent, made = Agent.objects.get_or_create(
        workspace_id=workspace_of(by), slug=spec.slug, defaults=shown
    )
    if not made:
        agent = Agent.objects.select_for_update().get(pk=agent.pk)
        if agent.origin == Agent.Origin.CONSOLE or _newest(agent) is not None:
            said = f"There is an agent {spec.slug!r} already; give this one another slug."
            raise Conflict(said, code="slug_taken", detail={"field": "slug"})
        for name, value in shown.items():
            setattr(agent, name, value)
        agent.save(update_fields=list(shown))
    return agent


def _editable(agent: Agent) -> None:
    if agent.origin == Agent.Origin.CODE:
        raise Conflict(
            f"{agent.slug} is defined by the code of this installation: copy it and edit the copy.",
            code="read_only",
        )


def _newest(agent: Agent) -> AgentVersion | None:
    return agent.versions.startable().order_by("-number").first()


def _stale(agent: Agent) -> Conflict:
    newest = _newest(agent)
    number, author = (newest.number, newest.author) if newest else (0, "")
    return Conflict(
        f"Version {number} of {agent.slug} is newer{f', by {author}' if author else ''}: "
        "look at it, then save again.",
        code="stale",
        detail={"newest": number, "by": author, "field": "base"},
    )


def _version_add(
    by: Principal, agent: Agent, draft: Drafted, spec: AgentSpec, *, note: str, publish: bool
) -> AgentVersion:
    last = agent.versions.order_by("-number").values_list("number", flat=True).first()
    try:
        with transaction.atomic():
            row = AgentVersion.objects.create(
                agent=agent,
                number=(last or 0) + 1,
                definition=canonical.dumps(spec.definition()).decode(),
                written=json.dumps(draft.written, ensure_ascii=False),
                digest=spec.digest(),
                note=withhold(sanitise(note)[0])[:NOTE],
                created_by_id=by.id if by.kind == "user" else None,
                author=by.name[:200],
            )
    except IntegrityError:
        raise _stale(agent) from None
    _audit(by, agent, "agent.version", version=row.number, digest=row.digest)
    if publish:
        _publish(by, agent, row)
    return row


def _publish(by: Principal, agent: Agent, row: AgentVersion) -> None:
    """What people read of an agent is its published version's name and description."""
    definition = json.loads(row.definition)
    before, agent.published = agent.published, row.number
    agent.name, agent.description = definition["name"], definition["description"]
    agent.save(update_fields=["published", "name", "description", "updated_at"])
    AgentVersion.objects.filter(pk=row.pk, published_at=None).update(published_at=Now())
    _audit(by, agent, "agent.publish", version=row.number, before=before)


def _audit(by: Principal, agent: Agent, what: str, **detail: Any) -> None:
    record(
        who=by,
        what=what,
        object_type="agent",
        object_id=agent.slug[:64],
        workspace_id=agent.workspace_id,
        detail=detail,
    )
