"""A session whose code is not here waits for it, and says what is missing.

Code is loaded once per process. A plug-in that is not there, or whose options do not fit any more,
comes back with a restart: until then such a session is looked at now and then, by whichever worker
has a place, no attempt counts, and its row says the reason.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import Error as DatabaseIsAway
from django.db.models.functions import Now

from agents_app.adapters import live, plugins
from agents_app.adapters.stores.port import Append, Claimed
from agents_app.engine.log.recovery import SYSTEM
from agents_app.models import Head, Session
from agents_app.models.sessions import CODE_MISSING, HELD
from agents_app.worker.alone import end_unread
from playhead.core.errors import PlayheadError
from playhead.core.seal import withhold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.adapters.stores.port import LogStore

logger = logging.getLogger(__name__)
#: How long until somebody looks whether the code is there (another worker may have it).
AGAIN = timedelta(seconds=60)


class Unfit(Exception):
    """The code of this process does not make the agent of a session; the text says why."""


@contextmanager
def code() -> Iterator[None]:
    """What fails within is the fault of code that the definition names, not of the session.

    Raises:
        Unfit: with the sentence.
    """
    try:
        yield
    except (Unfit, DatabaseIsAway):
        raise
    except Exception as error:
        if error.__cause__ or not isinstance(error, PlayheadError):  # somebody's code: where?
            logger.warning("An agent can't be made", exc_info=error)
        raise Unfit(said_of(error)) from error


def said_of(error: BaseException) -> str:
    """An error as a person reads it, without secrets."""
    said = f"{type(error).__name__}: {error}"
    return str(withhold(error.message if isinstance(error, PlayheadError) else said))


def hold(
    store: LogStore, session: int, epoch: int, owner: str, why: str
) -> tuple[int, str, int] | None:
    """Let a session wait for its code; one that a person has cancelled ends. Blocks.

    Returns:
        Session, workspace and seq for ``tell``; ``None`` where it is not ours any more.
    """
    claimed, workspace = _claimed(store, session, epoch)
    if claimed is None:
        return None
    if _is_cancelled(store, session):
        end_unread(store, claimed, owner, cancelled=True)
        return session, workspace, claimed.seq
    said = plugins.current().because(why)
    error = {"code": CODE_MISSING, "message": str(withhold(said))}
    logger.warning("Session %s waits for code that is not here: %s", claimed.public_id, why)
    Session.objects.filter(pk=session).update(error=error)
    rests = claimed.state.resting("waiting", HELD, claimed.now + AGAIN)
    if store.append([Append(session, claimed.seq, epoch, (), rests, release=True)]) == [True]:
        return session, workspace, claimed.seq
    store.release(session, epoch)  # somebody wrote meanwhile: it is looked at again
    return None


def tell(held: tuple[int, str, int] | None) -> None:
    """Let those who watch see it. Call it on the loop."""
    if held is not None:
        session, workspace, seq = held
        live.committed(session=session, workspace_id=workspace, seq=seq)


def _claimed(store: LogStore, session: int, epoch: int) -> tuple[Claimed | None, str]:
    """The session as it stands now, while the lease of that epoch is ours; its workspace."""
    row = Session.objects.annotate(now=Now()).get(pk=session)
    head = store.head(session)
    if head.epoch != epoch:
        return None, str(row.workspace_id)
    claimed = Claimed(
        session=session, public_id=row.public_id, now=row.now, epoch=epoch, seq=head.seq,
        hash=head.hash, attempts=head.attempts, abandoned=False, state=head.state,
    )  # fmt: skip
    return claimed, str(row.workspace_id)


def wake() -> None:
    """This process may have what was missing: look at all that wait for code. Blocks."""
    Head.objects.filter(status="waiting", waiting_for=HELD).update(due_at=Now())


def _is_cancelled(store: LogStore, session: int) -> bool:
    """Whether a person has cancelled the run under way."""
    seen = store.read(session, types=("cancel", "session_end"))
    last = seen[-1].event() if seen else None
    return last is not None and last.event_type == "cancel" and last.payload["by"] != SYSTEM
