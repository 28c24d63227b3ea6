"""Links as those see them who may revoke them."""

from __future__ import annotations

from replay_app.contracts import ShareView
from replay_app.models import ShareLink


def share_list(*, session: int) -> list[ShareView]:
    """All links of a session, the newest first; what they show is not read."""
    links = ShareLink.objects.filter(session=session).order_by("-created_at", "-pk")
    return [
        ShareView(
            id=link.pk,
            title=link.title,
            range_from=link.from_seq,
            range_to=link.to_seq,
            created_at=link.created_at,
            expires_at=link.expires_at,
            revoked_at=link.revoked_at,
            views=link.views,
            last_view_at=link.last_view_at,
        )
        for link in links.defer("snapshot")
    ]
