"""`/ws/live`: what changes in a workspace, and how many questions wait for the one who looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from asgiref.sync import sync_to_async

from agents_app.selectors import workspace_feeds
from tests.integration.agents.logs import asked, interrupt
from tests.integration.realtime.clients import Client

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("agents")]


def start(who: Person) -> str:
    made = who.browser().post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."})
    return str(made.json()["id"])


def cookie_of(who: Person) -> str:
    return str(who.browser().client.cookies["playhead_session"].value)


async def opened(who: Person) -> Client:
    client = Client("/ws/live", await sync_to_async(cookie_of)(who))
    assert await client.open()
    await client.read(lambda c: bool(counts(c)))
    return client


def counts(client: Client) -> list[int]:
    return [frame["pending_for_me"] for frame in client.frames if frame["type"] == "count"]


def of(client: Client, kind: str) -> list[Any]:
    return [frame[kind] for frame in client.frames if frame["type"] == kind]


async def test_a_question_raises_the_count_of_those_who_may_decide(
    bob: Person, dana: Person
) -> None:
    approver, operator = await opened(dana), await opened(bob)
    assert (counts(approver), counts(operator)) == ([0], [0])
    session = await sync_to_async(start)(bob)
    await sync_to_async(asked)(session)
    await approver.read(lambda c: counts(c)[-1] == 1)
    shown = of(approver, "interrupt")[-1]
    assert (shown["id"], shown["can_decide"], shown["session"]) == ("int_1", True, session)
    await operator.read(lambda c: bool(of(c, "interrupt")))
    assert of(operator, "interrupt")[-1]["can_decide"] is False
    assert of(operator, "session")[-1]["status"] == "waiting"
    body = {"decision": "approve", "digest": interrupt().payload["digest"]}
    await sync_to_async(lambda: dana.browser().post("/interrupts/int_1/decision", body))()
    await approver.read(lambda c: counts(c)[-1] == 0)
    assert of(approver, "interrupt")[-1]["status"] == "decided"
    assert counts(operator) == [0]
    for client in (approver, operator):
        await client.cut()


async def test_another_workspace_hears_nothing(bob: Person, charlie: Person) -> None:
    stranger, ours = await opened(charlie), await opened(bob)
    session = await sync_to_async(start)(bob)
    await ours.read(lambda c: any(each["id"] == session for each in of(c, "session")))
    assert of(stranger, "session") == []
    assert stranger.socket is not None
    assert await stranger.socket.receive_nothing(timeout=0.3)
    for client in (stranger, ours):
        await client.cut()


async def test_lost_wake_ups_are_made_up_for(
    bob: Person, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLAYHEAD_WAKEUPS = False
    monkeypatch.setattr(workspace_feeds, "LOOK", 0.1)
    client = await opened(bob)
    session = await sync_to_async(start)(bob)
    await client.read(lambda c: any(each["id"] == session for each in of(c, "session")))
    await client.cut()
