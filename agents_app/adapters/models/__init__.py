"""Models by name, ``provider:model``; the provider is a plug-in."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from agents_app.adapters import plugins
from playhead.core.errors import InvalidInput
from playhead.plugins import CapabilityNotFound

if TYPE_CHECKING:
    from agents_app.engine.ports import ModelPort, ModelProvider


def provider_of(name: str, *, field: str = "model") -> tuple[ModelProvider, str]:
    """The provider of ``provider:model`` and the model's name there.

    Raises:
        InvalidInput: an unknown provider, or one that has no such model; says which are known.
    """
    provider, _, model = name.partition(":")
    found: ModelProvider | None = None
    with contextlib.suppress(CapabilityNotFound):
        found = plugins.registry().get(f"llm.{provider}") if model else None
    if found is None:
        known = ", ".join(f"{each}:…" for each in plugins.registry().names("llm"))
        raise InvalidInput(f"{name!r} names no model; say one of: {known}", detail={"field": field})
    models = found.models()
    if models is not None and model not in models:
        said = f"{provider} has no model {model!r}; it has {', '.join(sorted(models))}."
        raise InvalidInput(said, detail={"field": field})
    return found, model


def resolve(name: str) -> ModelPort:
    """The model of that name.

    Raises:
        InvalidInput: there is none.
    """
    provider, model = provider_of(name)
    return provider.model(model)
