"""Sessions as files: out, in, and what is refused."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.handlers.asgi import ASGIRequest

from agents_app import facade
from agents_app.models import Agent, Interrupt
from agents_app.models import Session as SessionRow
from playhead.core.errors import Conflict, LogError
from playhead.rest import streaming
from replay_app.selectors import exports
from replay_app.services.imports import file_import
from tests.integration.replay.conftest import Session as Driven
from tests.integration.replay.conftest import start

if TYPE_CHECKING:
    from playhead.core.events import StoredEvent
    from tests.integration.cast import Browser, Person
    from tests.integration.replay.conftest import Session

pytestmark = pytest.mark.django_db(transaction=True)


def exported(session: Session) -> str:
    answer = session.browser.get(f"/sessions/{session.id}/export?format=jsonl")
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="{session.id}.jsonl"'
    return str(answer.getvalue().decode())


def elsewhere(session: Session) -> None:
    """Take a session away as if the file came from another installation."""
    from agents_app.adapters.stores import log_store

    log_store().erase(SessionRow.objects.get(public_id=session.id).pk)


def test_a_file_comes_back_as_the_session_that_it_was(session: Session, dana: Person) -> None:
    text, events = exported(session), session.events()
    elsewhere(session)
    assert session.browser.get(f"/sessions/{session.id}").status_code == 404
    done = file_import(workspace_id=dana.workspace.id, text=text)
    assert (done.session_id, done.events, done.truncated) == (session.id, len(events), False)
    assert session.events() == events
    assert exported(session) == text
    verdict = session.verify()
    assert (verdict["chain"]["ok"], verdict["derivation"]["verdict"]) == (True, "ok")
    [question] = session.browser.get(f"/interrupts?session={session.id}").json()["items"]
    assert (question["status"], question["decision"]) == ("decided", "edit")
    assert file_import(workspace_id=dana.workspace.id, text=text).session_id == session.id
    assert SessionRow.objects.count() == 1


def test_an_imported_session_is_branched_but_not_written_to(session: Session, dana: Person) -> None:
    text = exported(session)
    elsewhere(session)
    file_import(workspace_id=dana.workspace.id, text=text)
    refused = session.post("/messages", {"content": "hello"}, expect=409)
    assert refused["code"] == "imported"
    branch = session.branch(
        2, replace={"event_type": "user_message", "payload": {"message": {"content": "hello"}}}
    )
    assert branch.get()["answer"] == "Hello!"


def test_what_waited_elsewhere_waits_for_nobody_here(approver: Browser, dana: Person) -> None:
    session = start(approver, "My order 7 broke.")
    text = exported(session)
    elsewhere(session)
    file_import(workspace_id=dana.workspace.id, text=text)
    shown = session.get()
    assert (shown["status"], shown["pending"]) == ("paused", 0)
    assert Interrupt.objects.get(session__public_id=session.id).status == "cancelled"


def test_a_branch_is_exported_whole(session: Session, dana: Person) -> None:
    branch = session.branch(session.seq("decision"))
    text = exported(branch)
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert {line["session_id"] for line in lines} == {session.id, branch.id}
    elsewhere(branch)
    file_import(workspace_id=dana.workspace.id, text=text)
    assert Driven(session.browser, branch.id).verify()["chain"]["ok"]


def test_a_torn_last_line_is_dropped_and_said(session: Session, dana: Person) -> None:
    text = exported(session)
    elsewhere(session)
    done = file_import(workspace_id=dana.workspace.id, text=text[:-20])
    assert done.truncated
    assert done.events == len(text.splitlines()) - 1


def changed(text: str, line: int, **fields: Any) -> str:
    lines = text.splitlines(keepends=True)
    event = json.loads(lines[line - 1])
    lines[line - 1] = json.dumps(event | fields) + "\n"
    return "".join(lines)


def test_k72_what_does_not_hold_is_refused_by_name(session: Session, dana: Person) -> None:
    text = exported(session)
    elsewhere(session)
    lines = text.splitlines(keepends=True)
    agents = Agent.objects.count()
    for broken, code, said in (
        (changed(text, 1, schema_version=9), "newer_version", "schema_version 9"),
        ("".join(lines[:3] + lines[4:]), "gap", "seq 4"),
        ("".join(lines[1:]), "bad_start", "session_start"),
        (changed(text, 3, payload={"x": 1}), "bad_payload", "Event 3"),
        (changed(text, 3, event_type="thought"), "bad_event_type", "thought"),
        (changed(text, 2, ts="2020-01-01T00:00:00.000000Z"), "bad_hash", "event 2"),
        (text.replace('"paid', '"pald', 1), "bad_hash", "event"),
        ("{}\n", "bad_version", "schema_version"),
        ("[1]\n", "bad_line", "line 1"),
        ("nonsense\n" + text, "bad_line", "line 1"),
        ("", "bad_start", "session_start"),
    ):
        with pytest.raises(LogError, match=said) as caught:
            file_import(workspace_id=dana.workspace.id, text=broken)
        assert caught.value.code == code
    assert SessionRow.objects.count() == 0
    assert Agent.objects.count() == agents


def test_another_log_with_the_same_id_is_not_overwritten(session: Session, dana: Person) -> None:
    text = exported(session)
    session.post("/messages", {"content": "hello"}, expect=202)
    with pytest.raises(Conflict, match="another session"):
        file_import(workspace_id=dana.workspace.id, text=text)


def test_a_masked_export_says_what_it_was_made_from(session: Session, bob: Person) -> None:
    answer = bob.browser().get(f"/sessions/{session.id}/export")
    text = answer.getvalue().decode()
    lines = [json.loads(line) for line in text.splitlines()]
    assert "ann@example.org" not in text
    about = lines[0]["payload"]["masked"]
    assert about["head_hash"] == session.events()[-1]["hash"]
    assert about["verdict"]["derivation"]["verdict"] == "ok"
    assert lines[-1]["hash"] != about["head_hash"]


def test_a_long_log_goes_out_in_parts_and_each_part_is_sent_as_it_is_made(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the size of a part, it is the same file; no read asks for the whole log."""
    whole, asked = exported(session), list[int]()
    read = facade.log_of

    def counted(ref: Any, *, after: int = 0, upto: int | None = None) -> list[StoredEvent]:
        rows = read(ref, after=after, upto=upto)
        asked.append(len(rows))
        return rows

    monkeypatch.setattr(facade, "log_of", counted)
    monkeypatch.setattr(exports, "AT_ONCE", 3)
    monkeypatch.setattr(streaming, "AT_ONCE", 2)
    answer = session.browser.get(f"/sessions/{session.id}/export")
    parts = [part.decode() for part in answer.streaming_content]
    assert (len(parts) > 2, "".join(parts)) == (True, whole)
    assert max(asked) == 3


