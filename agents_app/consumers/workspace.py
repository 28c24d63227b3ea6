"""`/ws/live`: summaries of the workspace's sessions and questions as they change."""

from __future__ import annotations

import json

from agents_app.selectors.workspace_feeds import Pending, WorkspaceFeed, join, leave
from playhead.realtime.socket import NOT_ALLOWED, Refused, Socket


class WorkspaceSocket(Socket):
    """Tells what changed since it was opened; what was before is asked over HTTP."""

    feed: WorkspaceFeed | None = None
    _count: int | None = None

    async def opened(self) -> None:
        if self.principal.workspace is None:
            raise Refused(NOT_ALLOWED)
        self.feed = await join(self.principal.workspace.id)
        self.feed.followers.add(self)
        self._tell_count(self.feed.pending)

    async def closed(self) -> None:
        feed, self.feed = self.feed, None
        if feed is not None:
            feed.followers.discard(self)
            await leave(feed)

    def told(self, frames: list[str], pending: Pending) -> None:
        for frame in frames:
            self.push(frame)
        self._tell_count(pending)

    def _tell_count(self, pending: Pending) -> None:
        count = sum(self.principal.has(role) for _, role in pending.values())
        if count != self._count:
            self._count = count
            self.push(json.dumps({"type": "count", "pending_for_me": count}))
