"""What accounts tidies by itself."""

from datetime import timedelta

from django.contrib.sessions.models import Session

from playhead.accounts.models import LoginLink
from playhead.core.clock import SystemClock
from playhead.jobs import job

KEPT = timedelta(days=7)


@job("accounts.tidy", every=3600)
def accounts_tidy() -> None:
    """Drop browser sessions that ended and login links that expired a week ago."""
    now = SystemClock().now()
    Session.objects.filter(expire_date__lt=now).delete()
    LoginLink.objects.filter(expires_at__lt=now - KEPT).delete()
