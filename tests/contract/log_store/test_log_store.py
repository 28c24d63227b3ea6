"""The log store of the configured database keeps every demand of the conformance suite.

SQLite without DATABASE_URL, else PostgreSQL.
"""

import pytest

from agents_app.testing.log_store import LogStoreConformance

pytestmark = pytest.mark.django_db(transaction=True)


class TestLogStore(LogStoreConformance):
    """The store that the product uses."""
