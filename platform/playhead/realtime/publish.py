"""Telling sockets that something is new: after commit, and it may get lost."""

from collections.abc import Mapping
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

from playhead.jobs import home
from playhead.jobs.commit import after_commit


async def _send(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    if layer is not None:
        await layer.group_send(group, message)


def tell(group: str, payload: Mapping[str, Any]) -> None:
    """Send now what belongs to no transaction (passing text). From any thread, never blocks."""
    if settings.PLAYHEAD_WAKEUPS:
        message = {**payload, "type": "wake"}
        home.spawn(lambda: _send(group, message))


def wake(group: str, payload: Mapping[str, Any]) -> None:
    """Tell the sockets of a group once the transaction is committed; at once outside of one.

    The payload (small JSON) says where to look, not what is there: a socket reads the database.
    """
    after_commit(lambda: tell(group, payload))
