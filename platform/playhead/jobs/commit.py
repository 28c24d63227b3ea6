"""Doing something once a transaction is committed, without asking for a connection."""

from collections.abc import Callable

from django.db import transaction


def after_commit(call: Callable[[], None]) -> None:
    """Call after the commit of the transaction that this thread is in; at once when in none.

    Django's own `on_commit` opens a connection to find that out: in a thread that never closes
    it, it would be lost to the pool, and on an event loop it is refused.
    """
    if transaction.get_connection().in_atomic_block:
        transaction.on_commit(call, robust=True)
    else:
        call()
