"""A history that is one growing list gives the requests that copies of it would give."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents_app.engine.messages import Message
from agents_app.engine.model_calls import prompts as module
from agents_app.engine.model_calls.prompts import Prompt, Splice, common, extend, splice, unsplice
from playhead.core import canonical, digest

#: Said by events 1…8 (their seq is the place), or by none: inline.
SAID = [Message("user", f"said {n}", origin=(n,)) for n in range(1, 9)]
INLINE = [Message("system", "be kind"), Message("user", "inline")]
growth = st.lists(st.sampled_from([*SAID, *INLINE]), max_size=4)


def asked(previous: Prompt, messages: list[Message], seq: int) -> tuple[list[Splice], Prompt]:
    shared = common(previous, messages)
    splices = splice(previous, messages, shared)
    prompt = extend(previous, messages, shared)
    prompt.seq = seq
    return splices, prompt


@settings(max_examples=200, deadline=None)
@given(st.lists(growth, min_size=1, max_size=5))
def test_a_growing_history_is_spliced_like_copies_of_it(parts: list[list[Message]]) -> None:
    history: list[Message] = []
    grown, copied, rebuilt = Prompt(), Prompt(), []
    for step, part in enumerate(parts, 1):
        history += part
        ours, grown = asked(grown, history, seq=2 * step)
        theirs, copied = asked(copied, list(history), seq=2 * step)
        assert ours == theirs
        assert (grown.digest, grown.count) == (copied.digest, len(history))
        rebuilt = unsplice(rebuilt, ours, lambda seq: SAID[seq - 1])
        assert rebuilt == history


prompts = st.lists(st.sampled_from([*SAID, *INLINE]), max_size=8)


@settings(max_examples=300, deadline=None, database=None)
@given(st.lists(prompts, min_size=1, max_size=6))
def test_any_request_is_rebuilt_from_its_splices_as_they_are_stored(
    requests: list[list[Message]],
) -> None:
    """Windows that move, messages put in, taken out, doubled, in another order: byte for byte."""
    previous, rebuilt = Prompt(), []
    for step, messages in enumerate(requests, 1):
        splices, previous = asked(previous, messages, seq=2 * step)
        read = canonical.loads(canonical.dumps(splices))
        rebuilt = unsplice(rebuilt, read, lambda seq: SAID[seq - 1])
        assert [canonical.dumps(m.to_log()) for m in rebuilt] == [
            canonical.dumps(m.to_log()) for m in messages
        ]
        rolled = digest.roll(digest.ZERO, [message.digest for message in messages])
        assert previous.digest == (rolled[-1] if rolled else digest.ZERO)
        assert sum(entry[2] if entry[0] == "c" else 1 for entry in splices) == len(messages)


def _one_too_many(a: Any, i: int, b: Any, j: int, end: int) -> int:
    equal = 0
    while i + equal < end and j + equal < len(b) and a[i + equal].role == b[j + equal].role:
        equal += 1
    return equal


def test_a_planted_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages that are only alike are taken for the same."""
    monkeypatch.setattr(module, "run_length", _one_too_many)
    with pytest.raises((AssertionError, BaseExceptionGroup)):
        test_any_request_is_rebuilt_from_its_splices_as_they_are_stored()
