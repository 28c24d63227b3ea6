"""Models by name; and nothing of a provider is imported before it is asked."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.exceptions import ImproperlyConfigured

from agents_app.adapters.choices import costs
from agents_app.adapters.models import resolve
from agents_app.adapters.models.openai_chat import OpenAIChat
from agents_app.adapters.models.prices import price
from agents_app.adapters.models.scripted import Rule, Script, ScriptedChat, register_scripts, reply
from playhead.config.prices import env_prices
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
        "resolve('scripted:echo'); resolve('openai:gpt-4o'); resolve('openai-responses:gpt-4o')\n"
        "resolve('anthropic:claude-sonnet-4-5')\n"
        "sdks = ('openai', 'anthropic', 'aiohttp', 'genai_prices', 'httpx2')\n"
        "print([m for m in sdks if m in sys.modules])"
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


@pytest.mark.parametrize(
    ("model", "usage", "cost", "matched"),
    [
        ("openai-responses:gpt-4o", Usage(1000, 100, 400), "0.003", "openai:gpt-4o"),
        # What the cache read and took stands apart: 1,000 tokens were read by the model in all.
        (
            "anthropic:claude-sonnet-4-5",
            Usage(100, 100, 700, None, "cached_apart", 200, 0),
            "0.00276",
            "anthropic:claude-sonnet-4-5",
        ),
        (
            "anthropic:claude-sonnet-4-5",
            Usage(100, 100, 700, None, "cached_apart", 200, 200),
            "0.00321",
            "anthropic:claude-sonnet-4-5",
        ),
    ],
)
def test_i37_what_a_cache_reads_takes_and_keeps_for_an_hour_has_its_own_price(
    model: str, usage: Usage, cost: str, matched: str
) -> None:
    found, matched_id = price(model, usage)
    assert found is not None
    assert Decimal(found) == Decimal(cost)
    assert matched_id == matched


@pytest.mark.parametrize(
    ("model", "usage", "below", "above"),
    [
        ("anthropic:claude-sonnet-4-5", Usage(0, 0, 0, 0, "cached_apart", 0, 0), "0.6", "1.500006"),
        ("openai-responses:gpt-5.4", Usage(0, 0, 0), "0.5", "1.500005"),
    ],
)
def test_i37_a_long_prompt_is_priced_by_its_tier(
    model: str, usage: Usage, below: str, above: str
) -> None:
    """Above 200,000 and 272,000 tokens all of a prompt costs more; what was cached counts too."""
    counts = (200_000, 250_001 if "claude" in model else 300_001)
    found = [price(model, replace(usage, input=count))[0] for count in counts]
    assert [Decimal(str(each)) for each in found] == [Decimal(below), Decimal(above)]


def test_i39_what_the_cache_read_decides_about_the_tier() -> None:
    apart = Usage(1, 0, 250_000, 0, "cached_apart", 0, 0)
    assert price("anthropic:claude-sonnet-4-5", apart)[0] == "0.150006"


def test_a_model_of_anthropic_at_another_address_has_no_known_price(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANTHROPIC_BASE_URL = "http://127.0.0.1:9000"
    assert price("anthropic:claude-sonnet-4-5", USAGE) == (None, None)


@pytest.mark.parametrize("name", ["openai:x", "openai-responses:x", "anthropic:x"])
def test_models_of_accounts_cost_and_take_any_name(name: str) -> None:
    assert costs(name)
    assert resolve(name) is resolve(name)


def test_a_price_of_ones_own_counts_wherever_the_model_is(  # type: ignore[no-untyped-def]
    settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In dollars for a million tokens; what a cache gave has its own price, where it has one."""
    monkeypatch.setenv(
        "PRICES", "openai:my-model=0.50/1.50/0.05, plug:x=2/0, openai:gpt-4o-mini=0/0"
    )
    settings.PLAYHEAD_PRICES = env_prices("PRICES")
    settings.OPENAI_BASE_URL = "http://127.0.0.1:8001/v1"
    usage = Usage(1_000_000, 100_000, 400_000, 0)
    assert price("openai:my-model", usage) == ("0.47", "own:openai:my-model")
    assert price("plug:x", usage) == ("2", "own:plug:x")
    assert price("openai:gpt-4o-mini", usage) == ("0", "own:openai:gpt-4o-mini")
    assert price("openai:my-model", Usage(None, 5)) == (None, None)
    assert price("openai:other", usage) == (None, None)


@pytest.mark.parametrize("wrong", ["m=1/2", "openai:m", "openai:m=1", "openai:m=a/b", "o:m=-1/2"])
def test_a_price_that_is_none_stops_the_start(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRICES", wrong)
    with pytest.raises(ImproperlyConfigured, match=f"PRICES: '{wrong}' is no price"):
        env_prices("PRICES")
