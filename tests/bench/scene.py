"""Sessions of W1 in a worker: an agent with W1's tool, and a model that answers at once."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from uvicorn import Config

from agents_app.adapters import definitions
from agents_app.engine import AgentSpec, Limits, Message, ToolCall, tool
from agents_app.engine.ports import Delta, ModelReply, ModelRequest
from agents_app.models import Head, Session
from agents_app.services.agents import agents_sync
from agents_app.services.sessions import session_create
from agents_app.worker.host import SessionHost
from playhead.accounts.contracts import Principal, Role
from playhead.accounts.services.setup import workspace_ensure
from playhead.core.usage import Usage
from playhead.jobs import home

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from agents_app.engine.ports import OnDelta
    from tests.bench.w1 import Workload

MODEL = "scripted:w1"


class Stub:
    """The model of W1, and the tool's results by what it is asked.

    Where there is ``held`` the model sets it and does not come back with the last answer.
    """

    def __init__(self, workloads: list[Workload]) -> None:
        self.held: asyncio.Event | None = None
        self._by_question = {load.messages[1]["content"]: load for load in workloads}
        self._results = {
            step.arguments["query"]: step.result["content"]
            for load in workloads
            for step in load.steps
        }

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """The next answer of the workload that the question belongs to."""
        load = self._by_question[request.messages[1].content]
        number = len(request.messages) // 2 - 1
        used = Usage(input=320 * len(request.messages), output=125)
        if number == load.n:
            if self.held is not None:
                self.held.set()
                await asyncio.Event().wait()
            return ModelReply(Message("assistant", "Done."), stop_reason="stop", usage=used)
        step = load.steps[number]
        on_delta(Delta("text", step.response["content"]))
        asked = ToolCall(step.response["tool_calls"][0]["id"], "search", step.arguments)
        message = Message("assistant", step.response["content"], [asked])
        return ModelReply(message, stop_reason="tool_calls", usage=used, model=request.model)

    def result(self, query: str) -> str:
        """What the tool finds."""
        return str(self._results[query])


class Scene:
    """The agent and its model, and who starts its sessions."""

    def __init__(self, workloads: list[Workload]) -> None:
        self.stub = stub = Stub(workloads)

        @tool
        async def search(query: str, limit: int) -> str:
            """Search the documents for a query."""
            return stub.result(query)

        longest = max(load.n for load in workloads)
        spec = AgentSpec(
            slug="w1", model=MODEL, instructions=workloads[0].messages[0]["content"],
            tools=(search,), limits=Limits(max_steps=longest + 1), params={"temperature": 0},
        )  # fmt: skip
        self.by = Principal("api_key", "bench", "Bench", Role.ADMIN, workspace_ensure())
        definitions.use(definitions.Definitions({"w1": spec}, {"w1": None}))
        agents_sync()

    def session(self, workload: Workload) -> Session:
        """A session of that workload, ready to be run."""
        text = workload.messages[1]["content"]
        return Session.objects.get(public_id=session_create(by=self.by, agent="w1", text=text))

    @asynccontextmanager
    async def host(self) -> AsyncIterator[SessionHost]:
        """A worker that claims what it is told to."""
        home.set_loop(asyncio.get_running_loop())
        host = SessionHost(models=lambda _name: self.stub)
        await host.start(sweeping=False)
        try:
            yield host
        finally:
            await host.stop(grace=0)
            home.set_loop(None)

    def finish(self, session: Session) -> None:
        """Run a session to its end."""

        async def run() -> None:
            async with self.host() as host:
                await host.advance(session.pk)
                await host.idle(after=0)

        on_loop(run())
        check_ended([session.pk])


def on_loop(work: Coroutine[object, object, None]) -> None:
    """Run it on the loop that a worker process has."""
    with asyncio.Runner(loop_factory=Config("", log_config=None).get_loop_factory()) as runner:
        runner.run(work)


def check_ended(sessions: list[int]) -> None:
    """Insist that they ended."""
    ended = Head.objects.filter(session__in=sessions, status="finished").count()
    if ended != len(sessions):
        raise AssertionError(f"{len(sessions) - ended} session(s) did not end")
