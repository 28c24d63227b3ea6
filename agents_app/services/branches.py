"""Branches: one row and its first events. Nothing is copied, and the parent's log gets nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import transaction

from agents_app.adapters.choices import model_check
from agents_app.adapters.stores import log_store
from agents_app.adapters.stores.rows import kinds_of
from agents_app.engine.log.lineage import fork, segments
from agents_app.engine.log.projection import HeadState, project
from agents_app.models import AgentVersion, Event, Session
from agents_app.models import Head as HeadRow
from agents_app.models.find import session_row
from agents_app.services.defined import tools_in
from agents_app.services.inputs import refuse_secrets
from agents_app.services.sessions import version_usable, workspace_of
from agents_app.services.writing import Writing, log_write
from playhead.audit.services import record
from playhead.core.errors import InvalidInput, NotFound
from playhead.core.events import Draft
from playhead.core.ids import new_id, new_seed
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.adapters.stores.port import VaultRow
    from agents_app.contracts import BranchPlan
    from playhead.accounts.contracts import Principal

EFFECTS = ("recorded", "ask", "live", "stub")
#: What a session's status, run and inbox follow from.
_FRAME = frozenset({"session_start", "user_message", "pause", "session_end"})
_NOTHING_SPENT: dict[str, Any] = dict.fromkeys(
    ("tokens_input", "tokens_output", "tokens_cached", "tokens_reasoning", "cost"), 0
)


def branch_write(
    *,
    by: Principal,
    session_id: str,
    plan: BranchPlan,
    edited: Draft | None,
    vault: Sequence[VaultRow],
    abandoned: Sequence[int],
) -> str:
    """Start a branch that inherits the events before ``plan.at``; returns its id.

    Raises:
        NotFound: no such session, event or version.
        InvalidInput: a tool, a model or an effect policy that is none.
    """
    parent = session_row(workspace_id=workspace_of(by), session_id=session_id)
    version = _version(by, parent, plan.overrides)
    _check(parent, version, plan)
    with transaction.atomic():
        child = _rows(by, parent, version, plan)
        drafts = [*([edited] if edited else []), _branch(by, parent, plan, abandoned)]
        log_write(session=child, decide=lambda _: Writing(drafts, tuple(vault)))
        record(
            who=by,
            what="session.branch",
            object_type="session",
            object_id=child.public_id,
            workspace_id=child.workspace_id,
            detail={"parent": parent.public_id, "at": plan.at},
        )
    return child.public_id


def step_begin(*, session: int, lineage: Sequence[Sequence[int]], before: int) -> int:
    """The seq of the last event before ``before`` that ended a step of the root, 0 when none did.

    Nothing that was open then is open at ``before``: a fork need not read further back.
    """
    for part in reversed(segments(session, lineage, upto=before - 1)):
        ends = Event.objects.filter(
            session=part.session, kind__in=kinds_of(["step_end"]), seq__gt=part.after
        ).exclude(scope__contains=";")
        ends = ends.filter(seq__lte=part.upto) if part.upto is not None else ends
        last = ends.order_by("-seq").values_list("seq", flat=True).first()
        if last is not None:
            return int(last)
    return 0


def _version(by: Principal, parent: Session, overrides: Mapping[str, Any]) -> AgentVersion:
    number = overrides.get("version")
    if number is None or number == parent.agent_version.number:
        return parent.agent_version
    versions = AgentVersion.objects.select_related("agent")
    found = versions.filter(agent=parent.agent_version.agent_id, number=number).first()
    if found is None:
        raise NotFound(f"The agent has no version {number}.", detail={"field": "overrides.version"})
    if not found.imported:
        version_usable(by, found)
    return found


def _check(parent: Session, version: AgentVersion, plan: BranchPlan) -> None:
    if not 2 <= plan.at <= parent.head.seq + 1:
        raise NotFound(
            f"A branch starts at an event from 2 to {parent.head.seq + 1}.",
            detail={"field": "at"},
        )
    refuse_secrets("overrides", plan.overrides)
    if plan.overrides.get("model") is not None:
        model_check(str(plan.overrides["model"]))
    start = log_store().read(parent.pk, upto=1)[0].event().payload
    known = {tool["name"] for tool in tools_in(start["definition"])}
    known |= {tool["name"] for tool in tools_in(_definition(version))}
    for name, policy in plan.effects.items():
        if name not in known:
            raise InvalidInput(
                f"The agent has no tool {name!r}.", detail={"field": f"effects.{name}"}
            )
        if policy not in EFFECTS:
            raise InvalidInput(
                f"Say one of {', '.join(EFFECTS)}.", detail={"field": f"effects.{name}"}
            )


def check_request(given: Mapping[str, Any]) -> None:
    """Refuse an edited model request that no model here can be sent.

    Raises:
        InvalidInput: an unknown model, or a secret, which a prompt can't seal.
    """
    if given.get("model") is not None:
        model_check(str(given["model"]), field="replace.payload.model")
    refuse_secrets("replace.payload", given)


def _definition(version: AgentVersion) -> dict[str, Any]:
    definition: dict[str, Any] = json.loads(version.definition)
    return definition


def _branch(by: Principal, parent: Session, plan: BranchPlan, abandoned: Sequence[int]) -> Draft:
    payload: dict[str, Any] = {
        "parent": parent.public_id,
        "fork_seq": plan.at,
        "by": by.by,
        "overrides": sanitise(dict(plan.overrides))[0],
        "effects": dict(plan.effects),
        "seed": new_seed(),
        "abandoned": list(abandoned),
    }
    if plan.why:
        payload["why"] = withhold(sanitise(plan.why)[0])
    return Draft("branch", payload)


def _rows(by: Principal, parent: Session, version: AgentVersion, plan: BranchPlan) -> Session:
    child = Session.objects.create(
        public_id=new_id("sess"),
        workspace_id=parent.workspace_id,
        agent_version=version,
        parent=parent,
        fork_seq=plan.at,
        root_id=parent.root_id or parent.pk,
        lineage=fork(parent.lineage, parent.pk, plan.at),
        title=withhold(plan.title) or parent.title,
        tags=withhold(list(plan.tags)),
        model=_model(parent, version, plan.overrides),
        search=parent.search,
        created_by_id=by.id if by.kind == "user" else None,
    )
    store = log_store()
    frame = store.read(child.pk, upto=plan.at - 1, types=_FRAME)
    last = store.read(child.pk, after=plan.at - 2, upto=plan.at - 1)[0]
    state = project(HeadState(), [row.event() for row in frame]).state.inherited()
    HeadRow.objects.create(
        session=child,
        seq=last.seq,
        hash=last.hash,
        status=state.status,
        run=state.run,
        inbox=state.inbox,
        **_NOTHING_SPENT,
    )
    return child


def _model(parent: Session, version: AgentVersion, overrides: Mapping[str, Any]) -> str:
    if overrides.get("model") is not None:
        return str(overrides["model"])
    return str(_definition(version)["model"]) if "version" in overrides else parent.model
