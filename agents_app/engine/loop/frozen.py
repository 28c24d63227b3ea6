"""What nobody changes in place: a history is shared by all who read it, what an agent offers by all
its sessions.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from agents_app.engine.messages import Message


def read_only(message: Message) -> Message:
    """The same message, of whose calls nobody can change the arguments; made once."""
    known: Message = message.once("_read_only", partial(_frozen_calls, message))
    return known


def _frozen_calls(message: Message) -> Message:
    calls = [replace(call, arguments=frozen(call.arguments)) for call in message.calls]
    return replace(message, tool_calls=calls)


def plain(message: Message) -> Message:
    """The message with arguments like any, where it was made of one that is read only."""
    if not any(isinstance(call.arguments, FrozenDict) for call in message.tool_calls or ()):
        return message
    calls = [replace(call, arguments=copy.deepcopy(call.arguments)) for call in message.calls]
    return replace(message, tool_calls=calls)


def frozen(value: Any) -> Any:
    """The same value, of which every object and list refuses to be changed.

    It is equal to a plain one and dumped like it; a deep copy is plain.
    """
    if isinstance(value, dict):
        return FrozenDict({name: frozen(inner) for name, inner in value.items()})
    if isinstance(value, list):
        return FrozenList([frozen(inner) for inner in value])
    return value


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError("a message or request can't be changed in place: make another one of it")


class FrozenDict(dict[str, Any]):
    """An object that can be read."""

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {name: copy.deepcopy(inner, memo) for name, inner in self.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class FrozenList(list[Any]):
    """A list that can be read."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = _refuse
    reverse = sort = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [copy.deepcopy(inner, memo) for inner in self]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)
