"""Telling sockets that something is new: after commit, and it may get lost."""

from collections.abc import Mapping
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

from playhead.jobs import home
from playhead.jobs.commit import after_commit


async def _send(messages: Mapping[str, Mapping[str, Any]]) -> None:
    layer = get_channel_layer()
    if layer is not None:
        for group, payload in messages.items():
            await layer.group_send(group, {**payload, "type": "wake"})


def tell(messages: Mapping[str, Mapping[str, Any]]) -> None:
    """Send now, by group, what belongs to no transaction. From any thread, never blocks."""
    if settings.PLAYHEAD_WAKEUPS:
        home.spawn(lambda: _send(messages))


def wake(group: str, payload: Mapping[str, Any]) -> None:
    """Tell the sockets of a group once the transaction is committed; at once outside of one.

    The payload (small JSON) says where to look, not what is there: a socket reads the database.
    """
    after_commit(lambda: tell({group: payload}))
