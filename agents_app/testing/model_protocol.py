"""What the protocols of model servers have in common, from the side of the server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from agents_app.adapters.models.scripted import TOKEN, estimate
from agents_app.engine.messages import Message
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agents_app.adapters.models.scripted import Reply

#: The limit that a ``context_length`` error names.
CONTEXT_TOKENS = 8192


@dataclass(frozen=True, slots=True)
class Asked:
    """A request body, read. ``body`` is all of it."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    stream: bool
    body: Mapping[str, Any] = field(default_factory=dict)


class Unacceptable(ValueError):
    """A body that the real server would answer with 400 too; ``param`` and ``code`` as it says."""

    def __init__(self, says: str, *, param: str | None = None, code: str | None = None) -> None:
        super().__init__(says)
        self.param, self.code = param, code


@dataclass(frozen=True, slots=True)
class Sent:
    """One event of a stream. ``piece``: of what the model says; ``ends``: nothing follows but ends.

    ``usage`` says that the event tells what was used.
    """

    data: dict[str, Any]
    name: str | None = None
    piece: bool = False
    ends: bool = False
    usage: bool = False


class Answer(Protocol):
    """One answer in the server's words."""

    def events(self) -> Iterator[Sent]:
        """The events of the stream, in order."""
        ...

    def whole(self) -> dict[str, Any]:
        """The answer to a request that does not stream."""
        ...

    def broken_off(self, code: str, says: str | None) -> Sent:
        """The event of an error in the middle of the stream."""
        ...


class ModelProtocol(Protocol):
    """A protocol that a server can speak at a path."""

    #: The last line of a stream, where there is one.
    last: str | None

    def accepts(self, headers: Mapping[str, str], key: str) -> bool:
        """Whether a request carries that key."""
        ...

    def read(self, headers: Mapping[str, str], body: bytes) -> Asked:
        """Read and check a request as strictly as the real server does. Raises ``Unacceptable``."""
        ...

    def counted(self, asked: Asked, reply: Reply, cached: int) -> Usage:
        """What an answer used, inclusively; so many tokens are those of an earlier prompt."""
        ...

    def answer(self, asked: Asked, reply: Reply, number: int, usage: Usage | None) -> Answer:
        """An answer; ``number`` makes ids that are the same in every run."""
        ...

    def error(
        self, code: str, says: str | None = None, status: int | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Status and body of an error, in the server's usual words or in others."""
        ...

    def unacceptable(self, error: Unacceptable) -> dict[str, Any]:
        """The body of a 400."""
        ...


def counted(asked: Asked, reply: Reply, cached: int) -> Usage:
    """By the length of the texts; reasoning is within the output, what was cached in the input."""
    said = Message("assistant", reply.text, reply.calls or None)
    plain = estimate(asked.messages, said)
    reasoning = len(reply.reasoning) // TOKEN
    return Usage(plain.input, (plain.output or 0) + reasoning, cached, reasoning)


def shared(prompt: Sequence[Message], before: Sequence[Sequence[Message]]) -> int:
    """Tokens of the longest beginning that a prompt has in common with an earlier one."""
    longest = 0
    for other in before:
        same = 0
        while same < min(len(prompt), len(other)) and prompt[same] == other[same]:
            same += 1
        longest = max(longest, same)
    return (estimate(prompt[:longest], Message("assistant")).input or 0) - 1 if longest else 0
