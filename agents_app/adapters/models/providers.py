"""The model providers that ship: each is a plug-in, and its SDK is imported when it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

import playhead
from agents_app.adapters.models.scripted import ScriptedChat, script_named, script_names
from playhead.core.errors import InvalidInput
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    from collections.abc import Collection

    from agents_app.adapters.models.openai_chat import OpenAIChat
    from agents_app.engine.ports import ModelPort


class ScriptedModels:
    """``scripted:<name>``: deterministic rules, for demos, tests and a first look."""

    meta = PluginMeta("playhead.scripted", playhead.__version__, ("llm.scripted",))
    paid = False

    def models(self) -> Collection[str]:
        """Every script that is known here."""
        return script_names()

    def model(self, name: str) -> ModelPort:
        """The script of that name.

        Raises:
            InvalidInput: there is none.
        """
        script = script_named(name)
        if script is None:
            raise InvalidInput(f"there is no script named {name!r}", detail={"field": "model"})
        return ScriptedChat(script)


class OpenAIModels:
    """``openai:<model>``: OpenAI, or whatever speaks its protocol at ``OPENAI_BASE_URL``."""

    meta = PluginMeta("playhead.openai", playhead.__version__, ("llm.openai",))
    paid = True

    def __init__(self) -> None:
        self._ports: dict[tuple[str, str | None], OpenAIChat] = {}

    def models(self) -> Collection[str] | None:
        """Any name may be one: only the provider knows."""
        return None

    def model(self, name: str) -> ModelPort:
        """The model of that name at the address of the settings."""
        from agents_app.adapters.models.openai_chat import OpenAIChat

        key = (name, settings.OPENAI_BASE_URL)
        if key not in self._ports:
            self._ports[key] = OpenAIChat(
                name,
                api_key=settings.OPENAI_API_KEY,
                base_url=settings.OPENAI_BASE_URL,
                idle=settings.PLAYHEAD_MODEL_IDLE,
            )
        return self._ports[key]

    async def on_stop(self) -> None:
        """Close the connections of the running loop."""
        for port in list(self._ports.values()):
            await port.aclose()
