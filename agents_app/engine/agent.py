"""The base class of a hand-written agent, and its configuration: zero settings run."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.engine.messages import Message, deep_copy
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agents_app.engine.ports import LLMPort


@dataclass(frozen=True, slots=True)
class Config:
    """What a deployment may change without touching code."""

    default_model: str = "gpt-3.5-turbo"
    default_provider: str = "openai"
    temperature: float = 0.7
    max_tokens: int | None = None
    debug: bool = False
    log_level: str = "INFO"
    max_history_length: int = 100

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Config:
        """The defaults, overridden by ``DEBUG``, ``LOG_LEVEL``, ``TEMPERATURE``, ``MAX_TOKENS``.

        Raises:
            InvalidInput: a value that does not fit; the message names the variable.
        """
        env = os.environ if environ is None else environ
        tokens = env.get("MAX_TOKENS", "")
        return cls(
            debug=env.get("DEBUG", "").lower() == "true",
            log_level=env.get("LOG_LEVEL", cls().log_level),
            temperature=_number(env, "TEMPERATURE", float, cls().temperature),
            max_tokens=_number(env, "MAX_TOKENS", int, 0) if tokens else None,
        )


def _number(env: Mapping[str, str], name: str, kind: Callable[[str], Any], default: Any) -> Any:
    text = env.get(name)
    if text is None:
        return default
    try:
        return kind(text)
    except ValueError:
        said = f"{name}={text!r} is not a number"
        raise InvalidInput(said, detail={"field": name}) from None


class Agent(ABC):
    """A hand-written agent: a thin shell over a loop, with its own bounded history."""

    def __init__(
        self,
        name: str,
        llm: LLMPort,
        system_prompt: str | None = None,
        config: Config | None = None,
    ) -> None:
        self.name = name
        self.llm = llm
        self.system_prompt = system_prompt
        self.config = config or Config()
        self._history: list[Message] = []

    @abstractmethod
    async def run(self, input_text: str, **kwargs: Any) -> str:
        """Answer one input."""

    def add_message(self, message: Message) -> None:
        """Keep a message; beyond ``max_history_length`` the oldest go, calls with their results."""
        self._history.append(message)
        excess = len(self._history) - self.config.max_history_length
        if excess > 0:
            while excess < len(self._history) and self._history[excess].role == "tool":
                excess += 1
            del self._history[:excess]

    def clear_history(self) -> None:
        """Forget everything."""
        self._history.clear()

    def get_history(self) -> list[Message]:
        """A deep copy: nothing outside can change what the agent knows."""
        return deep_copy(self._history)
