"""Sessions as files: out, in, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.models import Agent, Interrupt
from agents_app.models import Session as SessionRow
from playhead.core.errors import Conflict, LogError
from replay_app.services.imports import file_import
from tests.integration.replay.conftest import Session as Driven
from tests.integration.replay.conftest import start

if TYPE_CHECKING:
    from tests.integration.cast import Browser, Person
    from tests.integration.replay.conftest import Session

pytestmark = pytest.mark.django_db(transaction=True)


def exported(session: Session) -> str:
    answer = session.browser.get(f"/sessions/{session.id}/export?format=jsonl")
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="{session.id}.jsonl"'
    return str(answer.content.decode())


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
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert "ann@example.org" not in answer.content.decode()
    about = lines[0]["payload"]["masked"]
    assert about["head_hash"] == session.events()[-1]["hash"]
    assert about["verdict"]["derivation"]["verdict"] == "ok"
    assert lines[-1]["hash"] != about["head_hash"]
