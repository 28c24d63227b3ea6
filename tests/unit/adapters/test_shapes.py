"""What stands behind a capability: each point has its shape, and a misfit its sentence."""

from __future__ import annotations

import pytest

from agents_app.adapters.builtin import builtin
from agents_app.adapters.shapes import fault
from agents_app.engine import tool


class Strategy:
    def __init__(self, rounds: int = 1) -> None:
        self.rounds = rounds

    def start(self, task, history):
        return {}

    async def step(self, state, ctx): ...


class Half(Strategy):
    step = None


class Sync(Strategy):
    def step(self, state, ctx): ...


class Guard:
    async def before_llm_call(self, messages):
        return messages


class Misspelt(Guard):
    async def before_llmcall(self, messages):
        return messages


class Blocking:
    def after_tool_call(self, result):
        return result


class Permits:
    def permits(self, tool, call): ...


class Permit(Guard):
    def permit(self, tool, call): ...


class Idle:
    name = "idle"


class Helped(Guard):
    def after_hours(self): ...

    def on_duty(self): ...


class Provider:
    paid = False

    def models(self): ...

    def model(self, name): ...


class NoModels:
    paid = False

    def model(self, name): ...


class Unpriced(Provider):
    paid = None


class Store:
    async def load(self, session_id): ...

    async def save(self, session_id, state): ...

    async def delete(self, session_id): ...


class Memory:
    async def write(self, space, key, text): ...

    async def search(self, space, query, *, limit): ...

    async def forget(self, space, key): ...


class Sink:
    def write(self, events): ...


class Port:
    name, schema = "f", {"type": "object"}

    async def execute(self, arguments): ...


class Plain(Port):
    def execute(self, arguments): ...


def f(x: int) -> int:
    """A function."""
    return x


GOOD = [
    ("strategy.s", Strategy), ("middleware.m", Guard), ("middleware.m", Permits),
    ("middleware.m", Helped), ("llm.p", Provider()), ("tool.f", tool(f)), ("tool.f", Port()),
    ("memory.m", Memory()), ("state.s", Store()), ("event.e", Sink()), ("event.e", None),
]  # fmt: skip
WRONG = [
    ("strategy.s", Strategy(), "give the class, Strategy"),
    ("strategy.s", Half, "no method step"),
    ("strategy.s", Sync, "step has to be async"),
    ("middleware.counts", Guard(), "give the class, Guard"),
    ("middleware.m", Misspelt, "did you mean before_llm_call"),
    ("middleware.m", Permit, "did you mean permits"),
    ("middleware.m", Blocking, "after_tool_call has to be async"),
    ("middleware.m", Idle, "does nothing"),
    ("llm.p", Provider, "give an instance, such as Provider()"),
    ("llm.p", NoModels(), "no method models"),
    ("llm.p", Unpriced(), "needs paid"),
    ("tool.f", f, "write @tool above it"),
    ("tool.f", Port, "such as Port()"),
    ("tool.f", Plain(), "execute has to be async"),
    ("tool.g", Port(), "calls itself 'f'"),
    ("tool.f", 1, "what @tool makes"),
    ("memory.m", Memory, "give an instance"),
    ("memory.m", Store(), "no method write"),
    ("state.s", Memory(), "no method load"),
    ("event.e", Sink, "give an instance"),
    ("event.e", Store(), "no method write"),
]


@pytest.mark.parametrize(("capability", "value"), GOOD)
def test_s3_3_what_fits_its_point_passes(capability, value):
    assert fault(capability, value) is None


@pytest.mark.parametrize(("capability", "value", "said"), WRONG)
def test_s3_3_what_does_not_fit_is_told(capability, value, said):
    assert said in (fault(capability, value) or "")


def test_what_ships_fits():
    for factory in builtin():
        plugin = factory()
        if hasattr(plugin, "provide") and not hasattr(plugin, "on_load"):
            for capability in factory.meta.provides:
                assert fault(capability, plugin.provide(capability)) is None
