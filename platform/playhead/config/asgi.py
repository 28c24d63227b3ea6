"""The ASGI application: HTTP by Django, sockets by Channels."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")
http = get_asgi_application()  # sets Django up, so it comes before what imports models

from channels.routing import ProtocolTypeRouter  # noqa: E402

from playhead.config.routing import build_sockets  # noqa: E402

application = ProtocolTypeRouter({"http": http, "websocket": build_sockets()})
