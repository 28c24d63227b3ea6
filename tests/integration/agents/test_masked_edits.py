"""A person who may not see personal data edits what holds it: no mark ends up in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.stores import log_store
from agents_app.models import Interrupt
from tests.integration.agents.logs import asked, interrupt, pk_of

if TYPE_CHECKING:
    from tests.integration.cast import Browser, Person

pytestmark = pytest.mark.usefixtures("agents")

MAIL, PHONE = "ann@example.org", "+49 30 1234567"
ARGUMENTS = {
    "to": MAIL,
    "amount": 40,
    "options": {"note": f"Call {PHONE}, then {MAIL}.", "card": 4111111111111111},
}


@pytest.fixture
def session(bob: Person) -> str:
    """A session that asks an operator about a payment with somebody's data in it."""
    made = bob.browser().post("/sessions", {"agent": "clerk", "input": f"Pay {MAIL}."})
    asked(made.json()["id"], interrupt(arguments=ARGUMENTS, required_role="operator"))
    return str(made.json()["id"])


def shown(who: Person, session: str) -> dict[str, Any]:
    found = who.browser().get(f"/interrupts?session={session}").json()["items"]
    arguments = found[0]["arguments"]
    assert isinstance(arguments, dict)
    return arguments


def edit(who: Person, session: str, arguments: dict[str, Any]) -> Any:
    question = Interrupt.objects.get(session__public_id=session)
    body = {"decision": "edit", "digest": question.digest, "arguments": arguments}
    return who.browser().post(f"/interrupts/{question.pk}/decision", body)


def written(session: str) -> dict[str, Any]:
    [row] = log_store().read(pk_of(session), types={"decision"})
    payload = row.event().payload
    assert "[REDACTED:" not in str(payload)
    return dict(payload["arguments"])


def test_what_was_left_as_it_was_shown_is_what_it_was(bob: Person, session: str) -> None:
    before = shown(bob, session)
    assert MAIL not in str(before)
    assert PHONE not in str(before)
    answer = edit(bob, session, before | {"amount": 3})
    assert answer.status_code == 200, answer.content
    assert MAIL not in answer.content.decode()
    assert written(session) == ARGUMENTS | {"amount": 3}


def test_a_text_that_was_changed_around_them_keeps_them(bob: Person, session: str) -> None:
    before = shown(bob, session)
    note = before["options"]["note"].replace("Call", "Please call").replace(", then", " or")
    answer = edit(bob, session, before | {"options": {"note": note}})
    assert answer.status_code == 200, answer.content
    assert written(session)["options"] == {"note": f"Please call {PHONE} or {MAIL}."}


def test_a_mark_that_was_moved_is_refused_and_the_field_is_named(bob: Person, session: str) -> None:
    before = shown(bob, session)
    answer = edit(bob, session, before | {"options": {"copy": before["to"]}})
    assert answer.status_code == 422, answer.content
    assert answer.json()["errors"][0]["field"] == "arguments.options.copy"
    assert MAIL not in answer.content.decode()
    assert not log_store().read(pk_of(session), types={"decision"})


def test_a_mark_in_a_message_is_refused_too(bob: Person, session: str) -> None:
    question = Interrupt.objects.get(session__public_id=session)
    body = {"decision": "reject", "digest": question.digest, "message": shown(bob, session)["to"]}
    answer = bob.browser().post(f"/interrupts/{question.pk}/decision", body)
    assert answer.status_code == 422, answer.content
    assert answer.json()["errors"][0]["field"] == "message"


def test_the_same_edit_again_changes_nothing(bob: Person, session: str) -> None:
    """What counts is what was meant, not how it was shown."""
    before = shown(bob, session)
    for _ in range(2):
        assert edit(bob, session, before | {"amount": 3}).status_code == 200
    assert len(log_store().read(pk_of(session), types={"decision"})) == 1


def test_who_may_see_edits_what_stands_there(dana: Person, session: str) -> None:
    assert shown(dana, session) == ARGUMENTS
    assert edit(dana, session, ARGUMENTS | {"amount": 5}).status_code == 200
    assert written(session) == ARGUMENTS | {"amount": 5}


def branched(browser: Browser, session: str, at: int, event_type: str, payload: Any) -> Any:
    body = {"at": at, "replace": {"event_type": event_type, "payload": payload}}
    return browser.post(f"/sessions/{session}/branches", body)


def test_a_branch_keeps_what_was_shown_masked(bob: Person, session: str) -> None:
    """A message, edited around a mark, and a whole payload sent back as it was read."""
    browser = bob.browser()
    payload = browser.get(f"/sessions/{session}/events/2").json()["payload"]
    payload["message"]["content"] = f"Please: {payload['message']['content']}"
    answer = branched(browser, session, 2, "user_message", payload)
    assert answer.status_code == 201, answer.content
    event = log_store().read(pk_of(answer.json()["sessions"][0]["id"]))[1].event()
    assert event.payload["message"]["content"] == f"Please: Pay {MAIL}."


def test_a_branch_refuses_a_mark_that_was_moved(bob: Person, session: str) -> None:
    browser = bob.browser()
    content = browser.get(f"/sessions/{session}/events/2").json()["payload"]["message"]["content"]
    payload = {"message": {"content": f"{content} {content}"}}
    answer = branched(browser, session, 2, "user_message", payload)
    assert answer.status_code == 422, answer.content
    assert answer.json()["errors"][0]["field"] == "replace.payload.message.content"


def test_a_request_that_is_sent_instead_has_the_values_too(bob: Person, session: str) -> None:
    """The messages that a person had before them, as the model saw them, one of them changed."""
    browser = bob.browser()
    prompt = browser.get(f"/sessions/{session}/events/3/prompt").json()
    messages = [each["message"] for each in prompt["messages"]]
    assert MAIL not in str(messages)
    messages[0]["content"] = "You are careful."
    answer = branched(browser, session, 3, "llm_request", {"messages": messages})
    assert answer.status_code == 201, answer.content
    event = log_store().read(pk_of(answer.json()["sessions"][0]["id"]))[2].event()
    texts = [entry[1]["content"] for entry in event.payload["prompt"]]
    assert texts == ["You are careful.", f"Pay {MAIL}."]
