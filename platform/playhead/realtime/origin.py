"""Only our own pages may open a socket with a browser's cookies."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

# ASGI's own shape; the libraries disagree on how narrow its messages are.
App = Callable[[Any, Any, Any], Awaitable[None]]


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """The request headers by lower-case name; of doubled ones the last."""
    return {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
    }


def is_own_origin(headers: Mapping[str, str]) -> bool:
    """Whether a handshake comes from our own page, or from a program with a key.

    A browser always names the page's origin, so one without it must bring a key, not a cookie. The
    host must be one that we answer to, else a name that was rebound to us would count as our own.
    """
    host = headers.get("host", "").lower()
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    origin = headers.get("origin")
    if origin is None:
        return "authorization" in headers
    return urlsplit(origin).netloc.lower() == host or origin in settings.CSRF_TRUSTED_ORIGINS


class OwnOrigin:
    """ASGI middleware: a handshake from anywhere else is refused with 403."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        denier: App = WebsocketDenier.as_asgi()
        app = self.app if is_own_origin(headers_of(scope)) else denier
        await app(scope, receive, send)
