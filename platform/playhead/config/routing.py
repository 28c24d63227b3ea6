"""Every address that is served over a WebSocket: each app's `consumers.routes`."""

from typing import Any

from channels.routing import URLRouter
from django.urls import re_path

from playhead.config import rooms
from playhead.realtime.origin import OwnOrigin
from playhead.realtime.socket import NotFoundSocket


def build_sockets() -> OwnOrigin:
    """The sockets of all apps, behind the origin check; an unknown address is closed with 4404."""
    routes = [route for module in rooms.modules("consumers") for route in module.routes]
    nowhere: Any = re_path(r"", NotFoundSocket.as_asgi())  # type: ignore[arg-type]
    return OwnOrigin(URLRouter([*routes, nowhere]))
