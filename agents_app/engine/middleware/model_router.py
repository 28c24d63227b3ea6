"""Model router: each request goes to the model that a rule, or a classifier model, says.

A rule looks at the request when it is sent, which a replay never does. The classifier is asked in
a hook: its request is marked internal, and its answer is recorded and found again.

Expressions come from people and texts from anywhere: pydantic's engine takes time in proportion to
the text, where Python's own could keep the loop of all sessions busy for hours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import SchemaError, SchemaValidator
from pydantic_core.core_schema import str_schema

from agents_app.engine.loop.hooks import current
from agents_app.engine.messages import Message
from agents_app.engine.placing import alone, before
from agents_app.engine.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agents_app.engine.placing import Severity
    from agents_app.engine.ports import ModelHandler, ModelReply, ModelRequest
    from agents_app.engine.spec import AgentSpec

#: Of the user's message as much is looked at by rules and classifier (characters).
LOOKED_AT = 8_000
INSTRUCTIONS = "Choose the model that suits the user's message best. Answer with its name alone."


class Rule(BaseModel):
    """Requests for which all that is said here holds go to ``model``."""

    model_config = ConfigDict(extra="forbid")
    model: str = Field(pattern=r".+:.+", description="provider:model")
    longer_than: int | None = Field(None, ge=0, description="characters of the whole prompt")
    shorter_than: int | None = Field(None, ge=1, description="characters of the whole prompt")
    tools: bool | None = Field(None, description="whether tools are offered")
    matches: str | None = Field(None, description="regular expression in the user's last message")
    from_step: int | None = Field(None, ge=0, description="the step of the run, from 0")

    def holds(self, request: ModelRequest, step: int) -> bool:
        """Whether the rule is about this request."""
        size = sum(len(message.content) for message in request.messages)
        return (
            (self.longer_than is None or size > self.longer_than)
            and (self.shorter_than is None or size < self.shorter_than)
            and (self.tools is None or self.tools == bool(request.tools))
            and (self.from_step is None or step >= self.from_step)
            and (self.matches is None or _found(self.matches, request.messages))
        )


class ModelRouterMiddleware:
    """Sends a request to the model of the first rule that holds, else to the classifier's choice.

    Without a rule that holds and a choice the agent's own model answers.

    Args:
        rules: looked at in their order; all that a rule says must hold.
        choices: models that the classifier chooses from, with a sentence each on what they are for.
        classifier: the model that is asked, once a run, which of the choices suits.
        instructions: what the classifier is told.
    """

    name = "model-router"
    roles = ("router",)
    placing = (
        alone("router", "each would send the request somewhere else."),
        before("fallback", "it would send what falls back to the model that has failed."),
        before("retry", "what is tried again would not be what has failed."),
    )

    def __init__(
        self,
        rules: tuple[Rule, ...] = (),
        choices: dict[Annotated[str, Field(pattern=r".+:.+")], str] | None = None,
        classifier: Annotated[str, Field(pattern=r".+:.+")] | None = None,
        instructions: str = INSTRUCTIONS,
    ) -> None:
        self.rules = rules
        self.choices: Mapping[str, str] = choices or {}
        self.classifier = classifier
        self.instructions = instructions

    def problems(self, _spec: AgentSpec) -> Iterator[tuple[str, str, Severity]]:
        """Expressions that can't be read, a classifier without choices, and nothing to go by."""
        for place, rule in enumerate(self.rules):
            try:
                _expression(rule.matches or "")
            except SchemaError as error:
                text = f"no regular expression that is read here: {_why(error)}."
                said = Said(text, "no_expression", why=_why(error))
                yield f"rules.{place}.matches", said, "problem"
        if bool(self.choices) != bool(self.classifier):
            yield (
                "classifier",
                Said(
                    "a classifier goes with choices, and choices with one.",
                    "classifier_and_choices",
                ),
                "problem",
            )
        elif not (self.rules or self.choices):
            yield (
                "rules",
                Said(
                    "without rules and choices every request goes where it went.",
                    "nothing_to_route",
                ),
                "warning",
            )

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        """Ask the classifier at the first request of a run."""
        state, run = current().state, current().run
        if self.classifier and self.choices and state.get("run") != run:
            asked = await current().model(self._question(messages), model=self.classifier)
            state.update(run=run, model=self._chosen(asked.content))
        return messages

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        """The reply of the model that the request is for; what a middleware asks is left alone."""
        model = None if request.internal else self._model(request)
        return await call(request if model is None else replace(request, model=model))

    def _model(self, request: ModelRequest) -> str | None:
        step = current().step
        ruled = next((rule.model for rule in self.rules if rule.holds(request, step)), None)
        chosen: str | None = current().state.get("model")
        return ruled or chosen

    def _question(self, messages: Sequence[Message]) -> list[Message]:
        models = "\n".join(f"- {model}: {what}" for model, what in self.choices.items())
        said = _last_said(messages)
        return [Message("system", f"{self.instructions}\n\n{models}"), Message("user", said)]

    def _chosen(self, answer: str) -> str | None:
        """The first choice that an answer names; the longer one where a name begins another."""
        named = [model for model in self.choices if model in answer]
        return min(named, key=lambda model: (answer.index(model), -len(model)), default=None)


def _last_said(messages: Sequence[Message]) -> str:
    said = (message.content for message in reversed(messages) if message.role == "user")
    return next(said, "")[:LOOKED_AT]


def _found(pattern: str, messages: Sequence[Message]) -> bool:
    return _expression(pattern).isinstance_python(_last_said(messages))


@lru_cache(maxsize=64)
def _expression(pattern: str) -> SchemaValidator:
    """Texts in which the expression is found.

    Raises:
        SchemaError: it can't be read, looks around or back, or grows too large.
    """
    return SchemaValidator(str_schema(pattern=pattern, regex_engine="rust-regex"))


def _why(error: SchemaError) -> str:
    """The last line of what the engine says, which also shows the place."""
    last = str(error).rpartition("\n")[2].strip().rstrip(".")
    return last.removeprefix("error: ").removeprefix("SchemaError: ")
