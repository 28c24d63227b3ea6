"""The one form of a time in the log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from playhead.core.clock import parse_stamp, stamp

OLD, NEW = datetime(1000, 1, 2, tzinfo=UTC), datetime(9998, 1, 1, tzinfo=UTC)
SINCE = st.timedeltas(timedelta(0), NEW - OLD)
ZONES = st.just(UTC) | st.builds(lambda h: timezone(timedelta(hours=h)), st.integers(-12, 14))


@given(SINCE, ZONES)
def test_a_stamp_is_iso_8601_in_utc_with_six_digits_and_reads_back(
    since: timedelta, zone: timezone
) -> None:
    at = (OLD + since).astimezone(zone)
    text = stamp(at)
    assert text == at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    assert parse_stamp(text) == at
