"""What the API kit tidies by itself."""

from playhead.core.clock import SystemClock
from playhead.jobs import job
from playhead.rest.idempotency import KEPT
from playhead.rest.models import IdempotentAnswer


@job("rest.tidy", every=3600)
def rest_tidy() -> None:
    """Drop answers that are older than they are kept."""
    IdempotentAnswer.objects.filter(claimed_at__lt=SystemClock().now() - KEPT).delete()
