"""What streams is sealed as the log is: secret arguments, and what an owner has sealed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.vault import VaultSeals
from agents_app.engine import AgentSpec, Message, ToolCall, tool
from agents_app.engine.middleware.guardrail import sealed_kinds
from agents_app.engine.ports import Delta, ModelReply
from agents_app.testing import Session, calls, says
from playhead.core.detect import PERSONAL
from replay_app.testing import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.ports import ModelRequest, OnDelta

PERSON = "Write to ann.smith@example.org or call +49 30 1234567, card 4111 1111 1111 1111, please."
SEAL = ({"use": "guardrail", "personal_data": "seal"},)


class Streaming:
    """Answers in order; streams the text and the arguments as they are written, piece by piece."""

    def __init__(self, *answers: Message, written: Sequence[str] = (), size: int = 1) -> None:
        self.answers, self.written, self.size = list(answers), list(written), size
        self.seen: list[Sequence[Message]] = []

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        self.seen.append(request.messages)
        message = self.answers[len(self.seen) - 1]
        for part, text in [("text", message.content), *self._arguments(message)]:
            for at in range(0, len(text), self.size):
                on_delta(Delta(part, text[at : at + self.size]))
        return ModelReply(message, stop_reason="stop", model=request.model)

    def _arguments(self, message: Message) -> list[tuple[str, str]]:
        written = [json.dumps(call.arguments) for call in message.calls]
        if message.calls and self.written:
            written = self.written
        return [(f"tool:{place}", text) for place, text in enumerate(written)]


def sealing(spec: AgentSpec, model: Streaming) -> Session:
    seals = VaultSeals(1, b"k" * 32, {}, personal=sealed_kinds(spec.middleware))
    return Session(spec, model, seals=seals)


def everything(session: Session) -> str:
    """All that is durable, and all that was streamed."""
    return json.dumps([e.payload for e in session.events]) + "".join(session.deltas)


GIVEN: list[Any] = []


@tool(secret=("code",))
async def enter(code: Any, note: str = "") -> str:
    """Enter somewhere."""
    GIVEN.append(code)
    return f"entered with {code}" if isinstance(code, str) and len(code) > 5 else "entered"


@pytest.mark.parametrize("size", [1, 7, 4000])
@pytest.mark.parametrize(
    "value",
    ["open sesame now", "x1", 90210, 3.75, {"first": "zig", "then": ["zag zag"]}, "a\\\"b'} {c"],
    ids=["words", "short", "number", "fraction", "nested", "quotes"],
)
async def test_i52_a_secret_argument_never_leaves_in_a_delta(value: Any, size: int) -> None:
    """However it is written: as a number, within an object, with its name spelt in escapes."""
    for name in ('"code"', '"c\\u006fde"', '"code" '):
        GIVEN.clear()
        written = f'{{"note": "hi there", {name}: {json.dumps(value)}}}'
        model = Streaming(
            calls(("enter", {"note": "hi there", "code": value})),
            says("Done."),
            written=[written],
            size=size,
        )
        session = sealing(AgentSpec(slug="desk", tools=(enter,)), model).start("Go.")
        outcome = await session.run()
        assert outcome.kind == "finished", outcome
        assert value in GIVEN
        streamed = "".join(session.deltas)
        assert "hi there" in streamed
        assert "[REDACTED:declared:" in streamed
        for leaf in leaves(value):
            assert leaf not in everything(session), leaf
        assert (await verify(session)).ok


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [json.dumps(value)[1:-1] if isinstance(value, str) else json.dumps(value)]


async def test_i9_arguments_that_are_no_json_stay_where_they_are() -> None:
    """Nobody can tell what of them is secret: neither the stream nor the log has them."""
    broken = '{"note": "hi", "code": "open sesame now"}}'
    call = ToolCall("call_1", "enter", {}, raw=broken)
    asked = Message("assistant", "", tool_calls=[call])
    model = Streaming(asked, says("Done."), written=[broken])
    session = sealing(AgentSpec(slug="desk", tools=(enter,)), model).start("Go.")
    assert (await session.run()).kind == "finished"
    assert "sesame" not in everything(session)
    assert model.seen[1][1].calls[0].raw == broken
    assert (await verify(session)).ok


async def test_arguments_of_an_agent_without_secrets_pass_as_they_come() -> None:
    @tool
    async def look(key: str) -> str:
        """Look."""
        return "there"

    model = Streaming(calls(("look", {"key": "door"})), says("Done."))
    session = sealing(AgentSpec(slug="desk", tools=(look,)), model).start("Go.")
    await session.run()
    assert '{"key": "door"}' in "".join(session.deltas)


@pytest.mark.parametrize("size", [1, 3, 40])
async def test_an_owner_may_have_personal_data_sealed_in_log_and_stream(size: int) -> None:
    """Answer, arguments, result; the model and the tool get what was said."""
    GIVEN.clear()

    @tool
    async def tell(text: str, card: Any) -> dict[str, Any]:
        """Tell somebody."""
        GIVEN.append((text, card))
        return {"sent": text, "card": card}

    spec = AgentSpec(slug="desk", tools=(tell,), middleware=SEAL)
    asked = calls(("tell", {"text": PERSON, "card": 4111111111111111}), text=PERSON)
    model = Streaming(asked, says(f"I told them: {PERSON}"), size=size)
    session = sealing(spec, model).start("Go.")
    assert (await session.run()).kind == "finished"
    assert (PERSON, 4111111111111111) in GIVEN
    out = everything(session)
    for datum in ("ann.smith@example.org", "1234567", "4111 1111", "4111111111111111"):
        assert datum not in out, datum
    for kind in ("email", "phone", "card"):
        assert f"[REDACTED:{kind}:" in "".join(session.deltas)
    assert model.seen[1][1].content == PERSON
    assert (await verify(session)).ok


async def test_without_that_choice_the_owners_log_keeps_them() -> None:
    model = Streaming(says(PERSON))
    session = sealing(AgentSpec(slug="desk"), model).start("Go.")
    await session.run()
    assert PERSON in "".join(session.deltas)
    assert session.of("llm_response")[0].payload["message"]["content"] == PERSON


def test_the_choice_is_the_guardrails() -> None:
    assert sealed_kinds(SEAL) == PERSONAL
    assert sealed_kinds([{"use": "guardrail", "personal_data": "mask"}]) == frozenset()
    assert sealed_kinds([{"use": "caching"}]) == frozenset()
