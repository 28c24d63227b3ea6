"""How an append gets through: together, again when skipped, alone after an error.

A commit whose answer was lost is settled by looking: the event at that seq has our hash or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from agents_app.adapters.stores import codec
from agents_app.adapters.stores.port import AppendError
from playhead.core.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.adapters.stores.port import Append

#: A statement grows with its sessions; beyond this many nothing is gained.
MANY = 200
#: How often a batch goes round before who is still locked out waits for the lock alone.
_ROUNDS = 3
#: After a restart of the database a pool hands out dead connections until it has none left.
_TRIES = 20

#: The head first: an append that comes meanwhile finds none and misses.
_TREE = (
    "DELETE FROM agents_head WHERE session_id = %s",
    "DELETE FROM agents_event WHERE session_id = %s",
    "DELETE FROM agents_checkpoint WHERE session_id = %s",
    "DELETE FROM agents_interrupt WHERE session_id = %s",
    "DELETE FROM agents_lateresult WHERE session_id = %s",
    "DELETE FROM agents_blob WHERE root_id = %s",
    "DELETE FROM agents_vault WHERE root_id = %s",
    "DELETE FROM agents_rootkey WHERE root_id = %s",
    "DELETE FROM agents_erasure WHERE session_id = %s",
    "DELETE FROM agents_session WHERE id = %s",
)


class Writing:
    """The writing half of a log store."""

    #: What the driver raises.
    errors: tuple[type[Exception], ...]

    def query(self, text: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement with ``%s`` placeholders and fetch its rows."""
        raise NotImplementedError

    def together(self, batch: Sequence[Append]) -> dict[int, bool]:
        """Append a batch in one go; a session that is not in the answer was skipped."""
        raise NotImplementedError

    def alone(self, append: Append) -> bool:
        """Append for one session, waiting for its head if need be."""
        raise NotImplementedError

    def broken(self) -> bool:
        """Whether the connection of this thread is of no more use."""
        raise NotImplementedError

    def append(self, batch: Sequence[Append]) -> list[bool]:
        """``LogStore.append``."""
        results: list[bool | Exception] = []
        for start in range(0, len(batch), MANY):
            results += self._append_many(batch[start : start + MANY])
        if any(isinstance(result, Exception) for result in results):
            raise AppendError(results)
        return [result is True for result in results]

    def _append_many(self, batch: Sequence[Append]) -> list[bool | Exception]:
        done: dict[int, bool] = {}
        for _ in range(_ROUNDS):
            waiting = [append for append in batch if append.session not in done]
            if not waiting:
                break
            try:
                done |= self.together(waiting)
            except Exception:  # the driver's, or one of them can't be laid out
                if connection.in_atomic_block:
                    raise
                connection.close()
                break
        return [
            self._settle(append, done[append.session])
            if append.session in done
            else self._alone(append)
            for append in batch
        ]

    def _alone(self, append: Append) -> bool | Exception:
        """One session by itself, again on another connection while the connection is at fault."""
        for left in reversed(range(_TRIES)):
            try:
                return self._settle(append, self.alone(append))
            except Exception as error:
                if connection.in_atomic_block:
                    raise
                broken = isinstance(error, self.errors) and self.broken()
                connection.close()
                if not broken or not left:
                    return error
        raise AssertionError("unreachable")

    def _settle(self, append: Append, moved: bool) -> bool:
        """A miss is ours after all when the event at that seq has our hash."""
        if moved or not append.events:
            return moved
        rows = self.query(
            "SELECT hash FROM agents_event WHERE session_id = %s AND seq = %s",
            (append.session, append.seq),
        )
        return bool(rows) and bytes(rows[0][0]) == append.events[-1].hash

    def release(self, session: int, epoch: int, *, tried: bool = False) -> None:
        """``LogStore.release``."""
        back = 0 if tried else 1
        self.query(
            """UPDATE agents_head SET owner = NULL, lease_until = NULL, released = true,
                 attempts = CASE WHEN attempts > %s THEN attempts - %s ELSE 0 END
               WHERE session_id = %s AND epoch = %s""",
            (back, back, session, epoch),
        )

    def late(self, session: int, *, epoch: int, call_seq: int, body: bytes) -> None:
        """``LogStore.late``."""
        self.query(
            """INSERT INTO agents_lateresult (session_id, call_seq, epoch, body)
               VALUES (%s, %s, %s, %s)""",
            (session, call_seq, epoch, codec.pack(body)),
        )

    def erase(self, session: int) -> None:
        """``LogStore.erase``."""
        with transaction.atomic():
            self.query("INSERT INTO agents_erasure (session_id) VALUES (%s)", (session,))
            children = self.query(
                "SELECT 1 FROM agents_session WHERE parent_id = %s OR (root_id = %s AND id <> %s)",
                (session, session, session),
            )
            if children:
                raise Conflict("Branches of this session read its events: erase them first.")
            for statement in _TREE:
                self.query(statement, (session,))
