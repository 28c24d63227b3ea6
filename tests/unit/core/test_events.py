"""The hash of an event is the formula of ``docs/protocol.md``, however its bytes are made."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from playhead.core.events import Draft, link

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def by_the_book(prev: bytes, seq: int, ts: str, draft: Draft, body: bytes) -> bytes:
    envelope: dict[str, Any] = {
        "schema_version": 1, "seq": seq, "event_type": draft.event_type, "ts": ts,
        "scope": draft.scope, "cause": draft.cause,
    }  # fmt: skip
    if draft.sealed:
        envelope["sealed"] = draft.sealed
    if draft.edited:
        envelope["edited"] = draft.edited
    data = json.dumps(envelope, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    inner = hashlib.sha256(data.encode()).digest() + hashlib.sha256(body).digest()
    return hashlib.sha256(prev + inner).digest()


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 2**53), words, words, st.none() | words, st.none() | st.integers(0, 2**53),
    st.sampled_from([None, [], [["/a", 0, 2, "v_x"]]]), st.sampled_from([None, {"of": 3}]),
)  # fmt: skip
@example(
    1, "2026-11-30T10:22:31.102345Z", "tool_call", 'agent:a/0;tool:"\\\x7f\n你好', 0, None, None
)
@example(2, "2026-11-30T10:22:31.102345Z", "lease", None, True, None, None)
def test_the_hash_is_that_of_the_protocol(
    seq: int, ts: str, kind: str, scope: str | None, cause: int | None, sealed: Any, edited: Any
) -> None:
    draft = Draft(kind, {}, scope, cause, sealed, edited)
    prev, body = bytes(range(32)), b"{}"
    assert link(prev, seq, ts, draft, body) == by_the_book(prev, seq, ts, draft, body)
