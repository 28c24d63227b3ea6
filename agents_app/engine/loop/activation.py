"""An activation: one running of one agent. It owns a transcript, a state and its own steps."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.engine.errors import StateTooLarge
from agents_app.engine.model_calls.prompts import (
    Prompt,
    Splice,
    reference,
)
from playhead.core import canonical, digest
from playhead.core.clock import parse_stamp
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from agents_app.engine.actor import Actor
    from agents_app.engine.errors import ControlFlow
    from agents_app.engine.messages import Message

logger = logging.getLogger(__name__)
#: Steps of activations, and the number of an entry, which an address does not show.
_HIDDEN = re.compile(r"(?:#\d+)?/\d+(?=;)|#\d+$")
STATE_INLINE = 4 * 1024
STATE_LIMIT = 64 * 1024
_EMPTY = canonical.dumps({"strategy": {}, "middleware": {}})


@dataclass(slots=True)
class Activation:
    """The root agent, or a child below a step or a call of its parent, at one step.

    ``base`` is its scope without its own step (``agent:root/3;tool:ask:c41.0;agent:child``);
    ``address`` is how that is shown, without the steps of those above it and ``#n``.
    ``first`` is the step that the present run began with.
    ``transcript`` holds what the strategy appended, as it stands in the log; what comes after
    ``since`` this step has added. ``prompt`` is the last request, against which the next is
    spliced; ``info`` is what the tool that runs it says of it; ``children`` are those that this
    entry has entered and that have not ended. ``stopped`` is what stopped the session in this step,
    whatever the strategy makes of its raising.
    """

    base: str
    actor: Actor
    parent: Activation | None = None
    step: int = 0
    first: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    middleware: dict[str, dict[str, Any]] = field(default_factory=dict)
    transcript: list[Message] = field(default_factory=list)
    since: int = 0
    prompt: Prompt = field(default_factory=Prompt)
    children: dict[str, Activation] = field(default_factory=dict)
    opened: str = ""
    scope: str = ""
    address: str = ""
    info: Any = None
    stopped: ControlFlow | None = None
    _shown: list[Message] = field(default_factory=list)
    _shown_of: tuple[Sequence[Message], int] = ((), 0)
    _chain: bytes = digest.ZERO
    _chained: int = 0
    _kept: bytes = _EMPTY
    _value: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.scope = f"{self.base}/{self.step}"
        self.address = _HIDDEN.sub("", self.base)

    @property
    def next_scope(self) -> str:
        """The scope of the step after this one."""
        return f"{self.base}/{self.step + 1}"

    @property
    def ancestry(self) -> list[dict[str, Any]]:
        """Who stands above a question of this activation, the nearest first."""
        above = self.parent.ancestry if self.parent else []
        if self.info is not None:
            call = _HIDDEN.sub("", self.base.rpartition(";agent:")[0])
            above = [{"address": call, "info": self.info}, *above]
        return [{"address": self.address, "info": None}, *above]

    @property
    def fresh(self) -> list[Message]:
        """What this step has added to the transcript."""
        return self.transcript[self.since :]

    def append(self, messages: Iterable[Message]) -> None:
        """Add to the history that the strategy keeps."""
        self.transcript.extend(messages)

    @property
    def now(self) -> datetime:
        """The time of the event that opened the step."""
        return parse_stamp(self.opened)

    def view(self, system: Sequence[Message], window: int | None) -> list[Message]:
        """Instructions and transcript as the next request begins with them.

        Without a window it is one list that grows from step to step, so that a step costs the
        same however long the history is: nobody else changes it.
        """
        if window is not None:
            return [*system, *windowed(self.transcript, window)]
        of, upto = self._shown_of
        if of is not system or not self._shown:
            self._shown, upto = list(system), 0
        self._shown += self.transcript[upto:]
        self._shown_of = (system, len(self.transcript))
        return self._shown

    def snapshot(self, recorded: str | None = None) -> tuple[str, bytes]:
        """(digest, bytes of the state) after a step; the bytes are kept for ``restart``.

        A secret that is in the state is taken out of it: what goes on is what a resume finds.

        Args:
            recorded: the digest that the record has: where an older release wrote a state as it
                was, it stays so.

        Raises:
            StateTooLarge: more than 64 kB.
        """
        kept = {name: state for name, state in self.middleware.items() if state}
        data = canonical.dumps({"strategy": self.state, "middleware": kept})
        if len(data) > STATE_LIMIT:
            raise StateTooLarge(
                f"{self.address} keeps {len(data)} bytes of state; the limit is {STATE_LIMIT}",
                detail={"address": self.address, "bytes": len(data)},
            )
        mark = self.digest_of(data)
        if data != self._kept:
            self._kept, self._value = data, None
            clean = withhold(self.kept)
            if clean is not self.kept and mark != recorded:
                self.take(clean)
                return self.digest_of(self._kept), self._kept
        self.state = _own(self.state)
        return mark, data

    def digest_of(self, state: bytes) -> str:
        """The digest of a snapshot with that state, at the end of the transcript as it is."""
        fresh = [message.digest for message in self.transcript[self._chained :]]
        if fresh:
            self._chain = digest.roll(self._chain, fresh)[-1]
            self._chained = len(self.transcript)
        return digest.snapshot(state, self._chain, self._chained, self.actor.names)

    @property
    def kept(self) -> dict[str, Any]:
        """The state of the last snapshot, as it is stored: nobody changes it."""
        if self._value is None:
            self._value = canonical.loads(self._kept)
        return self._value

    def restart(self) -> None:
        """Give strategy and middleware back the state that they had before this step."""
        self.take(self.kept)

    def take(self, state: Mapping[str, Any], *, strategy: bool = True) -> None:
        """Take a snapshot's state over as one's own, sharing nothing with it."""
        self._kept, self._value = canonical.dumps(state), None
        own = canonical.loads(self._kept)
        self.middleware = own["middleware"]
        if strategy:
            self.state = own["strategy"]

    def closed(self) -> list[Splice]:
        """End the step: the references of what it added; the next step begins."""
        entries = [reference(message) for message in self.transcript[self.since :]]
        self.since = len(self.transcript)
        self.scope = self.next_scope
        self.step += 1
        return entries


def _own(state: dict[str, Any]) -> dict[str, Any]:
    """A state that nobody else holds: a task that a step left behind changes its own."""
    if any(isinstance(value, (dict, list, tuple)) for value in state.values()):
        own: dict[str, Any] = canonical.loads(canonical.dumps(state))
        return own
    return dict(state)


def windowed(transcript: list[Message], window: int | None) -> list[Message]:
    """The last ``window`` messages, never beginning with a result whose call is cut off."""
    if window is None or len(transcript) <= window:
        return transcript
    start = len(transcript) - window
    while start < len(transcript) and transcript[start].role == "tool":
        start += 1
    return transcript[start:]
