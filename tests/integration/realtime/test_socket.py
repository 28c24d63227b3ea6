"""The base of every socket: sign-in, close codes, wake-ups, slow readers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from playhead.accounts.models import Membership, User
from playhead.realtime.publish import tell, wake
from playhead.realtime.socket import Socket
from playhead.realtime.subscribe import subscription
from tests.integration.realtime.sockets import closed_with, dial

if TYPE_CHECKING:
    from playhead.accounts.contracts import Principal
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cookie(bob: Person) -> str:
    return bob.browser().client.cookies["playhead_session"].value


async def test_a_signed_in_browser_is_served(cookie: str) -> None:
    client = dial("echo", cookie=cookie)
    assert (await client.connect())[0]
    assert await client.receive_from() == "open"
    await client.disconnect()


async def test_a_program_comes_in_with_its_key_and_no_origin(bob: Person) -> None:
    token = await sync_to_async(bob.key)()
    client = dial("echo", origin="", authorization=f"Bearer {token}")
    assert (await client.connect())[0]
    assert await client.receive_from() == "open"
    await client.disconnect()


@pytest.mark.parametrize("cookie_value", ["", "x" * 32, "\u00e9", "a b; c"])
async def test_whoever_is_not_signed_in_gets_4401(cookie_value: str) -> None:
    client = dial("echo", cookie=cookie_value)
    assert (await client.connect())[0]
    assert await closed_with(client) == 4401


async def test_a_wrong_key_gets_4401_even_with_a_good_cookie(cookie: str) -> None:
    client = dial("echo", cookie=cookie, authorization="Bearer phk_wrong")
    await client.connect()
    assert await closed_with(client) == 4401


async def test_too_small_a_role_gets_4403(cookie: str) -> None:
    client = dial("approvers", cookie=cookie)
    await client.connect()
    assert await closed_with(client) == 4403


async def test_what_is_not_there_gets_4404(cookie: str) -> None:
    client = dial("missing", cookie=cookie)
    await client.connect()
    assert await closed_with(client) == 4404


@pytest.mark.parametrize("path", ["flood", "stuck"])
async def test_a_reader_that_does_not_keep_up_gets_4408(cookie: str, path: str) -> None:
    client = dial(path, cookie=cookie)
    await client.connect()
    assert await closed_with(client) == 4408


async def test_a_backlog_goes_at_the_readers_pace(cookie: str) -> None:
    client = dial("backlog", cookie=cookie)
    await client.connect()
    assert [await client.receive_from() for _ in range(10)] == [str(n) for n in range(10)]
    await client.disconnect()


async def test_a_socket_does_not_outlive_the_sign_in(cookie: str, bob: Person) -> None:
    client = dial("watched", cookie=cookie)
    await client.connect()
    await User.objects.filter(pk=bob.id).aupdate(is_active=False)
    assert await closed_with(client) == 4401


async def test_a_socket_does_not_outlive_the_role(cookie: str, bob: Person) -> None:
    client = dial("watched", cookie=cookie)
    await client.connect()
    await Membership.objects.filter(user_id=bob.id).adelete()
    assert await closed_with(client) == 4403


async def test_who_becomes_somebody_else_comes_back_and_is_looked_at_again(
    cookie: str, bob: Person
) -> None:
    """What is shown depends on who looks: a socket never shows on what a former role saw."""
    client = dial("watched", cookie=cookie)
    await client.connect()
    await Membership.objects.filter(user_id=bob.id).aupdate(role="viewer")
    assert await closed_with(client) == 4409


async def test_a_database_that_is_away_for_a_look_ends_no_looking(
    cookie: str, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = dial("watched", cookie=cookie)
    await client.connect()
    looked = iter([OSError("away")])
    there = Socket._authenticate

    async def sometimes(self: Socket) -> Principal:
        for error in looked:
            raise error
        return await there(self)

    monkeypatch.setattr(Socket, "_authenticate", sometimes)
    await Membership.objects.filter(user_id=bob.id).adelete()
    assert await closed_with(client) == 4403


async def test_what_a_client_says_is_ignored(cookie: str) -> None:
    client = dial("echo", cookie=cookie)
    await client.connect()
    await client.send_to(text_data="{not json")
    await client.send_to(bytes_data=b"\xff")
    assert await client.receive_from() == "open"
    await client.disconnect()


async def test_a_wake_up_comes_after_the_commit_and_only_then(cookie: str) -> None:
    client = dial("echo", cookie=cookie)
    await client.connect()
    assert await client.receive_from() == "open"

    def change(n: int, *, fails: bool) -> None:
        with transaction.atomic():
            wake("echo", {"n": n})
            if fails:
                raise LookupError

    with pytest.raises(LookupError):
        await sync_to_async(change)(1, fails=True)
    await sync_to_async(change)(2, fails=False)
    assert await client.receive_from() == "woken 2"
    await client.disconnect()


async def test_a_wake_up_from_a_thread_with_a_loop_of_its_own_arrives_at_once(cookie: str) -> None:
    client = dial("echo", cookie=cookie)
    await client.connect()
    assert await client.receive_from() == "open"
    await sync_to_async(wake, thread_sensitive=False)("echo", {"n": 3})
    assert await client.receive_from(timeout=0.5) == "woken 3"
    await client.disconnect()


async def test_a_process_hears_a_group_once_for_all_its_sockets() -> None:
    async with subscription("echo", "other") as wakes:
        await sync_to_async(wake)("other", {"n": 1})
        await sync_to_async(tell, thread_sensitive=False)({"echo": {"n": 2}})
        heard = [(await asyncio.wait_for(anext(wakes), 3))["n"] for _ in range(2)]
    assert sorted(heard) == [1, 2]
