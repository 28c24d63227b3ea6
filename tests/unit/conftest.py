"""A unit test computes. It neither reaches a database (pytest-django refuses) nor a network."""

from __future__ import annotations

import socket
from typing import Any, NoReturn

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is.
settings.register_profile("calm", parent=settings(), deadline=None)
settings.load_profile("calm")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every attempt to connect to something fail, loudly."""

    def refuse(self: socket.socket, address: Any) -> NoReturn:
        raise AssertionError(f"a unit test connects to {address!r}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
