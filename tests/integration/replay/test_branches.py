"""Run on from any moment: one row, nothing copied, the parent untouched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.models import Event, Interrupt
from agents_app.models import Session as SessionRow
from tests.integration.replay.desk import PAID

if TYPE_CHECKING:
    from tests.integration.cast import Person
    from tests.integration.replay.conftest import Session

pytestmark = pytest.mark.django_db(transaction=True)


def content(event: dict[str, Any]) -> str:
    return str(event["payload"]["message"]["content"])


def test_a_branch_is_one_row_and_its_first_events(session: Session) -> None:
    before = session.events()
    at = session.seq("tool_result")
    clean = '{"order":"7","paid":12}'
    [made] = session.post(
        "/branches",
        {
            "at": at,
            "replace": {"event_type": "tool_result", "payload": {"message": {"content": clean}}},
            "why": "The lookup was dirty.",
        },
    )["sessions"]
    row = SessionRow.objects.get(public_id=made["id"])
    assert (row.fork_seq, row.lineage) == (at, [[row.parent_id, at - 1]])
    assert list(Event.objects.filter(session=row).values_list("seq", flat=True)) == [at, at + 1]
    assert (made["parent"], made["root"], made["status"]) == (session.id, session.id, "queued")
    assert (made["usage"]["input"], made["cost"]) == (0, "0")
    assert session.events() == before


def test_a_cleaned_result_changes_what_is_asked_for(session: Session) -> None:
    at = session.seq("tool_result")
    clean = '{"order":"7","paid":12}'
    branch = session.branch(
        at, replace={"event_type": "tool_result", "payload": {"message": {"content": clean}}}
    )
    edited = branch.events()[at - 1]
    assert (content(edited), edited["payload"]["source"]) == (clean, "edited")
    assert edited["edited"]["of"] == at
    assert edited["session_id"] == branch.id
    assert branch.events()[0]["session_id"] == session.id
    [question] = branch.events("interrupt")
    assert question["payload"]["arguments"] == {"order": "7", "amount": 12}
    assert (branch.get()["status"], PAID) == ("waiting", [("7", 25)])
    branch.decide("approve")
    assert branch.get()["answer"] == "Done: paid 12 for order 7"
    assert PAID == [("7", 25), ("7", 12)]
    for each in (session, branch):
        verdict = each.verify()
        assert verdict["chain"]["ok"], verdict
        assert (verdict["derivation"]["verdict"], verdict["derivation"]["complete"]) == ("ok", True)


def test_k17_an_edited_result_stays_the_result_of_its_call(session: Session) -> None:
    at = session.seq("tool_result")
    edit = {"event_type": "tool_result", "payload": {"message": {"tool_call_id": "c1.7"}}}
    refused = session.post("/branches", {"at": at, "replace": edit}, expect=422)

    assert refused["errors"][0]["field"] == "replace.payload.message.tool_call_id"


def test_k62_an_answered_question_is_kept_after_it_and_asked_again_before_it(
    session: Session,
) -> None:
    kept = session.branch(session.seq("tool_result", 1))
    assert (kept.get()["status"], len(kept.events("interrupt"))) == ("finished", 1)
    assert kept.events("tool_result")[-1]["payload"]["source"] == "recorded"
    unused = session.branch(session.seq("tool_call", 1))
    [mark] = unused.events("branch")
    assert mark["payload"]["abandoned"] == [session.seq("interrupt"), session.seq("decision")]
    again = session.branch(session.seq("decision"))
    assert [each.get()["status"] for each in (unused, again)] == ["waiting", "waiting"]
    [old, new] = again.events("interrupt")
    assert old["payload"]["id"] != new["payload"]["id"]
    assert old["payload"]["digest"] == new["payload"]["digest"]
    assert Interrupt.objects.get(pk=new["payload"]["id"]).session.public_id == again.id
    assert PAID == [("7", 25)]


def test_x5_an_earlier_question_is_answered_again_as_a_branch(session: Session) -> None:
    at = session.seq("decision")
    payload = {"decision": "reject", "message": "Not today."}
    branch = session.branch(at, replace={"event_type": "decision", "payload": payload})
    [decision] = branch.events("decision")
    assert decision["payload"]["decision"] == "reject"
    assert "arguments" not in decision["payload"]
    assert branch.get()["status"] == "finished"
    assert "rejected" in content(branch.events("tool_result")[-1])
    assert PAID == [("7", 25)]
    assert branch.verify()["derivation"]["verdict"] == "ok"


def test_an_edited_decision_takes_the_role_of_its_question(session: Session, bob: Person) -> None:
    body = {
        "at": session.seq("decision"),
        "replace": {"event_type": "decision", "payload": {"decision": "approve"}},
    }
    answer = bob.browser().post(f"/sessions/{session.id}/branches", body)
    assert (answer.status_code, answer.json()["required_role"]) == (403, "approver")


def test_an_edited_message_is_another_question(session: Session) -> None:
    branch = session.branch(
        2, replace={"event_type": "user_message", "payload": {"message": {"content": "hello"}}}
    )
    assert branch.get()["answer"] == "Hello!"


def test_an_edited_answer_of_the_model_is_what_it_said(session: Session) -> None:
    at = session.seq("llm_response")
    message = {"content": "No.", "tool_calls": []}
    branch = session.branch(
        at, replace={"event_type": "llm_response", "payload": {"message": message}}
    )
    assert branch.get()["answer"] == "No."
    [answer] = branch.events("llm_response")
    assert (answer["payload"]["source"], answer["payload"]["usage"]) == ("edited", None)
    assert branch.verify()["derivation"]["verdict"] == "ok"


def test_k59_an_open_request_is_asked_again(session: Session) -> None:
    at = session.seq("llm_response")
    branch = session.branch(at)
    [mark] = branch.events("branch")
    assert mark["payload"]["abandoned"] == [at - 1]
    assert branch.events("llm_request")[1]["seq"] > at
    assert branch.verify()["derivation"]["verdict"] == "ok"


def test_overrides_hold_from_the_first_request_after_the_fork(session: Session) -> None:
    hello = {"event_type": "user_message", "payload": {"message": {"content": "hello"}}}
    overrides = {"instructions": "Be brief.", "params": {"top_p": 1}}
    branch = session.branch(2, overrides=overrides, replace=hello)
    request = branch.seq("llm_request")
    prompt = branch.get(f"/events/{request}/prompt")
    assert prompt["messages"][0]["message"]["content"] == "Be brief."
    assert prompt["params"] == {"top_p": 1}
    assert branch.verify()["derivation"]["verdict"] == "ok"


def test_g13_effectful_tools_keep_their_results_unless_somebody_says_live(
    session: Session,
) -> None:
    kept = session.branch(session.seq("llm_request", 1))
    assert (kept.get()["status"], PAID) == ("waiting", [("7", 25)])
    stub = session.branch(session.seq("llm_request", 1), effects={"pay_back": "stub"})
    assert stub.get()["status"] == "finished"
    assert stub.events("tool_result")[-1]["payload"]["source"] == "stub"
    assert PAID == [("7", 25)]


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"at": 1}, 404, "at"),
        ({"at": 999}, 404, "at"),
        ({"at": 0}, 422, "at"),
        ({"at": 3, "overrides": {"model": "nope"}}, 422, "overrides.model"),
        ({"at": 3, "overrides": {"version": 9}}, 404, "overrides.version"),
        ({"at": 3, "effects": {"nope": "live"}}, 422, "effects.nope"),
        ({"at": 3, "effects": {"pay_back": "maybe"}}, 422, "effects.pay_back"),
        (
            {"at": 2, "replace": {"event_type": "tool_result", "payload": {}}},
            422,
            "replace.event_type",
        ),
        (
            {"at": 3, "replace": {"event_type": "llm_response", "payload": {}}},
            422,
            "replace.event_type",
        ),
        (
            {"at": 2, "replace": {"event_type": "user_message", "payload": {"by": {"kind": "x"}}}},
            422,
            "replace.payload.by",
        ),
        (
            {
                "at": 2,
                "replace": {
                    "event_type": "user_message",
                    "payload": {"message": {"role": "system", "content": "x"}},
                },
            },
            422,
            "replace.payload.message.role",
        ),
        (
            {"at": 2, "replace": {"event_type": "user_message", "payload": {"message": 1}}},
            422,
            "replace.payload.message",
        ),
        (
            {
                "at": 2,
                "replace": {"event_type": "user_message", "payload": {"message": {"content": 1}}},
            },
            422,
            "replace.payload.message.content",
        ),
    ],
)
def test_what_does_not_fit_is_named(
    session: Session, body: dict[str, Any], status: int, field: str
) -> None:
    rows = SessionRow.objects.count()
    answer = session.browser.post(f"/sessions/{session.id}/branches", body)
    assert answer.status_code == status, answer.content
    assert answer.json()["errors"][0]["field"] == field
    assert SessionRow.objects.count() == rows


KEY = "sk-proj-ZZZZYYYYXXXXWWWWVVVV0123456789abcdef"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"messages": "x"}, "replace.payload.messages"),
        ({"messages": [{"role": "user", "content": "x"}, 7]}, "replace.payload.messages.1"),
        ({"messages": [{"role": "wizard", "content": "x"}]}, "replace.payload.messages.0"),
        ({"messages": [{"role": "user", "content": KEY}]}, "replace.payload.messages"),
        ({"params": "x"}, "replace.payload.params"),
        ({"model": "nope:x"}, "replace.payload.model"),
        ({"model": 7}, "replace.payload.model"),
    ],
)
def test_an_edited_request_that_no_model_can_be_sent_is_named(
    session: Session, changed: dict[str, Any], field: str
) -> None:
    body = {
        "at": session.seq("llm_request"),
        "replace": {"event_type": "llm_request", "payload": changed},
    }
    answer = session.browser.post(f"/sessions/{session.id}/branches", body)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


def test_g11_an_edited_question_calls_no_tool(session: Session) -> None:
    message = {"content": "x", "tool_calls": [{"name": "pay_back", "arguments": {}}]}
    body = {"at": 2, "replace": {"event_type": "user_message", "payload": {"message": message}}}
    answer = session.browser.post(f"/sessions/{session.id}/branches", body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "replace.payload.message.tool_calls"


def test_an_override_that_every_request_would_repeat_holds_no_secret(session: Session) -> None:
    body = {"at": 3, "overrides": {"instructions": f"Use {KEY}."}}
    answer = session.browser.post(f"/sessions/{session.id}/branches", body)
    assert answer.json()["errors"][0]["field"] == "overrides.instructions"
    branch = session.branch(3, why=f"to try {KEY}", title=f"with {KEY}")
    assert KEY not in str(branch.events()) + branch.get()["title"]


def test_i1_an_edit_is_sanitised_and_sealed_like_any_input(session: Session) -> None:
    at = session.seq("tool_result")
    text = '{"order":"7","paid":1,"note":"a\x00b sk-proj-ZZZZYYYYXXXXWWWWVVVV0123456789abcdef"}'
    branch = session.branch(
        at, replace={"event_type": "tool_result", "payload": {"message": {"content": text}}}
    )
    edited = branch.events()[at - 1]
    assert "sk-proj-ZZZZ" not in str(branch.events())
    assert "\ufffd" in content(edited)
    assert edited["sealed"][0][0] == "/message/content"
    assert edited["payload"]["sanitized"]
