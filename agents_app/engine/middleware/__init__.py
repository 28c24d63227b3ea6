"""Middleware by name. A new one is one file and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.middleware.caching import CachingMiddleware, MemoryCache
from agents_app.engine.middleware.guardrail import GuardrailMiddleware
from agents_app.engine.middleware.logging import LoggingMiddleware
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agents_app.engine.ports import ResponseCache

__all__ = [
    "CachingMiddleware",
    "GuardrailMiddleware",
    "LoggingMiddleware",
    "MemoryCache",
    "build",
]


def build(uses: Sequence[Mapping[str, Any]], *, cache: ResponseCache | None = None) -> list[Any]:
    """The middlewares that a definition names, in its order.

    Args:
        uses: ``[{"use": name, option: value, …}, …]``.
        cache: where ``caching`` keeps answers; in memory by default.

    Raises:
        InvalidInput: an unknown name, one named twice, or an option that does not fit;
            ``detail["field"]`` names where.
    """
    makers: dict[str, Callable[[Mapping[str, Any]], Any]] = {
        "guardrail": lambda options: GuardrailMiddleware(**options),
        "caching": lambda options: CachingMiddleware(cache=cache, **options),
        "logging": lambda options: LoggingMiddleware(**options),
    }
    built: dict[str, Any] = {}
    for place, use in enumerate(uses):
        where = f"middleware.{place}"
        name = use.get("use")
        if not isinstance(name, str) or name not in makers:
            known = ", ".join(sorted(makers))
            raise _refused(f"{where}.use", f"{name!r} is no middleware; use one of: {known}")
        if name in built:
            raise _refused(f"{where}.use", f"{name} is named twice")
        options = {key: value for key, value in use.items() if key != "use"}
        built[name] = _made(makers[name], options, where)
    return list(built.values())


def _made(make: Callable[[Mapping[str, Any]], Any], options: Mapping[str, Any], where: str) -> Any:
    try:
        return make(options)
    except TypeError:
        raise _refused(where, f"an option is not known: {', '.join(sorted(options))}") from None
    except InvalidInput as error:
        raise _refused(f"{where}.{error.detail['field']}", error.message) from None


def _refused(field: str, why: str) -> InvalidInput:
    return InvalidInput(f"{field}: {why}", detail={"field": field})
