"""W1: the workload that sizes and speeds are measured with, the same bytes on every machine.

One session of n steps: a system prompt of 4 kB, a user message of 1 kB; a step is a model request
with the whole history, a response of 500 B with one tool call, the call, a result of 2 kB. ``U``
is every message once, as canonical JSON.
"""

from __future__ import annotations

import bisect
import hashlib
import itertools
import json
import random
from dataclasses import dataclass, field
from typing import Any

SYSTEM_BYTES = 4096
USER_BYTES = 1024
RESPONSE_BYTES = 230
ARGUMENT_BYTES = 90
RESULT_BYTES = 2048
MODEL = "fake-model-1"

Message = dict[str, Any]


def _vocabulary(rng: random.Random) -> list[str]:
    vowels = ("a", "e", "i", "o", "u", "an", "er", "is", "ou")
    syllables = [c + v for c in "bcdfghklmnprstvz" for v in vowels]
    lengths = (1, 2, 2, 3, 3, 4)
    words = {
        "".join(rng.choice(syllables) for _ in range(rng.choice(lengths))) for _ in range(6000)
    }
    shuffled = sorted(words)
    rng.shuffle(shuffled)
    return shuffled


_WORDS = _vocabulary(random.Random(20240101))
# Zipf-like weights: the text compresses about as English does.
_WEIGHTS = list(itertools.accumulate(1.0 / (rank + 3) for rank in range(len(_WORDS))))


def text(rng: random.Random, nbytes: int) -> str:
    """``nbytes`` of ASCII pseudo-text."""
    out: list[str] = []
    size = 0
    while size < nbytes:
        word = _WORDS[bisect.bisect(_WEIGHTS, rng.random() * _WEIGHTS[-1])]
        if rng.random() < 0.06:
            word = f"{rng.randrange(10**5)}"
        out.append(word)
        size += len(word) + 1
    return " ".join(out)[:nbytes]


@dataclass(slots=True)
class Step:
    """One step: how many messages its request has, and what comes back."""

    history: int
    response: Message
    arguments: dict[str, Any]
    result: Message


@dataclass(slots=True)
class Workload:
    """W1 of ``n`` steps; ``messages`` is the whole history, in OpenAI's form."""

    n: int
    seed: int = 1
    session_id: str = ""
    messages: list[Message] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = random.Random(f"w1-{self.seed}")
        self.session_id = hashlib.sha256(f"w1-{self.seed}-{self.n}".encode()).hexdigest()[:32]
        self.messages += [
            {"role": "system", "content": text(rng, SYSTEM_BYTES)},
            {"role": "user", "content": text(rng, USER_BYTES)},
        ]
        for _ in range(self.n):
            step = _step(rng, len(self.messages))
            self.messages += [step.response, step.result]
            self.steps.append(step)

    def unique_bytes(self) -> int:
        """``U``: the bytes of each message, once."""
        return sum(
            len(json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode())
            for message in self.messages
        )


def _step(rng: random.Random, history: int) -> Step:
    arguments = {"query": text(rng, ARGUMENT_BYTES), "limit": rng.randrange(100)}
    call_id = f"call_{rng.getrandbits(96):024x}"
    function = {"name": "search", "arguments": json.dumps(arguments)}
    response = {
        "role": "assistant",
        "content": text(rng, RESPONSE_BYTES),
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }
    result = {"role": "tool", "tool_call_id": call_id, "content": text(rng, RESULT_BYTES)}
    return Step(history, response, arguments, result)
