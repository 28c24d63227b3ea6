"""Work by name: `enqueue("agents.advance", session_id=…)`, sent after commit.

A job is a wake-up, never the work itself: every worker also sweeps the database, so a job that is
lost, doubled or late changes latency and nothing else.
"""

from playhead.jobs.adapters import JobsPort, use
from playhead.jobs.queue import enqueue
from playhead.jobs.registry import Job, discover, job, jobs, run

__all__ = ["Job", "JobsPort", "discover", "enqueue", "job", "jobs", "run", "use"]
