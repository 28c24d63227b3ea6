"""Each test that takes ``api`` runs once for every API."""

from __future__ import annotations

import pytest

from tests.contract.models.apis import APIS, Api


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> Api:
    """One of the APIs."""
    return APIS[request.param]
