"""A request that is rebuilt from the log and put through the adapter again has the same bytes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.adapters.models.openai_chat import OpenAIChat
from agents_app.adapters.models.scripted import Rule, Script, View, call, reply
from agents_app.adapters.stores import log_store
from agents_app.engine import AgentSpec, Limits, Message, current, tool
from agents_app.engine.activation import prompt_of
from agents_app.engine.parts import Parts
from agents_app.engine.ports import ModelRequest
from agents_app.engine.prompts import Prompt
from agents_app.engine.record import Record
from agents_app.models import Session
from agents_app.services.agents import agents_sync
from agents_app.services.sessions import session_create
from agents_app.testing.model_server import serving
from playhead.accounts.contracts import Principal, Role
from tests.bench.w1 import Workload
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from playhead.accounts.contracts import WorkspaceRef

STEPS = 12
W1 = Workload(STEPS)
ORDER = [str(step.result["content"]) for step in W1.steps]
RESULTS = {step.arguments["query"]: str(step.result["content"]) for step in W1.steps}


@tool
def search(query: str, limit: int) -> str:
    """Search."""
    return RESULTS[query] if limit >= 0 else ""


class ClockLine:
    """Puts a line that differs at every step on top of the system prompt."""

    name = "clock-line"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        line = f"It is step {current().activation.step}.\n"
        return [Message("system", line + messages[0].content), *messages[1:]]


def answer(view: View) -> Any:
    """The next step of W1: as many calls as there are results, then the end."""
    number = ORDER.index(view.messages[-1].content) + 1 if view.messages[-1].role == "tool" else 0
    if number >= STEPS:
        return reply("done")
    said = W1.steps[number]
    return reply(str(said.response["content"]), calls=[call("search", **said.arguments)])


SCRIPT = Script([Rule(lambda view: True, answer)], pace=0.0)


def spec(window: int | None) -> AgentSpec:
    """An agent that runs W1 over HTTP."""
    return AgentSpec(
        slug="w1",
        model="openai:any",
        instructions=str(W1.messages[0]["content"]),
        tools=(search,),
        limits=Limits(max_steps=STEPS + 1, window=window),
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("window", "middlewares"),
    [(None, []), (None, [ClockLine()]), (6, [])],
    ids=["whole history", "a clock line on top", "a window"],
)
def test_w1_requests_rebuilt_from_the_log_are_what_the_server_got(
    workspace: WorkspaceRef,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: SettingsWrapper,
    window: int | None,
    middlewares: list[Any],
) -> None:
    agent = spec(window)
    definitions.use(definitions.Definitions({"w1": agent}, {}))
    agents_sync()
    monkeypatch.setattr(Parts, "chain", lambda parts, uses: middlewares)
    by = Principal("system", "w1", "W1", Role.ADMIN, workspace)
    with serving(SCRIPT, folder=tmp_path / "live") as server:
        settings.OPENAI_BASE_URL = server.url
        name = session_create(by=by, agent="w1", text=str(W1.messages[1]["content"]))
        work_all(60)
    definitions.use(None)
    session = Session.objects.select_related("head").get(public_id=name)
    assert session.head.status == "finished", session.error

    sent = [file.read_bytes() for file in sorted((tmp_path / "live").iterdir())]
    assert again(session.pk, tmp_path / "again") == sent
    assert len(sent) == STEPS + 1


def again(session: int, folder: Path) -> list[bytes]:
    """Rebuild every request of the log and send it to another server."""
    record = Record([stored.event() for stored in log_store().read(session)])
    tools = tuple(record.by_type["llm_request"][0].payload["tools"])
    with serving(SCRIPT, folder=folder) as server:
        asyncio.run(
            _send_all(record, tools, OpenAIChat("any", api_key="none", base_url=server.url))
        )
    return [file.read_bytes() for file in sorted(folder.iterdir())]


async def _send_all(record: Record, tools: tuple[dict[str, Any], ...], port: OpenAIChat) -> None:
    prompt = Prompt()
    for event in record.by_type["llm_request"]:
        prompt = prompt_of(record, event, prompt)
        params = event.payload["params"]
        request = ModelRequest(tuple(prompt.messages), tools, params, event.payload["model"])
        await port.respond(request, lambda delta: None)
    await port.aclose()
