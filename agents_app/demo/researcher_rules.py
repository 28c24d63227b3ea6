"""What the scripted model does as a researcher: search each part, read what was found, answer."""

from __future__ import annotations

import re
from typing import Any

from agents_app.adapters.models.scripted import Reply, Rule, Script, View, call, reply

_PARTS = re.compile(r"[,;?.!]|\band\b|以及|和", re.IGNORECASE)
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "why",
        "how",
        "what",
        "when",
        "where",
        "who",
        "which",
        "do",
        "does",
        "did",
        "is",
        "are",
        "was",
        "were",
        "be",
        "need",
        "needs",
        "make",
        "makes",
        "before",
        "after",
        "of",
        "in",
        "on",
        "for",
        "to",
        "it",
        "its",
        "they",
        "their",
        "affect",
        "affects",
        "with",
        "from",
        "about",
        "tell",
        "me",
        "please",
    ]
)
MOST = 3


def topics(question: str) -> list[str]:
    """The parts of a question, as words to search for."""
    parts = []
    for part in _PARTS.split(question):
        words = [word for word in re.findall(r"\w+", part.lower()) if word not in _STOP]
        if words:
            parts.append(" ".join(words))
    return parts[:MOST]


def found(view: View) -> list[str]:
    """The best document of each search, each once."""
    names: list[str] = []
    for hits in view.results("search_documents"):
        if isinstance(hits, list) and hits and hits[0]["document"] not in names:
            names.append(hits[0]["document"])
    return names


def passage(text: str, words: list[str]) -> str:
    """The sentence of a document that holds most of the words."""
    body = " ".join(line for line in text.splitlines() if line and not line.startswith("#"))
    sentences = re.split(r"(?<=[.!?])\s+", body)
    return max(sentences, key=lambda s: sum(word[:5] in s.lower() for word in words), default="")


def _search(view: View) -> Reply:
    parts = topics(view.user)
    calls = [call("search_documents", query=part) for part in parts]
    return reply(
        f"I search the library for {len(parts)} thing{'s' if len(parts) > 1 else ''}.", calls=calls
    )


def _read(view: View) -> Reply:
    names = found(view)
    return reply(
        f"I read {', '.join(names)}.", calls=[call("read_document", name=name) for name in names]
    )


def _answer(view: View) -> Reply:
    words = " ".join(topics(view.user)).split()
    texts = [text for text in view.results("read_document") if isinstance(text, str)]
    said = [passage(text, words) for text in texts if not text.startswith("Error")]
    sources = ", ".join(found(view))
    return reply(" ".join(each for each in said if each) + f"\n\nSources: {sources}.")


def _nothing(view: View) -> Any:
    return "search_documents" in view.calls and not found(view)


RESEARCHER_SCRIPT = Script(
    name="researcher",
    rules=[
        Rule(lambda v: "read_document" in v.calls, _answer),
        Rule(_nothing, lambda v: reply("The library has nothing about that.")),
        Rule(lambda v: "search_documents" in v.calls, _read),
        Rule(lambda v: "search_documents" in v.tools and topics(v.user), _search),
        Rule(lambda v: True, lambda v: reply("Ask me something, and I look it up in the library.")),
    ],
)
