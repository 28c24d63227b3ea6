"""The base class of a hand-written agent: a thin shell over a loop, with a history of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from agents_app.engine.config import Config
from agents_app.engine.facade import AgentLoop
from agents_app.engine.messages import Message, deep_copy, from_log
from agents_app.engine.states import MemoryStateStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.ports import LLMPort, ModelPort, ToolPort
    from agents_app.engine.strategy import Strategy
    from agents_app.engine.tools import Tool


class Agent(ABC):
    """A hand-written agent: what it does with an input is its ``run``.

    ::

        class Helper(Agent):
            async def run(self, input_text, **kwargs):
                return await self.ask(input_text, strategy=Reflection())

    Everything that it depends on is given to it: another model or configuration changes no
    subclass.
    """

    def __init__(
        self,
        name: str,
        llm: LLMPort | ModelPort,
        system_prompt: str | None = None,
        config: Config | None = None,
    ) -> None:
        self.name = name
        self.llm = llm
        self.system_prompt = system_prompt
        self.config = config or Config()
        self._history: list[Message] = []

    def __str__(self) -> str:
        return f"{self.name} ({self.config.default_provider})"

    @abstractmethod
    async def run(self, input_text: str, **kwargs: Any) -> str:
        """Answer one input."""

    async def ask(
        self,
        input_text: str,
        *,
        strategy: Strategy | None = None,
        tools: Sequence[Tool | ToolPort] | None = None,
        middlewares: Sequence[Any] | None = None,
        max_steps: int = 10,
    ) -> str:
        """Answer an input by a loop that knows the history, and remember what was said.

        What was said stays in the history when the run fails, too.

        Args:
            strategy: the loop body; function calling by default.
            tools, middlewares, max_steps: as ``AgentLoop`` takes them.

        Raises:
            SecurityError, RunFailed: as ``AgentLoop.run``.
        """
        store = MemoryStateStore()
        await store.save("it", {"messages": [each.to_log() for each in self._history]})
        loop = AgentLoop(
            self.llm, tools, store, middlewares, max_steps, strategy,
            instructions=self.system_prompt or "", params=self.config.params(),
        )  # fmt: skip
        try:
            return await loop.run(input_text, session_id="it")
        finally:
            saved = await store.load("it") or {}
            self.clear_history()
            for each in saved.get("messages", ()):
                self.add_message(from_log(each))

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
