"""Tool permission: rules, as data, about which calls may run, and which a person decides about.

The gate asks at the one place that executes tools, after every hook and again about a call that a
person changed. A rule that allows does not lift an approval that the tool itself demands.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agents_app.engine.options import nearest
from agents_app.engine.ports import Permission
from agents_app.engine.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from agents_app.engine.messages import ToolCall
    from agents_app.engine.placing import Severity
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.tools import Tool

Verdict = Literal["allow", "deny", "ask"]
_NOTHING = object()


class Condition(BaseModel):
    """What an argument must be; ``argument`` may lead inwards (``address.country``).

    ``like`` takes a pattern with ``*`` and ``?``; ``over`` and ``under`` compare numbers; ``given``
    and ``missing`` take no value. A comparison with something of another sort does not hold.
    """

    model_config = ConfigDict(extra="forbid")

    argument: str = Field(description="its name; address.country leads inwards")
    op: Literal["is", "is not", "in", "not in", "like", "over", "under", "given", "missing"] = (
        Field("is", description="how it is compared; like takes * and ?")
    )
    value: Any = Field(None, description="with what; a list for in, nothing for given and missing")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.op in ("in", "not in") and not isinstance(self.value, list):
            raise ValueError(f"value of {self.op!r} is a list")
        if self.op in ("over", "under") and not _is_number(self.value):
            raise ValueError(f"value of {self.op!r} is a number")
        if self.op == "like" and not isinstance(self.value, str):
            raise ValueError("value of 'like' is a text")
        return self

    def holds(self, arguments: Mapping[str, Any]) -> bool:
        """Whether it holds of a call's arguments."""
        found = _found(arguments, self.argument)
        if self.op in ("given", "missing"):
            return (found is not _NOTHING) == (self.op == "given")
        if self.op in ("is not", "not in"):
            return not _compared(
                self.op.replace("is not", "is").replace("not in", "in"), found, self.value
            )
        return _compared(self.op, found, self.value)


class Rule(BaseModel):
    """About calls of a tool, by a pattern of its name, of which all conditions hold."""

    model_config = ConfigDict(extra="forbid")

    tool: str = Field("*", description="name of the tool, or a pattern with *")
    when: tuple[Condition, ...] = Field((), description="conditions; all must hold")
    then: Verdict = Field(description="what happens to the call")
    reason: str = Field("", description="the model reads it in a refusal, the person in a question")

    def fits(self, call: ToolCall) -> bool:
        """Whether the rule is about this call."""
        named = fnmatchcase(call.name, self.tool)
        return named and all(condition.holds(call.arguments) for condition in self.when)


def _unknown_arguments(
    place: int, rule: Rule, tools: Sequence[Tool]
) -> Iterator[tuple[str, str, Severity]]:
    """Conditions about what none of the rule's tools takes: they never hold, or always."""
    meant = [tool for tool in tools if fnmatchcase(tool.name, rule.tool)]
    forms = [tool.checks for tool in meant]
    if not meant or any(form.get("additionalProperties") for form in forms):
        return
    known = sorted({name for form in forms for name in form.get("properties") or {}})
    names, listed = " or ".join(tool.name for tool in meant), ", ".join(known) or "none"
    for number, condition in enumerate(rule.when):
        name = condition.argument
        if name not in known and name.split(".")[0] not in known:
            text = f"{name} is no argument of {names}{nearest(name, known)} (there are: {listed})."
            said = Said(text, "no_such_argument", name=name, tool=names, known=listed)
            yield f"rules.{place}.when.{number}.argument", said, "warning"


class ToolPermissionMiddleware:
    """Allows, denies or asks a person about each tool call, by the first rule that fits it.

    Args:
        rules: looked at in their order; the first that fits says what happens to the call.
        otherwise: what holds where no rule fits.
    """

    name = "tool-permission"

    def __init__(self, rules: tuple[Rule, ...] = (), otherwise: Verdict = "allow") -> None:
        self.rules, self.otherwise = rules, otherwise

    def problems(self, spec: AgentSpec) -> Iterator[tuple[str, str, Severity]]:
        """Rules about no tool or argument of the agent, and rules behind one about every call."""
        whole = None
        for place, rule in enumerate(self.rules):
            if whole is not None:
                text = f"it is never reached: rule {whole + 1} is about every call."
                said = Said(text, "never_reached", rule=whole + 1)
                yield f"rules.{place}", said, "warning"
            elif not any(fnmatchcase(tool.name, rule.tool) for tool in spec.tools):
                hint = nearest(rule.tool, [tool.name for tool in spec.tools])
                text = f"{rule.tool} is no tool of the agent{hint}."
                yield f"rules.{place}.tool", Said(text, "no_such_tool", name=rule.tool), "warning"
            elif rule.tool == "*" and not rule.when:
                whole = place
            yield from _unknown_arguments(place, rule, spec.tools)

    def permits(self, _tool: Tool, call: ToolCall) -> Permission:
        """What the first rule that fits says of the call."""
        for number, rule in enumerate(self.rules, 1):
            if rule.fits(call):
                return Permission(rule.then, rule.reason, f"rule {number}: {rule.tool}")
        return Permission(self.otherwise, rule="otherwise")


def _found(value: Any, path: str) -> Any:
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            return _NOTHING
        value = value[name]
    return value


def _compared(op: str, found: Any, value: Any) -> bool:
    if found is _NOTHING:
        return False
    if op == "is":
        return _same(found, value)
    if op == "in":
        return any(_same(found, each) for each in value)
    if op == "like":
        return isinstance(found, str) and fnmatchcase(found, value)
    if not _is_number(found):
        return False
    return bool(found > value if op == "over" else found < value)


def _same(found: Any, value: Any) -> bool:
    """JSON's equality: true is no 1."""
    return isinstance(found, bool) == isinstance(value, bool) and bool(found == value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
