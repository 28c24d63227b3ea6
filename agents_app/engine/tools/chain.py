"""A chain: tools one after the other, each with what those before it brought. It is a tool itself.

::

    digest = chain("digest", [step(http_get, {"url": "{input}"}), step(summary, "{step_0_result}")])
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.errors import ToolError
from agents_app.engine.tools.arguments import InvalidArguments, arguments_model, schema_of
from agents_app.engine.tools.context import ToolContext  # noqa: TC001 - read from an annotation
from agents_app.engine.tools.function import ROLES, Tool
from agents_app.engine.tools.single import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A name in a template; a brace around anything else is a brace.
_NAME = re.compile(r"\{(\w+)\}")
_RESULT = re.compile(r"step_(\d+)_result")
_KEY = re.compile(r"[A-Za-z_]\w{0,63}")
_TOLD = "chain.step"


@dataclass(frozen=True, slots=True)
class Step:
    """One tool of a chain; strings in ``arguments`` are templates, at whatever depth."""

    tool: Tool
    arguments: Any
    key: str


def step(tool: Tool, arguments: Mapping[str, Any] | str = "{input}", *, key: str = "") -> Step:
    """A step of a chain.

    Args:
        arguments: an object, or the value for a tool with one parameter. ``{input}``,
            ``{step_0_result}`` and keys of earlier steps stand for what they hold, as text.
        key: a name for its result besides ``step_<n>_result``.
    """
    return Step(tool, arguments, key)


def chain(
    name: str,
    steps: Sequence[Step],
    *,
    description: str = "",
    on_error: Literal["stop", "continue"] = "stop",
) -> Tool:
    """Make a tool that takes ``input`` and runs the steps.

    It is effectful where a step is, asks for approval where a step does, and takes the time of all.

    Args:
        on_error: ``stop``: a step that fails fails the chain, with its number; ``continue``: its
            result is empty for those after it, and the answer says which failed.

    Raises:
        ValueError: steps that can't be a chain; the message names chain and step.
    """
    kept = tuple(steps)
    _check(name, kept, on_error)

    async def run(input: str, ctx: ToolContext) -> str:
        """Run the steps.

        Args:
            input: what the first step works on.
        """
        return await _run(kept, input, ctx, on_error)

    model, context = arguments_model(run)
    acting = [each.tool for each in kept if each.tool.effectful]
    said = " → ".join(each.tool.name for each in kept)
    made = Tool(
        name=name,
        description=description or f"Run {said}, each with the result before it.",
        schema=schema_of(model),
        run=run,
        arguments_model=model,
        context_parameter=context,
        effectful=bool(acting),
        idempotent=bool(acting) and all(tool.idempotent for tool in acting),
        approval=any(each.tool.approval for each in kept),
        required_role=max((each.tool.required_role for each in kept), key=ROLES.index),
        consequence=f"Runs {said} on {{input}}." if acting else None,
        timeout=sum(each.tool.timeout for each in kept),
    )
    if problem := made.problem():
        raise ValueError(problem)
    return made


def _check(name: str, steps: Sequence[Step], on_error: str) -> None:
    if on_error not in ("stop", "continue"):
        raise ValueError(f"chain {name!r}: on_error {on_error!r} is neither stop nor continue")
    if not steps:
        raise ValueError(f"chain {name!r}: a chain has at least one step")
    for place, each in enumerate(steps):
        if problem := _problem(each, place):
            raise ValueError(f"chain {name!r}: step {place} ({each.tool.name}): {problem}")


def _problem(each: Step, place: int) -> str | None:
    if each.tool.agent is not None or each.tool.agents:
        return "an agent is no step of a chain; run it with ctx.run_child"
    if each.tool.secret:
        return f"a chain can't keep the secret argument {', '.join(each.tool.secret)}"
    if each.key and not _KEY.fullmatch(each.key):
        return f"key {each.key!r} is no name"
    for named in _names(each.arguments):
        found = _RESULT.fullmatch(named)
        if found and int(found[1]) >= place:
            return f"{{{named}}} is the result of a step that comes later"
    return None


def _names(template: Any) -> list[str]:
    if isinstance(template, str):
        return _NAME.findall(template)
    inside = template.values() if isinstance(template, Mapping) else template
    if isinstance(template, (Mapping, list, tuple)):
        return [name for each in inside for name in _names(each)]
    return []


def filled(template: Any, values: Mapping[str, str]) -> Any:
    """The template with its names replaced, once: what stands in a value is never looked at.

    Braces around what is no name of a value stay as they are.
    """
    if isinstance(template, str):
        return _NAME.sub(lambda found: values.get(found[1], found[0]), template)
    if isinstance(template, Mapping):
        return {name: filled(each, values) for name, each in template.items()}
    if isinstance(template, (list, tuple)):
        return [filled(each, values) for each in template]
    return template


async def _run(steps: Sequence[Step], given: str, ctx: ToolContext, on_error: str) -> str:
    values, failed, text = {"input": given}, list[str](), ""
    before = _before(ctx)
    for place, each in enumerate(steps):
        try:
            text = before[place] if place in before else await _one(each, place, values, ctx)
        except (ToolError, InvalidArguments) as error:
            said = f"step {place} ({each.tool.name}) failed: {error}"
            if on_error == "stop" or place == len(steps) - 1:
                raise ToolError("; ".join([*failed, said])) from error
            failed.append(said)
            text = ""
        else:
            if ctx.has_log:
                ctx.emit(_TOLD, {"key": ctx.key, "step": place, "result": text})
        values[f"step_{place}_result"] = text
        if each.key:
            values[each.key] = text
    return "\n".join([text, *(f"[{said}]" for said in failed)])


async def _one(each: Step, place: int, values: Mapping[str, str], ctx: ToolContext) -> str:
    try:
        return await text_of(each.tool, filled(each.arguments, values), ctx.part(place))
    except TimeoutError as error:
        said = f"step {place} ({each.tool.name}): {error}"
        if each.tool.effectful:
            raise TimeoutError(said) from error  # nobody knows whether it happened
        raise ToolError(str(error)) from error


def _before(ctx: ToolContext) -> dict[int, str]:
    """Results of the steps that ended before a later one asked a person."""
    if not (ctx.was_interrupted and ctx.has_log):
        return {}
    told = [each for each in ctx.emitted(_TOLD) if each["key"] == ctx.key]
    return {each["step"]: each["result"] for each in told}
