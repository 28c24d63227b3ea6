"""The tools of a definition: found by name, under the policy that the agent gives them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents_app.engine.drafting.faults import at
from agents_app.engine.drafting.fields import Fields, not_a
from agents_app.engine.options import nearest
from agents_app.engine.policy import declared, effect_class, role, under_policy
from agents_app.engine.said import Said
from agents_app.engine.spec import AGENTS
from agents_app.engine.tools.agents import agent_tool
from agents_app.engine.tools.function import ROLES
from playhead.core.errors import PlayheadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.drafting.catalogue import Catalogue, Child, Offer
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.tools import Tool

TOOL_KEYS = (
    "name", "source", "approval", "required_role", "effectful", "idempotent", "timeout",
    "description",
)  # fmt: skip
AGENT_KEYS = (
    "agent", "version", "name", "handoff", "approval", "required_role", "description",
)  # fmt: skip
#: Bounds: tools of an agent, characters of a description, seconds of a call.
MOST, LONGEST, SECONDS = 128, 4000, 86_400.0


def tools_of(data: Fields, slug: str, catalogue: Catalogue) -> tuple[Tool, ...]:
    """The tools that are right; what is wrong with the others is told."""
    found: dict[str, Tool] = {}
    for place, entry in enumerate(data.listed("tools", most=MOST)):
        where = at("tools", place)
        if not isinstance(entry, dict):
            long = "an object with a name or an agent"
            data.faults.add(where, not_a("an object", entry, long))
            continue
        fields = Fields(entry, data.faults, where)
        is_agent = "agent" in entry
        made = _agent(fields, slug, catalogue) if is_agent else _tool(fields, catalogue)
        if made is not None and made.name in found:
            said = f"the agent has two tools named {made.name!r}"
            fields.wrong("name", Said(said, "tool_twice", name=made.name))
        elif made is not None:
            found[made.name] = made
    return tuple(found.values())


def _tool(fields: Fields, catalogue: Catalogue) -> Tool | None:
    fields.faults.unknown(fields.data, TOOL_KEYS, fields.where)
    name = fields.text("name", most=64, needed="say which tool")
    offer = _offer(fields, name, catalogue) if name else None
    if offer is None:
        return None
    _check(fields, offer.tool)
    return under_policy(offer.tool, {**_policy(fields), "source": offer.source})


def _offer(fields: Fields, name: str, catalogue: Catalogue) -> Offer | None:
    """The tool of that name; where two sources have one, of the source that is said."""
    named, source = catalogue.named(name), fields.text("source", most=200)
    if not named and (why := catalogue.why_not(name)):
        fields.wrong("name", f"the tool {name!r} is not there: {why}")
        return None
    if not named:
        known = sorted({each.tool.name for each in catalogue.offers})
        said = f"there is no tool {name!r}{nearest(name, known)}"
        listed = ", ".join(known) or "none"
        text = f"{said} (there are: {listed})"
        fields.wrong("name", Said(text, "unknown_tool", name=name, known=listed))
        return None
    sources = [each.source for each in named]
    if not source and len(named) > 1:
        said = f"{len(named)} tools are named {name!r}: add source, one of {', '.join(sources)}"
        fields.wrong("source", said)
        return None
    if source and source not in sources:
        fields.wrong("source", f"{source!r} has no tool {name!r}; it is from {', '.join(sources)}")
        return None
    return named[sources.index(source) if source else 0]


def _check(fields: Fields, code: Tool) -> None:
    """Tell what is laxer than the tool's code; one fault for each field."""
    said = _policy(fields)
    fields.text("description", most=LONGEST)
    fields.number("timeout", least=0.1, most=SECONDS)
    if not fields.flag("approval", True) and code.approval is not False:
        text = f"the code of {code.name} asks for it; it can't be turned off"
        fields.wrong("approval", Said(text, "approval_demanded", tool=code.name))
    if fields.word("required_role", ROLES, code.required_role) != role(code, said):
        text = f"the code of {code.name} asks for {code.required_role}; it can only be raised"
        asked = code.required_role
        fields.wrong("required_role", Said(text, "role_only_raised", tool=code.name, role=asked))
    flags = [name for name in ("effectful", "idempotent") if name in fields.data]
    for name in flags:
        fields.flag(name)
    if declared(code, said) != effect_class(code, said):
        text = f"the code of {code.name} says {_class(code)}; an agent can only be stricter"
        said_by = Said(text, "effect_only_stricter", tool=code.name, effect=_class(code))
        fields.wrong(flags[0], said_by)


def _class(code: Tool) -> str:
    if not code.effectful:
        return "effectful: false"
    return f"effectful: true, idempotent: {str(code.idempotent).lower()}"


def _policy(fields: Fields) -> dict[str, Any]:
    """What the entry says of the tool, less what is no value at all."""
    kinds: dict[str, type] = {"approval": bool, "effectful": bool, "idempotent": bool}
    kinds |= {"required_role": str, "description": str}
    said: dict[str, Any] = {
        name: fields.data[name]
        for name, kind in kinds.items()
        if isinstance(fields.data.get(name), kind)
    }
    timeout = fields.data.get("timeout")
    if isinstance(timeout, int | float) and not isinstance(timeout, bool):
        said["timeout"] = float(timeout)
    return said


def _agent(fields: Fields, slug: str, catalogue: Catalogue) -> Tool | None:
    """An agent as a tool: stored whole, so that a running session keeps its version of it."""
    fields.faults.unknown(fields.data, AGENT_KEYS, fields.where)
    name = fields.text("agent", most=80, needed="say which agent, by its slug")
    version = fields.number("version", least=1, most=2**31 - 1)
    handoff = fields.flag("handoff")
    fields.text("description", most=LONGEST)
    fields.flag("approval")
    fields.word("required_role", ROLES, "approver")
    child = _child(fields, name, version, catalogue)
    if child is None or _circles(fields, slug, child):
        return None
    called = fields.text("name", most=64) or None
    made = agent_tool(child.spec, name=called, handoff=handoff)
    made = replace(made, version=str(child.version))
    if (said := made.problem()) and called:
        fields.wrong("name", said)
        return None
    return under_policy(made, {**_policy(fields), "source": AGENTS})


def _child(fields: Fields, name: str, version: float | None, catalogue: Catalogue) -> Child | None:
    if not name:
        return None
    if version is not None and int(version) != version:
        fields.wrong("version", Said("is a whole number", "whole_number"))
        return None
    try:
        return catalogue.child(name, None if version is None else int(version))
    except PlayheadError as error:
        fields.wrong(
            "version" if error.detail.get("field") == "version" else "agent", error.message
        )
        return None


def _circles(fields: Fields, slug: str, child: Child) -> bool:
    """Whether the agent would come to stand below itself; tells the way there."""
    for path in paths(child.spec):
        if path[-1] == slug:
            fields.wrong("agent", f"an agent can't ask itself: {' → '.join([slug, *path])}")
            return True
    return False


def paths(spec: AgentSpec) -> Iterator[list[str]]:
    """The slugs from an agent down to itself and to each agent below it that is named by slug."""
    yield [spec.slug]
    for tool in spec.tools:
        if tool.agent is not None and tool.source == AGENTS:
            for path in paths(tool.agent):
                yield [spec.slug, *path]
