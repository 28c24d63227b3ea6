"""The model providers that ship: each is a plug-in, and its SDK is imported when it is asked."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from django.conf import settings

import playhead
from agents_app.adapters.models.scripted import ScriptedChat, script_named, script_names
from playhead.core.errors import InvalidInput
from playhead.plugins import PluginMeta

if TYPE_CHECKING:
    from collections.abc import Collection

    from agents_app.adapters.models.streaming import StreamingModel
    from agents_app.engine.ports import ModelPort

#: Models of one account whose connections are kept.
MOST_PORTS = 32
CLOSING_SECONDS = 2.0


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


class AccountModels:
    """Models of an account somewhere, by any name: only the provider knows which there are."""

    paid = True

    def __init__(self) -> None:
        self._ports: OrderedDict[tuple[str, str | None], StreamingModel] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()
        self._lock = threading.Lock()

    def models(self) -> Collection[str] | None:
        """Any name may be one."""
        return None

    def model(self, name: str) -> ModelPort:
        """The model of that name at the address of the settings.

        Anybody may name any model, and each has connections: the one that was not asked for the
        longest time gives its own back, once no call needs them.
        """
        key = (name, self._address())
        with self._lock:
            port = self._ports.get(key)
            if port is None:
                port = self._ports[key] = self._port(name)
            self._ports.move_to_end(key)
            old = self._ports.popitem(last=False)[1] if len(self._ports) > MOST_PORTS else None
        if old is not None:
            self._close(old)
        return port

    def _close(self, port: StreamingModel) -> None:
        try:
            task = asyncio.get_running_loop().create_task(port.retire())
        except RuntimeError:
            return  # asked for outside of a loop: it has opened nothing here
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def on_stop(self) -> None:
        """Close the connections of the running loop."""
        for port in list(self._ports.values()):
            await port.aclose()
        if self._closing:
            await asyncio.wait(self._closing, timeout=CLOSING_SECONDS)

    def _address(self) -> str | None:
        return settings.OPENAI_BASE_URL

    def _port(self, name: str) -> StreamingModel:
        raise NotImplementedError


class OpenAIModels(AccountModels):
    """``openai:<model>``: chat completions of OpenAI, or of a server at ``OPENAI_BASE_URL``."""

    meta = PluginMeta("playhead.openai", playhead.__version__, ("llm.openai",))

    def _port(self, name: str) -> StreamingModel:
        from agents_app.adapters.models.openai_chat import OpenAIChat

        return OpenAIChat(name, **_openai())


class OpenAIResponsesModels(AccountModels):
    """``openai-responses:<model>``: the other protocol of the same account."""

    meta = PluginMeta("playhead.openai-responses", playhead.__version__, ("llm.openai-responses",))

    def _port(self, name: str) -> StreamingModel:
        from agents_app.adapters.models.openai_responses import OpenAIResponses

        return OpenAIResponses(name, **_openai())


class AnthropicModels(AccountModels):
    """``anthropic:<model>``: messages of Anthropic, or of a server at ``ANTHROPIC_BASE_URL``."""

    meta = PluginMeta("playhead.anthropic", playhead.__version__, ("llm.anthropic",))

    def _address(self) -> str | None:
        return settings.ANTHROPIC_BASE_URL

    def _port(self, name: str) -> StreamingModel:
        from agents_app.adapters.models.anthropic_messages import AnthropicMessages

        return AnthropicMessages(
            name,
            api_key=settings.ANTHROPIC_API_KEY,
            base_url=settings.ANTHROPIC_BASE_URL,
            idle=settings.PLAYHEAD_MODEL_IDLE,
        )


def _openai() -> dict[str, Any]:
    """Account and address of both protocols of OpenAI."""
    return {
        "api_key": settings.OPENAI_API_KEY,
        "base_url": settings.OPENAI_BASE_URL,
        "idle": settings.PLAYHEAD_MODEL_IDLE,
    }
