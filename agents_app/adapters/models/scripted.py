"""The scripted model: deterministic rules over what it reads; streams, and can fail on purpose.

A rule sees only the prompt, as any model does: it knows no session, branch or seq. So the same
rules give another outcome when a tool result is another one.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents_app.engine.errors import ModelError
from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.ports import Delta, ModelReply, ModelRequest, OnDelta
from playhead.core.usage import Usage

PIECE = re.compile(r"\S+\s*|\s+")
#: Characters a token, by which the scripted model counts its own usage.
TOKEN = 4


@dataclass(frozen=True, slots=True)
class Reply:
    """What a rule answers: text, calls, or a failure (an error code of the model port).

    ``pace`` is seconds between pieces; ``cut`` sends so many pieces and then drops the stream;
    ``raw_arguments`` are sent in place of the first call's arguments, as they are.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    fail: str | None = None
    retry_after: float | None = None
    pace: float | None = None
    cut: int | None = None
    stall: float = 0.0
    raw_arguments: str | None = None


def call(name: str, /, **arguments: Any) -> ToolCall:
    """A call of a tool."""
    return ToolCall("", name, arguments)


def reply(text: str = "", *, calls: Sequence[ToolCall] = (), **options: Any) -> Reply:
    """An answer of text, calls, or both."""
    return Reply(text, tuple(calls), **options)


@dataclass(frozen=True, slots=True)
class View:
    """What a rule may look at."""

    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()

    @property
    def user(self) -> str:
        """The last thing that the user said."""
        return next((m.content for m in reversed(self.messages) if m.role == "user"), "")

    @property
    def turn(self) -> tuple[Message, ...]:
        """Everything since the user spoke last."""
        for place in range(len(self.messages) - 1, -1, -1):
            if self.messages[place].role == "user":
                return self.messages[place + 1 :]
        return self.messages

    @property
    def calls(self) -> tuple[str, ...]:
        """The names of the tools that were called since the user spoke last."""
        return tuple(c.name for m in self.turn for c in m.calls)

    def results(self, tool: str) -> list[Any]:
        """The results of a tool since the user spoke last, parsed where they are JSON."""
        names = {c.id: c.name for m in self.messages for c in m.calls}
        ids = {c.provider_id: c.name for m in self.messages for c in m.calls if c.provider_id}
        return [
            parsed(m.content)
            for m in self.turn
            if m.role == "tool"
            and (names.get(m.tool_call_id or "") or ids.get(m.tool_call_id)) == tool
        ]

    def result(self, tool: str) -> Any:
        """The last result of a tool since the user spoke last, ``None`` when there is none."""
        return next(iter(reversed(self.results(tool))), None)


def parsed(text: str) -> Any:
    """A tool result as JSON where it is JSON (a first line by the kernel is passed over)."""
    for candidate in (text, text.partition("\n")[2]):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    return text


@dataclass(frozen=True, slots=True)
class Rule:
    """When ``when`` holds, ``then`` answers; the first rule that holds wins."""

    when: Callable[[View], Any]
    then: Callable[[View], Reply]


@dataclass(frozen=True, slots=True)
class Script:
    """Rules in order. ``pace`` is seconds between the pieces of a streamed answer."""

    rules: Sequence[Rule]
    pace: float = 0.02
    name: str = "scripted"

    def answer(self, view: View) -> Reply:
        """The reply of the first rule that holds."""
        for rule in self.rules:
            if rule.when(view):
                return rule.then(view)
        return reply("I am the scripted model and have no rule for this.")


_SCRIPTS: dict[str, Script] = {}


def register_scripts(scripts: Mapping[str, Script]) -> None:
    """Make scripts known as ``scripted:<name>``."""
    _SCRIPTS.update(scripts)


class ScriptedChat:
    """A script behind the model port."""

    def __init__(self, script: Script) -> None:
        self.script = script

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        names = tuple(tool["function"]["name"] for tool in request.tools)
        answer = self.script.answer(View(request.messages, names))
        pace = self.script.pace if answer.pace is None else answer.pace
        said = await _stream(answer, pace, on_delta)
        if answer.fail is not None:
            _fail(answer, said)
        calls = tuple(
            ToolCall("", each.name, {} if answer.raw_arguments and not i else each.arguments,
                     f"call_{i}", answer.raw_arguments if not i else None)
            for i, each in enumerate(answer.calls)
        )  # fmt: skip
        message = Message("assistant", answer.text, calls or None)
        return ModelReply(
            message,
            stop_reason="tool_calls" if calls else "stop",
            usage=_usage(request, message),
            model=request.model,
            provider={"id": "scripted"},
            ttft_ms=0,
        )


async def _stream(answer: Reply, pace: float, on_delta: OnDelta) -> str:
    if answer.stall:
        await asyncio.sleep(answer.stall)
    said: list[str] = []
    for piece in PIECE.findall(answer.text):
        if answer.cut is not None and len(said) >= answer.cut:
            raise ModelError(
                "the stream ended early",
                code="stream_dropped",
                permanent=False,
                partial="".join(said),
            )
        on_delta(Delta("text", piece))
        said.append(piece)
        await asyncio.sleep(pace)
    for place, each in enumerate(answer.calls):
        on_delta(Delta(f"tool:{place}", json.dumps(each.arguments, ensure_ascii=False)))
    return "".join(said)


def _fail(answer: Reply, said: str) -> None:
    code = answer.fail or "server_error"
    permanent = code in ("context_length", "auth", "bad_request", "refused", "bad_response")
    raise ModelError(
        f"the scripted model fails on purpose: {code}", code=code, permanent=permanent,
        retry_after=answer.retry_after, partial=said or None,
    )  # fmt: skip


def _usage(request: ModelRequest, message: Message) -> Usage:
    asked = sum(
        len(m.content) + sum(len(str(c.arguments)) for c in m.calls) for m in request.messages
    )
    said = len(message.content) + sum(len(str(c.arguments)) for c in message.calls)
    return Usage(input=asked // TOKEN + 1, output=said // TOKEN + 1, cached=0, reasoning=0)


_NAMED = re.compile(r"^/(\w[\w-]*)\s*(\{.*\})?\s*$", re.DOTALL)


def _wants_tool(view: View) -> Any:
    found = _NAMED.match(view.user.strip())
    return found if found and found.group(1) in view.tools and not view.turn else None


def _call_named(view: View) -> Reply:
    found = _wants_tool(view)
    arguments = json.loads(found.group(2) or "{}")
    return reply(calls=[call(found.group(1), **arguments)])


def _echo(view: View) -> Reply:
    results = [m.content for m in view.turn if m.role == "tool"]
    if results:
        return reply("The tool answered:\n\n" + "\n".join(results))
    tools = f" Name a tool to call it, as in /{view.tools[0]} {{…}}." if view.tools else ""
    return reply(f"I am the scripted model; no rule of mine fits. You said: {view.user}{tools}")


ECHO = Script([Rule(_wants_tool, _call_named), Rule(lambda view: True, _echo)], name="echo")
_SCRIPTS["echo"] = ECHO


def script_named(name: str) -> Script | None:
    """The script of that name, if it is known."""
    return _SCRIPTS.get(name)
