"""An activation: one running of one agent. It owns a transcript, a state and its own steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import StateTooLarge
from agents_app.engine.prompts import (
    Prompt,
    Splice,
    extend,
    reference,
    resolve,
    tools_digest,
    unsplice,
)
from playhead.core import canonical, digest
from playhead.core.clock import parse_stamp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agents_app.engine.messages import Message
    from agents_app.engine.record import Record
    from playhead.core.events import Event

STATE_INLINE = 4 * 1024
STATE_LIMIT = 64 * 1024


@dataclass(slots=True)
class Activation:
    """The root agent (or a child), at one step.

    ``transcript`` holds what the strategy appended, as it stands in the log; ``appended`` counts
    what this step added; ``prompt`` is the last request, against which the next is spliced.
    """

    address: str
    step: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    middleware: dict[str, dict[str, Any]] = field(default_factory=dict)
    transcript: list[Message] = field(default_factory=list)
    since: int = 0
    prompt: Prompt = field(default_factory=Prompt)
    opened: str = ""
    _chain: list[bytes] = field(default_factory=list)

    @property
    def scope(self) -> str:
        """Address and step: under which the step's events are written."""
        return f"{self.address}/{self.step}"

    @property
    def fresh(self) -> list[Message]:
        """What this step has added to the transcript."""
        return self.transcript[self.since :]

    def append(self, messages: Sequence[Message]) -> None:
        """Add to the history that the strategy keeps."""
        self.transcript.extend(messages)

    @property
    def now(self) -> datetime:
        """The time of the event that opened the step."""
        return parse_stamp(self.opened)

    def view(self, system: Sequence[Message], window: int | None) -> list[Message]:
        """Instructions and transcript as the next request begins with them."""
        return [*system, *windowed(self.transcript, window)]

    def snapshot(self, names: Sequence[str]) -> tuple[str, dict[str, Any], bytes]:
        """(digest, state, its bytes) after a step.

        Raises:
            StateTooLarge: more than 64 kB.
        """
        state = {
            "strategy": self.state,
            "middleware": {k: v for k, v in self.middleware.items() if v},
        }
        data = canonical.dumps(state)
        if len(data) > STATE_LIMIT:
            raise StateTooLarge(
                f"{self.address} keeps {len(data)} bytes of state; the limit is {STATE_LIMIT}",
                detail={"address": self.address, "bytes": len(data)},
            )
        start = len(self._chain)
        before = self._chain[-1] if self._chain else digest.ZERO
        self._chain += digest.roll(before, [m.digest for m in self.transcript[start:]])
        tail = (self._chain[-1] if self._chain else digest.ZERO).hex()
        return (
            digest.snapshot([data.decode(), len(self.transcript), tail, list(names)]),
            state,
            data,
        )

    def closed(self) -> list[Splice]:
        """End the step: the references of what it added; the next step begins."""
        entries = [reference(message) for message in self.fresh]
        self.since = len(self.transcript)
        self.step += 1
        return entries


def windowed(transcript: list[Message], window: int | None) -> list[Message]:
    """The last ``window`` messages, never beginning with a result whose call is cut off."""
    if window is None or len(transcript) <= window:
        return list(transcript)
    start = len(transcript) - window
    while start < len(transcript) and transcript[start].role == "tool":
        start += 1
    return transcript[start:]


def restore(
    record: Record, address: str, *, opened: int, states: dict[int, dict[str, Any]]
) -> Activation:
    """The activation as its last ``step_end`` with a known state left it.

    Args:
        opened: seq of what opened the current run; only a later step_end gives the state.
        states: states of checkpoints by the seq of their ``step_end``.
    """
    activation = Activation(address)
    ends = _step_ends(record, address)
    keep = len(ends)
    while keep and ends[keep - 1].seq > opened and _state_of(ends[keep - 1], states) is None:
        keep -= 1
    for end in ends[:keep]:
        activation.append([resolve(entry, record.message) for entry in end.payload["append"]])
        activation.closed()
    state = _state_of(ends[keep - 1], states) if keep else None
    if state is not None:
        activation.middleware = {name: dict(value) for name, value in state["middleware"].items()}
        if ends[keep - 1].seq > opened:
            activation.state = state["strategy"]
    activation.prompt = last_prompt(record, address, before=f"/{activation.step}")
    return activation


def _state_of(end: Event, states: dict[int, dict[str, Any]]) -> dict[str, Any] | None:
    return end.payload["state"] if end.payload["state"] is not None else states.get(end.seq)


def _step_ends(record: Record, address: str) -> list[Event]:
    prefix = address + "/"
    found = [e for e in record.by_type.get("step_end", ()) if (e.scope or "").startswith(prefix)]
    return [e for e in found if ";" not in (e.scope or "")[len(prefix) :]]


def requests_of(record: Record, address: str) -> list[Event]:
    """The model requests of an activation itself, in order."""
    prefix = address + "/"
    return [
        event
        for event in record.by_type.get("llm_request", ())
        if (event.scope or "").startswith(prefix) and ";" not in (event.scope or "")[len(prefix) :]
    ]


def last_prompt(record: Record, address: str, *, before: str) -> Prompt:
    """The last request of an activation before step ``before``, rebuilt from its splices."""
    prompt = Prompt()
    limit = int(before.lstrip("/"))
    for event in requests_of(record, address):
        if int((event.scope or "").rsplit("/", 1)[1]) < limit:
            prompt = prompt_of(record, event, prompt)
    return prompt


def prompt_of(record: Record, event: Event, previous: Prompt) -> Prompt:
    """The prompt of a request, given the previous one of its activation."""
    messages = unsplice(previous.messages, event.payload["prompt"], record.message)
    prompt = extend(previous, messages)
    tools = event.payload["tools"]
    prompt.seq = event.seq
    if isinstance(tools, list):
        prompt.tools, prompt.tools_seq = tools_digest(tools), event.seq
    return prompt
