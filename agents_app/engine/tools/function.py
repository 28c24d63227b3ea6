"""``@tool``: from a typed function to a tool with a JSON Schema, an effect class and a gate."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from pydantic import BaseModel, ValidationError

from agents_app.engine.filling import fill
from agents_app.engine.tools.arguments import (
    arguments_model,
    invalid,
    schema_of,
    wrong_in,
)
from agents_app.engine.tools.threads import THREADS

if TYPE_CHECKING:
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.tools.context import ToolContext
    from agents_app.engine.tools.threads import Turn

#: Who may be asked for; a role that nobody has would be a question that nobody sees.
ROLES = ("viewer", "operator", "approver", "editor", "admin")

#: What every provider takes as the name of a function, and an address can hold.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

Approval = bool | Callable[[Mapping[str, Any]], bool]
Consequence = str | Callable[[Mapping[str, Any]], str] | None

#: Characters of a result that a model is given, unless a tool says otherwise.
MAX_OUTPUT = 100_000


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the loop knows it.

    Effect classes: not effectful may run again; effectful and idempotent may run again with the
    same key; effectful runs at most once per decision, and a crash leaves it in doubt.
    ``timeout`` is in seconds, ``max_output`` in characters of the result. ``agent`` is the agent
    that answers in the function's place; with ``handoff`` its answer ends the run. ``agents`` are
    those that the function may run below its call (``ctx.run_child``). ``source`` says where an
    agent that was made in the browser has the tool from. Where ``effects_known`` is false, nobody
    has told the effect class, and an agent may say it. ``gone``: its code is not here any more.
    ``takes`` is the schema that the code checks, where it is another one than was offered.
    ``in_thread``: the function blocks, so that it runs in a thread and can't be stopped.
    """

    name: str
    description: str
    schema: dict[str, Any]
    run: Callable[..., Any]
    effectful: bool = False
    idempotent: bool = False
    approval: Approval = False
    required_role: str = "approver"
    consequence: Consequence = None
    timeout: float = 60.0
    max_output: int = MAX_OUTPUT
    secret: tuple[str, ...] = ()
    version: str = "1"
    expires_in: float | None = 86_400.0
    arguments_model: type[BaseModel] | None = None
    context_parameter: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    agent: AgentSpec | None = None
    handoff: bool = False
    source: str = ""
    agents: tuple[AgentSpec, ...] = ()
    effects_known: bool = True
    gone: bool = False
    takes: Mapping[str, Any] | None = None
    in_thread: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Every call asks, and looking at a function takes longer than most else that is asked.
        object.__setattr__(self, "in_thread", not inspect.iscoroutinefunction(self.run))

    @property
    def checks(self) -> Mapping[str, Any]:
        """The schema that a call's arguments have to fit."""
        return self.schema if self.takes is None else self.takes

    def problem(self) -> str | None:
        """What keeps the tool from being used, naming tool and field; ``None`` when all is well."""
        if not _NAME.fullmatch(self.name):
            return f"tool {self.name!r}: a name has 1 to 64 letters (a-z, A-Z), digits, - and _"
        if self.required_role not in ROLES:
            known = ", ".join(ROLES)
            return f"tool {self.name!r}: required_role {self.required_role!r} is none of {known}"
        for name in ("timeout", "max_output"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
                return f"tool {self.name!r}: {name} {value!r} is no number above 0"
        return next(filter(None, (each.problem() for each in self._below())), None)

    def _below(self) -> tuple[Tool, ...]:
        agents = (*self.agents, *([self.agent] if self.agent else ()))
        named = (tool for agent in agents for tool in agent.tools)
        return tuple(tool for tool in named if isinstance(tool, Tool))  # others are names as yet

    def tools_of(self, slug: str) -> dict[str, Tool]:
        """The tools of an agent that the function may run, by name; none of one it does not."""
        return {t.name: t for agent in self.agents if agent.slug == slug for t in agent.tools}

    def needs_approval(self, arguments: Mapping[str, Any]) -> bool:
        """Whether a person must say yes to exactly this call."""
        return self.approval(arguments) if callable(self.approval) else self.approval

    def says(self, arguments: Mapping[str, Any]) -> str | None:
        """The consequence in one sentence, computed from the arguments, never by a model."""
        if self.consequence is None or callable(self.consequence):
            return None if self.consequence is None else self.consequence(arguments)
        return fill(self.consequence, arguments)

    def validate(
        self, arguments: Mapping[str, Any], *, sealed: Collection[str] = ()
    ) -> dict[str, Any]:
        """Typed arguments for the function.

        ``sealed`` are arguments of which only a marker is here: what they have to be is asked of
        their values, when the call runs.

        Raises:
            InvalidArguments: names the field and says what is expected.
        """
        if self.arguments_model is None:
            return dict(arguments)
        try:
            model = self.arguments_model.model_validate(dict(arguments))
        except ValidationError as error:
            if wrong := wrong_in(error, but=sealed):
                raise invalid(wrong, self.checks) from None
            return dict(arguments)
        return dict(vars(model))  # its fields and nothing else: extra ones are refused

    async def call(
        self, typed: Mapping[str, Any], context: ToolContext, turn: Turn | None = None
    ) -> Any:
        """Run the function on ``validate``d arguments: a coroutine here, another in a thread.

        Args:
            turn: the place of the thread, where it was waited for already.
        """
        keywords = dict(typed)
        if self.context_parameter:
            keywords[self.context_parameter] = context
        if not self.in_thread:
            return await self.run(**keywords)
        turn = turn or await THREADS.turn(context.session)
        value = await turn.run(partial(self.run, **keywords))
        return await value if inspect.isawaitable(value) else value

    def wire(self) -> dict[str, Any]:
        """The schema as a model is offered it (OpenAI function form)."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": self.schema,
            },
        }

    def definition(self) -> dict[str, Any]:
        """What a definition keeps of a tool: everything but the code."""
        data = {
            "name": self.name,
            "description": self.description,
            "schema": self.schema,
            "effectful": self.effectful,
            "idempotent": self.idempotent,
            "approval": "when" if callable(self.approval) else self.approval,
            "required_role": self.required_role,
            "consequence": self.consequence if isinstance(self.consequence, str) else None,
            "timeout": self.timeout,
            "secret": list(self.secret),
            "version": self.version,
        }
        if self.max_output != MAX_OUTPUT:
            data["max_output"] = self.max_output
        if self.agent is not None:
            data |= {"agent": self.agent.definition(), "handoff": self.handoff}
        if self.agents:
            data["agents"] = [agent.definition() for agent in self.agents]
        return {**data, "source": self.source} if self.source else data


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...


@overload
def tool(function: None = None, /, **options: Any) -> Callable[[Callable[..., Any]], Tool]: ...


def tool(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a ``Tool`` of a typed function; the first paragraph of its docstring is the description.

    What the docstring says of a parameter (``Args:`` of Google, NumPy or Sphinx) goes into the
    schema, where the annotation says nothing of it.

    Options are the fields of ``Tool`` (``effectful``, ``approval``, ``consequence`` …).

    Raises:
        ValueError: an option that can't be; the message names tool and field.
    """

    def make(target: Callable[..., Any]) -> Tool:
        try:
            model, context_parameter = arguments_model(target)
        except ValueError as error:
            raise ValueError(f"tool {target.__name__!r}: {error}") from None
        doc = inspect.getdoc(target) or ""
        settings = {"name": target.__name__, "description": doc.split("\n\n")[0], **options}
        if settings["name"] is None:
            settings["name"] = target.__name__
        for several in ("secret", "agents"):
            settings[several] = tuple(settings.get(several, ()))
        made = Tool(
            schema=schema_of(model), run=target, arguments_model=model,
            context_parameter=context_parameter, **settings,
        )  # fmt: skip
        if problem := made.problem():
            raise ValueError(problem)
        return made

    return make if function is None else make(function)
