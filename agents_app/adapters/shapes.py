"""What stands behind a capability has the shape of its point; looked at once, when it is loaded.

Only what nobody can use is refused: whether a hook gives back the right thing shows when it runs.
"""

from __future__ import annotations

import difflib
import functools
import inspect
from typing import TYPE_CHECKING, Any

from agents_app.engine.facade import as_tool
from agents_app.engine.loop.checked import kind
from agents_app.engine.options import options_schema
from agents_app.engine.tools import Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

HOOKS = (
    "before_llm_call", "after_llm_call", "before_tool_call", "after_tool_call", "wrap_llm_call",
    "wrap_tool_call", "wrap_run",
)  # fmt: skip
#: What a middleware may do without a hook.
_ALSO = ("permits", "holds", "problems")
_LIKE_HOOKS = ("before_", "after_", "wrap_", "on_")
#: How alike two names are that are probably meant to be one; without such a beginning, more.
_CLOSE, _CLOSER = 0.7, 0.9


def fault(capability: str, value: Any) -> str | None:
    """What is wrong with the object behind a capability, as a sentence; ``None``: nothing."""
    point, _, name = capability.partition(".")
    return next(iter(_CHECKS[point](name, value)), None)


def _llm(_name: str, value: Any) -> Iterator[str]:
    yield from _instance(value, ("models", "model"))
    if not isinstance(getattr(value, "paid", None), bool):
        yield f"{kind(value)} needs paid: True where using it costs money, False where not"


def _tool(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, Tool):
        if inspect.isroutine(value):
            yield f"{value.__name__} is a function: write @tool above it"
        if inspect.isclass(value) or not hasattr(value, "execute"):
            made = f", such as {value.__name__}()" if inspect.isclass(value) else ""
            what = "a tool: what @tool makes, or an object with name, schema and execute"
            yield f"{kind(value)} came; give {what}{made}"
        yield from _methods(value, ("execute",), waits=("execute",))
        if not isinstance(getattr(value, "schema", None), dict):
            yield f"{kind(value)} needs schema: a dict, the JSON Schema of its arguments"
        if not isinstance(getattr(value, "name", None), str):
            yield f"{kind(value)} needs name: {name!r}"
    if (called := as_tool(value).name) != name:
        yield f"the tool calls itself {called!r}; give it the name of the capability"


def _memory(_name: str, value: Any) -> Iterator[str]:
    names = ("write", "search", "forget")
    yield from _instance(value, names, waits=names)


def _state(_name: str, value: Any) -> Iterator[str]:
    names = ("load", "save", "delete")
    yield from _instance(value, names, waits=names)


def _event(name: str, value: Any) -> Iterator[str]:
    if value is not None and name != "sink":  # None: switched off; the sink tells all the others
        yield from _instance(value, ("write",))


def _strategy(_name: str, value: Any) -> Iterator[str]:
    yield from _factory(value)
    if inspect.isclass(value):
        yield from _methods(value, ("start", "step"), waits=("step",))
        if inspect.iscoroutinefunction(getattr(value, "start", None)):
            yield "start is async; it has to be a plain method that returns the state"


def _middleware(_name: str, value: Any) -> Iterator[str]:
    yield from _factory(value)
    if not inspect.isclass(value):
        return
    methods = [each for each in dir(value) if not each.startswith("_")]
    there = [each for each in HOOKS if each in methods]
    for each in methods:
        if each not in (*HOOKS, *_ALSO) and callable(getattr(value, each)):
            yield from _misspelt(each)
    if not there and not set(_ALSO) & set(methods):
        yield f"{value.__name__} does nothing: it has none of {', '.join((*HOOKS, 'permits'))}"
    yield from _methods(value, there, waits=there)
    if inspect.iscoroutinefunction(getattr(value, "permits", None)):
        yield "permits is async; it has to be a plain method that returns a Permission or None"


def _misspelt(name: str) -> Iterator[str]:
    close = _CLOSE if name.startswith(_LIKE_HOOKS) else _CLOSER
    if meant := difflib.get_close_matches(name, (*HOOKS, "permits"), 1, close):
        yield f"{name} is no hook and would never run; did you mean {meant[0]}?"


def _factory(value: Any) -> Iterator[str]:
    """A strategy and a middleware are made anew for each agent, with its options."""
    if not inspect.isclass(value) and not isinstance(value, functools.partial):
        if not inspect.isroutine(value):
            yield f"{kind(value)} came, an instance; give the class, {type(value).__name__}"
        elif inspect.iscoroutinefunction(value):
            yield f"{value.__name__} is async; give a class"
    options_schema(value)  # whoever writes an agent is shown it


def _instance(value: Any, names: Iterable[str], waits: Iterable[str] = ()) -> Iterator[str]:
    if inspect.isclass(value):
        yield f"the class {value.__name__} came; give an instance, such as {value.__name__}()"
    yield from _methods(value, names, waits)


def _methods(value: Any, names: Iterable[str], waits: Iterable[str] = ()) -> Iterator[str]:
    for name in names:
        if not callable(method := getattr(value, name, None)):
            yield f"{kind(value)} has no method {name}"
        elif name in waits and _is_plain(method):
            yield f"{name} has to be async: async def {name}(…)"


def _is_plain(method: Any) -> bool:
    """A function that gives nothing to await; what a decorator has wrapped is not judged."""
    judged = inspect.isfunction(method) or inspect.ismethod(method)
    wrapped = hasattr(method, "__wrapped__")
    return judged and not wrapped and not inspect.iscoroutinefunction(method)


_CHECKS: dict[str, Callable[[str, Any], Iterator[str]]] = {
    "llm": _llm, "tool": _tool, "memory": _memory, "strategy": _strategy, "state": _state,
    "event": _event, "middleware": _middleware,
}  # fmt: skip
