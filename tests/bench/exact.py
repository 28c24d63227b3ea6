"""W1 over HTTP, and every request of it built again from the log: the same bytes, or it is told."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from django.core.management import call_command
from django.test import override_settings

from agents_app.adapters import definitions
from agents_app.adapters.models.openai_chat import OpenAIChat
from agents_app.adapters.models.scripted import Reply, Rule, Script, View, call, reply
from agents_app.adapters.stores import log_store
from agents_app.engine import AgentSpec, Limits, Message, current, tool
from agents_app.engine.log.record import Record
from agents_app.engine.loop.restoring import prompt_of
from agents_app.engine.model_calls.prompts import Prompt
from agents_app.engine.parts import Parts
from agents_app.engine.ports import ModelRequest
from agents_app.models import Session
from agents_app.services.agents import agents_sync
from agents_app.services.sessions import session_create
from agents_app.testing.model_server import serving
from playhead.accounts.contracts import Principal, Role
from playhead.accounts.services.setup import workspace_ensure
from playhead.core import digest
from tests.bench.w1 import Workload
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW = 100


class ClockLine:
    """Puts a line that differs at every step on top of the system prompt."""

    name = "clock-line"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        line = f"It is step {current().activation.step}.\n"
        return [Message("system", line + messages[0].content), *messages[1:]]


#: What is shown to the model: all of it; another first line at each step; the newest messages.
FORMS: dict[str, tuple[int | None, list[Any]]] = {
    "whole history": (None, []),
    "a clock line on top": (None, [ClockLine()]),
    f"a window of {WINDOW}": (WINDOW, []),
}


def script_of(load: Workload) -> Script:
    """W1 as the server's script: the answer that follows the last result, then the end."""
    place = {str(step.result["content"]): n for n, step in enumerate(load.steps, 1)}

    def answer(view: View) -> Reply:
        last = view.messages[-1]
        number = place[last.content] if last.role == "tool" else 0
        if number == load.n:
            return reply("done")
        said = load.steps[number]
        return reply(str(said.response["content"]), calls=[call("search", **said.arguments)])

    return Script([Rule(lambda view: True, answer)], pace=0.0)


@contextmanager
def agent_of(load: Workload, form: str) -> Iterator[None]:
    """While this runs, the agent ``w1`` has that workload's prompt and tool."""
    results = {step.arguments["query"]: str(step.result["content"]) for step in load.steps}

    @tool
    def search(query: str, limit: int) -> str:
        """Search."""
        return results[query] if limit >= 0 else ""

    window, middlewares = FORMS[form]
    spec = AgentSpec(
        slug="w1", model="openai:any", instructions=str(load.messages[0]["content"]),
        tools=(search,), limits=Limits(max_steps=load.n + 1, window=window),
    )  # fmt: skip
    definitions.use(definitions.Definitions({"w1": spec}, {}))
    agents_sync()
    with patch.object(Parts, "chain", lambda _parts, _uses: middlewares):
        yield
    definitions.use(None)


def run_live(load: Workload, form: str, folder: Path, *, seconds: float) -> int:
    """Run W1 against a server that writes each body to the folder; the session's number."""
    by = Principal("system", "w1", "W1", Role.ADMIN, workspace_ensure())
    with agent_of(load, form), serving(script_of(load), folder=folder) as server:
        with override_settings(OPENAI_BASE_URL=server.url):
            name = session_create(by=by, agent="w1", text=str(load.messages[1]["content"]))
            work_all(seconds)
        server.bodies.clear()
    session = Session.objects.select_related("head").get(public_id=name)
    if session.head.status != "finished":
        raise AssertionError(f"the session is {session.head.status}: {session.error}")
    return session.pk


def different(session: int, load: Workload, sent: Path, again: Path, *, every: int) -> list[str]:
    """What of the requests that the log holds is not what the server wrote to ``sent``.

    The digest of each prompt is compared; of every so many (and of the first, the window's and the
    last) each byte, as the adapter sends them to another server.
    """
    record = Record([stored.event() for stored in log_store().read(session)])
    requests = record.by_type["llm_request"]
    chosen = {*range(0, len(requests), every), len(requests) - 1}
    wrong = [] if len(requests) == len(list(sent.iterdir())) else ["the number of requests"]
    with serving(script_of(load), folder=again) as server:
        port = OpenAIChat("any", api_key="none", base_url=server.url)
        wrong += asyncio.run(_send(record, port, chosen))
    bodies = sorted(again.iterdir())
    for number, body in zip(sorted(chosen), bodies, strict=True):
        if body.read_bytes() != (sent / f"{number + 1:06d}.json").read_bytes():
            wrong.append(f"the bytes of request {number + 1}")
    return wrong


async def _send(record: Record, port: OpenAIChat, chosen: set[int]) -> list[str]:
    requests, prompt, wrong = record.by_type["llm_request"], Prompt(), []
    tools = tuple(requests[0].payload["tools"])
    for number, event in enumerate(requests):
        prompt = prompt_of(record, event, prompt)
        said = event.payload
        if (digest.named(prompt.digest), prompt.count) != (said["digest"], said["n"]):
            wrong.append(f"the digest of request {number + 1}")
        if number in chosen:
            messages = tuple(prompt.messages[: prompt.count])
            request = ModelRequest(messages, tools, said["params"], said["model"])
            await port.respond(request, lambda _delta: None)
    await port.aclose()
    return wrong


def run() -> None:
    """W1 of 1,000 steps in each form; some gigabytes pass over the disk."""
    load = Workload(1000)
    for form in FORMS:
        call_command("flush", verbosity=0, interactive=False)
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            sent = Path(folder) / "sent"
            session = run_live(load, form, sent, seconds=3600)
            size = sum(file.stat().st_size for file in sent.iterdir())
            wrong = different(session, load, sent, Path(folder) / "again", every=50)
        sys.stdout.write(
            f"exact    W1, {load.n} steps, {form}: {size / 1e6:,.0f} MB in {load.n + 1} requests, "
            f"{len(wrong)} different {wrong[:3] or ''} ({time.monotonic() - began:.0f} s)\n"
        )
