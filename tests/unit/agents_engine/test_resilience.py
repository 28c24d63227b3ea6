"""Retry, fallback and routing: each physical attempt is in the log before it is sent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Message, ModelError, tool
from agents_app.engine.errors import ToolError
from agents_app.engine.parts import BUILT_IN
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from playhead.core.errors import InvalidInput
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agents_app.engine.ports import ModelRequest
    from playhead.core.events import Event


NO_JITTER = {"use": "model-retry", "jitter": False}
FALLBACK = {"use": "model-fallback", "models": ["b:1", "c:1"]}


def broken(code: str = "server_error", **more: Any) -> ModelError:
    return ModelError("it failed", **{"code": code, "permanent": False, **more})


def session(rule: Any, *uses: dict[str, Any], **fields: Any) -> Session:
    spec = AgentSpec(slug="desk", model="a:1", middleware=uses, **fields)
    return Session(spec, RuleModel(rule)).start("Hello?")


def failing(*errors: Exception) -> Any:
    left = list(errors)
    return lambda _: left.pop(0) if left else says("here I am")


def of_model(**answers: Message | Exception) -> Any:
    return lambda request: answers[request.model[0]]


def attempts(it: Session) -> list[tuple[int, str, str]]:
    return [(a["n"], a["model"], a["reason"]) for a in (e.payload for e in it.of("llm_attempt"))]


async def verified(it: Session) -> None:
    assert (verdict := await verify(it)).ok, verdict


async def test_s0_5_a_retry_has_its_own_numbers_and_the_kernel_adds_none() -> None:
    it = session(failing(*[broken()] * 2), {**NO_JITTER, "max_retries": 1, "initial_delay": 3})
    assert (await it.run()).kind == "interrupted"
    assert it.slept == [3]
    assert attempts(it) == [(2, "a:1", "retry")]
    assert [e.payload["final"] for e in it.of("llm_error")] == [False, False]
    it.decide(it.questions()[0], "retry")
    assert (await it.run()).answer == "here I am"
    assert attempts(it)[-1] == (3, "a:1", "retry")
    assert it.of("llm_response")[0].payload["attempt"] == 3
    await verified(it)


@pytest.mark.parametrize(
    ("error", "kind", "sent"),
    [
        (broken(), "interrupted", 3),
        (broken("stalled"), "interrupted", 2),
        (broken("unreachable"), "interrupted", 1),
        (broken("context_length", permanent=True), "failed", 1),
        (broken("rate_limited", retry_after=9), "waiting", 1),
    ],
)
async def test_a_retry_never_tries_oftener_than_the_kernel(
    error: ModelError, kind: str, sent: int
) -> None:
    it = session(lambda _: error, {**NO_JITTER, "codes": ["server_error", "stalled"]})
    assert (await it.run()).kind == kind
    assert len(it.model.requests) == sent  # type: ignore[attr-defined]
    await verified(it)


async def test_the_jitter_follows_from_the_seed() -> None:
    slept = []
    for _ in range(2):
        it = session(failing(broken(), broken()), {"use": "model-retry"})
        await it.run()
        slept.append(it.slept)
    assert slept[0] == slept[1] != [0.5, 1.0]
    assert 0.25 <= slept[0][0] <= 0.5 <= slept[0][1] <= 1.0


async def test_a_fallback_is_an_attempt_of_the_model_that_answers() -> None:
    it = session(of_model(a=broken(), b=broken("auth", permanent=True), c=says("Hi.")), FALLBACK)
    prices: list[str | None] = []
    it.price = lambda model, _: (prices.append(model), ("0.5", model))[1]
    assert (await it.run()).answer == "Hi."
    assert attempts(it) == [(2, "b:1", "fallback"), (3, "c:1", "fallback")]
    response = it.of("llm_response")[0].payload
    assert (response["model"], response["attempt"], response["price"]) == ("c:1", 3, "c:1")
    assert prices == ["c:1"]
    errors = [(e.payload["attempt"], e.payload["code"]) for e in it.of("llm_error")]
    assert errors == [(1, "server_error"), (2, "auth")]
    await verified(it)


async def test_each_attempt_is_durable_before_it_is_sent() -> None:
    said: list[list[str]] = []

    def rule(request: ModelRequest) -> Message | Exception:
        said.append([e.payload["model"] for e in it.of("llm_attempt")])
        return broken() if request.model != "c:1" else says("Hi.")

    it = session(rule, FALLBACK)
    await it.run()
    assert said == [[], ["b:1"], ["b:1", "c:1"]]


async def test_behind_a_fallback_each_model_is_tried_again() -> None:
    it = session(of_model(a=broken(), b=says("Hi."), c=says("no")), FALLBACK, NO_JITTER)
    assert (await it.run()).answer == "Hi."
    reasons = [(2, "a:1", "retry"), (3, "a:1", "retry"), (4, "b:1", "fallback")]
    assert attempts(it) == reasons
    await verified(it)


async def test_where_all_fail_what_may_yet_help_decides() -> None:
    limited = broken("rate_limited", retry_after=30)
    dead = broken("auth", permanent=True)
    it = session(of_model(a=limited, b=dead, c=dead), FALLBACK)
    outcome = await it.run()
    assert outcome.kind == "waiting"
    assert outcome.due is not None
    await verified(it)


async def test_a_refusal_is_not_taken_to_another_model() -> None:
    refused = broken("refused", permanent=True)
    it = session(of_model(a=refused, b=says("Sure!")), FALLBACK)
    assert (await it.run()).code == "refused"


async def test_a_crash_between_attempts_goes_on_where_it_stood() -> None:
    uses = (FALLBACK, NO_JITTER)
    answers = of_model(a=broken(), b=says("Hi."), c=says("no"))
    whole = session(answers, *uses)
    await whole.run()
    for commit in range(1, whole.commits + 1):
        it = session(answers, *uses)
        crash_after(it, commit)
        with pytest.raises(Crashed):
            await it.run()
        it.after_commit = None
        assert (await it.resume()).answer == "Hi."
        assert len(it.of("llm_response")) == 1
        await verified(it)


def crash_after(it: Session, number: int) -> None:
    def crash(_: Session, commit: int, __: Sequence[Event]) -> None:
        if commit == number:
            raise Crashed

    it.after_commit = crash


ROUTER = {
    "use": "model-router",
    "rules": [{"model": "b:1", "matches": r"(?i)refund"}, {"model": "c:1", "from_step": 1}],
}


async def test_s0_5_a_router_goes_by_rules() -> None:
    @tool
    def look() -> str:
        """Look."""
        return "seen"

    it = session(by_turn(calls(("look", {})), says("Done.")), ROUTER, tools=(look,))
    await it.run()
    it.say("A refund, please.")
    await it.run()
    assert attempts(it)[0] == (1, "c:1", "route")
    assert [e.payload["model"] for e in it.of("llm_response")] == ["a:1", "c:1", "b:1", "b:1"]
    await verified(it)


@pytest.mark.parametrize(
    ("rule", "held"),
    [
        ({"longer_than": 5}, True),
        ({"longer_than": 6}, False),
        ({"shorter_than": 7}, True),
        ({"shorter_than": 6}, False),
        ({"tools": False}, True),
        ({"tools": True}, False),
        ({"matches": "^Hel"}, True),
        ({"matches": "bye"}, False),
        ({"from_step": 0}, True),
        ({"from_step": 1, "matches": "^Hel"}, False),
    ],
)
async def test_every_predicate_of_a_rule(rule: dict[str, Any], held: bool) -> None:
    uses = {"use": "model-router", "rules": [{"model": "b:1", **rule}]}
    it = session(lambda _: says("Hi."), uses)
    await it.run()
    assert it.of("llm_response")[0].payload["model"] == ("b:1" if held else "a:1")


async def test_r55_a_classifier_is_asked_once_a_run_and_its_request_is_internal() -> None:
    classifier = {
        "use": "model-router",
        "choices": {"b:1": "money", "b:12": "law"},
        "classifier": "k:1",
    }
    rule = lambda r: says("b:12, I would say") if r.model == "k:1" else says("Hi.")  # noqa: E731
    it = session(rule, classifier, FALLBACK)
    await it.run()
    asked = [(e.payload["model"], e.payload.get("internal", False)) for e in it.of("llm_request")]
    assert asked == [("k:1", True), ("a:1", False)]
    assert attempts(it) == [(1, "b:12", "route")]
    assert "".join(it.deltas) == "Hi."
    assert [m.content for m in it.model.requests[-1].messages] == ["Hello?"]  # type: ignore[attr-defined]
    await verified(it)


async def test_an_expression_takes_no_longer_than_its_text() -> None:
    """Python's own engine would still be at it tomorrow, and no other session would go on."""
    rule = {"model": "b:1", "matches": "(a+)+$"}
    uses = {"use": "model-router", "rules": [rule]}
    it = session(lambda _: says("Hi."), uses)
    await it.run()
    it.say("a" * 5000 + "!")
    assert (await it.run()).kind == "finished"
    assert attempts(it) == []


