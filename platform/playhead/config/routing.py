"""Every address that is served over a WebSocket: each app's `consumers.routes`."""

from channels.routing import URLRouter

from playhead.config import rooms
from playhead.realtime.origin import OwnOrigin
from playhead.realtime.socket import NotFoundSocket


def build_sockets() -> OwnOrigin:
    """The sockets of all apps, behind the origin check; an unknown address is closed with 4404."""
    routes = [route for module in rooms.modules("consumers") for route in module.routes]
    return OwnOrigin(URLRouter([*routes, NotFoundSocket.route()]))
