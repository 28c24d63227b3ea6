"""The sockets: one session's events, and what happens in a workspace."""

from django.urls import re_path

from agents_app.consumers.session import SessionSocket
from agents_app.consumers.workspace import WorkspaceSocket

routes = [
    re_path(r"^ws/sessions/(?P<session_id>[^/]+)$", SessionSocket.as_asgi()),  # type: ignore[arg-type]
    re_path(r"^ws/live$", WorkspaceSocket.as_asgi()),  # type: ignore[arg-type]
]
