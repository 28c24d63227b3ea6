"""The suite's own assertions tell what they compared."""

import pytest

pytest.register_assert_rewrite("agents_app.testing.memory_store")
