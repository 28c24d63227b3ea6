"""What the parts of the loop share: the agent, the record, the seam, and the ports."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agents_app.engine.log.donor import Donor
from agents_app.engine.log.own_words import composed
from agents_app.engine.log.seam import Seam
from agents_app.engine.loop.bus import EventBus
from agents_app.engine.loop.flight import Flight
from agents_app.engine.loop.frozen import frozen
from agents_app.engine.messages import Message
from agents_app.engine.model_calls.prompts import params_digest, tools_digest
from agents_app.engine.nulls import NoSeals
from playhead.core import canonical
from playhead.core.clock import Clock, stamp
from playhead.core.ids import derived_id
from playhead.core.seal import withhold, withhold_texts
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from agents_app.engine.actor import Actor
    from agents_app.engine.budgets.ledger import Ledger
    from agents_app.engine.log.journal import Journal
    from agents_app.engine.log.record import Record
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.parts import Parts
    from agents_app.engine.ports import Live, ModelPort, Seals
    from agents_app.engine.spec import AgentSpec
    from playhead.core.events import Event

Price = Callable[[str | None, Usage | None], tuple[str | None, str | None]]


@dataclass(frozen=True, slots=True)
class Offer:
    """What every request of an agent has in common, made once: instructions, tools, parameters.

    Tools and parameters are read only: all sessions of the agent send them, and log them.
    """

    system: tuple[Message, ...]
    tools: list[dict[str, Any]]
    params: dict[str, Any]
    tools_digest: bytes
    params_digest: bytes

    def with_params(self, model: str, more: Mapping[str, Any]) -> Offer:
        """The same offer with parameters of one request besides."""
        params = frozen(withhold(_as_logged({**self.params, **more})))
        return replace(self, params=params, params_digest=params_digest(model, params))

    def only(self, names: Collection[str]) -> Offer:
        """The same offer with these of its tools, in its order."""
        tools = [tool for tool in self.tools if tool["function"]["name"] in names]
        if len(tools) == len(self.tools):
            return self
        return replace(self, tools=tools, tools_digest=tools_digest(tools))


def _as_logged(value: Any) -> Any:
    """The value as it comes back from the log: a request rebuilt from there has the same bytes."""
    return canonical.loads(canonical.dumps(value))


def offer_of(spec: AgentSpec, *, tools: bool) -> Offer:
    """The common part of the requests of an agent."""
    wires = frozen(withhold_texts(_as_logged([tool.wire() for tool in spec.tools if tools])))
    system = (composed(Message("system", spec.instructions)),) if spec.instructions else ()
    params = frozen(withhold(dict(spec.params)))
    return Offer(system, wires, params, tools_digest(wires), params_digest(spec.model, params))


@dataclass(slots=True)
class Loop:
    """One entry of the kernel into a session.

    ``actor`` is the root agent's, ``parts`` what the definitions of its children name;
    ``versions`` are the agents that a branch may name (version number → agent); ``price`` gives
    (US dollars as a decimal string, matched price id) or ``None`` where unknown; ``sleep`` passes
    the time between two tries of a model. ``asking`` are scopes with a model request under way,
    ``states`` those of checkpoints by the seq of their ``step_end`` where the event has none, and
    ``snapshots`` the ones that this entry made, ``ledgers`` what agents have used so far.
    """

    session_id: str
    record: Record
    journal: Journal | None
    clock: Clock
    model: Callable[[str], ModelPort]
    live: Live
    actor: Actor
    parts: Parts
    flight: Flight = field(default_factory=Flight)
    bus: EventBus = field(default_factory=EventBus)
    donor: Donor = field(default_factory=Donor)
    versions: Mapping[int, AgentSpec] = field(default_factory=dict)
    price: Price = lambda _model, _usage: (None, None)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    seam: Seam = field(init=False)
    seals: Seals = field(init=False)
    asking: list[str] = field(default_factory=list)
    states: Mapping[int, dict[str, Any]] = field(default_factory=dict)
    snapshots: dict[int, bytes] = field(default_factory=dict)
    ledgers: dict[tuple[str, int], Ledger] = field(default_factory=dict)
    _agents: dict[int, AgentSpec] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seam = Seam(self.record, self.journal)
        self.seals = NoSeals() if self.journal is None else self.journal.seals

    @property
    def spec(self) -> AgentSpec:
        """The session's agent."""
        return self.actor.spec

    @property
    def root(self) -> str:
        """The address of the root activation."""
        return f"agent:{self.spec.slug}"

    @property
    def writer(self) -> Journal:
        """The journal of a loop that may write."""
        return self.seam.writer

    def agent_at(self, seq: float) -> AgentSpec:
        """The agent that a request with that seq is made with: overrides hold after their fork."""
        if not self.record.branches:
            return self.actor.spec
        forks = tuple(branch for branch in self.record.branches if branch.seq < seq)
        if not forks:
            return self.spec
        known = self._agents.get(len(forks))
        if known is None:
            known = self._agents[len(forks)] = self._overridden(forks)
        return known

    def agent_of(self, activation: Activation, upto: float = math.inf) -> AgentSpec:
        """The agent that runs in an activation; overrides of a branch are about the root's."""
        return activation.actor.spec if activation.parent else self.agent_at(upto)

    def _overridden(self, forks: Sequence[Event]) -> AgentSpec:
        spec = self.spec
        for branch in forks:
            overrides = branch.payload.get("overrides") or {}
            spec = self.versions.get(overrides.get("version") or 0, spec).overridden(overrides)
        return spec

    def offer(self, spec: AgentSpec, *, tools: bool) -> Offer:
        """The common part of the requests of an agent, made once."""
        known: Offer | None = spec.offers.get(tools)
        if known is None:
            known = spec.offers[tools] = offer_of(spec, tools=tools)
        return known

    def effects_at(self, seq: float) -> Mapping[str, str] | None:
        """The effect policy of the branch that a call is in; ``None`` before any fork."""
        if not self.record.branches:
            return None
        forks = [branch for branch in self.record.branches if branch.seq < seq]
        return forks[-1].payload.get("effects") or {} if forks else None

    def fork_before(self, seq: float = math.inf) -> int:
        """The seq of the last ``branch`` event before ``seq``, 0 when there is none."""
        if not self.record.branches:
            return 0
        return max((branch.seq for branch in self.record.branches if branch.seq < seq), default=0)

    def question_id(self, address: str, generation: int) -> str:
        """The id of an interrupt: derived from (session, address, generation)."""
        return derived_id("int", self.session_id, address, generation)

    def expiry(self, seconds: float | None) -> str | None:
        """When something that is asked now expires."""
        return None if seconds is None else stamp(self.clock.now() + timedelta(seconds=seconds))
