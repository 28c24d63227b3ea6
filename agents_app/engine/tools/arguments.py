"""The arguments of a call: a schema for the model, a check that tells it what to do."""

from __future__ import annotations

import inspect
import typing
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo

from agents_app.engine.tools.context import ToolContext
from agents_app.engine.tools.docstring import parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

#: How many wrong arguments one error tells about.
_TOLD = 5
_PLAIN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class InvalidArguments(ValueError):
    """Arguments that do not fit; ``field`` names the first that does not."""

    def __init__(self, message: str, field_name: str | None) -> None:
        super().__init__(message)
        self.field = field_name


def arguments_model(target: Callable[..., Any]) -> tuple[type[BaseModel], str | None]:
    """A pydantic model of the parameters, and the name of the one that takes the context.

    A parameter's description is that of its annotation (``Annotated[int, Field(description=…)]``),
    else what the docstring says of it.

    Raises:
        ValueError: a parameter that no JSON object can fill; the message names it.
    """
    hints = typing.get_type_hints(target, include_extras=True)
    described = parameters(inspect.getdoc(target) or "")
    fields: dict[str, Any] = {}
    context: str | None = None
    for name, parameter in inspect.signature(target).parameters.items():
        hint = hints.get(name, Any)
        if hint is ToolContext:
            context = name
            continue
        if parameter.kind not in _PLAIN or name.startswith("_"):
            said = f"parameter {parameter} can't be filled by name; use plain named parameters"
            raise ValueError(said)
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[name] = (_described(hint, described.get(name)), default)
    config = ConfigDict(extra="forbid", protected_namespaces=())
    return create_model(f"{target.__name__}_arguments", __config__=config, **fields), context


def _described(hint: Any, said: str | None) -> Any:
    own = (each for each in typing.get_args(hint)[1:] if isinstance(each, FieldInfo))
    if said is None or (typing.get_origin(hint) is Annotated and any(e.description for e in own)):
        return hint
    return Annotated[hint, Field(description=said)]


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema that a model is offered."""
    schema = model.model_json_schema()
    schema.pop("title", None)
    for definition in schema.get("properties", {}).values():
        definition.pop("title", None)
    return schema


def wrong_in(error: ValidationError, *, but: Iterable[str]) -> list[Mapping[str, Any]]:
    """What is wrong, without what is wrong with the arguments named in ``but``."""
    told = error.errors(include_url=False, include_input=False)
    found: list[Mapping[str, Any]] = [dict(each) for each in told]
    return [each for each in found if not each["loc"] or each["loc"][0] not in but]


def invalid(wrong: list[Mapping[str, Any]], schema: Mapping[str, Any]) -> InvalidArguments:
    """One error about all of it, with the arguments that there are."""
    names = [".".join(str(part) for part in each["loc"]) for each in wrong]
    told = [f"argument {name}: {e['msg']}" for name, e in zip(names, wrong, strict=True)][:_TOLD]
    return InvalidArguments(f"{'; '.join(told)}. {expected(schema)}", names[0] or None)


def expected(schema: Mapping[str, Any]) -> str:
    """The arguments of a schema in one line, without a full stop."""
    required = schema.get("required", ())
    properties: Mapping[str, Any] = schema.get("properties") or {}
    if not properties:
        return "It takes no arguments: {}"
    each = [
        f"{name} ({_type_of(form)}{'' if name in required else ', optional'})"
        for name, form in properties.items()
    ]
    return f"It takes: {', '.join(each)}"


def _type_of(form: Any) -> str:
    if not isinstance(form, dict):
        return "any"
    kinds = form.get("type") or [_type_of(each) for each in form.get("anyOf", ())]
    if form.get("enum"):
        return "one of " + " ".join(map(repr, form["enum"]))
    return " or ".join(kinds) if isinstance(kinds, list) and kinds else str(kinds or "any")


def not_an_object(name: str, raw: str, schema: Mapping[str, Any]) -> str:
    """What to tell a model whose arguments were no JSON object."""
    found = f"{raw[:200]!r}{'…' if len(raw) > 200 else ''}"
    return (
        f"Error: arguments of {name} must be a JSON object; found: {found}. {expected(schema)}. "
        "Send the whole object again."
    )
