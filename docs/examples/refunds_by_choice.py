"""The refund desk for a model that makes no calls: copy this file to ``agents/`` and start again.

Each step, the model is held to a schema: a tool with its arguments, or an answer. A small model
would rather answer than look, so a run begins with a tool.
"""

from dataclasses import replace

from agents_app.demo.refund_desk import REFUND_DESK
from agents_app.engine import Limits

AGENTS = [
    replace(
        REFUND_DESK,
        slug="refunds-by-choice",
        name="Refund desk, by choice",
        options={"by": "json_schema", "look_first": True},
        params={"temperature": 0, "max_tokens": 160},
        limits=Limits(max_steps=3),
    ),
]
