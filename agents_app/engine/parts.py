"""What a definition can name: strategies and middleware, by name. Plug-ins add to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents_app.engine import middleware, strategies
from agents_app.engine.actor import Actor
from agents_app.engine.loop.checked import kind
from agents_app.engine.options import made, nearest, refused
from agents_app.engine.placing import Problem, misplaced, unfit
from agents_app.engine.said import Said
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from agents_app.engine.limits import Limits
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.strategy import Strategy

    Factories = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class Parts:
    """Factories by name.

    ``given`` are things that the platform passes to a factory whose parameter has that name
    (``cache``); everything else in its signature is an option of the definition.
    """

    strategies: Factories
    middleware: Factories
    given: Mapping[str, Any] = field(default_factory=dict)

    def with_given(self, **given: Any) -> Parts:
        """The same parts, with things of the platform for those who want them."""
        return Parts(self.strategies, self.middleware, {**self.given, **given})

    def actor(self, spec: AgentSpec, *, limits: Limits | None = None) -> Actor:
        """The agent of a definition, ready to work.

        Raises:
            InvalidInput: the definition names something that is not there, or an option of it
                does not fit; ``detail["field"]`` names where.
        """
        strategy = self.checked_strategy(spec)
        return Actor(spec, strategy, limits or spec.limits, self.chain(spec.middleware))

    def check(self, spec: AgentSpec) -> None:
        """Make the agent and every agent below it, as a session does.

        Raises:
            InvalidInput: as ``actor``.
        """
        self.checked_strategy(spec)
        self.chain(spec.middleware)
        for tool in spec.tools:
            for below in (*tool.agents, *([tool.agent] if tool.agent else ())):
                self.check(below)

    def checked_strategy(self, spec: AgentSpec) -> Strategy:
        """The loop body for an agent that is going to work; old logs are read with ``strategy``.

        Raises:
            InvalidInput: as ``strategy``; or its calls are text, and a tool has an argument that
                is secret: it would stand in the log.
        """
        strategy = self.strategy(spec)
        if getattr(strategy, "calls_in_text", False):
            _refuse_secret_arguments(spec)
        return strategy

    def strategy(self, spec: AgentSpec) -> Strategy:
        """The loop body that a definition names.

        Raises:
            InvalidInput: there is none of that name, or an option does not fit.
        """
        factory = self.strategies.get(spec.strategy)
        if factory is None:
            known = ", ".join(sorted(self.strategies))
            said = f"strategy {spec.strategy!r} is not known; use one of: {known}"
            raise refused("strategy", said)
        strategy: Strategy = made(factory, spec.options, self.given, "options")
        for method in ("start", "step"):
            if not callable(getattr(strategy, method, None)):
                said = f"strategy {spec.strategy!r}: its factory made {kind(strategy)}"
                raise refused("strategy", f"{said}, which has no method {method}")
        return strategy

    def chain(self, uses: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
        """The middlewares that a definition names, in its order.

        Args:
            uses: ``[{"use": name, option: value, …}, …]``, each name at most once.

        Raises:
            InvalidInput: an unknown name, one named twice, or an option that does not fit.
        """
        named: set[str] = set()
        return tuple(self._link(place, use, named) for place, use in enumerate(uses))

    def problems(self, spec: AgentSpec) -> list[Problem]:
        """Everything that is wrong with the strategy and the middlewares of a definition.

        What ``chain`` and ``strategy`` refuse, and what only stands in a wrong order or does not
        fit the agent: a session that was started with that goes on, and its log is read.
        """
        found = []
        try:
            self.checked_strategy(spec)
        except InvalidInput as error:
            found.append(_as_problem(error))
        chain, named = [], set[str]()
        for place, use in enumerate(spec.middleware):
            try:
                chain.append((place, self._link(place, use, named)))
            except InvalidInput as error:
                found.append(_as_problem(error))
        return [*found, *misplaced(chain), *unfit(chain, spec), *_counted_in_vain(spec)]

    def _link(self, place: int, use: Mapping[str, Any], named: set[str]) -> Any:
        """One middleware of a chain; ``named`` are those before it."""
        where, name = f"middleware.{place}", use.get("use")
        if not isinstance(name, str) or name not in self.middleware:
            known = ", ".join(sorted(self.middleware))
            raise refused(f"{where}.use", f"{name!r} is no middleware; use one of: {known}")
        if name in named:
            raise refused(f"{where}.use", f"{name} is named twice")
        named.add(name)
        options = {key: value for key, value in use.items() if key != "use"}
        return made(self.middleware[name], options, self.given, where)


def _as_problem(error: InvalidInput) -> Problem:
    return Problem(str(error.detail.get("field", "")), error.message)


def _counted_in_vain(spec: AgentSpec) -> Iterator[Problem]:
    """Limits of the calls of a tool that neither the agent nor one below it has."""
    if not spec.limits.max_calls_of:
        return
    known = sorted(set(_tools_below(spec)))
    for name in spec.limits.max_calls_of:
        if name not in known:
            text = f"{name} is no tool of the agent{nearest(name, known)}, so nothing is limited"
            text += f" (there are: {', '.join(known) or 'none'})"
            said = Said(text, "no_such_tool", name=name)
            yield Problem(f"limits.max_calls_of.{name}", said, "warning")


def _tools_below(spec: AgentSpec) -> Iterator[str]:
    for tool in spec.tools:
        yield tool.name
        for below in (*tool.agents, *([tool.agent] if tool.agent else ())):
            yield from _tools_below(below)


def _refuse_secret_arguments(spec: AgentSpec) -> None:
    for tool in spec.tools:
        if tool.secret:
            names = ", ".join(tool.secret)
            said = f"{spec.strategy}: a text strategy can't keep the secret argument {names} of "
            said += f"tool {tool.name}; use function-calling with native calls"
            raise refused("strategy", said)


#: What ships with the engine.
BUILT_IN = Parts(
    strategies={
        getattr(strategies, each).name: getattr(strategies, each) for each in strategies.__all__
    },
    middleware={
        part.name: part
        for each in middleware.__all__
        if hasattr(part := getattr(middleware, each), "name")
    },
)
