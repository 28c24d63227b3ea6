"""Models by name, ``provider:model``. A provider's SDK is imported when it is first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.adapters.models.scripted import ScriptedChat, script_named
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from agents_app.adapters.models.openai_chat import OpenAIChat
    from agents_app.engine.ports import ModelPort

PROVIDERS = ("scripted", "openai")


def resolve(name: str) -> ModelPort:
    """The model of that name.

    Raises:
        InvalidInput: an unknown provider or script; says which are known.
    """
    provider, _, model = name.partition(":")
    if provider == "scripted":
        script = script_named(model)
        if script is None:
            raise InvalidInput(f"there is no script named {model!r}", detail={"field": "model"})
        return ScriptedChat(script)
    if provider == "openai" and model:
        return _openai(model)
    raise InvalidInput(
        f"model {name!r} is not known; use provider:model with one of {', '.join(PROVIDERS)}",
        detail={"field": "model"},
    )


_ports: dict[tuple[str, str | None], OpenAIChat] = {}


def _openai(model: str) -> ModelPort:
    from django.conf import settings

    from agents_app.adapters.models.openai_chat import OpenAIChat

    key = (model, settings.OPENAI_BASE_URL)
    if key not in _ports:
        _ports[key] = OpenAIChat(
            model,
            api_key=settings.OPENAI_API_KEY,
            base_url=settings.OPENAI_BASE_URL,
            idle=settings.PLAYHEAD_MODEL_IDLE,
        )
    return _ports[key]


async def close_models() -> None:
    """Close the connections of the running loop to providers: a worker stops."""
    for port in list(_ports.values()):
        await port.aclose()
