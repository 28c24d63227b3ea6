"""The scripted model: deterministic rules over what it reads; streams, and can fail on purpose.

A rule sees only the prompt, as any model does: it knows no session, branch or seq. So the same
rules give another outcome when a tool result is another one.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.arguments import parse_arguments
from agents_app.engine.errors import ModelError
from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.ports import Delta, ModelReply, ModelRequest, OnDelta
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: What is streamed at once: a Chinese character, or a part of a word, as tokens are.
PIECE = re.compile("[\u2e80-\U0010ffff]|[^\\s\u2e80-\U0010ffff]{1,8}\\s*|\\s+")
PERMANENT = frozenset({"context_length", "auth", "bad_request", "refused", "bad_response"})
#: Characters a token, by which the scripted model counts its own usage.
TOKEN = 4


@dataclass(frozen=True, slots=True)
class Reply:
    """What a rule answers.

    ``fail`` is an error code of the model port, raised after what there is of ``text``, and
    ``says`` the words of that error; ``cut`` sends so many pieces and drops the stream. ``pace``
    is seconds between pieces, ``stall`` seconds before the first. ``raw_arguments`` are sent in
    place of the first call's arguments.

    The rest is for a model server: ``stop`` is why the answer ends where that is not plain
    (``length``, ``refusal``, ``content_filter``, ``pause``); ``hidden`` reasoning is readable by
    nobody but the provider; ``usage`` is counted inclusively; ``status`` and ``headers`` are those
    of a failure.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    fail: str | None = None
    says: str | None = None
    retry_after: float | None = None
    pace: float | None = None
    cut: int | None = None
    stall: float = 0.0
    raw_arguments: str | None = None
    stop: str | None = None
    hidden: bool = False
    usage: Usage | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def arguments_text(self, place: int) -> str:
        """The arguments of the call at ``place``, as a model writes them."""
        if self.raw_arguments is not None and place == 0:
            return self.raw_arguments
        return json.dumps(self.calls[place].arguments, ensure_ascii=False)


def call(name: str, /, **arguments: Any) -> ToolCall:
    """A call of a tool."""
    return ToolCall("", name, arguments)


def reply(text: str = "", *, calls: Sequence[ToolCall] = (), **options: Any) -> Reply:
    """An answer of text, calls, or both."""
    return Reply(text=text, calls=tuple(calls), **options)


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
            if m.role == "tool" and (names | ids).get(m.tool_call_id or "") == tool
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


class ScriptedChat:
    """A script behind the model port."""

    def __init__(self, script: Script) -> None:
        self.script = script

    async def respond(self, request: ModelRequest, on_delta: OnDelta) -> ModelReply:
        """Answer by the first rule that holds. Usage is an estimate, and says so."""
        names = tuple(tool["function"]["name"] for tool in request.tools)
        answer = self.script.answer(View(request.messages, names))
        said = await self._stream(answer, on_delta)
        if answer.fail is not None:
            raise ModelError(
                answer.says or f"the scripted model fails on purpose: {answer.fail}",
                code=answer.fail, permanent=answer.fail in PERMANENT,
                retry_after=answer.retry_after, partial=said or None,
            )  # fmt: skip
        message = _message(answer)
        return ModelReply(
            message,
            stop_reason="tool_calls" if answer.calls else "stop",
            usage=estimate(request.messages, message),
            model=request.model,
            provider={"id": "scripted"},
            ttft_ms=0,
        )

    async def _stream(self, answer: Reply, on_delta: OnDelta) -> str:
        """Pass on text, then the arguments of all calls by turns; gives the text."""
        pace = self.script.pace if answer.pace is None else answer.pace
        if answer.stall:
            await asyncio.sleep(answer.stall)
        said: list[str] = []
        for count, (part, piece) in enumerate(pieces(answer)):
            if count == answer.cut:
                raise ModelError(
                    "the stream ended early",
                    code="stream_dropped", permanent=False, partial="".join(said) or None,
                )  # fmt: skip
            on_delta(Delta(part, piece))
            if part == "text":
                said.append(piece)
            await asyncio.sleep(pace)
        return "".join(said)


def pieces(answer: Reply) -> Iterator[tuple[str, str]]:
    """An answer in the small pieces of a stream: (part, text)."""
    for part, text in (("reasoning", answer.reasoning), ("text", answer.text)):
        for piece in PIECE.findall(text):
            yield part, piece
    if answer.fail is None:
        texts = [PIECE.findall(answer.arguments_text(i)) for i in range(len(answer.calls))]
        for row in zip_longest(*texts):
            for place, piece in enumerate(row):
                if piece is not None:
                    yield f"tool:{place}", piece


def estimate(asked: Sequence[Message], answer: Message) -> Usage:
    """Tokens by the length of the texts."""
    count = sum(map(_length, asked)) // TOKEN + 1
    return Usage(count, _length(answer) // TOKEN + 1, 0, 0, "estimated")


def _length(message: Message) -> int:
    return len(message.content) + sum(len(json.dumps(call.arguments)) for call in message.calls)


def _message(answer: Reply) -> Message:
    calls = []
    for place, each in enumerate(answer.calls):
        arguments, raw = parse_arguments(answer.arguments_text(place))
        calls.append(ToolCall("", each.name, arguments, f"call_{place}", raw))
    items = ({"type": "reasoning", "text": answer.reasoning},) if answer.reasoning else ()
    return Message("assistant", answer.text, calls or None, items=items)


_NAMED = re.compile(r"^/(\w[\w-]*)\s*(\{.*\})?\s*$", re.DOTALL)


def _wants_tool(view: View) -> Any:
    found = _NAMED.match(view.user.strip())
    return found if found and found.group(1) in view.tools and not view.turn else None


def _call_named(view: View) -> Reply:
    found = _NAMED.match(view.user.strip())
    arguments = found.group(2) if found else None
    name = found.group(1) if found else ""
    return reply(calls=[call(name)], raw_arguments=arguments or "{}")


def _echo(view: View) -> Reply:
    results = [m.content for m in view.turn if m.role == "tool"]
    if results:
        return reply("The tool answered:\n\n" + "\n".join(results))
    tools = f" Name a tool to call it, as in /{view.tools[0]} {{…}}." if view.tools else ""
    return reply(f"I am the scripted model; no rule of mine fits. You said: {view.user}{tools}")


ECHO = Script([Rule(_wants_tool, _call_named), Rule(lambda view: True, _echo)], name="echo")

_SCRIPTS: dict[str, Script] = {ECHO.name: ECHO}


def register_scripts(scripts: Mapping[str, Script]) -> None:
    """Make scripts known as ``scripted:<name>``."""
    _SCRIPTS.update(scripts)


def script_names() -> list[str]:
    """The names of all scripts that are known."""
    return sorted(_SCRIPTS)


def script_named(name: str) -> Script | None:
    """The script of that name, if it is known."""
    return _SCRIPTS.get(name)
