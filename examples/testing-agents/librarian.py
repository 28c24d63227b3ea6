"""The agent that is tested here: it looks books up and answers as JSON."""

from __future__ import annotations

from agents_app.engine import AgentSpec, Limits, tool

BOOKS = {"Moby-Dick": "Herman Melville", "Emma": "Jane Austen"}


@tool
def find_author(title: str) -> str:
    """Find who wrote a book.

    Args:
        title: of the book.
    """
    return BOOKS.get(title, "unknown")


LIBRARIAN = AgentSpec(
    slug="librarian",
    instructions="Find authors. Answer as JSON with title and author, then cite [catalogue].",
    tools=(find_author,),
    limits=Limits(max_steps=4),
)
AGENTS = [LIBRARIAN]
