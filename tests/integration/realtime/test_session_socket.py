"""`/ws/sessions/{id}`: every event of the view once, in order, whatever happens to the socket."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest
from asgiref.sync import sync_to_async

from agents_app.adapters import live
from agents_app.models import Session
from agents_app.selectors import feeds
from playhead.core.events import Draft
from tests.integration.agents.logs import work
from tests.integration.realtime.clients import Client, head_of, say_aside

if TYPE_CHECKING:
    from django.test import Client as Browser

    from tests.integration.cast import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("agents")]

WORD = {
    "guard": "g", "verdict": "redact", "category": "personal_data", "findings": [],
    "stage": "tool",
}  # fmt: skip


def cookie_of(who: Person) -> str:
    client: Browser = who.browser().client
    return str(client.cookies["playhead_session"].value)


@pytest.fixture
def session(dana: Person) -> str:
    made = dana.browser().post("/sessions", {"agent": "clerk", "input": "Number 2."})
    return str(made.json()["id"])


@pytest.fixture
def cookie(dana: Person) -> str:
    return cookie_of(dana)


def path(session: str) -> str:
    return f"/ws/sessions/{session}"


async def test_the_backlog_comes_first_then_what_is_new(session: str, cookie: str) -> None:
    client = Client(path(session), cookie)
    assert await client.open()
    await client.read(lambda c: c.frames[-1:] and c.frames[-1]["type"] == "head")
    assert client.seqs == [1, 2]
    assert client.frames[-1] == {"type": "head", "seq": 2, "status": "queued", "waiting_for": None}
    await say_aside(session, 3, 3)
    await client.read(lambda c: c.after == 5)
    assert client.seqs == [1, 2, 3, 4, 5]
    assert client.events[4]["payload"]["message"]["content"] == "Number 5."
    assert client.events[4]["head"]["label"] == "Number 5."
    await client.cut()


async def test_g15_each_event_once_in_order_across_cuts_while_the_log_grows(
    session: str, cookie: str
) -> None:
    chance = random.Random(7)
    total = 2 + 90
    writing = asyncio.create_task(say_aside(session, 3, 90))

    async def follow() -> Client:
        client = Client(path(session), cookie)
        cuts = 0
        while client.after < total:
            assert await client.open()
            goal = total if cuts >= 6 else min(client.after + chance.randint(1, 20), total)
            await client.read(lambda c, goal=goal: c.after >= goal)
            await client.cut()
            cuts += 1
        return client

    clients = await asyncio.gather(*(follow() for _ in range(6)))
    await writing
    for client in clients:
        assert client.seqs == list(range(1, total + 1))
    assert await sync_to_async(head_of)(session) == total


async def test_wake_ups_that_are_lost_cost_time_only(
    session: str, cookie: str, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLAYHEAD_WAKEUPS = False  # type: ignore[attr-defined]
    monkeypatch.setattr(feeds, "LOOK", 0.1)
    client = Client(path(session), cookie)
    await client.open()
    await client.read(lambda c: c.after == 2)
    await say_aside(session, 3, 2)
    await client.read(lambda c: c.after == 4)
    assert client.seqs == [1, 2, 3, 4]
    await client.cut()


async def test_k84_the_filter_is_part_of_the_cursor(session: str, cookie: str) -> None:
    client = Client(path(session), cookie, query="&types=session_start&bodies=0")
    await client.open()
    await client.read(lambda c: c.frames[-1:] and c.frames[-1]["type"] == "head")
    assert (client.seqs, client.events[0]["payload"]) == ([1], None)
    await say_aside(session, 3, 1)
    await client.read(lambda c: c.frames[-1]["type"] == "head" and c.frames[-1]["seq"] == 3)
    assert client.seqs == [1]
    await client.cut()


async def test_k84_who_comes_back_gets_the_same_set_with_what_agents_below_wrote(
    session: str, cookie: str
) -> None:
    """Events of agents below are of the same log: cut anywhere, nothing is lost nor comes twice."""
    below = "agent:clerk/0;tool:ask_aid:c4.0;agent:aid/0"
    for n in range(6):
        draft = Draft("guardrail", {**WORD, "of": 2}, below if n % 2 else "agent:clerk/0")
        await sync_to_async(work, thread_sensitive=False)(session, draft)
    await say_aside(session, 9, 1)
    query = "&types=guardrail"
    for start in range(10):
        client = Client(path(session), cookie, query=query)
        client.after = start
        await client.open()
        await client.read(lambda c: c.frames[-1:] and c.frames[-1]["type"] == "head")
        assert client.seqs == [seq for seq in range(3, 9) if seq > start], start
        await client.cut()


async def test_a_client_that_is_ahead_starts_again(session: str, cookie: str) -> None:
    client = Client(path(session), cookie)
    client.after = 40
    await client.open()
    await client.read(lambda c: c.after == 2)
    assert client.frames[0] == {"type": "reset", "after": 0}
    assert client.seqs == [1, 2]
    await client.cut()


async def test_a_client_that_another_process_told_more_goes_on_where_it_was(
    session: str, cookie: str, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLAYHEAD_WAKEUPS = False  # type: ignore[attr-defined]
    monkeypatch.setattr(feeds, "LOOK", 60)
    first, second = Client(path(session), cookie), Client(path(session), cookie)
    await first.open()
    await first.read(lambda c: c.after == 2)
    await say_aside(session, 3, 3)
    second.after = 4
    await second.open()
    await second.read(lambda c: c.after == 5)
    assert (second.seqs, {frame["type"] for frame in second.frames}) == ([5], {"events"})
    for client in (first, second):
        await client.cut()


async def test_text_passes_while_somebody_watches(
    session: str, cookie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Shared watchers lapse after a while; here it is about the moment.
    monkeypatch.setattr(live, "_watchers", live.LocalWatchers())
    pk = (await sync_to_async(Session.objects.get)(public_id=session)).pk
    assert not live.watchers().watched(pk)
    client = Client(path(session), cookie)
    await client.open()
    await client.read(lambda c: c.frames[-1:] and c.frames[-1]["type"] == "head")
    assert live.watchers().watched(pk)
    deltas = live.Deltas(pk)
    for at, text in ((0, "Hel"), (3, "lo "), (6, "😀")):
        deltas.delta(request=3, attempt=1, part="text", at=at, text=text)
    await client.read(lambda c: c.frames[-1]["type"] == "delta")
    frame = {"type": "delta", "request": 3, "attempt": 1, "part": "text", "at": 0}
    assert client.frames[-1] == frame | {"text": "Hello 😀"}
    await client.cut()
    assert not live.watchers().watched(pk)


async def test_a_role_without_reveal_gets_masked_events(
    session: str, dana: Person, bob: Person
) -> None:
    cookies = [await sync_to_async(cookie_of)(who) for who in (dana, bob)]
    clients = [Client(path(session), cookie) for cookie in cookies]
    post = dana.browser
    await sync_to_async(
        lambda: post().post(f"/sessions/{session}/messages", {"content": "Mail a@example.org."})
    )()
    for client in clients:
        await client.open()
        await client.read(lambda c: c.after == 3)
        await client.cut()
    texts = [client.events[2]["payload"]["message"]["content"] for client in clients]
    assert texts[0] == "Mail a@example.org."
    assert texts[1].startswith("Mail [REDACTED:email:")


async def test_stream_text_is_masked_for_a_role_without_reveal(
    session: str, dana: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_watchers", live.LocalWatchers())
    cookies = [await sync_to_async(cookie_of)(who) for who in (dana, bob)]
    clients = [Client(path(session), cookie) for cookie in cookies]
    for client in clients:
        await client.open()
        await client.read(lambda c: c.frames[-1:] and c.frames[-1]["type"] == "head")
    pk = (await sync_to_async(Session.objects.get)(public_id=session)).pk
    deltas, at = live.Deltas(pk), 0
    for text in ("Write to ann@exa", "mple.org, ", "not to me. "):
        deltas.delta(request=3, attempt=1, part="text", at=at, text=text)
        at += len(text)
        await asyncio.sleep(0.15)
    for client in clients:
        await client.read(lambda c: "not to me" in c.frames[-1].get("text", ""))
        await client.cut()
    seen = [
        "".join(frame["text"] for frame in client.frames if frame["type"] == "delta")
        for client in clients
    ]
    assert seen[0] == "Write to ann@example.org, not to me. "
    assert seen[1].startswith("Write to [REDACTED:email:")
    assert "ann@" not in seen[1]
    assert seen[1].rstrip().endswith("not to me.")


async def test_strangers_and_strange_pages_stay_out(
    session: str, cookie: str, charlie: Person
) -> None:
    stranger = Client(path(session), await sync_to_async(cookie_of)(charlie))
    await stranger.open()
    assert await stranger.closed_with() == 4404
    nobody = Client(path(session), "")
    await nobody.open()
    assert await nobody.closed_with() == 4401
    missing = Client(path("sess_none"), cookie)
    await missing.open()
    assert await missing.closed_with() == 4404
    foreign = Client(path(session), cookie, origin="https://evil.example")
    assert not await foreign.open()
    odd = Client(path(session), cookie, query="&types=nope")
    await odd.open()
    assert await odd.closed_with() == 4400


async def test_a_feed_ends_with_its_last_follower(session: str, cookie: str) -> None:
    clients = [Client(path(session), cookie) for _ in range(3)]
    for client in clients:
        await client.open()
        await client.read(lambda c: c.after == 2)
    running = feeds._feeds.running()
    assert len(running) == 1
    for client in clients:
        await client.cut()
    assert running == {}
