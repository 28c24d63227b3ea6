"""The tables. The log's own are written by ``adapters/stores`` only; the rest by services."""

from agents_app.models.agents import Agent, AgentVersion
from agents_app.models.interrupts import Interrupt
from agents_app.models.log import Blob, Checkpoint, Erasure, Event, LateResult
from agents_app.models.memories import Memory
from agents_app.models.rates import Rate
from agents_app.models.sessions import Head, Session
from agents_app.models.states import SavedState
from agents_app.models.vault import RootKey, Vault

__all__ = [
    "Agent",
    "AgentVersion",
    "Blob",
    "Checkpoint",
    "Erasure",
    "Event",
    "Head",
    "Interrupt",
    "LateResult",
    "Memory",
    "Rate",
    "RootKey",
    "SavedState",
    "Session",
    "Vault",
]
