"""Tokens and money. Unknown is ``None`` and stays unknown in every sum; it is never 0."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Literal

from playhead.core.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Money = Decimal

#: How a provider counts. ``inclusive``: ``cached`` is part of ``input`` and ``reasoning`` of
#: ``output`` (OpenAI). ``cached_apart``, ``reasoning_apart`` and ``apart`` (both) come on top
#: (raw Anthropic, older Google). ``estimated``: inclusive, but counted by us, not by a provider.
Semantics = Literal["inclusive", "cached_apart", "reasoning_apart", "apart", "estimated"]

_COUNTS = ("input", "output", "cached", "reasoning")


@immutable(frozen=True, slots=True)
class Usage:
    """Tokens of one call or of many, as the source counts them (``semantics``).

    ``written`` went into the provider's cache and stands wherever ``cached`` does, within the
    input or apart; ``written_1h`` is the part of it that is kept for an hour. Both are of one call:
    a sum leaves them out.
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    reasoning: int | None = None
    semantics: Semantics = "inclusive"
    written: int | None = None
    written_1h: int | None = None

    def inclusive(self) -> Usage:
        """The same tokens counted one way: what stood apart is added once."""
        if self.semantics in ("inclusive", "estimated"):
            return self
        input_, output = self.input, self.output
        if self.semantics in ("cached_apart", "apart"):
            input_ = add(add(input_, self.cached), self.written or 0)
        if self.semantics in ("reasoning_apart", "apart"):
            output = add(output, self.reasoning)
        return replace(self, input=input_, output=output, semantics="inclusive")

    def __add__(self, other: Usage) -> Usage:
        """Both, counted inclusively; a count that one side does not know is unknown."""
        left, right = self.inclusive(), other.inclusive()
        guessed = left.semantics == "estimated" or right.semantics == "estimated"
        return Usage(
            add(left.input, right.input),
            add(left.output, right.output),
            add(left.cached, right.cached),
            add(left.reasoning, right.reasoning),
            "estimated" if guessed else "inclusive",
        )

    def to_log(self) -> dict[str, int | str | None]:
        """The form in an ``llm_response``."""
        out: dict[str, int | str | None] = {
            "input": self.input,
            "output": self.output,
            "cached": self.cached,
            "reasoning": self.reasoning,
            "semantics": self.semantics,
        }
        if self.written is not None:
            out["written"] = self.written
        if self.written_1h is not None:
            out["written_1h"] = self.written_1h
        return out

    @classmethod
    def from_log(cls, data: Mapping[str, Any] | None) -> Usage | None:
        """The usage of a stored payload; ``None`` when the provider sent none."""
        if data is None:
            return None
        get = data.get
        return cls(
            get("input"),
            get("output"),
            get("cached"),
            get("reasoning"),
            get("semantics", "inclusive"),
            get("written"),
            get("written_1h"),
        )


#: The start of a sum: nothing was used yet, and that is known.
NOTHING = Usage(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Total:
    """A sum over calls.

    ``usage`` is ``None`` in each count that some call did not report: that is the figure to show.
    ``known`` adds up what was reported, a lower bound, and ``partial`` says that it is no more.
    """

    usage: Usage
    known: Usage
    partial: bool


def total(usages: Iterable[Usage | None]) -> Total:
    """Sum the usage of calls; ``None`` is a call of which nothing is known (cancelled, say)."""
    whole, known = NOTHING, NOTHING
    for usage in usages:
        reported = (usage or Usage()).inclusive()
        whole += reported
        counts = {name: getattr(reported, name) or 0 for name in _COUNTS}
        known += Usage(**counts, semantics=reported.semantics)
    return Total(
        whole, known, partial=any(getattr(whole, name) is None for name in ("input", "output"))
    )


def add(left: int | None, right: int | None) -> int | None:
    """``None + 5 = None``."""
    return None if left is None or right is None else left + right


def add_money(left: Money | None, right: Money | None) -> Money | None:
    """``None + 5 = None``, for money."""
    return None if left is None or right is None else left + right


def money_text(amount: Money | None) -> str | None:
    """The stored form: a plain decimal without an exponent."""
    return None if amount is None else format(amount, "f")


def parse_money(text: str | None) -> Money | None:
    """What ``money_text`` wrote.

    Raises:
        ValueError: not a finite decimal number.
    """
    if text is None:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"not an amount of money: {text!r}") from None
    if not amount.is_finite():
        raise ValueError(f"not an amount of money: {text!r}")
    return amount
