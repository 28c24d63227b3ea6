"""What a running tool may ask of the loop."""

from __future__ import annotations

import asyncio
import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from agents_app.engine.children.child import ChildOutcome
    from agents_app.engine.children.errands import Errands
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.tool_calls.telling import Telling


class ToolContext:
    """Handed to a tool that declares a parameter of this type.

    ``key`` is the idempotency key of this call: the session that wrote the intent, and its seq.
    ``session`` is the session that it runs in, ``address`` where; ``user`` is the id of who wrote
    the message that the run answers.
    A tool asks *before* it acts: after an answer it is entered again from the top.
    """

    def __init__(
        self,
        *,
        key: str,
        address: str,
        state: Any = None,
        answers: Sequence[tuple[Any, Any]] = (),
        session: str = "",
        user: str | None = None,
        ask: Callable[..., Any],
        agents: Sequence[AgentSpec] = (),
        errands: Errands | None = None,
        telling: Telling | None = None,
    ) -> None:
        self.key = key
        self.address = address
        self.session = session
        self.user = user
        self.state = state
        self.was_interrupted = bool(answers)
        self._answers = list(answers)
        self._ask = ask
        self._agents = {agent.slug: agent for agent in agents}
        self._errands = errands
        self._telling = telling
        self._entered: dict[str, int] = {}

    def part(self, number: int) -> ToolContext:
        """The context for a part of this call that is a call of its own, with a key of its own."""
        part = copy.copy(self)
        part.key = f"{self.key}.{number}"
        return part

    @property
    def has_log(self) -> bool:
        """Whether the call is one of a session, so that it can write and find events."""
        return self._telling is not None

    @property
    def _tells(self) -> Telling:
        if self._telling is None:
            raise RuntimeError("this context is of no session: it has no log")
        return self._telling

    def now(self) -> datetime:
        """The time by the session's clock, in UTC."""
        return self._tells.now()

    def concealed(self, text: str) -> str:
        """The text with a marker where a secret stands that this session tree knows.

        A tool gets real values. What it keeps, or tells somebody who has no right to them, goes
        through this; pattern and place alone don't tell what a person has called a password.
        """
        return str(withhold(text)) if self._telling is None else self._telling.concealed(text)

    def emit(self, kind: str, data: Any = None) -> None:
        """Write an event of the tool's own into the log: what it asks elsewhere, how far it is.

        Args:
            kind: a name such as ``weather.request``.
            data: JSON.
        """
        self._tells.emit(kind, data)

    def emitted(self, kind: str) -> list[Any]:
        """What tools have written of a kind so far, in this session and where it branched from."""
        return self._tells.emitted(kind)

    def timed_by(self, clock: asyncio.Timeout) -> None:
        """The call's time, which stands still while an agent runs below it."""
        if self._errands is not None:
            self._errands.clock = clock

    async def run_child(
        self, spec: AgentSpec, task: str, *, info: Any = None, state: Any = None
    ) -> ChildOutcome:
        """Run an agent below this call until it ends; a question in it suspends the call.

        The tool runs agents *before* it acts: after a pause it is entered again from the top, and
        agents that have ended are answered from the record, by their number. One that has begun
        goes on with the task that it was given then.

        Args:
            spec: one of the agents that the tool was declared with (``@tool(agents=[…])``).
            info: what to tell a person who is asked below it: why the tool runs it.
            state: JSON to find again in ``self.state`` when the tool is entered again.

        Raises:
            ValueError: the tool was not declared with an agent of that slug.
        """
        if self._errands is None or spec.slug not in self._agents:
            said = f"declare the agent {spec.slug!r} where the tool is: @tool(agents=[…])"
            raise ValueError(said)
        number = self._entered[spec.slug] = self._entered.get(spec.slug, 0) + 1
        name = spec.slug + (f"#{number}" if number > 1 else "")
        spec = _with_tools(spec, self._agents[spec.slug])
        return await self._errands.run(name, spec, task, info=info, state=state)

    def run_child_blocking(self, spec: AgentSpec, task: str, **said: Any) -> ChildOutcome:
        """``run_child`` for a plain function, which runs in a thread and waits in it."""
        if self._errands is None:
            raise ValueError("declare the agents where the tool is: @tool(agents=[…])")
        run = self.run_child(spec, task, **said)
        return asyncio.run_coroutine_threadsafe(run, self._errands.loop).result()

    @property
    def answer(self) -> tuple[bool, Any]:
        """(there is an answer, the last one): every JSON value is legal, ``None`` too."""
        return (True, self._answers[-1][1]) if self._answers else (False, None)

    def interrupt(
        self, info: Any, *, schema: dict[str, Any] | None = None, state: Any = None
    ) -> Any:
        """Ask a person; returns the answer when there is one, else suspends the call.

        An answer belongs to its question: of several to the same ``info`` the last one counts,
        and it is given once, so that a tool that asks again until it is content does ask again.

        Args:
            info: the question, text or JSON.
            schema: JSON Schema of the answer.
            state: JSON to find again in ``self.state`` when the tool is entered again.
        """
        said, _ = sanitise(info)
        given = [answer for asked, answer in self._answers if asked == said]
        if not given:
            return self._ask(said, schema=schema, state=state)
        self._answers[:] = [each for each in self._answers if each[0] != said]
        return given[-1]


def _with_tools(spec: AgentSpec, declared: AgentSpec) -> AgentSpec:
    """The agent with the tools that it only names, as the declaration of the tool has them."""
    named = cast("Sequence[Any]", spec.tools)
    known: dict[Any, Any] = {getattr(each, "name", each): each for each in declared.tools}
    tools = [known.get(each, each) if isinstance(each, str) else each for each in named]
    return replace(spec, tools=tuple(tools))
