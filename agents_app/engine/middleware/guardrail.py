"""The guardrail: looks at what is new in a prompt before anything starts; masks what is personal.

A text that commands the model is blocked, or a person is asked; a text that was blocked once never
reaches the model in a later run either. Personal data is masked in what the model sees and says;
the history keeps what was said.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.middleware.injection import find_injection
from agents_app.engine.middleware.private import secrets_in
from agents_app.engine.middleware.screening import STAGES, Mode, Screening, Stage, in_place_of
from playhead.core.detect import PERSONAL, find_personal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agents_app.engine.messages import Message
    from playhead.core.detect import Finding


class GuardrailMiddleware(Screening):
    """Stops text that commands the model, masks personal data, and stops secrets.

    Args:
        injection: what to do about text that commands the model: ``block``, ``ask`` or ``off``.
        personal_data: ``mask`` hides e-mail, telephone, card and account numbers from the model;
            ``seal`` hides them from everybody else: where they enter a log they are sealed like
            secrets, and held back in streamed text, while the model and the tools get them.
        stages: where to look: ``input`` (user messages), ``tool`` (results), ``output`` (answers;
            there only personal data and secrets are looked for).
        secrets: what to do about a key, token or password: ``block``, ``ask`` or ``off``; they are
            sealed in any case.
        mode: of answers: ``blocking`` streams nothing before the guard has looked, ``parallel``
            streams and takes back what it stops.
    """

    name = "guardrail"

    def __init__(
        self,
        injection: Literal["block", "ask", "off"] = "block",
        personal_data: Literal["off", "mask", "seal"] = "off",
        stages: tuple[Stage, ...] = STAGES,
        secrets: Literal["block", "ask", "off"] = "off",
        mode: Mode = "parallel",
    ) -> None:
        super().__init__(stages, mode)
        self.injection = injection
        self.personal_data = personal_data
        self.secrets = secrets
        self._masked: dict[Any, Message | None] = {}

    @property
    def holds(self) -> frozenset[str] | None:
        """An empty set: answers don't stream before it has looked; ``None``: they do."""
        looks = self.personal_data == "mask" or self.secrets != "off"
        return (
            frozenset() if self.mode == "blocking" and "output" in self.stages and looks else None
        )

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        """What the model sees: without what was withheld, with personal data masked.

        Raises:
            SecurityError: something new commands the model, and nobody lets it through.
        """
        known = self.known(messages)
        fresh = self.fresh(messages, known)
        if self.injection != "off":
            found = [(m, commands) for m in fresh if (commands := find_injection(m.content))]
            self.stop(self.injection, "prompt_injection", found, hide=False)
        if self.secrets != "off":
            found = [(m, secret) for m in fresh if (secret := secrets_in(m))]
            self.stop(self.secrets, "secret", found, hide=True)
        masks = self.personal_data == "mask"
        if masks:
            found = [(m, personal) for m in fresh if (personal := find_personal(m.content))]
            self.report("redact", "personal_data", found, hide=True)
        return self.screened(messages, known, changes=masks)

    async def after_llm_call(self, response: Message) -> Message:
        """The answer, with personal data masked where the owner says so.

        Raises:
            SecurityError: it holds a secret, and nobody lets it through.
        """
        if "output" not in self.stages:
            return response
        if self.secrets != "off" and (secret := secrets_in(response)):
            self.stop(self.secrets, "secret", [(response, secret)], hide=True)
        if self.personal_data != "mask":
            return response
        findings = find_personal(response.content)
        if not findings:
            return response
        self.report("redact", "personal_data", [(response, findings)], hide=True)
        return replace(response, content=_mask(response.content, findings))

    def changed(self, message: Message) -> Message:
        """Personal data masked, where the model is not to see it."""
        if self.personal_data != "mask" or message.role == "assistant":
            return message
        key = message.key
        if key not in self._masked:
            findings = find_personal(message.content)
            text = _mask(message.content, findings)
            self._masked[key] = in_place_of(message, text) if findings else None
        return self._masked[key] or message  # itself, not one that says the same


def sealed_kinds(uses: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The kinds of personal data that the owner of an agent with these middlewares wants sealed."""
    kinds: set[str] = set()
    for use in uses:
        if use.get("use") == "guardrail" and use.get("personal_data") == "seal":
            kinds |= PERSONAL
        if use.get("use") == "personal-data" and use.get("strategy") == "seal":
            kinds |= PERSONAL & set(use.get("kinds", PERSONAL))
    return frozenset(kinds)


def _mask(text: str, findings: list[Finding]) -> str:
    pieces, at = [], 0
    for finding in findings:
        pieces += [text[at : finding.start], f"[{finding.type}]"]
        at = finding.end
    return "".join([*pieces, text[at:]])
