"""A plain chat agent: copy this file to ``agents/`` in the data folder, and start again."""

from agents_app.engine import AgentSpec

AGENTS = [
    AgentSpec(
        slug="chat",
        name="Chat",
        description="Talks, and has no tools.",
        strategy="simple",
        instructions="You are friendly. Answer in one short sentence.",
        samples=("What is the capital of France?",),
    ),
]
