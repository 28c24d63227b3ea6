"""Guards of private data: in what the user says, in results of tools, in what the model answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from agents_app.engine.loop.hooks import current
from agents_app.engine.middleware.private import How, Rewriting, personal_in, secrets_in
from agents_app.engine.middleware.screening import Mode, Screening, Stage, in_place_of
from agents_app.engine.said import Said
from playhead.core.mask import SECRETS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agents_app.engine.messages import Message
    from agents_app.engine.placing import Severity
    from agents_app.engine.spec import AgentSpec
    from playhead.core.detect import Finding

_REWRITES = get_args(How)


class DataGuard(Screening):
    """What both have in common: where to look, and what to do about what is found."""

    category: str
    withheld_text = "[A guard withheld this text.]"

    def __init__(
        self, kinds: Collection[str], strategy: str, mode: Mode, *, input: bool, output: bool,
        tools: bool,
    ) -> None:  # fmt: skip
        looks: dict[Stage, bool] = {"input": input, "tool": tools, "output": output}
        super().__init__([stage for stage, wanted in looks.items() if wanted], mode)
        self.kinds, self.strategy = frozenset(kinds), strategy
        self._rewritten: dict[Any, Message | None] = {}

    @property
    def holds(self) -> frozenset[str] | None:
        """Kinds that an answer is sealed of until it was looked at; ``None``: it may stream."""
        if self.mode != "blocking" or "output" not in self.stages or self.strategy == "seal":
            return None
        return self.kinds - {SECRETS} if self.strategy in ("block", "ask") else frozenset()

    def problems(self, _spec: AgentSpec) -> Iterator[tuple[str, str, Severity]]:
        """A guard that looks nowhere."""
        if not self.stages and self.strategy != "seal":
            told = Said("the guard looks nowhere.", "looks_nowhere")
            yield "apply_to_input", told, "warning"

    def find(self, message: Message) -> list[Finding]:
        """What is private in a message."""
        raise NotImplementedError

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        """What the model sees: without what was withheld, private data rewritten.

        Raises:
            SecurityError: something private is in it, and nobody lets it through.
        """
        if self.strategy == "seal" or not self.stages - {"output"}:
            return messages
        known = self.known(messages)
        found = [(m, new) for m in self.fresh(messages, known) if (new := self.find(m))]
        rewrites = self.strategy in _REWRITES
        if rewrites:
            self.report("redact", self.category, found, hide=True)
        else:
            self.stop(self.strategy, self.category, found, hide=True)
        return self.screened(messages, known, changes=rewrites)

    async def after_llm_call(self, response: Message) -> Message:
        """The answer, with private data rewritten in its text and in the arguments of its calls.

        Raises:
            SecurityError: something private is in it, and nobody lets it through.
        """
        if "output" not in self.stages or self.strategy == "seal":
            return response
        findings = self.find(response)
        if not findings:
            return response
        if self.strategy in _REWRITES:
            self.report("redact", self.category, [(response, findings)], hide=True)
            return self._rewriting().message(response)
        self.stop(self.strategy, self.category, [(response, findings)], hide=True)
        return response

    def changed(self, message: Message) -> Message:
        """A message of the user or a tool, rewritten where there is something private in it."""
        if self.strategy not in _REWRITES or message.role == "assistant":
            return message
        key = message.key
        if key not in self._rewritten:
            private = self.find(message)
            shown = _as_shown(self._rewriting().message(message)) if private else None
            self._rewritten[key] = shown
        return self._rewritten[key] or message  # itself, not one that says the same

    def _rewriting(self) -> Rewriting:
        how: How = self.strategy  # type: ignore[assignment]
        return Rewriting(self.kinds, how, current().seed)


def _as_shown(message: Message) -> Message:
    """The message as no event carries it: markers in it are text."""
    return in_place_of(message, message.content)


class PersonalDataMiddleware(DataGuard):
    """Keeps personal data from the model, or stops a run that meets it.

    Args:
        kinds: which; e-mail, telephone, payment card and bank account numbers.
        strategy: ``redact`` leaves the kind (``[email]``), ``mask`` a part, ``hash`` a name; a tool
            then gets what the model sees. ``block`` ends the run, ``ask`` asks a person, ``seal``
            hides it from everybody but the model and the tools.
        apply_to_input: look at what the user says.
        apply_to_output: look at answers and at the arguments of calls.
        apply_to_tool_results: look at what tools return.
        mode: of answers: ``blocking`` streams nothing before the guard has looked, and what it
            stops is sealed in the log; ``parallel`` streams and takes back.
    """

    name = "personal-data"
    category = "personal_data"

    def __init__(
        self,
        kinds: tuple[Literal["email", "phone", "card", "iban"], ...] = (
            "email", "phone", "card", "iban",
        ),
        strategy: Literal["redact", "mask", "hash", "block", "ask", "seal"] = "redact",
        apply_to_input: bool = True,
        apply_to_output: bool = False,
        apply_to_tool_results: bool = False,
        mode: Mode = "blocking",
    ) -> None:  # fmt: skip
        super().__init__(
            kinds, strategy, mode,
            input=apply_to_input, output=apply_to_output, tools=apply_to_tool_results,
        )  # fmt: skip

    def find(self, message: Message) -> list[Finding]:
        """Its personal data of these kinds."""
        return personal_in(message, self.kinds)


class SecretsMiddleware(DataGuard):
    """Keeps keys, tokens and passwords from the model, or stops a run that meets them.

    They are sealed in log and stream in any case; this is about what the model sees and says.

    Args:
        strategy: ``redact`` leaves the kind (``[api_key]``), ``hash`` a name; a tool then gets what
            the model sees. ``block`` ends the run, ``ask`` asks a person.
        apply_to_input: look at what the user says.
        apply_to_output: look at answers and at the arguments of calls.
        apply_to_tool_results: look at what tools return.
        mode: of answers: ``blocking`` streams nothing before the guard has looked, ``parallel``
            streams and takes back.
    """

    name = "secrets"
    category = "secret"

    def __init__(
        self,
        strategy: Literal["redact", "hash", "block", "ask"] = "redact",
        apply_to_input: bool = True,
        apply_to_output: bool = False,
        apply_to_tool_results: bool = True,
        mode: Mode = "blocking",
    ) -> None:
        super().__init__(
            {SECRETS}, strategy, mode,
            input=apply_to_input, output=apply_to_output, tools=apply_to_tool_results,
        )  # fmt: skip

    def find(self, message: Message) -> list[Finding]:
        """Its secrets."""
        return secrets_in(message)
