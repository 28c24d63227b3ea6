"""What people give: sanitised and sealed where it enters, before it is stored or shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.adapters.vault import seals_for, vault_rows
from playhead.core.errors import InvalidInput
from playhead.core.sanitise import sanitise
from playhead.core.seal import has_secret

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.adapters.stores.port import VaultRow

#: A marker where a text stands for a sealed value: ``[json pointer, start, end, vault id]``.
Span = list[Any]


@dataclass(frozen=True, slots=True)
class Entered:
    """A payload as it is stored: its spans, the vault rows that it brings, and what was changed."""

    payload: dict[str, Any]
    sealed: list[Span] | None
    vault: tuple[VaultRow, ...]


def payload_enter(
    *,
    root: int,
    given: Mapping[str, Any],
    fixed: Mapping[str, Any],
    secret: Sequence[str] = (),
    kept: Sequence[Span] = (),
) -> Entered:
    """The payload of a person's event.

    Args:
        root: the session tree whose vault takes the secrets.
        given: the fields that a person wrote.
        fixed: the fields that we wrote.
        secret: JSON pointers of values that are secret whatever they look like.
        kept: spans of the proposal that stand in ``given`` unchanged (``spans_kept``).
    """
    value, notes = sanitise(dict(given))
    sealed = seals_for(root).seal(value, secret_paths=[*secret], spans=[*kept])
    payload = {**sealed.value, **fixed}
    if notes:
        payload["sanitized"] = [list(note) for note in notes]
    return Entered(payload, list(sealed.spans) or None, vault_rows(root, sealed.rows))


def refuse_secrets(field: str, value: Mapping[str, Any]) -> None:
    """What every request of a session repeats can't be sealed: a secret has no business there.

    Raises:
        InvalidInput: a text of the value looks like one; the message names the field.
    """
    for name, each in value.items():
        if has_secret({name: each}):
            raise InvalidInput(
                f"{field}.{name} holds what looks like a secret: a provider's key belongs in the "
                "environment, a tool's into its arguments or its configuration.",
                detail={"field": f"{field}.{name}"},
            )


def spans_kept(*, before: Any, after: Any, spans: Sequence[Span], prefix: str = "") -> list[Span]:
    """The spans of a proposal whose texts a person left as they were, by position."""
    return [
        span
        for span in spans
        if span[0].startswith(prefix + "/")
        and (text := _at(before, span[0][len(prefix) :])) is not None
        and text == _at(after, span[0][len(prefix) :])
    ]


def _at(value: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return None
    return value
