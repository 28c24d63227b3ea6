"""Arguments against the schema of a server, before anybody is asked about them.

Only what needs neither a pattern nor a reference: a schema comes from outside, and no pattern of it
may keep the worker's loop busy. The server checks the rest itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.tools.arguments import InvalidArguments

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def check(
    schema: Mapping[str, Any], arguments: Mapping[str, Any], sealed: Collection[str] = ()
) -> None:
    """Refuse what is missing, not known, or of another type at the top of the schema.

    Raises:
        InvalidArguments: names the first argument that does not fit.
    """
    known = schema.get("properties")
    properties: Mapping[str, Any] = known if isinstance(known, dict) else {}
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str) and name not in arguments:
            raise InvalidArguments(f"argument {name}: it is required", name)
    for name, value in arguments.items():
        if name not in properties:
            if schema.get("additionalProperties") is False:
                names = ", ".join(sorted(properties)) or "none"
                raise InvalidArguments(f"argument {name}: not known; there are: {names}", name)
        elif name not in sealed and (said := _wrong(properties[name], value)):
            raise InvalidArguments(f"argument {name}: {said}", name)


def _wrong(schema: Any, value: Any) -> str | None:
    if not isinstance(schema, dict):
        return None
    said = schema.get("type")
    types: list[Any] = said if isinstance(said, list) else [said]
    known = all(isinstance(each, str) and each in _TYPES for each in types)
    if types and known and not any(_is(value, each) for each in types):
        return f"it has to be of type {' or '.join(types)}"
    choices = schema.get("enum")
    if isinstance(choices, list) and value not in choices:
        return f"it has to be one of {choices!r}"[:500]
    return None


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])
