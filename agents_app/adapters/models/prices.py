"""What a call cost, by ``genai-prices``: the matched id is recorded, unknown stays unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playhead.core.usage import Usage


def price(model: str | None, usage: Usage | None) -> tuple[str | None, str | None]:
    """(US dollars as a decimal string, matched price id) of a call; ``None`` where unknown.

    The scripted model costs nothing, which is known.
    """
    if model is not None and model.startswith("scripted:"):
        return "0", "scripted"
    if model is None or usage is None or usage.input is None or usage.output is None:
        return None, None
    return _looked_up(model.partition(":")[2] or model, usage)


def _looked_up(model: str, usage: Usage) -> tuple[str | None, str | None]:
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    whole = usage.inclusive()
    tokens = Tokens(
        input_tokens=whole.input, output_tokens=whole.output, cache_read_tokens=whole.cached or 0
    )
    try:
        found = calc_price(tokens, model_ref=model)
    except LookupError:
        return None, None
    return format(found.total_price, "f"), f"{found.provider.id}:{found.model.id}"
