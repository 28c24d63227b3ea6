"""The prices of models that no public list has, or that are not where their provider is."""

from decimal import Decimal, InvalidOperation

from django.core.exceptions import ImproperlyConfigured

from playhead.config.env import env_list

#: US dollars for a million tokens of input, of output, and of input that a cache gave.
Rate = tuple[Decimal, Decimal, Decimal]
_FORM = "say provider:name=INPUT/OUTPUT or provider:name=INPUT/OUTPUT/CACHED"


def env_prices(name: str) -> dict[str, Rate]:
    """Prices by ``provider:name``, of ``openai:my-model=0.50/1.50/0.05, …``.

    Raises:
        ImproperlyConfigured: one is no price; names it.
    """
    return dict(_price(name, part) for part in env_list(name))


def _price(name: str, part: str) -> tuple[str, Rate]:
    model, _, figures = part.rpartition("=")
    try:
        rate = [Decimal(figure.strip()) for figure in figures.split("/")]
    except InvalidOperation:
        rate = []
    well = all(each.is_finite() and each >= 0 for each in rate) and len(rate) in (2, 3)
    if not well or not all(model.partition(":")):
        raise ImproperlyConfigured(
            f"{name}: {part!r} is no price: {_FORM}, US dollars for a million tokens."
        )
    return model.strip(), (rate[0], rate[1], rate[-1] if len(rate) == 3 else rate[0])
