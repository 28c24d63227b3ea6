"""What is made once for all sessions of an agent: code in one of them changes it for none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents_app.engine import AgentSpec, Middleware, tool
from agents_app.engine.parts import BUILT_IN, Parts
from agents_app.testing import ScriptedModel, Session, says

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from agents_app.engine.ports import ModelReply, ModelRequest

    Handler = Callable[[ModelRequest], Awaitable[ModelReply]]


class Changes(Middleware):
    """Changes what it is given in place, and notes who refused."""

    name = "changes"

    def __init__(self, rules: Any = None, deep: dict[str, Any] | None = None) -> None:
        rules.append("mine")
        if deep is not None:
            deep["of"].append("mine")
        self.given = (rules, deep)
        self.refused = 0

    async def wrap_llm_call(self, request: ModelRequest, handler: Handler) -> ModelReply:
        params: Any = request.params
        for mine, name, value in (
            (params, "temperature", 2),
            (params["nested"]["stop"], slice(None), ["x"]),
            (request.tools[0]["function"], "description", "Look elsewhere."),
        ):
            try:
                mine[name] = value
            except TypeError:
                self.refused += 1
        return await handler(request)


@tool
async def look() -> str:
    """Look."""
    return "seen"


async def run(spec: AgentSpec, made: list[Any]) -> Session:
    parts = Parts(BUILT_IN.strategies, {"changes": Changes})

    def chain() -> list[Any]:
        made.extend(parts.chain(spec.middleware))
        return [made[-1]]

    session = Session(spec, ScriptedModel([says("Hello.")]), parts=parts, middlewares=chain)
    await session.start("Hi").run()
    return session


async def test_no_session_changes_what_another_sends_or_is_made_of() -> None:
    spec = AgentSpec(
        slug="desk", tools=(look,), params={"nested": {"stop": []}},
        middleware=({"use": "changes", "rules": [], "deep": {"of": []}},),
    )  # fmt: skip
    before, made = spec.definition(), list[Any]()
    one, two = await run(spec, made), await run(spec, made)
    for session in (one, two):
        said = session.of("llm_request")[0].payload
        assert said["params"] == {"nested": {"stop": []}}
        assert said["tools"][0]["function"]["description"] == "Look."
    assert [each.refused for each in made] == [3] * len(made)
    assert [each.given for each in made] == [(["mine"], {"of": ["mine"]})] * len(made)
    assert spec.definition() == before


async def test_what_a_wrap_sends_instead_is_in_the_log() -> None:
    """Another request is made of the one that can't be changed; the log says what was sent."""

    class Warmer(Middleware):
        async def wrap_llm_call(self, request: ModelRequest, handler: Handler) -> ModelReply:
            params = {**request.params, "temperature": 2}
            return await handler(replace(request, params=params))

    spec = AgentSpec(slug="desk", params={"nested": {"stop": ["x"]}})
    session = Session(spec, ScriptedModel([says("Hi.")]), middlewares=lambda: [Warmer()])
    await session.start("Hi").run()
    (attempt,) = session.of("llm_attempt")
    assert attempt.payload["params"] == {"nested": {"stop": ["x"]}, "temperature": 2}
