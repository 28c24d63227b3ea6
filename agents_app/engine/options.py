"""Options of a strategy or a middleware: its constructor's signature says what they are."""

from __future__ import annotations

import copy
import difflib
import inspect
import json
import sys
import typing
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, PydanticUserError, ValidationError, create_model

from agents_app.engine.docstrings import options_of
from agents_app.engine.said import Code, Said
from playhead.core.errors import InvalidInput, PlayheadError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping


def refused(field: str, why: str) -> InvalidInput:
    """The error about a field of a definition."""
    return InvalidInput(f"{field}: {why}", detail={"field": field})


def made(
    factory: Callable[..., Any], options: Mapping[str, Any], given: Mapping[str, Any], where: str
) -> Any:
    """Call a factory with the options of a definition and what the platform gives.

    Args:
        options: JSON values; each is checked against the parameter's annotation. The factory gets
            its own: the definition is that of other sessions too.
        given: passed to a parameter of that name, never taken from the options.
        where: the field of the definition that the options stand in, for errors.

    Raises:
        InvalidInput: an option that is not known, is missing, or has the wrong type.
    """
    try:
        model = options_model(factory, given).model_validate(copy.deepcopy(dict(options)))
    except ValidationError as error:
        first = _errors(error)[0]
        raise refused(".".join([where, *map(str, first["loc"])]), first["msg"]) from None
    keywords = {name: getattr(model, name) for name in type(model).model_fields}
    wanted = _parameters(factory)
    keywords.update({name: value for name, value in given.items() if name in wanted})
    try:
        return factory(**keywords)
    except InvalidInput as error:
        raise refused(f"{where}.{error.detail.get('field', '')}", error.message) from None
    except Exception as error:  # a plug-in's constructor does what it likes
        raise refused(where, _raised(error)) from error


def _raised(error: BaseException) -> str:
    """What a constructor says of options; a plain ``ValueError`` is a sentence of its author."""
    said = error.message if isinstance(error, PlayheadError) else str(error)
    plain = said and (type(error) is ValueError or isinstance(error, PlayheadError))
    return said if plain else f"{type(error).__name__}: {said}"


def option_faults(
    factory: Callable[..., Any], options: Mapping[str, Any], given: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Everything that is wrong with options, as ``(dotted path, what)``; empty when they fit.

    The types are looked at as JSON has them: a text of digits is no number. Options that fit are
    tried on the factory itself, which may know more.
    """
    model = options_model(factory, given)
    try:
        model.model_validate_json(json.dumps(dict(options)), strict=True)
    except ValidationError as error:
        return [_fault(each, model) for each in _errors(error)]
    try:
        made(factory, options, given, "")
    except PlayheadError as error:
        field = str(error.detail.get("field", ""))
        return [(field.strip("."), error.message.removeprefix(f"{field}: "))]
    except SystemExit as error:
        return [("", _raised(error))]
    return []


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name: ``; did you mean …?``, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _errors(error: ValidationError) -> list[Mapping[str, Any]]:
    found = error.errors(include_url=False)
    return [dict(each) for each in found]


def _fault(error: Mapping[str, Any], model: type[BaseModel]) -> tuple[str, str]:
    where = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden" and len(error["loc"]) == 1:
        known = list(model.model_fields)
        listed = ", ".join(known) or "none"
        said = f"no such option{nearest(where, known)} (there are: {listed})"
        return where, Said(said, "unknown_option", known=listed)
    if error["type"] in _NO_SUCH_TEXT and (like := _example(model, where)):
        return where, Said(f'is a text like "{like}"', "like", like=like)
    return where, _sentence(error)


def _sentence(error: Mapping[str, Any]) -> str:
    """What pydantic says, with a code of ours where it is one that people meet."""
    if error["type"] == "missing":
        return Said("is missing", "missing")
    if wanted := _KINDS.get(error["type"]):
        return Said(error["msg"], "wrong_kind", wanted=wanted, actual=kind_of(error["input"]))
    code, name = _BOUNDS.get(error["type"], (None, ""))
    if code is None:
        return str(error["msg"])
    value = error.get("ctx", {}).get(name, "")
    called = {"expected": "known", "pattern": "like"}.get(name, "limit")
    params = {called: str(value)} if name else {}
    return Said(error["msg"], code, **params)


#: Errors of pydantic about the kind of a value, and the kind that is wanted.
_KINDS = {
    "bool_type": "true or false",
    "dict_type": "an object",
    "float_type": "a number",
    "list_type": "a list",
    "model_type": "an object",
    "string_type": "a text",
    "tuple_type": "a list",
}
#: Others that people meet: their code here, and what of their context is said.
_BOUNDS: dict[str, tuple[Code, str]] = {
    "greater_than": ("more_than", "gt"),
    "greater_than_equal": ("at_least", "ge"),
    "int_from_float": ("whole_number", ""),
    "int_parsing": ("whole_number", ""),
    "int_type": ("whole_number", ""),
    "less_than": ("less_than", "lt"),
    "less_than_equal": ("at_most", "le"),
    "literal_error": ("none_of", "expected"),
    "string_pattern_mismatch": ("like", "pattern"),
    "too_short": ("too_few", "min_length"),
}


def kind_of(value: Any) -> str:
    """What a value is, in a reader's words."""
    if isinstance(value, bool):
        return "true or false"
    names = {str: "a text", dict: "an object", list: "a list", type(None): "nothing"}
    return names.get(type(value), "a number")


_NO_SUCH_TEXT = frozenset({"string_pattern_mismatch", "string_type"})


def _example(model: type[BaseModel], name: str) -> str | None:
    """A text that fits an option, where its annotation gives one."""
    schema = _schema(model)["properties"].get(name, {})
    kinds = [schema, *schema.get("anyOf", ())]
    return next((str(each["examples"][0]) for each in kinds if each.get("examples")), None)


def options_schema(factory: Callable[..., Any], given: Collection[str] = ()) -> dict[str, Any]:
    """JSON Schema of the options, for a form; with what the docstring says of each.

    Where an annotation has no JSON Schema, the options are told by name only.
    """
    schema = _schema(options_model(factory, given))
    schema.pop("title", None)
    said = options_of(factory)
    for name, each in schema.get("properties", {}).items():
        each.pop("title", None)
        if name in said and "description" not in each:
            each["description"] = said[name]
    return schema


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a default that JSON has no form of is left out
            return model.model_json_schema()
    except PydanticUserError:
        names: dict[str, Any] = {name: {} for name in model.model_fields}
        return {"type": "object", "properties": names, "additionalProperties": False}


def options_model(factory: Callable[..., Any], given: Collection[str]) -> type[BaseModel]:
    """The options as a pydantic model; a parameter that is given is none."""
    return _options_model(factory, frozenset(given))


@lru_cache(maxsize=256)  # every entry into a session asks, and making one takes a millisecond
def _options_model(factory: Callable[..., Any], given: frozenset[str]) -> type[BaseModel]:
    fields: dict[str, Any] = {}
    for name, parameter in _parameters(factory).items():
        if name in given or name in _GIVEN or parameter.kind not in _NAMED:
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[name] = (_hint(factory, parameter.annotation), default)
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    return create_model("options", __config__=config, **fields)


#: What the platform can give; a factory that asks for it does not make an option of it.
_GIVEN = frozenset({"cache", "memories", "rates"})
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
