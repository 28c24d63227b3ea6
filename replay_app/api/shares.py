"""Links: make, list, revoke; and the page behind one, without a login."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Status

from agents_app import facade
from playhead.rest.auth import principal_of, public, requires
from playhead.rest.idempotency import begin_work, idempotent
from playhead.rest.pagination import Page
from replay_app import permissions
from replay_app.api.schemas import (
    OPENING,
    READING,
    WRITING,
    SharedReplayOut,
    ShareIn,
    ShareMadeOut,
    ShareOut,
    SharePreviewIn,
)
from replay_app.contracts import SharePreview, Show
from replay_app.engine.verify import Verdict
from replay_app.selectors.proofs import session_verify
from replay_app.selectors.shares import share_list
from replay_app.services.shares import share_create, share_open, share_preview, share_revoke

router = Router(tags=["shares"])


@router.post(
    "/sessions/{session_id}/shares",
    auth=requires(permissions.SHARE),
    response={201: ShareMadeOut, **WRITING},
    operation_id="create_share",
)
@idempotent(once=("token", "url"), later=True)
def create_share(request: HttpRequest, session_id: str, body: ShareIn) -> Status[ShareMadeOut]:
    """Publish a range, masked and frozen; the answer holds the link, once."""
    by = principal_of(request)
    session = facade.session_ref(workspace_id=facade.workspace_of(by), session_id=session_id)
    found = session_verify(session=session)
    begin_work(request)
    made = share_create(
        by=by,
        session_id=session_id,
        first=body.first,
        last=body.last,
        expires_in=body.expires_in,
        show=Show(**body.show.model_dump()),
        title=body.title,
        verdict=_told(found),
    )
    url = request.build_absolute_uri(made.url)
    return Status(
        201, ShareMadeOut(id=made.id, url=url, token=made.token, expires_at=made.expires_at)
    )


@router.post(
    "/sessions/{session_id}/shares/preview",
    auth=requires(permissions.SHARE),
    response={200: SharePreview, **WRITING},
    operation_id="preview_share",
)
def preview_share(request: HttpRequest, session_id: str, body: SharePreviewIn) -> SharePreview:
    """What a link would show and mask, without making one."""
    return share_preview(
        by=principal_of(request),
        session_id=session_id,
        first=body.first,
        last=body.last,
        show=Show(**body.show.model_dump()),
    )


def _told(found: Verdict) -> dict[str, Any]:
    """What a stranger is told of a proof: whether it held, not what it found where."""
    chain, derivation, snapshots = found.chain, found.derivation, found.snapshots
    return {
        "chain": {"ok": chain.ok, "checked": chain.checked, "head_hash": chain.head_hash},
        "derivation": {
            "verdict": derivation.verdict,
            "events": derivation.events,
            "complete": derivation.complete,
        },
        "snapshots": {"ok": snapshots.ok, "checked": snapshots.checked},
    }


@router.get(
    "/sessions/{session_id}/shares",
    response={200: Page[ShareOut], **READING},
    operation_id="list_shares",
    by_alias=True,
)
def list_shares(request: HttpRequest, session_id: str) -> Page[ShareOut]:
    """All links of a session, on one page."""
    by = principal_of(request)
    session = facade.session_ref(workspace_id=facade.workspace_of(by), session_id=session_id)
    return Page[ShareOut](
        items=[
            ShareOut.model_validate({**asdict(link), "from": link.range_from, "to": link.range_to})
            for link in share_list(session=session.pk)
        ]
    )


@router.delete(
    "/shares/{share_id}",
    auth=requires(permissions.SHARE),
    response={204: None, **WRITING},
    operation_id="revoke_share",
)
def revoke_share(request: HttpRequest, share_id: str) -> Status[None]:
    """Let a link open nothing any more."""
    share_revoke(by=principal_of(request), share_id=share_id)
    return Status(204, None)


@router.get(
    "/shares/{token}/replay",
    auth=public("whoever holds the link may look: that is what it is for"),
    response={200: SharedReplayOut, **OPENING},
    operation_id="open_share",
    by_alias=True,
)
def open_share(request: HttpRequest, token: str) -> HttpResponse:
    """What a link shows: frozen, masked, without a login. It is neither kept nor indexed."""
    response = HttpResponse(share_open(token=token), content_type="application/json")
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "no-store"
    return response
