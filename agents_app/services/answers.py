"""Whether an answer fits its question: allowed at all, complete, and valid by the schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from agents_app.engine.budgets import breach
from agents_app.services.schema_check import misfit
from playhead.core.errors import InvalidInput
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jsonschema.exceptions import ValidationError

#: What a decision must bring, and what it may bring.
_NEEDS = {"edit": "arguments", "happened": "value", "raise": "value"}
_MAY = {
    "approve": {"message"},
    "edit": {"arguments", "message"},
    "reject": {"message"},
    "respond": {"value", "message"},
    "happened": {"value", "message"},
    "raise": {"value", "message"},
}


def check_answer(asked: Mapping[str, Any], decision: str, given: Mapping[str, Any]) -> None:
    """Refuse what does not fit the question's payload.

    Raises:
        InvalidInput: ``detail["field"]`` names what is wrong.
    """
    if decision not in asked["allowed"]:
        allowed = ", ".join(asked["allowed"])
        _refuse("decision", f"{decision!r} is not allowed here; allowed: {allowed}.")
    for name in given.keys() - _MAY.get(decision, {"message"}):
        _refuse(name, f"{decision} takes no {name}.")
    needed = _NEEDS.get(decision)
    if needed is not None and needed not in given:
        _refuse(needed, f"{decision} takes {needed}.")
    if decision == "respond" and not given.keys() & {"value", "message"}:
        _refuse("value", "respond takes a value.")
    if decision == "edit":
        _check_arguments(asked, given["arguments"])
    elif decision in ("respond", "happened", "raise") and "value" in given:
        _check_value(asked, given["value"])
        if decision == "raise" and (said := breach.too_little(asked["info"], given["value"])):
            _refuse("value", said)


def _check_arguments(asked: Mapping[str, Any], arguments: Any) -> None:
    if not isinstance(arguments, dict):
        _refuse("arguments", "arguments is an object.")
    _check(asked.get("schema"), arguments, "arguments")


def _check_value(asked: Mapping[str, Any], value: Any) -> None:
    """The schema of an approval is that of its arguments, not of an answer in the tool's place."""
    if asked["kind"] != "approval":
        _check(asked.get("schema"), value, "value")


def _check(schema: Any, value: Any, name: str) -> None:
    if not isinstance(schema, dict):
        return
    plain, _ = sanitise(value)
    error = misfit(schema, plain)
    if error is not None:
        _refuse(_path(name, error), f"{_path(name, error)}: {_said(error)}")


def _path(name: str, error: ValidationError) -> str:
    path = [name, *map(str, error.absolute_path)]
    wanted = error.validator_value
    if error.validator == "required" and isinstance(error.instance, dict):
        missing = wanted if isinstance(wanted, list) else []
        path += [key for key in missing if key not in error.instance][:1]
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
        path += sorted(str(key) for key in error.instance if key not in known)[:1]
    return ".".join(path)


def _said(error: ValidationError) -> str:
    """What was expected, without echoing the value: it may be a secret."""
    wanted = error.validator_value
    match error.validator:
        case "type":
            return f"expected {wanted}"
        case "required":
            return "is required"
        case "enum":
            return f"expected one of {wanted}"
        case "additionalProperties":
            return "is not known"
        case _:
            return f"does not fit {error.validator} {wanted!r}"[:200]


def _refuse(field: str, message: str) -> NoReturn:
    raise InvalidInput(message, detail={"field": field})
