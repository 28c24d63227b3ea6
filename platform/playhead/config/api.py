"""The HTTP API: every app's `api.router`, one way to say no."""

from ninja import NinjaAPI

import playhead
from playhead.accounts.contracts import Role
from playhead.config import rooms
from playhead.rest.auth import requires
from playhead.rest.errors import add_handlers
from playhead.rest.parser import BodyParser
from playhead.rest.renderer import TextRenderer


def build_api() -> NinjaAPI:
    """The API with the routers of all apps. Without its own `auth`, an operation takes a viewer."""
    built = NinjaAPI(
        title="Playhead",
        version=playhead.__version__,
        description="Run AI agents, watch, stop and approve them, replay and branch.",
        urls_namespace="api",
        auth=requires(Role.VIEWER),
        parser=BodyParser(),
        renderer=TextRenderer(),
    )
    add_handlers(built)
    for module in rooms.modules("api"):
        built.add_router("", module.router)
    return built


api = build_api()
