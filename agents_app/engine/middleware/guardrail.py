"""The guardrail: looks at what is new in a prompt before anything starts; masks what is personal.

A text that commands the model is blocked, or a person is asked; a text that was blocked once never
reaches the model in a later run either. Personal data is masked in what the model sees and says;
the history keeps what was said.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import is_
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.errors import SecurityError
from agents_app.engine.hooks import current
from agents_app.engine.messages import Message
from agents_app.engine.middleware.injection import find_injection
from playhead.core.detect import PERSONAL, find_personal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from playhead.core.detect import Finding

Stage = Literal["input", "tool", "output"]
STAGES: tuple[Stage, ...] = ("input", "tool", "output")
_STAGE_OF = {"user": "input", "tool": "tool"}
#: How much of a finding an event shows (characters).
_EXCERPT = 80
Found = tuple[Message, str, "list[Finding]"]
_WITHHELD = "[A guard withheld this text: it tries to command the assistant.]"


@dataclass(frozen=True, slots=True)
class _Last:
    """The last request as it came and as it was shown; up to where was looked, what withheld."""

    messages: tuple[Message, ...] = ()
    shown: tuple[Message, ...] = ()
    seen: int = 0
    withheld: tuple[int, ...] = ()


class GuardrailMiddleware:
    """Args:
    injection: what to do about text that commands the model: ``block``, ``ask`` or ``off``.
    personal_data: ``mask`` hides e-mail, telephone, card and account numbers from the model;
        ``seal`` hides them from everybody else: where they enter a log they are sealed like
        secrets, and held back in streamed text, while the model and the tools get them.
    stages: where to look: ``input`` (user messages), ``tool`` (results), ``output`` (answers;
        there only personal data is masked).
    """

    name = "guardrail"
    roles = ("guard",)

    def __init__(
        self,
        injection: Literal["block", "ask", "off"] = "block",
        personal_data: Literal["off", "mask", "seal"] = "off",
        stages: tuple[Stage, ...] = STAGES,
    ) -> None:
        self.injection = injection
        self.personal_data = personal_data
        self.stages = frozenset(stages)
        self._masked: dict[Any, Message] = {}
        self._last = _Last()

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        """What the model sees: without what was withheld, with personal data masked.

        Raises:
            SecurityError: something new commands the model, and nobody lets it through.
        """
        known = self._known(messages)
        fresh = self._fresh(messages, known)
        if self.injection != "off":
            self._stop([found for m in fresh if (found := self._commands(m))])
        if self.personal_data == "mask":
            personal = [(m, _STAGE_OF[m.role], find_personal(m.content)) for m in fresh]
            self._report("redact", "personal_data", [found for found in personal if found[2]])
        seen = messages
        if self.personal_data == "mask" or self._state()[1]:
            seen = [*self._last.shown[:known], *map(self._shown, messages[known:])]
        self._last = _Last(tuple(messages), tuple(seen), *self._state())
        return seen

    async def after_llm_call(self, response: Message) -> Message:
        """The answer, with personal data masked where the owner says so."""
        if self.personal_data != "mask" or "output" not in self.stages:
            return response
        findings = find_personal(response.content)
        if not findings:
            return response
        self._report("redact", "personal_data", [(response, "output", findings)])
        return replace(response, content=_mask(response.content, findings))

    def _known(self, messages: list[Message]) -> int:
        """How many messages the last request began with too, and were shown as they are to be now.

        A history grows at its end: what stands before was looked at then.
        """
        last, (seen, withheld) = self._last, self._state()
        if len(last.messages) >= len(messages) or seen < last.seen or withheld != last.withheld:
            return 0
        return len(last.messages) if all(map(is_, last.messages, messages)) else 0

    def _state(self) -> tuple[int, tuple[int, ...]]:
        """The seq up to which was looked, and the seqs of what was withheld."""
        state = current().state
        return state.get("seen", 0), tuple(state.get("withheld", ()))

    def _fresh(self, messages: list[Message], known: int) -> list[Message]:
        """What has not been looked at in this session; from now on it has."""
        state, last = current().state, messages[-1:]
        since = state.get("seen", 0)
        queued = self._queued(messages, since)
        fresh = [
            m
            for m in messages[known:]
            if self._watched(m) and (_place(m, last) > since or (m.origin and m.origin == queued))
        ]
        latest = max((m.origin[0] for m in fresh if m.origin), default=since)
        if latest > since:
            state["seen"] = latest
        return fresh

    def _queued(self, messages: list[Message], since: int) -> tuple[int, ...] | None:
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

    def _commands(self, message: Message) -> Found | None:
        findings = find_injection(message.content)
        return (message, _STAGE_OF[message.role], findings) if findings else None

    def _stop(self, found: list[Found]) -> None:
        """Block, or go on when there is nothing, or a person says so."""
        if not found:
            return
        if self.injection == "ask" and self._let_through(found):
            return
        if self.injection == "block":
            self._report("block", "prompt_injection", found)
        withheld = current().state.setdefault("withheld", [])
        withheld += [m.origin[0] for m, _, _ in found if m.origin]
        kinds = sorted({finding.type for _, _, findings in found for finding in findings})
        raise SecurityError(f"Blocked by the guardrail: prompt injection ({', '.join(kinds)}).")

    def _let_through(self, found: list[Found]) -> bool:
        self._report("ask", "prompt_injection", found)
        info = [
            {"of": _origin(message), "stage": stage, "findings": _shown_findings(message, findings)}
            for message, stage, findings in found
        ]
        decision = current().ask(
            kind="guard",
            info=info,
            allowed=["approve", "reject"],
            consequence="The model gets this text as it is.",
        )
        if decision.payload["decision"] != "approve":
            return False
        self._report("pass", "prompt_injection", found)
        return True

    def _report(self, verdict: str, category: str, found: list[Found]) -> None:
        for message, stage, findings in found:
            current().emit(
                "guardrail",
                guard=self.name,
                verdict=verdict,
                category=category,
                findings=_shown_findings(message, findings, hide=category == "personal_data"),
                of=_origin(message),
                stage=stage,
            )

    def _watched(self, message: Message) -> bool:
        return _STAGE_OF.get(message.role, "") in self.stages

    def _shown(self, message: Message) -> Message:
        withheld = current().state.get("withheld", ())
        if withheld and message.origin and message.origin[0] in withheld:
            return self._changed(message, _WITHHELD)
        if self.personal_data != "mask" or not self._watched(message):
            return message
        known = self._masked.get(message.key)
        if known is None:
            findings = find_personal(message.content)
            known = message
            if findings:
                known = self._changed(message, _mask(message.content, findings))
            self._masked[message.key] = known
        return known

    def _changed(self, message: Message, content: str) -> Message:
        """Another text in the message's place: no event carries it, so the request will."""
        return Message(message.role, content, tool_call_id=message.tool_call_id, name=message.name)


def sealed_kinds(uses: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The kinds of personal data that the owner of an agent with these middlewares wants sealed."""
    wanted = (use.get("personal_data") for use in uses if use.get("use") == "guardrail")
    return PERSONAL if "seal" in wanted else frozenset()


def _place(message: Message, last: Sequence[Message]) -> float:
    """The seq of the event that carries a message; one that none carries is new when it is last."""
    if message.origin:
        return message.origin[0]
    return float("inf") if message is last[0] else -1


def _origin(message: Message) -> int | None:
    return message.origin[0] if message.origin else None


def _mask(text: str, findings: list[Finding]) -> str:
    pieces, at = [], 0
    for finding in findings:
        pieces += [text[at : finding.start], f"[{finding.type}]"]
        at = finding.end
    return "".join([*pieces, text[at:]])


def _shown_findings(
    message: Message, findings: list[Finding], *, hide: bool = False
) -> list[dict[str, Any]]:
    return [
        {
            "type": finding.type,
            "excerpt": None if hide else message.content[finding.start : finding.end][:_EXCERPT],
        }
        for finding in findings
    ]
