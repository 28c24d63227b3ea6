"""Who asks, as the operations need it."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from agents_app.selectors.masks import Eyes
from agents_app.selectors.sessions import session_ref
from playhead.core.errors import NotFound
from playhead.rest.auth import principal_of

if TYPE_CHECKING:
    from agents_app.contracts import SessionRef
    from playhead.accounts.contracts import Principal

#: From so many bytes on packing pays; a higher level takes four times as long for a sixth less.
LONG, PACKING = 20_000, 1


@dataclass(frozen=True, slots=True)
class Asking:
    """The one who asks, where, and what they may see."""

    by: Principal
    workspace_id: str
    eyes: Eyes

    def session(self, session_id: str) -> SessionRef:
        """A session of the caller's workspace, or ``NotFound``."""
        return session_ref(workspace_id=self.workspace_id, session_id=session_id)


def asking(request: HttpRequest) -> Asking:
    """Who asks.

    Raises:
        NotFound: somebody who belongs to no workspace.
    """
    by = principal_of(request)
    if by.workspace is None:
        raise NotFound("You belong to no workspace.")
    return Asking(by, by.workspace.id, Eyes.of(by))


def json_text(request: HttpRequest, text: str) -> HttpResponse:
    """A response of JSON that is text already; a long one is packed for those who unpack it."""
    data = text.encode()
    long = len(data) >= LONG
    if long and "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(gzip.compress(data, PACKING, mtime=0), "application/json")
        response["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(data, "application/json")
    if long:
        patch_vary_headers(response, ["Accept-Encoding"])
    return response
