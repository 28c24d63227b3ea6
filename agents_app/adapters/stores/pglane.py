"""The append of PostgreSQL on an event loop: libpq sends it, and the loop watches the socket."""

from __future__ import annotations

import logging
import struct
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import psycopg
from psycopg.pq import ExecStatus

from agents_app.adapters.stores.batch import rows_of
from agents_app.adapters.stores.pgappend import statement

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Collection, Sequence

    from psycopg.pq.abc import PGresult

    from agents_app.adapters.stores.pglayout import Layout
    from agents_app.adapters.stores.port import Append

logger = logging.getLogger(__name__)

#: Larger ones take longer to lay out and send than the others on the loop should wait (bytes).
LARGEST = 256 * 1024
_session = struct.Struct("!q").unpack

#: The names of what is prepared, by connection: a pool hands it on.
_prepared: WeakKeyDictionary[psycopg.Connection[Any], dict[bytes, bytes]] = WeakKeyDictionary()


class PostgresLane:
    """``Lane``. The socket is watched until it is left."""

    def __init__(
        self, loop: AbstractEventLoop, connection: psycopg.Connection[Any], layout: Layout
    ) -> None:
        self._loop, self._pg, self._layout = loop, connection.pgconn, layout
        self._names = _prepared.setdefault(connection, {})
        self._done: Callable[[Collection[int] | None], None] | None = None
        self._unprepared: bytes | None = None
        self._text = b""
        self._params: list[bytes | None] = []
        self._answer: PGresult | None = None
        self._watched: int | None = None

    def send(self, batch: Sequence[Append], done: Callable[[Collection[int] | None], None]) -> bool:
        """``Lane.send``."""
        if _size(batch) > LARGEST:
            return False
        self._text, self._params = statement(rows_of(batch), self._layout)
        self._done = done
        try:
            if self._watched is None:
                self._watched = self._pg.socket
                self._loop.add_reader(self._watched, self._readable)
            self._begin()
        except psycopg.Error as error:
            self._loop.call_soon(self._fail, str(error))
        return True

    def leave(self) -> None:
        """``Lane.leave``."""
        if self._watched is not None:
            self._loop.remove_reader(self._watched)
            self._loop.remove_writer(self._watched)
            self._watched = None

    def _begin(self) -> None:
        name = self._names.get(self._text)
        if name is None:
            self._unprepared = name = f"append_{len(self._names)}".encode()
            self._pg.send_prepare(name, self._text)
        else:
            self._unprepared = None
            binary = [1] * len(self._params)
            self._pg.send_query_prepared(name, self._params, binary, result_format=1)
        self._flush()

    def _flush(self) -> None:
        if self._pg.flush() and self._watched is not None:
            self._loop.add_writer(self._watched, self._writable)

    def _writable(self) -> None:
        try:
            if self._watched is not None:
                self._loop.remove_writer(self._watched)
            self._flush()
        except psycopg.Error as error:
            self._fail(str(error))

    def _readable(self) -> None:
        try:
            self._pg.consume_input()
            while not self._pg.is_busy():
                result = self._pg.get_result()
                if result is None:
                    self._answered()
                    return
                self._answer = result
        except psycopg.Error as error:
            self._fail(str(error))

    def _answered(self) -> None:
        """The server has finished with what was sent."""
        if self._done is None:
            return
        answer, self._answer = self._answer, None
        if answer is None or answer.status not in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
            self._fail("no answer" if answer is None else answer.error_message.decode())
        elif self._unprepared is not None:
            self._names[self._text] = self._unprepared
            self._begin()
        else:
            self._end(self._sessions(answer))

    def _sessions(self, answer: PGresult) -> set[int]:
        return {
            _session(answer.get_value(row, 0) or b"")[0]
            for row in range(answer.ntuples)
            if answer.get_value(row, 1) == b"\1"
        }

    def _fail(self, why: str) -> None:
        """Nobody knows what became of it; between two batches it is only the connection that went.

        A socket that was closed is readable for ever: nobody watches it any more.
        """
        logger.info("The lane of this process is left: %s", why)
        self.leave()
        self._end(None)

    def _end(self, moved: Collection[int] | None) -> None:
        done, self._done = self._done, None
        if done is not None:
            done(moved)


def _size(batch: Sequence[Append]) -> int:
    return sum(
        len(event.body if event.blob is None else event.blob)
        for append in batch
        for event in append.events
    )
