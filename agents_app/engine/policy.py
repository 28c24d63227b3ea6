"""What an agent may say of a tool that it has: stricter than the tool's code, never laxer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents_app.engine.tools.function import ROLES
from playhead.core import canonical
from playhead.core.sanitise import sanitise
from playhead.core.seal import withhold_texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.engine.tools import Tool


def under_policy(code: Tool, entry: Mapping[str, Any]) -> Tool:
    """The tool as a stored definition has it: of code and definition the stricter counts.

    Description and schema are the definition's, and so is the time limit. What only the code can
    say (arguments that are secret, the consequence) stays the code's. Where its schema is not
    the definition's any more, the tool ``takes`` that one: it is what a call has to fit.
    """
    effectful, idempotent = effect_class(code, entry)
    return replace(
        code,
        description=entry.get("description", code.description),
        schema=entry.get("schema", code.schema),
        approval=True if entry.get("approval") is True else code.approval,
        required_role=role(code, entry),
        effectful=effectful,
        idempotent=idempotent,
        timeout=entry.get("timeout") or code.timeout,
        source=entry.get("source", code.source),
        takes=_takes(code, entry),
    )


def _takes(code: Tool, entry: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of the code, where it differs from that of a definition as a log carries it."""
    said = entry.get("schema")
    if said is None or said is code.schema:
        return None
    now = withhold_texts(sanitise(code.schema)[0])
    return None if canonical.dumps(now) == canonical.dumps(withhold_texts(said)) else now


def strictness(effectful: bool, idempotent: bool) -> int:
    """The rank of an effect class: 0 may run again, 1 with the same key, 2 once per decision."""
    return 0 if not effectful else 1 if idempotent else 2


def effect_class(code: Tool, entry: Mapping[str, Any]) -> tuple[bool, bool]:
    """(effectful, idempotent): the definition's where it is stricter, else the code's.

    Where the code does not know, what the definition says counts.
    """
    wanted = declared(code, entry)
    if not code.effects_known:
        return wanted
    is_stricter = strictness(*wanted) > strictness(code.effectful, code.idempotent)
    return wanted if is_stricter else (code.effectful, code.idempotent)


def declared(code: Tool, entry: Mapping[str, Any]) -> tuple[bool, bool]:
    """What a definition says of the effect class, filled up from the code."""
    effectful = bool(entry.get("effectful", code.effectful))
    return effectful, bool(entry.get("idempotent", code.idempotent and effectful))


def role(code: Tool, entry: Mapping[str, Any]) -> str:
    """Who must agree: the higher role, but the definition's where only it asks for approval."""
    wanted = entry.get("required_role", code.required_role)
    if wanted not in ROLES or code.required_role not in ROLES:
        return code.required_role
    is_higher = ROLES.index(wanted) > ROLES.index(code.required_role)
    return str(wanted) if is_higher or code.approval is False else code.required_role
