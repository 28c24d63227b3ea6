"""A history that is one growing list gives the requests that copies of it would give."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agents_app.engine.messages import Message
from agents_app.engine.prompts import Prompt, Splice, common, extend, splice, unsplice

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
