"""API keys."""

from playhead.accounts import tokens
from playhead.accounts.contracts import ApiKeyView, Role
from playhead.accounts.models import ApiKey
from playhead.core.clock import SystemClock
from playhead.core.errors import InvalidInput, NotFound

_clock = SystemClock()
SHOWN = 12


def api_key_create(
    *, workspace_id: str, name: str, role: Role, created_by: str | None = None
) -> tuple[ApiKeyView, str]:
    """A new key and its token, which can't be shown again.

    Raises:
        InvalidInput: no name.
    """
    name = name.strip()[:120]
    if not name:
        raise InvalidInput("A key needs a name.", detail={"field": "name"})
    token, digest = tokens.issue(tokens.API_KEY)
    row = ApiKey.objects.create(
        workspace_id=workspace_id,
        name=name,
        role=role,
        prefix=token[:SHOWN],
        digest=digest,
        created_by_id=created_by,
    )
    row.refresh_from_db()  # the database dated it
    return _view(row), token


def api_key_revoke(*, workspace_id: str, key_id: str) -> None:
    """The key opens nothing from now on.

    Raises:
        NotFound: no such key, or it is revoked already.
    """
    keys = ApiKey.objects.filter(workspace_id=workspace_id, pk=key_id, revoked_at=None)
    if not keys.update(revoked_at=_clock.now()):
        raise NotFound("There is no such key.")


def _view(row: ApiKey) -> ApiKeyView:
    return ApiKeyView(
        id=row.pk,
        name=row.name,
        prefix=row.prefix,
        role=Role(row.role),
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        revoked_at=row.revoked_at,
    )
