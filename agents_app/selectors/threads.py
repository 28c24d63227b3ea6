"""Reading the database from an event loop: in a thread, and without keeping the connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import close_old_connections

if TYPE_CHECKING:
    from collections.abc import Callable

Given = ParamSpec("Given")
Result = TypeVar("Result")


async def in_thread(
    read: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
) -> Result:
    """Call a reader in a thread of its own kind; its connection goes back before the answer."""

    def call() -> Result:
        close_old_connections()
        try:
            return read(*args, **kwargs)
        finally:
            close_old_connections()

    return await sync_to_async(call, thread_sensitive=False)()
