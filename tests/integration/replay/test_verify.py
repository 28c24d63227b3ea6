"""Verify finds what is wrong and names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from agents_app.adapters import definitions
from agents_app.adapters.stores.codec import pack_body, unpack_body
from agents_app.models import Event
from agents_app.models import Session as SessionRow

if TYPE_CHECKING:
    from tests.integration.cast import Person
    from tests.integration.replay.conftest import Session

pytestmark = pytest.mark.django_db(transaction=True)

TRIGGERS = {
    "sqlite": "DROP TRIGGER agents_event_no_update",
    "postgresql": "ALTER TABLE agents_event DISABLE TRIGGER agents_event_append_only",
}
RESTORED = {
    "sqlite": """CREATE TRIGGER agents_event_no_update BEFORE UPDATE ON agents_event
    BEGIN SELECT RAISE(ABORT, 'the log is append-only: UPDATE of an event refused'); END""",
    "postgresql": "ALTER TABLE agents_event ENABLE TRIGGER agents_event_append_only",
}


@pytest.fixture
def forger(db: None) -> Any:
    """Somebody with the database's own keys, who can switch the guard off."""
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS[connection.vendor])
    yield
    with connection.cursor() as cursor:
        cursor.execute(RESTORED[connection.vendor])


def test_a_whole_session_holds(session: Session) -> None:
    verdict = session.verify()
    assert verdict["chain"]["ok"]
    assert verdict["chain"]["checked"] == len(session.events())
    assert verdict["chain"]["head_hash"] == session.events()[-1]["hash"]
    assert (verdict["derivation"]["verdict"], verdict["derivation"]["complete"]) == ("ok", True)
    assert verdict["snapshots"]["ok"]


@pytest.mark.usefixtures("forger")
def test_one_changed_byte_is_found_with_its_seq(session: Session) -> None:
    at = session.seq("tool_result")
    pk = SessionRow.objects.get(public_id=session.id).pk
    row = Event.objects.get(session=pk, seq=at)
    body, stub = unpack_body(bytes(row.body), row.label)
    forged = body.replace(b'\\"paid\\":40', b'\\"paid\\":41')
    assert forged != body
    changed = pack_body(forged, "", stub=stub)
    Event.objects.filter(session=pk, seq=at).update(body=changed, label="")
    verdict = session.verify()
    assert not verdict["chain"]["ok"]
    assert f"event {at} " in verdict["chain"]["error"]
    assert verdict["derivation"]["verdict"] == "not_checked"


def test_another_word_in_the_instructions_is_found(session: Session) -> None:
    from dataclasses import replace

    desk = definitions.current().specs["desk"]
    pay = desk.tool("pay_back")
    assert pay is not None
    changed = replace(desk, tools=(desk.tools[0], replace(pay, version="2")))
    definitions.use(definitions.Definitions({"desk": changed}, definitions.current().scripts))
    verdict = session.verify()
    assert verdict["derivation"]["verdict"] == "diverged"
    found = verdict["derivation"]["divergence"]
    assert (found["seq"], found["event_type"]) == (session.seq("interrupt"), "interrupt")
    assert found["field"] == "digest"


def test_a_viewer_may_look_but_not_prove(session: Session, victor: Person) -> None:
    assert victor.browser().get(f"/sessions/{session.id}").status_code == 200
    assert victor.browser().post(f"/sessions/{session.id}/verify").status_code == 403
