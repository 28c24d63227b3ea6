"""Options of a strategy or a middleware: its constructor's signature says what they are."""

from __future__ import annotations

import inspect
import sys
import typing
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


def refused(field: str, why: str) -> InvalidInput:
    """The error about a field of a definition."""
    return InvalidInput(f"{field}: {why}", detail={"field": field})


def made(
    factory: Callable[..., Any], options: Mapping[str, Any], given: Mapping[str, Any], where: str
) -> Any:
    """Call a factory with the options of a definition and what the platform gives.

    Args:
        options: JSON values; each is checked against the parameter's annotation.
        given: passed to a parameter of that name, never taken from the options.
        where: the field of the definition that the options stand in, for errors.

    Raises:
        InvalidInput: an option that is not known, is missing, or has the wrong type.
    """
    try:
        model = options_model(factory, given).model_validate(dict(options))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise refused(".".join([where, *map(str, first["loc"])]), first["msg"]) from None
    keywords = {name: getattr(model, name) for name in type(model).model_fields}
    wanted = _parameters(factory)
    keywords.update({name: value for name, value in given.items() if name in wanted})
    try:
        return factory(**keywords)
    except InvalidInput as error:
        raise refused(f"{where}.{error.detail.get('field', '')}", error.message) from None


def options_schema(factory: Callable[..., Any], given: Collection[str] = ()) -> dict[str, Any]:
    """JSON Schema of the options, for a form."""
    schema = options_model(factory, given).model_json_schema()
    schema.pop("title", None)
    return schema


def options_model(factory: Callable[..., Any], given: Collection[str]) -> type[BaseModel]:
    """The options as a pydantic model; a parameter that is given is none."""
    fields: dict[str, Any] = {}
    for name, parameter in _parameters(factory).items():
        if name in given or name in _GIVEN or parameter.kind not in _NAMED:
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[name] = (_hint(factory, parameter.annotation), default)
    return create_model("options", __config__=ConfigDict(extra="forbid"), **fields)


#: What the platform can give; a factory that asks for it does not make an option of it.
_GIVEN = frozenset({"cache"})
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def _parameters(factory: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    if inspect.isclass(factory) and factory.__init__ is object.__init__:
        return {}
    return dict(inspect.signature(factory).parameters)


def _hint(factory: Callable[..., Any], annotation: Any) -> Any:
    """The type of a parameter; one that is not to be had when the program runs checks nothing."""
    if annotation is inspect.Parameter.empty:
        return Any
    if not isinstance(annotation, str):
        return annotation
    home = sys.modules[factory.__module__]
    try:
        return typing.get_type_hints(_Holder(annotation), vars(home), include_extras=True)["it"]
    except NameError:
        return Any


class _Holder:
    """Something with one annotation, for ``get_type_hints`` to read."""

    def __init__(self, annotation: str) -> None:
        self.__annotations__ = {"it": annotation}
