"""Spans of what happens: named as conventions do, ended whatever happens, without content."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agents_app.adapters.tracing import TracingMiddleware
from agents_app.engine import AgentSpec, ModelError, tool
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import by_turn
from tests.unit.agents_engine.test_nothing_secret import TreeSeals

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

ANSWER = says("Write to bo@example.org.")


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


@tool
async def look(place: str) -> str:
    """Look."""
    if place == "nowhere":
        raise ConnectionError("secret place")
    return "ana@example.org was here"


def session(rule: Any, **options: Any) -> Session:
    spec = AgentSpec(slug="desk", model="openai:gpt-x", tools=(look,), params={"temperature": 0.5})
    made = [TracingMiddleware(**options)]
    return Session(spec, RuleModel(rule), middlewares=lambda: made).start("I am ana@example.org")


def by_name(spans: InMemorySpanExporter) -> dict[str, list[ReadableSpan]]:
    found: dict[str, list[ReadableSpan]] = {}
    for span in spans.get_finished_spans():
        found.setdefault(span.name, []).append(span)
    return found


async def test_s3_a_run_is_a_tree_of_spans_with_session_seq_and_tokens(
    spans: InMemorySpanExporter,
) -> None:
    it = session(by_turn(calls(("look", {"place": "here"})), ANSWER))
    await it.run()
    found = by_name(spans)
    assert sorted(found) == ["chat openai:gpt-x", "execute_tool look", "invoke_agent desk"]
    [run], [first, _], [call] = (
        found[each] for each in ("invoke_agent desk", "chat openai:gpt-x", "execute_tool look")
    )
    assert first.attributes is not None
    assert first.attributes["gen_ai.operation.name"] == "chat"
    assert first.attributes["gen_ai.provider.name"] == "openai"
    assert first.attributes["gen_ai.request.temperature"] == 0.5
    assert first.attributes["gen_ai.conversation.id"] == it.id
    assert first.attributes["playhead.seq"] == it.of("llm_request")[0].seq
    usage = it.of("llm_response")[0].payload["usage"]
    assert first.attributes["gen_ai.usage.input_tokens"] == usage["input"]
    assert call.attributes is not None
    assert call.attributes["playhead.seq"] == it.of("tool_call")[0].seq
    assert run.attributes is not None
    assert run.attributes["playhead.outcome"] == "finished"
    assert {span.parent.span_id for span in (first, call) if span.parent} == {run.context.span_id}
    told = str([dict(span.attributes or {}) for span in spans.get_finished_spans()])
    assert "ana@" not in told
    assert "bo@" not in told


async def test_law_10_a_result_is_told_as_the_log_shows_it(spans: InMemorySpanExporter) -> None:
    """A secret that this session knows by its place is one where it stands alone, too."""

    @tool
    async def use(step: int) -> str:
        """Use what was found."""
        return "password: Tr0ub4dor-and-3" if step == 1 else "signed in with Tr0ub4dor-and-3"

    rule = by_turn(*(calls(("use", {"step": n})) for n in (1, 2)), says("Done."))
    spec = AgentSpec(slug="desk", model="openai:gpt-x", tools=(use,))
    made = [TracingMiddleware(content="masked")]
    it = Session(spec, RuleModel(rule), middlewares=lambda: made, seals=TreeSeals())
    await it.start("Sign in.").run()
    told = [str(span.attributes["gen_ai.tool.call.result"]) for span in by_name(spans)[
        "execute_tool use"] if span.attributes]  # fmt: skip
    assert [text.partition("[REDACTED:")[0] for text in told] == ["password: ", "signed in with "]
    assert "Tr0ub4dor" not in str([dict(s.attributes or {}) for s in spans.get_finished_spans()])
    assert [e.payload["message"]["content"] for e in it.of("tool_result")] == told


async def test_a_replay_makes_no_spans(spans: InMemorySpanExporter) -> None:
    it = session(by_turn(ANSWER))
    await it.run()
    before = len(spans.get_finished_spans())
    assert (await verify(it)).ok
    assert len(spans.get_finished_spans()) == before


async def test_content_is_recorded_only_when_asked_for_and_masked(
    spans: InMemorySpanExporter,
) -> None:
    it = session(by_turn(calls(("look", {"place": "bo@example.org"})), ANSWER), content="masked")
    await it.run()
    told = str([dict(span.attributes or {}) for span in spans.get_finished_spans()])
    assert "gen_ai.input.messages" in told
    assert "gen_ai.tool.call.result" in told
    assert "[REDACTED:email:" in told
    assert "@example.org" not in told


async def test_what_fails_is_marked_without_its_words(spans: InMemorySpanExporter) -> None:
    it = session(by_turn(calls(("look", {"place": "nowhere"})), says("Sorry.")))
    await it.run()
    [call] = by_name(spans)["execute_tool look"]
    assert (call.attributes or {})["error.type"] == "ConnectionError"
    assert call.status.description is None
    it = session(lambda _: ModelError("secret", code="auth", permanent=True))
    await it.run()
    chat = by_name(spans)["chat openai:gpt-x"][-1]
    assert (chat.attributes or {})["error.type"] == "auth"
    run = by_name(spans)["invoke_agent desk"][-1]
    assert (run.attributes or {})["playhead.outcome"] == "failed"
    assert "secret" not in str([(s.attributes, s.events) for s in spans.get_finished_spans()])


async def test_r56_a_span_ends_when_its_call_is_cancelled(spans: InMemorySpanExporter) -> None:
    it = session(by_turn(ANSWER))
    model: Any = it.model
    model.gate = asyncio.Event()
    running = asyncio.create_task(it.run())
    await it.until(lambda: bool(model.requests))
    it.cancel()
    assert (await asyncio.wait_for(running, 10)).kind == "cancelled"
    found = by_name(spans)
    assert (found["chat openai:gpt-x"][0].attributes or {})["error.type"] == "CancelledError"
    assert (found["invoke_agent desk"][-1].attributes or {})["playhead.outcome"] == "cancelled"


@pytest.mark.parametrize("kind", ["raises", "skips", "leaves", "swallows", "twice"])
async def test_a_wrap_of_a_run_changes_nothing(kind: str) -> None:
    class Odd:
        name = "odd"

        async def wrap_run(self, run: Any) -> Any:
            if kind == "skips":
                return None
            if kind == "leaves":
                self.task = asyncio.create_task(run())
                return None
            if kind == "twice":
                await run()
            try:
                await run()
            except BaseException:
                return None
            if kind == "raises":
                raise ValueError("odd")
            return None

    spec = AgentSpec(slug="desk")
    it = Session(spec, RuleModel(lambda _: ANSWER), middlewares=lambda: [Odd()]).start("Hello?")
    assert (await asyncio.wait_for(it.run(), 10)).answer == ANSWER.content
    assert len(it.of("llm_request")) == len(it.of("session_end")) == 1
    assert (await verify(it)).ok


async def test_without_an_sdk_nothing_is_made() -> None:
    it = session(by_turn(ANSWER))
    assert (await it.run()).answer == ANSWER.content
