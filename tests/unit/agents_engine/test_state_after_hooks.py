"""What a hook leaves behind when it ends changes nothing of the run."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.engine import AgentSpec, Message, current
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn, look_up

if TYPE_CHECKING:
    from collections.abc import Callable


def session(middleware: Any) -> Session:
    model = RuleModel(by_turn(calls(("look_up", {"key": "a"})), says("Done.")))
    spec = AgentSpec(slug="desk", tools=(look_up(Ledger()),))
    return Session(spec, model, middlewares=lambda: [middleware]).start("Go.")


LATE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a field": lambda state: state.update(n=99),
    "an item": lambda state: state["seen"].append("late"),
    "a slice": lambda state: state["seen"].__setitem__(slice(None), ["late"]),
    "deep within": lambda state: state["deep"]["er"][0].pop("x"),
    "in a tuple": lambda state: state["pair"][1].update(x=99),
    "a default": lambda state: state.setdefault("more", []),
    "all of it": lambda state: state.clear(),
}


@pytest.mark.parametrize("late", LATE.values(), ids=LATE.keys())
async def test_a_task_that_a_hook_leaves_behind_changes_no_state(late: Any) -> None:
    tasks: list[asyncio.Task[None]] = []

    class Leaves:
        name = "leaves"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            state = current().state
            state["n"] = state.get("n", 0) + 1
            state.setdefault("seen", []).append(len(messages))
            state.setdefault("deep", {"er": [{"x": 1}]})
            state["pair"] = (1, {"x": 1})

            async def work() -> None:
                for _ in range(5):
                    await asyncio.sleep(0)
                late(state)

            tasks.append(asyncio.create_task(work()))
            return messages

    it = session(Leaves())
    assert (await it.run()).answer == "Done."
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(error) for error in done] == [RuntimeError, RuntimeError]
    assert "leaves: its state was to be changed after its hook had ended" in str(done[0])
    states = [end.payload["state"]["middleware"] for end in it.of("step_end")]
    assert [state["leaves"]["n"] for state in states] == [1, 2]
    assert (await verify(it)).ok


async def test_what_a_hook_has_put_into_its_state_is_out_of_its_hands_when_it_ends() -> None:
    mine: dict[str, Any] = {"kept": [1], "at": (1, [2])}

    class Shares:
        name = "shares"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            state = current().state
            if "mine" not in state:
                state["mine"] = mine
                mine["kept"].append(2)
            return messages

        async def after_llm_call(self, response: Message) -> Message:
            mine["kept"].append(3)
            return response

    it = session(Shares())
    await it.run()
    kept = it.of("step_end")[-1].payload["state"]["middleware"]["shares"]["mine"]["kept"]
    assert kept == [1, 2]


async def test_a_state_is_an_ordinary_object_while_its_hook_runs() -> None:
    seen: list[Any] = []

    class Uses:
        name = "uses"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            state = current().state
            state |= {"list": [3, 1, 2], "drop": 1}
            state["list"].sort()
            state["list"] += [9]
            state["list"] *= 1
            del state["drop"]
            return messages

        async def after_llm_call(self, response: Message) -> Message:
            state = current().state
            state["list"].insert(0, {"a": 1})
            state["list"].remove(9)
            state["list"].reverse()
            del state["list"][1]
            seen.append((json.dumps(state), state == {"list": [3, 1, {"a": 1}]}, state.copy()))
            return response

    it = session(Uses())
    await it.run()
    assert seen[0] == ('{"list": [3, 1, {"a": 1}]}', True, {"list": [3, 1, {"a": 1}]})
    assert (await verify(it)).ok


async def test_a_strategy_that_goes_on_in_the_background_changes_no_state() -> None:
    from agents_app.engine import Continue, Finish

    tasks: list[Any] = []

    class Leaves:
        name = "leaves"

        def start(self, task: str, history: Any) -> dict[str, Any]:
            return {"n": 0, "list": []}

        async def step(self, state: dict[str, Any], ctx: Any) -> Any:
            if state["n"]:
                await ctx.model()
                return Finish("Done.", state)
            mine = {"n": 1, "list": [1]}

            async def work() -> None:
                await asyncio.sleep(0)
                mine["list"].append(2)  # type: ignore[attr-defined]

            tasks.append(asyncio.create_task(work()))
            return Continue(mine)

    it = Session(AgentSpec(slug="desk"), RuleModel(lambda _: says("Hi.")), strategy=Leaves())
    assert (await it.start("Go.").run()).answer == "Done."
    await asyncio.gather(*tasks)
    assert it.of("step_end")[-1].payload["state"]["strategy"]["list"] == [1]
    assert (await verify(it)).ok


async def test_what_a_hook_says_of_its_state_is_what_stands_there() -> None:
    """A list of the state is a list in an event as well, in the first step and in later ones."""

    class Says:
        name = "says"

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            state = current().state
            state.setdefault("seen", []).append({"n": [len(messages)]})
            await current().effect("note", state, answer)
            return messages

    async def answer() -> list[Any]:
        return list(current().state["seen"])

    it = session(Says())
    assert (await it.run()).answer == "Done."
    first, second = it.of("effect")
    assert first.payload["request"] == {"seen": [{"n": [1]}]}
    assert second.payload["request"] == {"seen": [{"n": [1]}, {"n": [3]}]}
    assert second.payload["answer"] == second.payload["request"]["seen"]
    assert (await verify(it)).ok
