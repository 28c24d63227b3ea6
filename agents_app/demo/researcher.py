"""``researcher``: answers from documents on disk, several of them read at once."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from agents_app.engine import AgentSpec, Limits, tool
from agents_app.engine.errors import ToolError

LIBRARY = Path(__file__).with_name("library")

INSTRUCTIONS = """\
You answer questions from a small library of documents.
Search for each part of the question, read what you found, and answer in a few sentences.
Name the documents that you used. Say so when the library does not know."""


@lru_cache(maxsize=1)
def _documents() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(LIBRARY.glob("*.md"))}


def _index() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE documents USING fts5(name, body, tokenize='porter')")
    connection.executemany("INSERT INTO documents VALUES (?, ?)", _documents().items())
    return connection


@tool
def search_documents(query: Annotated[str, Field(description="Words to look for")]) -> Any:
    """Search the library; gives the names of documents with the passages that match, best first."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    if not words:
        raise ToolError("the query has no words")
    statement = (
        "SELECT name, snippet(documents, 1, '', '', ' … ', 16) FROM documents "
        "WHERE documents MATCH ? ORDER BY rank LIMIT 3"
    )
    with closing(_index()) as connection:
        rows = connection.execute(statement, (words,)).fetchall()
    return [{"document": name, "passage": " ".join(passage.split())} for name, passage in rows]


@tool
def read_document(name: Annotated[str, Field(description="The name of a document")]) -> str:
    """Read a whole document of the library."""
    documents = _documents()
    if name not in documents:
        raise ToolError(f"there is no document {name!r}; there are: {', '.join(documents)}")
    return documents[name]


RESEARCHER = AgentSpec(
    slug="researcher",
    name="Researcher",
    description="Answers from documents on disk, with searches and readings in parallel.",
    model="scripted:researcher",
    instructions=INSTRUCTIONS,
    tools=(search_documents, read_document),
    middleware=({"use": "guardrail", "injection": "block"}, {"use": "caching"}),
    limits=Limits(max_steps=8),
    samples=(
        "Why do bridges need expansion joints, and how do tides affect a harbour?",
        "What makes coffee bitter?",
        "How were lighthouses lit before electricity?",
    ),
)
