"""Sending a job."""

from playhead.jobs import adapters
from playhead.jobs.commit import after_commit


def enqueue(name: str, **ids: str | int) -> None:
    """Send a job by name once the transaction is committed; at once outside of one.

    Only ids travel: the handler reads the truth from the database. Sending never raises.
    """
    after_commit(lambda: adapters.current().send(name, ids))
