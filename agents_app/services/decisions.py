"""Decisions: taken once, by a named person, before expiry, about exactly what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models.functions import Now

from agents_app.adapters.stores import log_store
from agents_app.adapters.vault import seals_for
from agents_app.models import Interrupt, Session
from agents_app.models.find import interrupt_row
from agents_app.services.answers import check_answer
from agents_app.services.defined import tools_in
from agents_app.services.inputs import Span, payload_enter
from agents_app.services.returned import given_back
from agents_app.services.sessions import workspace_of
from agents_app.services.writing import NOTHING, Writing, log_write
from playhead.accounts.contracts import Principal, Role
from playhead.audit.services import record
from playhead.core.errors import Conflict, PlayheadError
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.adapters.stores.port import Head

#: What a person may give besides the decision itself.
GIVEN = ("arguments", "message", "value")


def interrupt_decide(
    *, by: Principal, interrupt_id: str, decision: str, digest: str, given: Mapping[str, Any]
) -> None:
    """Decide a question; the same decision by the same person again changes nothing.

    Args:
        given: those of ``arguments``, ``message`` and ``value`` that were sent; every JSON value
            is a legal answer, so what counts is whether it is there.

    Raises:
        NotFound: the server never asked this.
        PlayheadError: the role does not suffice (``forbidden``), or it is too late (``expired``).
        Conflict: decided otherwise (``already_decided``), withdrawn, or another proposal.
        InvalidInput: not allowed here, or the answer does not fit; names the field.
    """
    row = interrupt_row(workspace_id=workspace_of(by), interrupt_id=interrupt_id)
    _require_role(by, row.required_role)
    asked = _event(row.session_id, row.seq)
    meant, kept = given_back(
        by=by, given=dict(given), real=asked.payload, field="", spans=asked.sealed or ()
    )
    fixed = {
        "interrupt": row.pk,
        "of": row.seq,
        "decision": decision,
        "digest": digest,
        "by": by.by,
        "to": row.address,
    }

    def decide(_: Head) -> Writing:
        row.refresh_from_db()
        if row.status != Interrupt.Status.PENDING:
            return _settled(row, by, decision, meant)
        _require_in_time(row)
        _require_digest(row, digest)
        check_answer(asked.payload, decision, meant)
        return _decision(row.session, asked, fixed, meant, kept)

    def audit(_: list[Event]) -> None:
        record(
            who=by,
            what="interrupt.decide",
            object_type="interrupt",
            object_id=row.pk,
            workspace_id=row.session.workspace_id,
            detail={"decision": decision, "session": row.session.public_id, "tool": row.tool},
        )

    log_write(session=row.session, decide=decide, also=audit)


def _decision(
    session: Session,
    asked: Event,
    fixed: Mapping[str, Any],
    given: Mapping[str, Any],
    kept: Sequence[Span],
) -> Writing:
    entered = payload_enter(
        root=session.root_id or session.pk,
        given=given,
        fixed=fixed,
        secret=[f"/arguments/{name}" for name in _secret_arguments(session, asked)],
        kept=kept,
    )
    draft = Draft("decision", entered.payload, cause=asked.seq, sealed=entered.sealed)
    return Writing([draft], entered.vault)


def _secret_arguments(session: Session, asked: Event) -> list[str]:
    """The arguments that the tool calls secret, whatever they look like.

    Where agents of one session have different tools of this name, what one calls secret is sealed.
    """
    name = asked.payload.get("tool")
    start = _event(session.pk, 1).payload
    return sorted(
        {
            argument
            for tool in tools_in(start["definition"])
            if tool["name"] == name
            for argument in tool.get("secret", ())
        }
    )


def _event(session: int, seq: int) -> Event:
    return log_store().read(session, after=seq - 1, upto=seq)[0].event()


def _require_role(by: Principal, role: str) -> None:
    if not by.has(Role.needed(role)):
        raise PlayheadError(
            f"Deciding this takes the role {role}.",
            code="forbidden",
            detail={"required_role": role},
        )


def _require_in_time(row: Interrupt) -> None:
    if Interrupt.objects.filter(pk=row.pk, expires_at__lte=Now()).exists():
        raise _expired()


def _expired() -> PlayheadError:
    return PlayheadError("This question has expired; what it asked was not done.", code="expired")


def _require_digest(row: Interrupt, digest: str) -> None:
    if digest != row.digest:
        raise Conflict(
            "You decided about something else than what is asked now: read it again.",
            code="digest_mismatch",
            detail={"digest": row.digest},
        )


def _settled(row: Interrupt, by: Principal, decision: str, given: Mapping[str, Any]) -> Writing:
    """It is over: nothing to write when this is the decision that was taken, else an error."""
    if row.status == Interrupt.Status.EXPIRED:
        raise _expired()
    if row.status == Interrupt.Status.CANCELLED:
        raise Conflict("The run has ended; nothing is asked any more.", code="withdrawn")
    decided = row.decided_by or {}
    if row.decision == decision and decided == by.by and _same_answer(row, given):
        return NOTHING
    raise Conflict(
        f"{decided.get('name', 'Somebody')} decided first: {row.decision}.", code="already_decided"
    )


def _same_answer(row: Interrupt, given: Mapping[str, Any]) -> bool:
    if row.decision_seq is None:
        return False
    taken = _event(row.session_id, row.decision_seq)
    plain, _ = sanitise(dict(given))
    if taken.sealed:  # the same value has the same marker in a tree
        plain = seals_for(row.session.root_id or row.session_id).seal(plain).value
    return all(taken.payload.get(name) == plain.get(name) for name in GIVEN)
