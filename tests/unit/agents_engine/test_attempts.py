"""Provider errors: what is tried again, what waits, what asks a person, what ends the run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Message, ModelError
from agents_app.engine.model_calls.attempts import RATE_LIMIT_WAITS, Verdict, judge
from agents_app.testing import Crashed, RuleModel, Session, says
from playhead.core.usage import Usage
from replay_app.testing import verify

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelRequest

BROKEN = ModelError("502", code="server_error", permanent=False)
STALLED = ModelError("no data", code="stalled", permanent=False, partial="The ans")
LIMITED = ModelError("slow down", code="rate_limited", permanent=False, retry_after=20)
LONG = ModelError(
    "The prompt has 9000 tokens; the limit is 8192.", code="context_length", permanent=True,
    detail={"limit": 8192},
)  # fmt: skip


def _session(*errors: Exception) -> Session:
    left = list(errors)

    def rule(request: ModelRequest) -> Message | Exception:
        return left.pop(0) if left else says("here I am")

    return Session(AgentSpec(slug="desk"), RuleModel(rule)).start("Hello?")


async def _verified(session: Session) -> None:
    verdict = await verify(session)
    assert verdict.ok, verdict


@pytest.mark.parametrize(
    ("error", "before", "verdict"),
    [
        (BROKEN, (), Verdict("again", 0.5)),
        (BROKEN, ("server_error",), Verdict("again", 1.0)),
        (BROKEN, ("server_error", "server_error"), Verdict("ask")),
        (BROKEN, ("rate_limited", "rate_limited"), Verdict("again", 0.5)),
        (STALLED, (), Verdict("again", 0.5)),
        (STALLED, ("stalled",), Verdict("ask")),
        (LIMITED, (), Verdict("wait", 20)),
        (ModelError("429", code="rate_limited", permanent=False), (), Verdict("wait", 5.0)),
        (LIMITED, ("rate_limited",) * len(RATE_LIMIT_WAITS), Verdict("ask")),
        (LONG, (), Verdict("final")),
        (ModelError("401", code="auth", permanent=True), (), Verdict("final")),
    ],
)
def test_the_error_table(error: ModelError, before: tuple[str, ...], verdict: Verdict) -> None:
    assert judge(error, before) == verdict


@pytest.mark.parametrize("code", ["rate_limited", "throttled"])
@pytest.mark.parametrize(
    ("said", "waits"),
    [(1e20, 86_400), (float("inf"), 86_400), (float("nan"), 5), (-5.0, 5), (None, 5)],
)
async def test_a_time_that_nobody_can_wait_for_is_waited_for_in_bounds(
    code: str, said: float | None, waits: int
) -> None:
    session = _session(ModelError("later", code=code, permanent=False, retry_after=said))
    outcome = await session.run()
    assert outcome.due is not None
    assert (outcome.due - session.clock.now()).total_seconds() == waits
    await _verified(session)


async def test_a_server_error_is_tried_twice_more_with_a_back_off() -> None:
    session = _session(BROKEN, BROKEN)
    assert (await session.run()).answer == "here I am"
    assert session.slept == [0.5, 1.0]
    attempts = [e.payload for e in session.of("llm_attempt")]
    assert [(a["n"], a["reason"]) for a in attempts] == [(2, "retry"), (3, "retry")]
    assert session.of("llm_response")[0].payload["attempt"] == 3
    await _verified(session)


async def test_then_a_person_is_asked_and_a_retry_counts_anew() -> None:
    session = _session(BROKEN, BROKEN, BROKEN, BROKEN)
    assert (await session.run()).kind == "interrupted"
    (question,) = session.questions()
    assert question.payload["kind"] == "retries"
    assert "502" in question.payload["info"]
    session.decide(question, "retry")
    assert (await session.run()).kind == "finished"
    assert [e.payload["n"] for e in session.of("llm_attempt")] == [2, 3, 4, 5]
    assert len(session.of("llm_request")) == 1
    await _verified(session)


async def test_or_gives_up() -> None:
    session = _session(BROKEN, BROKEN, BROKEN)
    await session.run()
    session.decide(session.questions()[0], "give_up")
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == ("failed", "gave_up")
    await _verified(session)


async def test_a_cancel_answers_a_question_about_retries_too() -> None:
    session = _session(BROKEN, BROKEN, BROKEN)
    await session.run()
    session.cancel()
    assert (await session.run()).kind == "cancelled"
    await _verified(session)


async def test_a_dropped_stream_keeps_its_partial_text_and_is_tried_once_more() -> None:
    session = _session(STALLED, STALLED)
    assert (await session.run()).kind == "interrupted"
    assert [e.payload["partial"] for e in session.of("llm_error")] == ["The ans", "The ans"]
    assert len(session.of("llm_attempt")) == 1
    await _verified(session)


async def test_a_rate_limit_waits_and_holds_no_worker() -> None:
    session = _session(LIMITED)
    outcome = await session.run()
    assert outcome.kind == "waiting"
    assert outcome.due is not None
    assert (outcome.due - session.clock.now()).total_seconds() == 20
    await _verified(session)
    assert (await session.run()).kind == "waiting"
    session.clock.advance(20)
    assert (await session.run()).kind == "finished"
    assert session.of("llm_attempt")[0].payload["reason"] == "retry"
    await _verified(session)


async def test_a_pause_while_waiting_holds_after_the_time_is_over() -> None:
    session = _session(LIMITED)
    await session.run()
    session.pause()
    assert (await session.run()).kind == "paused"
    session.unpause()
    session.clock.advance(20)
    assert (await session.run()).kind == "finished"
    await _verified(session)


async def test_a_context_that_is_too_long_fails_and_the_message_names_the_limit() -> None:
    session = _session(LONG)
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == ("failed", "context_length")
    assert "8192" in (outcome.answer or "")
    assert session.of("llm_error")[0].payload["detail"] == {"limit": 8192}
    await _verified(session)


async def test_an_error_of_no_known_kind_ends_the_run_visibly() -> None:
    session = _session(KeyError("choices"))
    outcome = await session.run()
    assert (outcome.kind, outcome.code) == ("failed", "bad_response")
    await _verified(session)


async def test_a_crash_during_a_call_abandons_the_request_and_asks_again() -> None:
    session = _session()

    def crash(crashed: Session, number: int, _events: object) -> None:
        if number == 2:
            raise Crashed

    session.before_commit = crash
    await session.finish()
    (lease,) = session.of("lease")
    first, second = session.of("llm_request")
    assert lease.payload["abandoned"] == [first.seq]
    assert second.payload["prompt"] == [["m", 2]]
    await _verified(session)


async def test_a_clean_hand_over_goes_on_with_the_same_request() -> None:
    """The former worker gave its lease back while the model was asked: an attempt, no lease."""
    session = _session()

    def crash(crashed: Session, number: int, _events: object) -> None:
        if number == 2:
            raise Crashed

    session.before_commit = crash
    with pytest.raises(Crashed):
        await session.run()
    assert (await session.run()).kind == "finished"
    assert [e.payload["reason"] for e in session.of("llm_attempt")] == ["resume"]
    assert len(session.of("llm_request")) == 1
    await _verified(session)


@pytest.mark.parametrize("known", [True, False])
async def test_i36_the_log_keeps_what_was_counted_of_a_broken_stream(known: bool) -> None:
    def rule(_: Any) -> Any:
        error = ModelError("It broke off.", code="stream_dropped", permanent=True, partial="As")
        error.usage = Usage(input=12, output=3) if known else None
        return error

    session = Session(AgentSpec(slug="desk"), RuleModel(rule)).start("Hi.")
    assert (await session.run()).code == "stream_dropped"
    (error,) = session.of("llm_error")
    usage = error.payload.get("usage")
    assert (usage and (usage["input"], usage["output"])) == ((12, 3) if known else None)
    assert (await verify(session)).ok


@pytest.mark.parametrize("named", [None, "file.gguf", "own:senior"])
async def test_an_answer_is_priced_by_the_model_that_was_asked_when_nobody_knows_its_own(
    named: str | None,
) -> None:
    """A plug-in names none; a server of one's own calls it by the name of a file."""

    class Naming(RuleModel):
        async def respond(self, request: ModelRequest, on_delta: Any) -> Any:
            return replace(await super().respond(request, on_delta), model=named)

    known = {"own:clerk": "0.2", "own:senior": "0.9"}
    spec = AgentSpec(slug="desk", model="own:clerk")
    session = Session(spec, Naming(lambda _: says("here I am"))).start("Hello?")
    session.price = lambda model, _: (known.get(model or ""), model)
    assert (await session.run()).kind == "finished"
    [answer] = session.of("llm_response")
    assert answer.payload["cost"] == ("0.9" if named == "own:senior" else "0.2")
    assert answer.payload["model"] == named
