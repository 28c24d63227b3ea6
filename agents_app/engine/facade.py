"""The small door: an agent loop as a Python object, in memory, without a server."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.actor import Actor, name_of
from agents_app.engine.errors import ModelError, RunFailed, SecurityError
from agents_app.engine.limits import Limits
from agents_app.engine.log.journal import Journal, Memory
from agents_app.engine.log.record import Record
from agents_app.engine.loop.bus import EventBus
from agents_app.engine.loop.checked import message_fault
from agents_app.engine.loop.kernel import Kernel
from agents_app.engine.loop.shared import Loop
from agents_app.engine.messages import from_log
from agents_app.engine.nulls import NobodyWatches
from agents_app.engine.parts import BUILT_IN
from agents_app.engine.ports import (
    LLMPort,
    ModelPort,
    ModelReply,
    ModelRequest,
    OnDelta,
    StatePort,
    ToolPort,
)
from agents_app.engine.spec import ENGINE, LOOP_VERSION, AgentSpec, Outcome, without_secrets
from agents_app.engine.states import MemoryStateStore
from agents_app.engine.strategies.function_calling import FunctionCalling
from agents_app.engine.tools import Tool
from playhead.core.clock import Clock, SystemClock
from playhead.core.errors import InvalidInput
from playhead.core.events import Draft, Event
from playhead.core.ids import new_id, new_seed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agents_app.engine.strategy import Strategy

_BY = {"kind": "user", "id": "local", "name": "local"}


class AgentLoop:
    """Run an agent in this process.

    Args:
        llm: a model: ``complete(messages, tools) -> Message``, or a full ``ModelPort``.
        tools: ``Tool`` objects, or anything with ``name``, ``schema`` and ``execute``.
        state_store: keeps ``{"messages": [...]}`` per session; in memory by default.
        middlewares: in order; any subset of the hooks.
        max_steps: bound of one run.
        strategy: the loop body; function calling by default.
        params: of every model request (``temperature``, …), for a full ``ModelPort``.
        order: of the ``after_*`` hooks: ``list``, or ``onion`` for the other way round.

    Raises:
        InvalidInput: a value that does not fit; it names the argument.
    """

    def __init__(
        self,
        llm: LLMPort | ModelPort,
        tools: Sequence[Tool | ToolPort] | None = None,
        state_store: StatePort | None = None,
        middlewares: Sequence[Any] | None = None,
        max_steps: int = 10,
        strategy: Strategy | None = None,
        *,
        instructions: str = "",
        params: Mapping[str, Any] | None = None,
        order: Literal["list", "onion"] = "list",
        clock: Clock | None = None,
    ) -> None:
        self.llm = llm
        self.state_store = state_store if state_store is not None else MemoryStateStore()
        self.middlewares = list(middlewares or ())
        self.strategy: Strategy = strategy or FunctionCalling()
        self.event_bus = EventBus()
        self.clock = clock or SystemClock()
        self.spec = AgentSpec(
            slug="local",
            instructions=instructions,
            strategy=name_of(self.strategy),
            order=order,
            tools=_by_names(as_tool(each) for each in tools or ()),
            limits=Limits(max_steps=_at_least_1(max_steps)),
            params=dict(params or {}),
        )
        self.events: list[Event] = []

    async def run(self, user_input: str, session_id: str | None = None) -> str:
        """Answer one input and return the text; a limit returns a text that says so.

        State is saved only when ``session_id`` is given.

        Raises:
            SecurityError: a guard blocked the run.
            RunFailed: the run could not go on; ``code`` says why.
        """
        outcome = await self.outcome(user_input, session_id)
        if outcome.kind == "failed":
            error = SecurityError if outcome.code == "guardrail" else RunFailed
            raise error(outcome.answer or "The run failed.", code=outcome.code)
        if outcome.kind == "interrupted":
            questions = ", ".join(
                str(point.get("tool") or point.get("info")) for point in outcome.points
            )
            return f"Waiting for a person: {questions}"
        return outcome.answer or ""

    async def outcome(self, user_input: str, session_id: str | None = None) -> Outcome:
        """Like ``run``, but says how it ended, with the open questions where it did not."""
        self.event_bus.emit("on_start", input=user_input, session_id=session_id)
        saved = await self.state_store.load(session_id) if session_id is not None else None
        history = [from_log(data) for data in (saved or {}).get("messages", [])]
        loop = self._loop(session_id or new_id("sess"), user_input)
        kernel = Kernel(loop)
        kernel.begin_with(history)
        outcome = await kernel.run()
        self.events = list(loop.record.events)
        if session_id is not None:
            kept = [replace(m, origin=None) for m in kernel.transcript]
            await self.state_store.save(session_id, {"messages": [m.to_log() for m in kept]})
        self.event_bus.emit("on_end", outcome=outcome)
        return outcome

    def _loop(self, session_id: str, user_input: str) -> Loop:
        record = Record()
        journal = Journal(session_id=session_id, record=record, sink=Memory(), clock=self.clock)
        journal.emit(Draft("session_start", start_payload(self.spec, version=0, seed=new_seed())))
        opening = {"message": {"role": "user", "content": user_input}, "by": _BY, "policy": "start"}
        journal.emit(Draft("user_message", {**opening, "to": "agent:local"}))
        return Loop(
            session_id=session_id,
            record=record,
            journal=journal,
            clock=self.clock,
            model=lambda _name: as_model(self.llm),
            live=NobodyWatches(),
            actor=Actor(self.spec, self.strategy, self.spec.limits, self.middlewares),
            parts=BUILT_IN,
            bus=self.event_bus,
        )


def start_payload(
    spec: AgentSpec, *, version: int, seed: str, limits: Mapping[str, Any] | None = None,
    plugins: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:  # fmt: skip
    """The payload of ``session_start``: the whole definition, so that the log stands alone."""
    definition = without_secrets(spec.definition())
    return {
        "agent": {
            "slug": spec.slug,
            "name": definition["name"],
            "version": version,
            "digest": spec.digest(),
        },
        "definition": definition,
        "limits": {**definition["limits"], **(limits or {})},
        "seed": seed,
        "loop_version": LOOP_VERSION,
        "engine": ENGINE,
        "plugins": [dict(plugin) for plugin in plugins],
    }


def _by_names(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    known = tuple(tools)
    names = [each.name for each in known]
    for name in names:
        if names.count(name) > 1:
            raise _refused("tools", f"two are named {name!r}; give each a name of its own")
    return known


def _at_least_1(max_steps: int) -> int:
    if type(max_steps) is not int or max_steps < 1:
        raise _refused("max_steps", f"use a whole number of at least 1, not {max_steps!r}")
    return max_steps


def _refused(argument: str, why: str) -> InvalidInput:
    return InvalidInput(f"{argument}: {why}", detail={"field": argument})


class _SmallModel:
    """``complete(messages, tools)`` as a ``ModelPort``."""

    def __init__(self, llm: LLMPort) -> None:
        self._llm = llm

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        message = await self._llm.complete(list(request.messages), list(request.tools) or None)
        fault = message_fault(message)
        if fault is not None:
            said = f"{type(self._llm).__name__}.complete answered with {fault}"
            raise ModelError(said, code="bad_response", permanent=True)
        calls = tuple(
            replace(call, provider_id=call.provider_id or call.id) for call in message.calls
        )
        return ModelReply(replace(message, tool_calls=calls or None), stop_reason=None)


def as_model(llm: LLMPort | ModelPort) -> ModelPort:
    """Either form of a model as the full port."""
    return llm if hasattr(llm, "respond") else _SmallModel(llm)  # type: ignore[return-value]


def as_tool(tool: Tool | ToolPort) -> Tool:
    """Either form of a tool as the full one."""
    if isinstance(tool, Tool):
        return tool
    port = tool

    async def run(**arguments: Any) -> Any:
        return await port.execute(arguments)

    function = port.schema.get("function", port.schema)
    return Tool(
        name=port.name,
        description=function.get("description", ""),
        schema=_parameters(function),
        run=run,
    )


def _parameters(function: Mapping[str, Any]) -> dict[str, Any]:
    """What a tool takes, in whichever way its schema says it: a function's, or that alone."""
    for name in ("parameters", "input_schema"):
        if name in function:
            return dict(function[name])
    bare = function.get("type") == "object" or "properties" in function
    return dict(function) if bare else {"type": "object"}
