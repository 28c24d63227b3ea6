"""Replay, pure: timelines, breakpoints, the player, branches and proofs over recorded events."""

from agents_app.engine.errors import Divergence, ReplayViolation
from replay_app.engine.files import dump_jsonl, load_jsonl
from replay_app.engine.player import Player, Replayed
from replay_app.engine.timeline import StopOn, Timeline

__all__ = [
    "Divergence",
    "Player",
    "ReplayViolation",
    "Replayed",
    "StopOn",
    "Timeline",
    "dump_jsonl",
    "load_jsonl",
]
