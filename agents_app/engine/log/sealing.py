"""Law 10 at the one place where events are made: no raw secret stands in what is written.

What came from outside is sealed: the vault has it, and it is opened again at the ports. What the
loop derives (a hook's note, a strategy's plan, a reason) is written again in a replay, which has no
key: there it is taken out for good.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from playhead.core.seal import withhold_around, withhold_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from agents_app.engine.messages import Span
    from agents_app.engine.ports import SealedValue, Seals, TextGuard
    from playhead.core.events import Draft

VaultRows = dict[str, tuple[str, str]]
_NO_ROWS: VaultRows = {}
#: Fields that the kernel makes of nothing that anybody said: nothing is looked for in them.
_OWN = frozenset({
    "id", "call_id", "digest", "fingerprint", "version", "seed", "ms", "ttft_ms", "usage", "cost",
    "price", "attempt", "n", "tries", "step", "steps", "address", "generation", "retry_after",
    "abandoned", "of", "differs", "run", "outcome", "success", "effectful", "idempotent",
    "decision", "reserved", "internal",
})  # fmt: skip
#: What went through the seals before: the loop worked on it.
_SEALED = _OWN | {"message"}
#: Fields of derived events that have their form before: digests are over it.
_FORMED = _OWN | {
    "arguments", "prompt", "append", "state", "tools", "tool", "model", "params", "definition",
}  # fmt: skip
_TOLD = _FORMED - {"state"}


class Sealing:
    """The seals of a session tree; what they seal is kept until an event brings it to the vault."""

    __slots__ = ("_fresh", "_last", "_seals")

    def __init__(self, seals: Seals) -> None:
        self._seals = seals
        self._fresh: VaultRows = {}
        self._last: Any = None

    def seal(
        self, value: Any, *, secret_paths: Sequence[str] = (), spans: Sequence[Span] = (),
        personal: Collection[str] = (),
    ) -> SealedValue:  # fmt: skip
        """Replace secrets by markers, as the port does."""
        more: dict[str, Any] = {"personal": personal} if personal else {}
        sealed = self._seals.seal(value, secret_paths=secret_paths, spans=spans, **more)
        self._fresh.update(sealed.rows)
        self._last = sealed.value
        return sealed

    def open(self, value: Any, spans: Sequence[Span]) -> Any:
        """Put the real values back."""
        return self._seals.open(value, spans)

    def guard(self, *, secret: Sequence[str] = ()) -> TextGuard:
        """A guard for streamed text."""
        return self._seals.guard(secret=secret)

    def sealed(self, draft: Draft) -> Draft:
        """The draft of an event from outside without the secrets that are raw in it."""
        if draft.payload is self._last:
            return draft

        def seal(value: Any, spans: Sequence[Span]) -> tuple[Any, Sequence[Span]]:
            sealed = self.seal(value, spans=spans)
            return sealed.value, sealed.spans

        own = _SEALED if draft.event_type == "llm_response" else _OWN
        return _without_secrets(draft, own, seal)

    def rows_of(self, draft: Draft) -> VaultRows:
        """What the vault does not have yet of the sealed values of an event."""
        if not self._fresh or not draft.sealed:
            return _NO_ROWS
        return {s[3]: self._fresh[s[3]] for s in draft.sealed if s[3] in self._fresh}

    def written(self, rows: Mapping[str, tuple[str, str]]) -> None:
        """The vault has these now."""
        for name in rows:
            self._fresh.pop(name, None)


def withheld(draft: Draft) -> Draft:
    """The draft of a derived event without the secrets that are raw in it; the same everywhere."""
    own = _TOLD if draft.event_type == "child_start" else _FORMED
    return _without_secrets(draft, own, withhold_around)


def _without_secrets(
    draft: Draft, own: frozenset[str],
    take_out: Callable[[Any, Sequence[Span]], tuple[Any, Sequence[Span]]],
) -> Draft:  # fmt: skip
    said, spans = draft.payload, draft.sealed or []
    if said.keys() <= own:
        return draft
    looked = {name: said[name] for name in said if name not in own and name != "schema"}
    if not looked and "schema" not in said:
        return draft
    inside = [span for span in spans if _field(span) in looked]
    value, found = take_out(looked, inside)
    schema = said.get("schema")
    if schema is not None and (clean := withhold_texts(schema)) != schema:
        value = {**value, "schema": clean}
    if value is looked or (
        value == looked and Counter(map(str, found)) == Counter(map(str, inside))
    ):
        return draft
    kept = [span for span in spans if _field(span) not in looked]
    return replace(draft, payload={**said, **value}, sealed=[*kept, *found] or None)


def _field(span: Span) -> str:
    """The field of the payload that a sealed value stands in."""
    return str(span[0]).removeprefix("#").split("/")[1]
