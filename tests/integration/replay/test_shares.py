"""Links: frozen, masked, revocable, and opening nothing else."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from agents_app.adapters.stores import log_store
from agents_app.models import RootKey
from agents_app.models import Session as SessionRow
from playhead.audit.models import AuditEntry
from playhead.core.events import Draft, store_form
from replay_app.models import ShareLink
from tests.integration.cast import API
from tests.integration.replay import desk
from tests.integration.replay.conftest import start
from tests.integration.rest.routes import routes

if TYPE_CHECKING:
    from tests.integration.cast import Browser, Person
    from tests.integration.replay.conftest import Session

pytestmark = pytest.mark.django_db(transaction=True)

CARD = "4111 1111 1111 1111"
MAIL = "ann@example.org"
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
KEY = "sk-proj-QQQQWWWWEEEERRRRTTTT1234567890uiopasdfgh"


def share(session: Session, **options: Any) -> Any:
    return session.post("/shares", options)


def opened(token: str) -> Any:
    """What a stranger's browser gets: no cookie, no key."""
    return Client().get(f"{API}/shares/{token}/replay")


def test_a_link_opens_a_range_without_a_login(session: Session) -> None:
    made = share(session, **{"from": 2, "to": 6, "title": "A refund"})
    assert made["url"].endswith(f"/r/{made['token']}")
    answer = opened(made["token"])
    assert answer.status_code == 200
    page = answer.json()
    assert (page["title"], page["agent"]["slug"], page["status"]) == (
        "A refund",
        "desk",
        "finished",
    )
    assert (page["range"], page["total"]) == ({"from": 2, "to": 6}, len(session.events()))
    assert [event["seq"] for event in page["events"]] == [2, 3, 4, 5, 6]
    assert page["data"]["seq"] == [2, 3, 4, 5, 6]
    assert page["head_hash"] == session.events()[-1]["hash"]
    assert page["verdict"]["derivation"]["verdict"] == "ok"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex"
    assert answer["Cache-Control"] == "no-store"
    [listed] = session.get("/shares")["items"]
    assert (listed["id"], listed["views"], listed["from"], listed["to"]) == (made["id"], 1, 2, 6)
    assert "token" not in listed


def test_the_masked_events_are_a_chain_of_their_own(session: Session) -> None:
    page = opened(share(session)["token"]).json()
    prev = bytes(32)
    for event in page["events"]:
        draft = Draft(
            event["event_type"], event["payload"], event["scope"], event["cause"], None,
            event.get("edited"),
        )  # fmt: skip
        prev = store_form(event["session_id"], prev, event["seq"], event["ts"], draft).hash
        assert prev.hex() == event["hash"]
    assert prev.hex() != page["head_hash"]


