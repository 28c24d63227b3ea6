"""Links: a range of a session, masked and frozen when the link is made."""

from __future__ import annotations

import hashlib
import json
import secrets
import zlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Case, DateTimeField, ExpressionWrapper, F, Value, When
from django.db.models.functions import Now

from agents_app import facade
from playhead.audit.services import record
from playhead.core.clock import SystemClock, stamp
from playhead.core.errors import InvalidInput, NotFound, PlayheadError
from playhead.core.ids import new_id, new_token
from playhead.core.sanitise import sanitise
from replay_app.contracts import ShareMade, SharePreview, Show
from replay_app.engine.masked import Masked, masked
from replay_app.models import ShareLink

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.contracts import SessionRef
    from playhead.accounts.contracts import Principal

_clock = SystemClock()
#: What logs know a token by, so that they can mask it; and its random bytes.
PREFIX = "phs_"
RANDOM = 24


def share_create(
    *,
    by: Principal,
    session_id: str,
    first: int | None,
    last: int | None,
    expires_in: int | None,
    show: Show,
    title: str | None,
    verdict: Mapping[str, Any],
) -> ShareMade:
    """Publish a range of a session; the token is told once and kept only as its hash.

    Args:
        expires_in: seconds until it is gone; ``None``: until it is revoked.
        verdict: what verifying the original says today.

    Raises:
        NotFound: no such session.
        InvalidInput: an empty range, or one beyond the log.
    """
    workspace = facade.workspace_of(by)
    session = facade.session_ref(workspace_id=workspace, session_id=session_id)
    first, last = _range(session, first, last)
    eyes = facade.Eyes(reveal=False)
    view = facade.session_get(workspace_id=workspace, eyes=eyes, session_id=session_id)
    name = eyes.text(str(sanitise(title or view.title)[0]))[:200]
    copy = _masked(session, first, last, show)
    frozen: dict[str, Any] = {
        "title": name,
        "agent": {"slug": view.agent, "name": view.agent_name},
    }
    frozen |= {"status": view.status, "total": session.head_seq}
    token = PREFIX + new_token(RANDOM)
    with transaction.atomic():
        link = ShareLink.objects.create(
            id=new_id("share"),
            token_hash=hash_of(token),
            session_id=session.pk,
            title=name,
            from_seq=first,
            to_seq=last,
            show={name: getattr(show, name) for name in Show.__slots__},
            snapshot=_snapshot(copy, frozen),
            head_hash=_head_hash(session),
            verdict={"at": stamp(_clock.now()), **verdict},
            created_by_id=by.id if by.kind == "user" else None,
            expires_at=_expiry(expires_in),
        )
        _audit(by, "share.create", link, session_id=session_id, first=first, last=last)
    link.refresh_from_db()
    return ShareMade(link.pk, f"/r/{token}", token, link.expires_at)


def share_preview(
    *, by: Principal, session_id: str, first: int | None, last: int | None, show: Show
) -> SharePreview:
    """What a link over a range would show, without making one.

    Raises:
        NotFound: no such session.
        InvalidInput: an empty range, or one beyond the log.
    """
    workspace = facade.workspace_of(by)
    session = facade.session_ref(workspace_id=workspace, session_id=session_id)
    first, last = _range(session, first, last)
    copy = _masked(session, first, last, show)
    return SharePreview(len(copy.events), session.head_seq, dict(copy.counts))


def share_revoke(*, by: Principal, share_id: str) -> None:
    """Let a link open nothing any more; revoking it again changes nothing.

    Raises:
        NotFound: no such link in the caller's workspace.
    """
    workspace = facade.workspace_of(by)
    links = ShareLink.objects.filter(session__workspace_id=workspace)
    with transaction.atomic():
        link = links.filter(pk=share_id).first()
        if link is None:
            raise NotFound("There is no such link.")
        if links.filter(pk=share_id, revoked_at=None).update(revoked_at=Now()):
            _audit(by, "share.revoke", link)


def share_open(*, token: str) -> str:
    """The page behind a link, as JSON text; counts the view.

    Raises:
        NotFound: no such link, or its session is gone.
        PlayheadError: it was revoked (``revoked``) or is over (``expired``).
    """
    over = Case(When(expires_at__lte=Now(), then=Value(True)), default=Value(False))
    links = ShareLink.objects.filter(session__pk__isnull=False).annotate(over=over)
    link = links.filter(token_hash=hash_of(token)).first()
    if link is None:
        raise NotFound("There is no such link.")
    if link.revoked_at is not None:
        raise PlayheadError("This link was revoked.", code="revoked")
    if link.over:
        raise PlayheadError("This link has expired.", code="expired")
    ShareLink.objects.filter(pk=link.pk).update(views=F("views") + 1, last_view_at=Now())
    page = json.loads(zlib.decompress(bytes(link.snapshot)))
    page |= {
        "range": {"from": link.from_seq, "to": link.to_seq},
        "expires_at": None if link.expires_at is None else stamp(link.expires_at),
        "verdict": link.verdict,
        "head_hash": bytes(link.head_hash).hex(),
    }
    return json.dumps(page, ensure_ascii=False, separators=(",", ":"))


def _expiry(seconds: int | None) -> Any:
    """A time by the database's clock."""
    if seconds is None:
        return None
    return ExpressionWrapper(Now() + timedelta(seconds=seconds), output_field=DateTimeField())


def hash_of(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def _range(session: SessionRef, first: int | None, last: int | None) -> tuple[int, int]:
    start, end = first or 1, last or session.head_seq
    if start < 1 or start > session.head_seq:
        raise InvalidInput(f"The log has {session.head_seq} events.", detail={"field": "from"})
    if not start <= end <= session.head_seq:
        raise InvalidInput("The range ends before it begins.", detail={"field": "to"})
    return start, end


def _masked(session: SessionRef, first: int, last: int, show: Show) -> Masked:
    events = [row.event() for row in facade.log_of(session, after=first - 1, upto=last)]
    shown = {name: getattr(show, name) for name in Show.__slots__}
    return masked(events, key=secrets.token_bytes(32), show=shown)


def _snapshot(copy: Masked, frozen: dict[str, Any]) -> bytes:
    """What the page fetches, as it will be sent; the masked chain is part of it."""
    open_eyes = facade.OPEN
    heads = [facade.head_of(row, open_eyes) for row in copy.events]
    columns = list(heads[0])
    page = frozen | {
        "masked": dict(copy.counts),
        "snapshot_at": stamp(_clock.now()),
        "columns": columns,
        "data": {name: [head[name] for head in heads] for name in columns},
        "events": [
            json.loads(facade.event_json(row, bodies=True, eyes=open_eyes, head=False))
            for row in copy.events
        ],
    }
    return zlib.compress(json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode())


def _head_hash(session: SessionRef) -> bytes:
    return facade.log_of(session, after=session.head_seq - 1, upto=session.head_seq)[0].hash


def _audit(by: Principal, what: str, link: ShareLink, **detail: Any) -> None:
    record(
        who=by,
        what=what,
        object_type="share",
        object_id=link.pk,
        workspace_id=facade.workspace_of(by),
        detail=detail,
    )