@pytest.mark.parametrize(
    ("uses", "field"),
    [
        ([NO_JITTER, FALLBACK], "middleware.0.use"),
        ([FALLBACK, ROUTER], "middleware.1.use"),
        ([{**FALLBACK, "models": ["b"]}], "middleware.0.models.0"),
        ([{"use": "model-router", "choices": {"b:1": "x"}}], "middleware.0.classifier"),
        *(
            (
                [{"use": "model-router", "rules": [{"model": "b:1", "matches": pattern}]}],
                "middleware.0.rules.0.matches",
            )
            for pattern in ("(", "(" * 5000, "a{99999999999}", "(?=a)b", "(a{1000}){1000}{99}")
        ),
        ([{"use": "tool-retry", "tools": ["pay"]}], "middleware.0.tools.0"),
        ([{"use": "tool-retry", "tools": ["gone"]}], "middleware.0.tools.0"),
    ],
)
def test_r41_misuse_is_said_at_configuration(uses: list[dict[str, Any]], field: str) -> None:
    @tool(effectful=True)
    def pay() -> str:
        """Pay."""
        return "paid"

    spec = AgentSpec(slug="desk", model="a:1", tools=(pay,), middleware=uses)
    assert [(p.field, p.severity) for p in BUILT_IN.problems(spec)] == [(field, "problem")]


