"""Which models a session can be started with: the scripted one by default, which costs nothing."""

from __future__ import annotations

from django.conf import settings

from agents_app.adapters.definitions import current
from agents_app.contracts import ModelChoice
from playhead.core.errors import InvalidInput

#: Providers that answer here, and whether using them is paid for.
PROVIDERS = {"scripted": False, "openai": True}


def model_choices(default: str) -> list[ModelChoice]:
    """The agent's own model first, then what the settings name; a key alone chooses nothing."""
    names = dict.fromkeys([default, settings.PLAYHEAD_MODEL])
    return [
        ModelChoice(name=name, default=name == default, costs=costs(name)) for name in names if name
    ]


def costs(name: str) -> bool:
    """Whether using a model is paid for, as far as its provider says."""
    return PROVIDERS.get(name.partition(":")[0], True)


def model_check(name: str, *, field: str = "overrides.model") -> None:
    """Refuse a name that no model here can have.

    Raises:
        InvalidInput: not ``provider:name``, or an unknown provider.
    """
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS or not model:
        known = ", ".join(f"{each}:…" for each in PROVIDERS)
        raise InvalidInput(f"{name!r} names no model; say one of {known}.", detail={"field": field})
    if provider == "scripted" and model not in {"echo", *current().scripts}:
        raise InvalidInput(f"There is no script {model!r}.", detail={"field": field})
