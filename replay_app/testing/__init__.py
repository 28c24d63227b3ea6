"""Replays, verdicts and branches of sessions in memory, and recordings to compare agents with."""

from replay_app.testing.recordings import assert_matches_recording, load_recording, record
from replay_app.testing.sessions import branch, player_of, replay, verify

__all__ = [
    "assert_matches_recording",
    "branch",
    "load_recording",
    "player_of",
    "record",
    "replay",
    "verify",
]
