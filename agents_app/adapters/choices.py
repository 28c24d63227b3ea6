"""Which models a session can be started with: the scripted one by default, which costs nothing."""

from __future__ import annotations

from django.conf import settings

from agents_app.adapters.models import provider_of
from agents_app.contracts import ModelChoice
from playhead.core.errors import InvalidInput


def model_choices(default: str) -> list[ModelChoice]:
    """The agent's own model first, then what the settings name; a key alone chooses nothing."""
    names = dict.fromkeys([default, *settings.PLAYHEAD_MODELS])
    return [
        ModelChoice(name=name, default=name == default, costs=costs(name)) for name in names if name
    ]


def costs(name: str) -> bool:
    """Whether using a model is paid for, as far as its provider says."""
    try:
        return provider_of(name)[0].paid
    except InvalidInput:
        return True


def model_check(name: str, *, field: str = "overrides.model") -> None:
    """Refuse a name that no model here can have.

    Raises:
        InvalidInput: not ``provider:name``, or an unknown provider.
    """
    provider_of(name, field=field)
