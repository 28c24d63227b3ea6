"""What a call cost, by ``PLAYHEAD_PRICES``, else by ``genai-prices``: unknown stays unknown.

The id of the price that was taken is recorded with it.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from agents_app.adapters import plugins
from playhead.core.usage import money_text

if TYPE_CHECKING:
    from playhead.core.usage import Usage

#: The least amount that is told apart.
_LEAST = Decimal("0.000000001")

#: Where a provider's own prices hold: the setting of another address, and its own.
_ADDRESSES = {
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "openai-responses": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
}


def price(model: str | None, usage: Usage | None) -> tuple[str | None, str | None]:
    """What a call cost: (US dollars as a decimal string, matched price id), ``None`` if unknown.

    ``model`` is ``provider:name``. What the settings say of it counts (``own:<model>``). What a
    provider that is not paid answers costs nothing, which is known; a model at another address
    than its provider's own has no known price.
    """
    if model is None:
        return None, None
    from django.conf import settings

    provider, _, name = model.partition(":")
    if usage is not None and model in settings.PLAYHEAD_PRICES:
        cost = _own(settings.PLAYHEAD_PRICES[model], usage.inclusive())
        return cost, f"own:{model}" if cost is not None else None
    if provider == "scripted" and usage is None:
        return None, None
    if provider == "scripted" or (provider not in _ADDRESSES and _is_free(provider)):
        return "0", provider
    if usage is None:
        return None, None
    if provider not in _ADDRESSES or usage.input is None or usage.output is None:
        return None, None
    setting, own = _ADDRESSES[provider]
    return _looked_up(name, usage.inclusive(), getattr(settings, setting) or own)


def _is_free(provider: str) -> bool:
    registry = plugins.registry()
    if provider not in registry.names("llm"):
        return False
    return getattr(registry.get(f"llm.{provider}"), "paid", True) is False


def _own(rate: tuple[Decimal, Decimal, Decimal], usage: Usage) -> str | None:
    if usage.input is None or usage.output is None:
        return None
    fresh, spoken, cached = rate
    kept = min(usage.cached or 0, usage.input)
    cost = fresh * (usage.input - kept) + cached * kept + spoken * usage.output
    return money_text((cost / 1_000_000).quantize(_LEAST).normalize() + 0)


def _looked_up(name: str, usage: Usage, address: str) -> tuple[str | None, str | None]:
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    tokens = Tokens(
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_read_tokens=usage.cached or 0,
        cache_write_tokens=usage.written or 0,
        cache_write_1h_tokens=usage.written_1h or 0,
    )
    try:
        found = calc_price(tokens, model_ref=name, provider_api_url=address)
    except (LookupError, ValueError):
        return None, None
    return money_text(found.total_price), f"{found.provider.id}:{found.model.id}"
