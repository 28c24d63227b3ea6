"""Decisions: once, by a person with the role, in time, about what was asked (cases K, X)."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import close_old_connections
from django.db.models.functions import Now

from agents_app.adapters.stores import log_store
from agents_app.models import Interrupt, Session
from playhead.audit.models import AuditEntry
from playhead.core.errors import Conflict, PlayheadError
from tests.integration.agents.logs import asked, interrupt, pk_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playhead.core.events import Event
    from tests.integration.cast import Browser, Person

pytestmark = pytest.mark.usefixtures("agents")


@pytest.fixture
def session(bob: Person) -> str:
    """A session that waits for a yes to one payment."""
    made = bob.browser().post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."})
    asked(made.json()["id"])
    return str(made.json()["id"])


@pytest.fixture
def question(session: str) -> Interrupt:
    return Interrupt.objects.get(session__public_id=session)


def decide(who: Browser, question: Interrupt, decision: str, **more: Any) -> Any:
    body = {"decision": decision, "digest": question.digest, **more}
    return who.post(f"/interrupts/{question.pk}/decision", body)


def decisions(session: str) -> list[Event]:
    return [row.event() for row in log_store().read(pk_of(session), types={"decision"})]


def test_an_approval_is_an_event_and_wakes_the_session(
    dana: Person, session: str, question: Interrupt
) -> None:
    answer = decide(dana.browser(), question, "approve", message="Fine.")
    assert answer.status_code == 200, answer.content
    shown = answer.json()
    assert (shown["status"], shown["decided_by"]["id"]) == ("decided", dana.id)
    assert shown["decision"] == "approve"
    [event] = decisions(session)
    assert event.payload["digest"] == question.digest
    assert event.payload["message"] == "Fine."
    assert (event.scope, event.payload["to"]) == (None, question.address)
    head = log_store().head(pk_of(session))
    assert (head.state.status, head.state.pending) == ("queued", 0)
    assert AuditEntry.objects.filter(what="interrupt.decide", object_id=question.pk).count() == 1


def test_k30_the_same_decision_again_changes_nothing(
    dana: Person, session: str, question: Interrupt
) -> None:
    browser = dana.browser()
    answers = [decide(browser, question, "reject", message="No.") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert len(decisions(session)) == 1
    assert AuditEntry.objects.filter(what="interrupt.decide").count() == 1


def test_k30_another_secret_answer_is_another_decision(
    dana: Person, session: str, question: Interrupt
) -> None:
    """What was sealed is compared by its markers: the same value has the same one."""
    browser = dana.browser()
    first, second = f"sk-proj-{'a1B2' * 9}", f"sk-proj-{'c3D4' * 9}"
    codes = [
        decide(browser, question, "reject", message=f"Use {key}.").status_code
        for key in (first, first, second)
    ]
    assert codes == [200, 200, 409]


def test_x3_who_comes_second_is_told_who_was_first(
    alice: Person, dana: Person, session: str, question: Interrupt
) -> None:
    decide(dana.browser(), question, "approve")
    late = decide(alice.browser(), question, "reject")
    assert (late.status_code, late.json()["code"]) == (409, "already_decided")
    winner = late.json()["interrupt"]
    assert (winner["decision"], winner["decided_by"]["id"]) == ("approve", dana.id)
    assert decide(dana.browser(), question, "reject").status_code == 409
    assert len(decisions(session)) == 1


def test_k24_a_question_that_was_never_asked_is_not_found(dana: Person, session: str) -> None:
    body = {"decision": "approve", "digest": "d1:00"}
    answer = dana.browser().post("/interrupts/int_unknown/decision", body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert decisions(session) == []


def test_k12_another_proposal_is_not_what_was_approved(
    dana: Person, session: str, question: Interrupt
) -> None:
    body = {"decision": "approve", "digest": "d1:" + "0" * 64}
    answer = dana.browser().post(f"/interrupts/{question.pk}/decision", body)
    assert (answer.status_code, answer.json()["code"]) == (409, "digest_mismatch")
    assert answer.json()["interrupt"]["status"] == "pending"
    assert decisions(session) == []


def test_k34_too_late_is_gone(dana: Person, session: str, question: Interrupt) -> None:
    Interrupt.objects.filter(pk=question.pk).update(expires_at=Now() - timedelta(seconds=1))
    answer = decide(dana.browser(), question, "approve")
    assert (answer.status_code, answer.json()["code"]) == (410, "expired")
    assert decisions(session) == []


def test_k32_what_has_expired_stays_so(dana: Person, question: Interrupt) -> None:
    Interrupt.objects.filter(pk=question.pk).update(status="expired")
    assert decide(dana.browser(), question, "approve").status_code == 410


def test_a_question_takes_its_role(
    bob: Person, victor: Person, charlie: Person, session: str, question: Interrupt
) -> None:
    assert decide(bob.browser(), question, "approve").json()["required_role"] == "approver"
    assert decide(bob.browser(), question, "approve").status_code == 403
    assert decide(victor.browser(), question, "approve").status_code == 403
    assert decide(charlie.browser(), question, "approve").status_code == 404
    assert decisions(session) == []
    shown = bob.browser().get(f"/interrupts/{question.pk}").json()
    assert shown["can_decide"] is False


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"decision": "retry"}, "decision"),
        ({"decision": "edit"}, "arguments"),
        ({"decision": "edit", "arguments": [1]}, "arguments"),
        ({"decision": "edit", "arguments": {"to": "Ann"}}, "arguments.amount"),
        ({"decision": "edit", "arguments": {"to": "Ann", "amount": 0}}, "arguments.amount"),
        ({"decision": "edit", "arguments": {"to": "Ann", "amount": "4"}}, "arguments.amount"),
        ({"decision": "edit", "arguments": {"to": "A", "amount": 4, "x": 1}}, "arguments.x"),
        ({"decision": "edit", "arguments": {"to": "A", "amount": 2**70}}, "arguments.amount"),
        ({"decision": "approve", "arguments": {"to": "Ann", "amount": 4}}, "arguments"),
        ({"decision": "respond"}, "value"),
    ],
)
def test_an_answer_that_does_not_fit_names_the_field(
    dana: Person, session: str, question: Interrupt, body: dict[str, Any], field: str
) -> None:
    answer = decide(dana.browser(), question, **body)
    assert answer.status_code == 422, answer.content
    assert answer.json()["errors"][0]["field"] == field
    assert decisions(session) == []


def test_an_edit_keeps_types_and_is_what_will_run(
    dana: Person, session: str, question: Interrupt
) -> None:
    arguments = {"to": "Ann", "amount": 25, "options": {"gift": False, "rate": 0.5, "note": None}}
    assert decide(dana.browser(), question, "edit", arguments=arguments).status_code == 200
    assert decisions(session)[0].payload["arguments"] == arguments


@pytest.mark.parametrize("value", [None, False, 0, "", [], {}])
def test_every_json_value_is_a_legal_answer(
    dana: Person, session: str, question: Interrupt, value: object
) -> None:
    assert decide(dana.browser(), question, "respond", value=value).status_code == 200
    payload = decisions(session)[0].payload
    assert "value" in payload
    assert payload["value"] == value


def test_k5_each_of_several_questions_is_answered_by_its_own_id(bob: Person, dana: Person) -> None:
    session = bob.browser().post("/sessions", {"agent": "clerk", "input": "Pay two."}).json()["id"]
    asked(session, interrupt("1"), interrupt("2", arguments={"to": "Bo", "amount": 7}))
    first, second = Interrupt.objects.order_by("pk")
    assert decide(dana.browser(), second, "approve").status_code == 200
    shown = dana.browser().get(f"/interrupts?status=pending&session={session}").json()["items"]
    assert [each["id"] for each in shown] == [first.pk]
    assert log_store().head(pk_of(session)).state.pending == 1


def together(*acts: Callable[[], object]) -> list[object]:
    """Run all at the same moment, each with a connection of its own; results or errors."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return act()
        except PlayheadError as error:
            return error
        finally:
            close_old_connections()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("words", [("approve",), ("approve", "reject")], ids=["double", "both"])
def test_k30_of_fifty_at_once_exactly_one_decides(
    alice: Person, dana: Person, session: str, question: Interrupt, words: tuple[str, ...]
) -> None:
    from agents_app.services.decisions import interrupt_decide
    from playhead.accounts.selectors.principals import principal_of_user

    people = [principal_of_user(alice.user), principal_of_user(dana.user)]

    def act(n: int) -> Callable[[], object]:
        return lambda: interrupt_decide(
            by=people[n % 2],
            interrupt_id=question.pk,
            decision=words[n % len(words)],
            digest=question.digest,
            given={},
        )

    results = together(*(act(n) for n in range(50)))
    [event] = decisions(session)
    winner, said = event.payload["by"]["id"], event.payload["decision"]
    won = [n for n in range(50) if people[n % 2].id == winner and words[n % len(words)] == said]
    assert [n for n, result in enumerate(results) if result is None] == won
    lost = [result for result in results if result is not None]
    assert {getattr(error, "code", error) for error in lost} == {"already_decided"}
    assert all(isinstance(error, Conflict) for error in lost)
    assert AuditEntry.objects.filter(what="interrupt.decide").count() == 1
    assert Session.objects.get(public_id=session).head.seq == 6
