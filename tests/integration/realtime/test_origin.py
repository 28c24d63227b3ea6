"""Only our own pages open sockets with a browser's cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from channels.testing import WebsocketCommunicator

from playhead.config.routing import build_sockets
from playhead.realtime.origin import is_own_origin
from tests.integration.realtime.sockets import closed_with, dial

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

    from tests.integration.cast import Person


@pytest.mark.parametrize(
    ("host", "origin", "own"),
    [
        ("localhost:8000", "http://localhost:8000", True),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("localhost:8000", "http://localhost:3000", False),
        ("localhost:8000", "http://127.0.0.1:8000", False),
        ("localhost:8000", "https://evil.example", False),
        ("localhost:8000", "null", False),
        ("localhost:8000", "", False),
        ("evil.example:8000", "http://evil.example:8000", False),
        ("", "http://localhost", False),
    ],
)
def test_the_origin_is_the_host_and_the_host_is_ours(host: str, origin: str, own: bool) -> None:
    headers = {"host": host} | ({"origin": origin} if origin else {})
    assert is_own_origin(headers) is own


def test_a_named_host_behind_a_proxy_is_ours(settings: SettingsWrapper) -> None:
    settings.ALLOWED_HOSTS = ["play.example"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example"]
    assert is_own_origin({"host": "play.example", "origin": "https://play.example"})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("origin", ["https://evil.example", ""])
async def test_a_foreign_page_is_refused_before_the_socket_opens(bob: Person, origin: str) -> None:
    client = dial("echo", cookie="x" * 32, origin=origin)
    assert (await client.connect())[0] is False


@pytest.mark.django_db(transaction=True)
async def test_an_unknown_address_of_the_real_routes_is_closed_with_4404(alice: Person) -> None:
    headers = [
        (b"host", b"localhost"),
        (b"authorization", f"Bearer {await _key(alice)}".encode()),
    ]
    client = WebsocketCommunicator(build_sockets(), "/ws/nowhere", headers=headers)
    await client.connect()
    assert await closed_with(client) == 4404


async def _key(person: Person) -> str:
    from asgiref.sync import sync_to_async

    return await sync_to_async(person.key)()