@pytest.mark.parametrize(
    ("use", "field"),
    [
        ({"use": "model-fallback", "models": []}, "middleware.0.models"),
        ({"use": "model-retry", "max_retries": 3}, "middleware.0.max_retries"),
        ({"use": "model-router", "rules": [{"model": "b"}]}, "middleware.0.rules.0.model"),
    ],
)
def test_an_option_that_does_not_fit_is_named(use: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        BUILT_IN.chain([use])
    assert refused.value.detail["field"] == field


@pytest.mark.parametrize(
    ("effect", "runs"),
    [
        ({}, 3),
        ({"effectful": True, "idempotent": True}, 3),
        ({"effectful": True}, 1),
    ],
)
async def test_r41_only_what_may_run_twice_is_run_again(effect: dict[str, Any], runs: int) -> None:
    ran = []

    @tool(**effect)
    async def shaky() -> str:
        """Fail."""
        ran.append(1)
        raise ConnectionError("gone")

    it = session(
        by_turn(calls(("shaky", {})), says("Sorry.")),
        {"use": "tool-retry", "initial_delay": 0},
        tools=(shaky,),
    )
    await it.run()
    assert len(ran) == runs
    [result] = it.of("tool_result")
    assert not result.payload["success"]
    assert result.payload.get("tries") == (3 if runs == 3 else None)
    await verified(it)


async def test_what_a_tool_tells_the_model_is_not_tried_again() -> None:
    ran = []

    @tool
    async def strict() -> str:
        """Refuse."""
        ran.append(1)
        raise ToolError("there is no such order")

    it = session(by_turn(calls(("strict", {})), says("x")), {"use": "tool-retry"}, tools=(strict,))
    await it.run()
    assert len(ran) == 1


async def test_what_a_wrap_sends_in_the_place_of_a_request_is_in_the_log() -> None:
    class Cutting:
        name = "cutting"

        async def wrap_llm_call(self, request: ModelRequest, call: Any) -> Any:
            more = Message("user", "Be brief.")
            return await call(replace(request, messages=(*request.messages, more), params={"k": 1}))

    it = Session(AgentSpec(slug="desk"), RuleModel(lambda _: says("Hi.")), middlewares=cut(Cutting))
    await it.start("Hello?").run()
    [attempt] = [e.payload for e in it.of("llm_attempt")]
    said = it.of("user_message")[0].seq
    brief = {"role": "user", "content": "Be brief."}
    assert attempt["prompt"] == [["m", said], ["n", brief]]
    assert (attempt["n"], attempt["reason"], attempt["params"]) == (1, "edited", {"k": 1})
    assert "tools" not in attempt
    assert [m.content for m in it.model.requests[0].messages] == ["Hello?", "Be brief."]  # type: ignore[attr-defined]
    await verified(it)


def cut(kind: Any) -> Callable[[], list[Any]]:
    return lambda: [kind()]
