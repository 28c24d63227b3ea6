"""Models by name; and nothing of a provider is imported before it is asked."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agents_app.adapters.models import resolve
from agents_app.adapters.models.openai_chat import OpenAIChat
from agents_app.adapters.models.prices import price
from agents_app.adapters.models.scripted import Rule, Script, ScriptedChat, register_scripts, reply
from playhead.core.errors import InvalidInput
from playhead.core.usage import Usage

USAGE = Usage(1000, 100, 200, 0)


def test_a_script_is_found_by_its_name() -> None:
    script = Script([Rule(lambda _: True, lambda _: reply("Hi."))], name="greeter")
    register_scripts({"greeter": script})
    model = resolve("scripted:greeter")
    assert isinstance(model, ScriptedChat)
    assert model.script is script


def test_a_provider_is_found_by_its_name_and_kept() -> None:
    model = resolve("openai:gpt-4o-mini")
    assert isinstance(model, OpenAIChat)
    assert model.model == "gpt-4o-mini"
    assert resolve("openai:gpt-4o-mini") is model


@pytest.mark.parametrize("name", ["", "gpt-4o", "openai:", "nobody:x", "scripted:nothing"])
def test_an_unknown_name_says_what_is_known(name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        resolve(name)
    assert caught.value.detail["field"] == "model"


def test_asking_for_a_model_imports_no_sdk(root_env: dict[str, str]) -> None:
    code = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'playhead.config.settings'\n"
        "from agents_app.adapters.models import resolve, prices\n"
        "resolve('scripted:echo'); resolve('openai:gpt-4o')\n"
        "print([m for m in ('openai', 'aiohttp', 'genai_prices', 'httpx2') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], env=root_env, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_a_known_price_names_what_it_matched() -> None:
    assert price("openai:gpt-4o-mini", USAGE) == ("0.000195", "openai:gpt-4o-mini")
    assert price("scripted:echo", USAGE) == ("0", "scripted")


@pytest.mark.parametrize(
    ("model", "usage"),
    [
        (None, USAGE),
        ("openai:no-such-model-at-all", USAGE),
        ("openai:gpt-4o-mini", None),
        ("openai:gpt-4o-mini", Usage(None, 5)),
        ("openai:gpt-4o-mini", Usage(5, None)),
        ("local:gpt-4o-mini", USAGE),
    ],
)
def test_what_is_unknown_costs_an_unknown_amount(model: str | None, usage: Usage | None) -> None:
    assert price(model, usage) == (None, None)


def test_a_model_at_another_address_has_no_known_price(settings) -> None:  # type: ignore[no-untyped-def]
    settings.OPENAI_BASE_URL = "http://127.0.0.1:9000/v1"
    assert price("openai:gpt-4o-mini", USAGE) == (None, None)
