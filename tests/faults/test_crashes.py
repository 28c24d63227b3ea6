"""SIGKILL at every commit of a step, in a model call, and around effects (K-40, X-8, G5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conftest import Installation

#: Commits of the agent ``line``: more than it has; a crash that never comes proves itself harmless.
COMMITS = range(1, 8)


def assert_whole(installation: Installation, session: int) -> None:
    """The log is gapless, hash-chained, and is what the loop writes."""
    chain, derivation = installation.verdict(session)
    assert chain.ok, chain.error
    assert (derivation.verdict, derivation.complete) == ("ok", True), derivation
    assert [e.seq for e in installation.events(session)] == list(range(1, chain.checked + 1))


def finish(installation: Installation, session: int) -> None:
    """Let another worker finish; what is in doubt did happen, says the ledger, or it did not."""
    worker = installation.worker(session)
    while installation.until(session, "finished", "waiting").state.status == "waiting":
        settle_doubts(installation, session)
    worker.terminate()


def settle_doubts(installation: Installation, session: int) -> None:
    """Answer each call in doubt by what the ledger says."""
    asked = {e.payload["id"]: e.payload for e in installation.events(session) if "id" in e.payload}
    for question in installation.questions(session):
        assert question.kind == "in_doubt"
        amount = asked[question.pk]["arguments"]["amount"]
        paid = any(e["amount"] == amount for e in installation.effects("pay", session))
        decision, given = ("happened", {"value": f"paid {amount}"}) if paid else ("retry", {})
        installation.decide(question, decision, **given)


@pytest.mark.parametrize("nth", COMMITS)
@pytest.mark.parametrize("place", ["before-commit", "after-commit"])
def test_k40_a_crash_at_any_commit_loses_nothing_and_repeats_no_effect(
    installation: Installation, place: str, nth: int
) -> None:
    session = installation.start_session("line")
    first = installation.worker(session, fault=f"{place}:{nth}")
    if nth < 5:
        first.wait(timeout=20)
    finish(installation, session)

    assert sorted(e["amount"] for e in installation.effects("pay", session)) == [1, 2]
    assert_whole(installation, session)


def test_a_crash_during_a_model_call_asks_the_model_again(installation: Installation) -> None:
    session = installation.start_session("talk")
    installation.worker(session, fault="in-model:3").wait(timeout=20)
    finish(installation, session)

    types = [e.event_type for e in installation.events(session)]
    assert (types.count("lease"), types.count("llm_request")) == (1, 2)
    assert_whole(installation, session)


def test_x8_a_crash_between_effect_and_result_leaves_the_call_in_doubt(
    installation: Installation,
) -> None:
    session = installation.start_session("slow")
    installation.worker(session, fault="in-tool:1").wait(timeout=20)
    installation.worker(session)
    installation.until(session, "waiting")

    assert installation.question(session).kind == "in_doubt"
    assert len(installation.effects("pay", session)) == 1


ANSWERS: list[tuple[str, dict[str, Any], str, int]] = [
    ("happened", {"value": "paid 7"}, "finished", 1),
    ("did_not", {}, "finished", 1),
    ("retry", {}, "finished", 2),
    ("give_up", {}, "failed", 1),
]


@pytest.mark.parametrize(("decision", "given", "outcome", "effects"), ANSWERS)
def test_x8_each_answer_to_a_call_in_doubt_works(
    installation: Installation, decision: str, given: dict[str, Any], outcome: str, effects: int
) -> None:
    session = installation.start_session("slow")
    installation.worker(session, fault="in-tool:1").wait(timeout=20)
    installation.worker(session)
    installation.until(session, "waiting")
    installation.answer(session, decision, **given)
    installation.until(session, outcome, within=40)

    assert len(installation.effects("pay", session)) == effects
    chain, derivation = installation.verdict(session)
    assert (chain.ok, derivation.verdict) == (True, "ok"), derivation


def test_a_result_that_arrived_before_the_crash_is_not_in_doubt(installation: Installation) -> None:
    """Two parallel payments; the crash comes after the first result, while the second runs."""
    session = installation.start_session("uneven")
    installation.worker(session, fault="after-result:1").wait(timeout=20)
    installation.worker(session)
    installation.until(session, "waiting")

    asked = next(
        e
        for e in installation.events(session)
        if e.payload.get("id") == installation.question(session).pk
    )
    assert asked.payload["arguments"]["amount"] == 2
    assert len(installation.effects("pay", session)) == 2
