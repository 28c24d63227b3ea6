"""Sending a job."""

from django.db import transaction

from playhead.jobs import adapters


def enqueue(name: str, **ids: str | int) -> None:
    """Send a job by name once the transaction is committed; at once outside of one.

    Only ids travel: the handler reads the truth from the database. Sending never raises.
    """
    transaction.on_commit(lambda: adapters.current().send(name, ids), robust=True)
