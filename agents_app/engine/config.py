"""What a deployment may change of a hand-written agent without touching code."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_YES, _NO = ("true", "1", "yes", "on"), ("false", "0", "no", "off", "")


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of an ``Agent``; zero of them run.

    Args:
        temperature: 0 or more.
        max_tokens: of one answer; ``None``: the provider's own bound.
        max_history_length: messages that an agent remembers, at least 1.

    Raises:
        InvalidInput: a value that does not fit; it names the field.
    """

    default_model: str = "gpt-3.5-turbo"
    default_provider: str = "openai"
    temperature: float = 0.7
    max_tokens: int | None = None
    debug: bool = False
    log_level: str = "INFO"
    max_history_length: int = 100

    def __post_init__(self) -> None:
        for each in fields(self):
            _check(each.name, getattr(self, each.name), each.name)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> Config:
        """The defaults, overridden by the environment: each field by its name in capitals.

        ``DEFAULT_MODEL``, ``DEFAULT_PROVIDER``, ``TEMPERATURE``, ``MAX_TOKENS`` (empty: no bound),
        ``DEBUG`` (``true`` or ``false``), ``LOG_LEVEL``, ``MAX_HISTORY_LENGTH``.

        Raises:
            InvalidInput: a value that does not fit; the message names the variable.
        """
        env = os.environ if environ is None else environ
        read: dict[str, Any] = {}
        for name, parse in _PARSERS.items():
            variable = name.upper()
            if variable in env:
                read[name] = parse(variable, env[variable].strip())
                _check(name, read[name], variable)
        return cls(**read)

    def params(self) -> dict[str, Any]:
        """What of it goes with every model request."""
        bound = {} if self.max_tokens is None else {"max_tokens": self.max_tokens}
        return {"temperature": self.temperature, **bound}

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON values."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def _check(field: str, value: Any, called: str) -> None:
    wants, fits = _RULES[field]
    if not fits(value):
        raise _refused(called, value, wants)


def _refused(called: str, value: Any, wants: str) -> InvalidInput:
    return InvalidInput(f"{called}={value!r}: use {wants}", detail={"field": called})


def _whole(value: Any) -> bool:
    return type(value) is int and value >= 1


def _number(value: Any) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and math.isfinite(value) and value >= 0


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


_RULES: dict[str, tuple[str, Any]] = {
    "default_model": ("the name of a model", _text),
    "default_provider": ("the name of a provider", _text),
    "temperature": ("a number, 0 or more", _number),
    "max_tokens": ("a whole number of at least 1, or leave it empty",
                   lambda value: value is None or _whole(value)),
    "debug": ("true or false", lambda value: isinstance(value, bool)),
    "log_level": (f"one of {', '.join(_LEVELS)}", lambda value: value in _LEVELS),
    "max_history_length": ("a whole number of at least 1", _whole),
}  # fmt: skip


def _parse_number(kind: Any) -> Any:
    def parse(variable: str, text: str) -> Any:
        try:
            return kind(text)
        except ValueError:
            raise _refused(variable, text, _RULES[variable.lower()][0]) from None

    return parse


def _parse_bool(variable: str, text: str) -> bool:
    if text.lower() in (*_YES, *_NO):
        return text.lower() in _YES
    raise _refused(variable, text, _RULES["debug"][0])


_PARSERS: dict[str, Any] = {
    "default_model": lambda _variable, text: text,
    "default_provider": lambda _variable, text: text,
    "temperature": _parse_number(float),
    "max_tokens": lambda variable, text: _parse_number(int)(variable, text) if text else None,
    "debug": _parse_bool,
    "log_level": lambda _variable, text: text.upper(),
    "max_history_length": _parse_number(int),
}