def test_i47_what_is_personal_or_secret_is_in_no_answer(
    approver: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    nested = {"order": "7", "paid": 40, "a": [{"b": {"key": KEY, "mail": MAIL}}]}
    monkeypatch.setitem(desk.ORDERS, "7", nested)
    words = f"Card {CARD}, mail {MAIL}, Authorization: Bearer {TOKEN} and {KEY}."
    session = start(approver, words)
    session.decide("reject", message=f"Ask {MAIL} or {CARD} with {KEY}.")
    session.post("/messages", {"content": f"hello {MAIL}"}, expect=202)
    show = {"arguments": True, "results": True, "prompts": True, "cost": True}
    made = share(session, show=show, title=f"For {MAIL}")
    body = opened(made["token"]).content.decode()
    for secret in (CARD, CARD.replace(" ", ""), MAIL, TOKEN, KEY, "sk-proj-AAAA", "Dana", "dana@"):
        assert secret not in body, secret
    masked = opened(made["token"]).json()["masked"]
    assert masked["email"] >= 4
    assert sum(masked.values()) >= 8
    assert KEY not in str(session.events())  # sealed long before


def test_a_preview_says_what_a_link_would_show_and_makes_none(session: Session) -> None:
    about = {"from": 2, "to": 6, "show": {"results": False}}
    told = session.post("/shares/preview", about, expect=200)
    assert session.get("/shares")["items"] == []
    made = opened(share(session, **about)["token"]).json()
    assert told == {
        "events": len(made["events"]),
        "total": made["total"],
        "masked": made["masked"],
    }
    session.post("/shares/preview", {"from": 6, "to": 2}, expect=422)


def test_hidden_parts_are_not_in_the_snapshot(session: Session) -> None:
    hidden = {"arguments": False, "results": False, "prompts": False, "cost": False}
    body = opened(share(session, show=hidden)["token"])
    page = body.json()
    by_type = {event["event_type"]: event["payload"] for event in page["events"]}
    assert "arguments" in by_type["tool_call"]["hidden"]
    assert "arguments" not in by_type["tool_call"]
    assert by_type["tool_call"]["tool"] == "pay_back"
    assert "message" in by_type["tool_result"]["hidden"]
    assert "definition" in by_type["session_start"]["hidden"]
    text = body.content.decode()
    assert '"amount"' not in text
    assert "You pay people back" not in text
    assert "paid 25" not in str(by_type["tool_result"])


def test_what_is_hidden_is_not_shown_by_another_event(approver: Browser) -> None:
    """A person's change, a branch's overrides and a worker's name tell what a link hides."""
    session = start(approver, "Please pay order 7.")
    session.decide("edit", arguments={"order": "7", "amount": 31})
    session = session.branch(3, overrides={"instructions": "Be generous to everybody."})
    hidden = {"arguments": False, "results": True, "prompts": False, "cost": False}
    text = opened(share(session, show=hidden)["token"]).content.decode()
    assert "generous" not in text
    assert '{\\"amount\\"' not in text
    parent = start(approver, "Please pay order 7.")
    parent.decide("edit", arguments={"order": "7", "amount": 31})
    text = opened(share(parent, show=hidden)["token"]).content.decode()
    assert "A person changed the arguments" in text
    assert "31," not in text.replace(" ", "").split("changed", 1)[1][:120]


def test_a_link_is_frozen(session: Session) -> None:
    made = share(session)
    before = opened(made["token"]).json()
    session.post("/messages", {"content": "hello again"}, expect=202)
    assert opened(made["token"]).json() == before


def test_revoked_and_expired_links_are_gone(session: Session, bob: Person, charlie: Person) -> None:
    revoked, expired = share(session), share(session, expires_in=3600)
    assert charlie.browser().send("DELETE", f"/shares/{revoked['id']}").status_code == 404
    assert bob.browser().send("DELETE", f"/shares/{revoked['id']}").status_code == 204
    assert bob.browser().send("DELETE", f"/shares/{revoked['id']}").status_code == 204
    assert (opened(revoked["token"]).status_code, opened(revoked["token"]).json()["code"]) == (
        410,
        "revoked",
    )
    assert opened(expired["token"]).status_code == 200
    ShareLink.objects.filter(pk=expired["id"]).update(expires_at=Now() - timedelta(seconds=1))
    assert opened(expired["token"]).json()["code"] == "expired"
    assert AuditEntry.objects.filter(what="share.revoke").count() == 1
    assert AuditEntry.objects.filter(what="share.create").count() == 2


@pytest.mark.parametrize("token", ["phs_nope", "x" * 4000, "%00", "..", "1"])
def test_a_guessed_token_opens_nothing(session: Session, token: str) -> None:
    assert opened(token).status_code in (400, 404)


def test_a_token_has_at_least_128_bits_and_is_kept_as_a_hash(session: Session) -> None:
    made = share(session)
    assert len(made["token"].removeprefix("phs_")) >= 22
    row = ShareLink.objects.get(pk=made["id"])
    assert made["token"].encode() not in bytes(row.token_hash) + bytes(row.snapshot)


def test_with_the_token_alone_every_other_route_stays_shut(session: Session) -> None:
    token = share(session)["token"]
    walked = 0
    for route in routes():
        if route.is_public and "/shares/" not in route.path:
            continue
        for value in (token, session.id):
            path = route.url.replace("/1", f"/{value}", 1)
            if route.path.endswith("/replay") and value == token:
                continue
            for headers in ({}, {"Authorization": f"Bearer {token}"}):
                answer = Client(headers=headers).generic(
                    route.method, API + path, "{}", content_type="application/json"
                )
                assert answer.status_code in (401, 403, 404), (route.method, path)
                walked += 1
    assert walked > 60


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"from": 0}, "from"),
        ({"from": 999}, "from"),
        ({"from": 5, "to": 4}, "to"),
        ({"to": 999}, "to"),
        ({"expires_in": 1}, "expires_in"),
        ({"show": {"everything": True}}, "show.everything"),
    ],
)
def test_a_range_that_is_none_is_named(session: Session, body: Any, field: str) -> None:
    answer = session.browser.post(f"/sessions/{session.id}/shares", body)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


def test_a_repeated_request_makes_one_link_and_tells_its_token_once(session: Session) -> None:
    headers = {"Idempotency-Key": "once"}
    answers = [
        session.browser.post(f"/sessions/{session.id}/shares", {}, **headers).json()
        for _ in range(2)
    ]
    assert answers[0]["id"] == answers[1]["id"]
    assert answers[0]["token"]
    assert (answers[1]["token"], answers[1]["url"]) == (None, None)


def test_a_link_is_erased_with_its_session(session: Session) -> None:
    """Nothing of an erased session stays, not even what was masked; another's link is let be."""
    made = share(session)
    branch = session.branch(session.seq("tool_result"))
    other = branch.post("/shares", {})
    log_store().erase(SessionRow.objects.get(public_id=branch.id).pk)
    assert opened(other["token"]).status_code == 404
    assert opened(made["token"]).status_code == 200
    assert [link.pk for link in ShareLink.objects.all()] == [made["id"]]


def test_links_go_with_the_key_of_their_tree(session: Session) -> None:
    """Who destroys a tree's key wants its values gone: what was published of it goes too."""
    branch = session.branch(session.seq("tool_result"))
    tokens = [share(each)["token"] for each in (session, branch)]
    RootKey.objects.filter(root__public_id=session.id).delete()
    assert [opened(token).status_code for token in tokens] == [404, 404]
    assert not ShareLink.objects.exists()
