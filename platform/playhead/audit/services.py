"""Writing the audit trail."""

from collections.abc import Mapping
from typing import Any, Protocol

from playhead.audit.models import AuditEntry


class Actor(Protocol):
    """Whoever acts: a principal, or the system."""

    @property
    def kind(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


def record(
    *,
    who: Actor,
    what: str,
    object_type: str,
    object_id: str,
    workspace_id: str | None = None,
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Add an entry, in the caller's transaction: what is rolled back was not done.

    `what` is `noun.verb` (`user.create`); `detail` is small JSON and never holds a secret.
    """
    AuditEntry.objects.create(
        workspace_id=workspace_id or "",
        who_kind=who.kind,
        who_id=who.id,
        who_name=who.name[:200],
        what=what,
        object_type=object_type,
        object_id=object_id,
        detail=dict(detail or {}),
    )
