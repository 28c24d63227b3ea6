"""Compare, verify, export."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Router

from agents_app import facade
from playhead.rest.auth import principal_of, requires
from playhead.rest.streaming import streamed
from replay_app import permissions
from replay_app.api.schemas import READING, WRITING, Empty
from replay_app.contracts import (
    ChainVerdict,
    Comparison,
    DerivationVerdict,
    SnapshotVerdict,
    VerdictView,
)
from replay_app.selectors.comparing import session_compare
from replay_app.selectors.exports import export_lines
from replay_app.selectors.proofs import session_verify

router = Router(tags=["replay"])


@router.get(
    "/sessions/{session_id}/compare/{other_id}",
    response={200: Comparison, **READING},
    operation_id="compare_sessions",
)
def compare_sessions(request: HttpRequest, session_id: str, other_id: str) -> Comparison:
    """Two sessions side by side, from where they part."""
    by = principal_of(request)
    return session_compare(
        workspace_id=facade.workspace_of(by), eyes=facade.Eyes.of(by), a=session_id, b=other_id
    )


@router.post(
    "/sessions/{session_id}/verify",
    auth=requires(permissions.VERIFY),
    response={200: VerdictView, **WRITING},
    operation_id="verify_session",
)
def verify_session(request: HttpRequest, session_id: str, body: Empty | None = None) -> VerdictView:
    """Prove the log: its chain, what the loop writes when it runs on the record, its snapshots."""
    by = principal_of(request)
    session = facade.session_ref(workspace_id=facade.workspace_of(by), session_id=session_id)
    found = session_verify(session=session)
    chain, snapshots = found.chain, found.snapshots
    return VerdictView(
        ChainVerdict(chain.ok, chain.checked, chain.head_hash, _message(chain.error)),
        DerivationVerdict(**asdict(found.derivation)),
        SnapshotVerdict(snapshots.ok, snapshots.checked, _message(snapshots.error)),
    )


def _message(error: dict[str, Any] | None) -> str | None:
    return None if error is None else str(error["message"])


@router.get(
    "/sessions/{session_id}/export",
    response={200: str, **READING},
    operation_id="export_session",
)
def export_session(
    request: HttpRequest, session_id: str, format: Literal["jsonl"] = "jsonl"
) -> StreamingHttpResponse:
    """The log as JSON Lines; masked for a role that may not see personal data."""
    by = principal_of(request)
    session = facade.session_ref(workspace_id=facade.workspace_of(by), session_id=session_id)
    lines = export_lines(session=session, eyes=facade.Eyes.of(by))
    response = streamed(request, lines, "application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{session.id}.{format}"'
    return response