async def test_a_server_with_an_event_loop_sends_the_same_parts() -> None:
    lines = iter([f"{n}\n" for n in range(200)])
    request = ASGIRequest({"type": "http", "method": "GET", "path": "/", "headers": []}, BytesIO())
    answer = streaming.streamed(request, lines, "text/plain")
    parts = [part async for part in answer]
    assert len(parts) == 4
    assert b"".join(parts).split() == [str(n).encode() for n in range(200)]


@pytest.mark.parametrize(
    "name",
    ["//evil.com/x", "../../me", "a b", 'x"\r\nSet-Cookie: a=b', "%2e%2e", "", "x" * 41, "a\0b"],
)
def test_i46_a_name_that_leads_elsewhere_is_refused(
    session: Session, dana: Person, name: str
) -> None:
    """It would stand in addresses and in the names of files; the chain does not cover it."""
    text = exported(session)
    elsewhere(session)
    agents = Agent.objects.count()
    for before, field in ((session.id, "session_id"), (_question(text), "id")):
        broken = text.replace(json.dumps(before), json.dumps(name))
        with pytest.raises(LogError, match=f": {field} ") as caught:
            file_import(workspace_id=dana.workspace.id, text=broken)
        assert (caught.value.code, caught.value.detail) == ("bad_id", {"field": field})
    start = json.loads(text.splitlines()[0])["payload"]
    start["agent"]["slug"] = name if len(name) != 41 else name * 2
    with pytest.raises(LogError, match=r": agent\.slug "):
        file_import(workspace_id=dana.workspace.id, text=changed(text, 1, payload=start))
    assert (SessionRow.objects.count(), Agent.objects.count()) == (0, agents)


def _question(text: str) -> str:
    events = [json.loads(line) for line in text.splitlines()]
    return next(str(e["payload"]["id"]) for e in events if e["event_type"] == "interrupt")
