"""Screening: what is new in a prompt is looked at once, and what was withheld stays withheld.

The base of guards. A guard's state says up to which event it has looked and which messages it has
withheld; within one entry it remembers the last prompt, so that a step costs what is new in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import is_
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.errors import SecurityError
from agents_app.engine.loop.hooks import current
from agents_app.engine.messages import Message

if TYPE_CHECKING:
    from collections.abc import Collection

    from playhead.core.detect import Finding

Stage = Literal["input", "tool", "output"]
Mode = Literal["blocking", "parallel"]
STAGES: tuple[Stage, ...] = ("input", "tool", "output")
_STAGE_OF = {"user": "input", "tool": "tool", "assistant": "output"}
#: How much of a finding an event shows (characters).
_EXCERPT = 80
Found = tuple[Message, "list[Finding]"]
_WITHHELD = "[A guard withheld this text: it tries to command the assistant.]"


@dataclass(frozen=True, slots=True)
class _Last:
    """The last request as it came and as it was shown; up to where was looked, what withheld."""

    messages: tuple[Message, ...] = ()
    shown: tuple[Message, ...] = ()
    seen: int = 0
    withheld: tuple[int, ...] = ()


class Screening:
    """Finds what is new, shows what may be seen, and says or asks what it found.

    Args:
        stages: where to look.
        mode: of the output stage: ``blocking`` lets nothing stream before it was looked at,
            ``parallel`` takes it back.
    """

    name: str
    roles = ("guard",)
    withheld_text = _WITHHELD

    def __init__(self, stages: Collection[Stage], mode: Mode) -> None:
        self.stages = frozenset(stages)
        self.mode = mode
        self._last = _Last()

    def screened(self, messages: list[Message], known: int, *, changes: bool) -> list[Message]:
        """The prompt as the model may see it; the first ``known`` are shown as they were."""
        seen = messages
        if changes or self._state()[1]:
            seen = [*self._last.shown[:known], *map(self.shown, messages[known:])]
        self._last = _Last(tuple(messages), tuple(seen), *self._state())
        return seen

    def shown(self, message: Message) -> Message:
        """One message as the model may see it."""
        withheld = current().state.get("withheld", ())
        if withheld and message.origin and message.origin[0] in withheld:
            return in_place_of(message, self.withheld_text)
        return self.changed(message) if self.watches(message) else message

    def changed(self, message: Message) -> Message:
        """What a guard makes of a message that it watches."""
        return message

    def known(self, messages: list[Message]) -> int:
        """How many messages the last request began with too, and were shown as they are to be now.

        A history grows at its end: what stands before was looked at then.
        """
        last, (seen, withheld) = self._last, self._state()
        if len(last.messages) >= len(messages) or seen < last.seen or withheld != last.withheld:
            return 0
        return len(last.messages) if all(map(is_, last.messages, messages)) else 0

    def fresh(self, messages: list[Message], known: int) -> list[Message]:
        """What has not been looked at in this session; from now on it has."""
        state, last = current().state, len(messages) - 1
        since = state.get("seen", 0)
        queued = _queued(messages, since)
        fresh = [
            m
            for n, m in enumerate(messages[known:], known)
            if m.role != "assistant"
            and self.watches(m)
            and (_place(m, is_last=n == last) > since or (m.origin and m.origin == queued))
        ]
        latest = max((m.origin[0] for m in fresh if m.origin), default=since)
        if latest > since:
            state["seen"] = latest
        return fresh

    def watches(self, message: Message) -> bool:
        """Whether it looks at messages of this kind."""
        return _STAGE_OF.get(message.role, "") in self.stages

    def withhold(self, found: list[Found]) -> None:
        """The model never sees these, in a later run either."""
        withheld = current().state.setdefault("withheld", [])
        withheld += [m.origin[0] for m, _ in found if m.origin]

    def refuse(self, category: str, found: list[Found]) -> None:
        """End the run.

        Raises:
            SecurityError: always; it says what was found.
        """
        self.withhold([(m, findings) for m, findings in found if m.role != "assistant"])
        kinds = sorted({finding.type for _, findings in found for finding in findings})
        what = category.replace("_", " ")
        raise SecurityError(f"Blocked by the {self.title}: {what} ({', '.join(kinds)}).")

    @property
    def title(self) -> str:
        """What a person reads for it."""
        return self.name

    def stop(self, action: str, category: str, found: list[Found], *, hide: bool) -> None:
        """Block, or go on when there is nothing, or a person says so.

        Raises:
            SecurityError: blocked, or refused by a person.
        """
        if not found:
            return
        if action == "ask" and self._let_through(category, found, hide=hide):
            return
        if action == "block":
            self.report("block", category, found, hide=hide)
        self.refuse(category, found)

    def _let_through(self, category: str, found: list[Found], *, hide: bool) -> bool:
        self.report("ask", category, found, hide=hide)
        info = [
            {
                "of": _origin(message),
                "stage": _STAGE_OF[message.role],
                "findings": _told(message, findings, hide=hide),
            }
            for message, findings in found
        ]
        is_output = any(message.role == "assistant" for message, _ in found)
        decision = current().ask(
            kind="guard",
            info=info,
            allowed=["approve", "reject"],
            consequence="The agent goes on with this answer as it is."
            if is_output
            else "The model gets this text as it is.",
        )
        if decision.payload["decision"] != "approve":
            return False
        self.report("pass", category, found, hide=hide)
        return True

    def report(self, verdict: str, category: str, found: list[Found], *, hide: bool) -> None:
        """Say what was found, an event each; ``hide``: without the text itself."""
        for message, findings in found:
            payload: dict[str, Any] = {
                "guard": self.name,
                "verdict": verdict,
                "category": category,
                "findings": _told(message, findings, hide=hide),
                "of": _origin(message),
                "stage": _STAGE_OF[message.role],
            }
            about = None
            if self.mode == "parallel" and message.role == "assistant" and verdict != "redact":
                payload["retract"] = verdict != "pass"
                about = payload["of"]
            current().emit("guardrail", about=about, **payload)

    @staticmethod
    def _state() -> tuple[int, tuple[int, ...]]:
        """The seq up to which was looked, and the seqs of what was withheld."""
        state = current().state
        return state.get("seen", 0), tuple(state.get("withheld", ()))


def in_place_of(message: Message, content: str) -> Message:
    """Another text in the message's place: no event carries it, so the request will."""
    return Message(message.role, content, tool_call_id=message.tool_call_id, name=message.name)


def _queued(messages: list[Message], since: int) -> tuple[int, ...] | None:
    """The run's message, when it came before results that another run was waiting for.

    It is new to the model as long as no answer stands behind it.
    """
    seq = current().queued
    if seq is None or seq > since:
        return None
    for message in reversed(messages):
        if message.role == "assistant" or message.origin == (seq,):
            return message.origin if message.role == "user" else None
    return None


def _place(message: Message, *, is_last: bool) -> float:
    """The seq of the event that carries a message; one that none carries is new when it is last.

    (By where it stands: another guard may show two that say the same as one object.)
    """
    if message.origin:
        return message.origin[0]
    return float("inf") if is_last else -1


def _origin(message: Message) -> int | None:
    return message.origin[0] if message.origin else None


def _told(message: Message, findings: list[Finding], *, hide: bool) -> list[dict[str, Any]]:
    return [
        {
            "type": finding.type,
            "excerpt": None if hide else message.content[finding.start : finding.end][:_EXCERPT],
        }
        for finding in findings
    ]
