"""What people give back of what they were shown, with the marks in it as what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.doors import mask_key
from playhead.core.mask import mask
from playhead.core.unmask import unmask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.accounts.contracts import Principal

Span = list[Any]


def given_back(
    *, by: Principal, given: Any, real: Any, field: str, spans: Sequence[Span] = ()
) -> tuple[Any, list[Span]]:
    """What somebody means who changed the form of ``real`` that they were shown.

    Args:
        given: what came back; it may be anything.
        field: what it is called, with dots.
        spans: the sealed values of ``real``.

    Returns:
        The value with real data where its marks were left standing, and the spans that it keeps.

    Raises:
        InvalidInput: a mark stands where it did not stand; ``detail["field"]`` names the place.
    """
    marks: dict[str, str] = {}
    shown = real if by.can_reveal else mask(real, key=mask_key(), marks=marks)[0]
    return unmask(given, shown=shown, real=real, marks=marks, spans=spans, field=field)
