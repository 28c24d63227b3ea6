"""A session is held from its claim on: renewals tell of it before it has been read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from agents_app.adapters.stores import Claimed
from agents_app.engine.log.projection import HeadState
from agents_app.worker.runner import SessionRunner
from playhead.core.events import GENESIS


async def test_a_renewal_may_tell_of_a_session_that_is_still_being_read() -> None:
    """What was written meanwhile is in what is being read."""
    claimed = Claimed(
        session=1, public_id="sess_1", epoch=1, now=datetime.now(UTC), seq=2, hash=GENESIS,
        attempts=1, abandoned=False, state=HeadState(),
    )  # fmt: skip
    nothing = cast("Any", None)
    runner = SessionRunner(
        claimed, store=nothing, writer=nothing, in_thread=nothing, owner="me", models=nothing
    )
    runner.heard(5)
    assert runner.holds
