"""W1 as the events that the loop writes for it (docs/protocol.md 1), without running the loop."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from playhead.core import canonical, digest
from playhead.core.clock import stamp
from playhead.core.events import GENESIS, Draft, StoredEvent, store_form
from tests.bench.w1 import MODEL, Step, Workload

if TYPE_CHECKING:
    from collections.abc import Iterator

START = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
BY = {"kind": "user", "id": "user_01", "name": "Ana"}
AGENT = {"slug": "root", "name": "Root", "version": 1}
STATE = {"middleware": {}, "strategy": {}}
TOOL = {
    "name": "search",
    "description": "Search the documents for a query.",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
    },
}


def stored_events(workload: Workload, public_id: str) -> list[StoredEvent]:
    """The whole log, chained; event n+1 is 2.5 ms after event n."""
    out: list[StoredEvent] = []
    prev = GENESIS
    for seq, draft in enumerate(drafts(workload), 1):
        at = stamp(START + timedelta(microseconds=2_500 * seq))
        event = store_form(public_id, prev, seq, at, draft)
        out.append(event)
        prev = event.hash
    return out


def commits(events: list[StoredEvent]) -> list[tuple[StoredEvent, ...]]:
    """The appends of the plain case, two a step: response + call; result + step_end + request."""
    out: list[list[StoredEvent]] = [[]]
    for event in events:
        if event.event_type in ("llm_response", "tool_result"):
            out.append([])
        out[-1].append(event)
    return [tuple(commit) for commit in out]


def drafts(workload: Workload) -> Iterator[Draft]:
    """The events of a run: start, question, then request, response, call, result, step_end."""
    system, user = workload.messages[:2]
    yield Draft("session_start", _start(system))
    message = {"content": user["content"], "role": "user"}
    yield Draft(
        "user_message", {"message": message, "by": BY, "to": "agent:root", "policy": "start"}
    )
    rolled = digest.roll(digest.ZERO, map(_digest, (system, message)))[-1]
    seq = 3
    for number, step in enumerate(workload.steps):
        scope = f"agent:root/{number}"
        splices = [["n", system], ["m", 2]] if number == 0 else _grown(step, seq)
        yield Draft("llm_request", _request(step, number, splices, rolled), scope)
        answer = _answer(step)
        yield Draft("llm_response", _response(answer, step), scope, seq)
        call = f"{scope};tool:search:c{seq + 1}.0"
        yield Draft("tool_call", _call(step, seq + 1), call, seq + 1)
        result = {
            "content": step.result["content"],
            "role": "tool",
            "tool_call_id": f"c{seq + 1}.0",
        }
        yield Draft("tool_result", _result(result, number), call, seq + 2)
        rolled = digest.roll(rolled, [_digest(answer), _digest(result)])[-1]
        end = {"step": number, "append": [["m", seq + 1], ["m", seq + 3]], "state": STATE}
        yield Draft("step_end", {**end, "digest": digest.of_value([number, rolled.hex()])}, scope)
        seq += 5


def _digest(message: dict[str, Any]) -> bytes:
    return digest.sha(canonical.dumps(message))


def _start(system: dict[str, Any]) -> dict[str, Any]:
    definition = {
        "slug": "root", "name": "Root", "strategy": "function-calling", "model": MODEL,
        "instructions": system["content"], "tools": [TOOL], "middleware": [],
    }  # fmt: skip
    return {
        "agent": {**AGENT, "digest": digest.of_value(definition)},
        "definition": definition, "limits": {"max_steps": 1000}, "seed": "00" * 16,
        "loop_version": 1, "engine": "playhead/0.1.0", "plugins": [],
    }  # fmt: skip


def _grown(step: Step, seq: int) -> list[list[Any]]:
    return [["c", 0, step.history - 2], ["m", seq - 4], ["m", seq - 2]]


def _request(step: Step, number: int, splices: list[list[Any]], rolled: bytes) -> dict[str, Any]:
    tools: Any = [TOOL] if number == 0 else 3
    params = {"temperature": 0}
    print_ = digest.fingerprint(rolled, _digest(TOOL), _digest(params))
    return {
        "model": MODEL, "params": params, "tools": tools, "prompt": splices, "n": step.history,
        "digest": digest.named(rolled), "fingerprint": print_,
    }  # fmt: skip


def _answer(step: Step) -> dict[str, Any]:
    call = {
        "name": "search", "arguments": step.arguments,
        "provider_id": step.response["tool_calls"][0]["id"],
    }  # fmt: skip
    return {"role": "assistant", "content": step.response["content"], "tool_calls": [call]}


def _response(answer: dict[str, Any], step: Step) -> dict[str, Any]:
    usage = {
        "input": 1280 * step.history // 4, "output": 125, "cached": None, "reasoning": None,
        "semantics": "inclusive",
    }  # fmt: skip
    body = digest.sha(answer["tool_calls"][0]["provider_id"].encode()).hex()
    return {
        "message": answer, "stop_reason": "tool_calls", "usage": usage, "cost": None, "price": None,
        "source": "live", "ms": 900 + step.history % 90, "ttft_ms": 300 + step.history % 70,
        "model": MODEL, "provider": {"id": f"chatcmpl-{body[:24]}", "body_sha256": body},
        "attempt": 1,
    }  # fmt: skip


def _call(step: Step, response: int) -> dict[str, Any]:
    return {
        "call_id": f"c{response}.0", "tool": "search", "arguments": step.arguments,
        "digest": digest.of_value(["search", step.arguments, "1"]), "version": "1",
        "effectful": False, "idempotent": False,
    }  # fmt: skip


def _result(message: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        "call_id": message["tool_call_id"], "tool": "search", "success": True, "message": message,
        "source": "live", "ms": 40 + number % 20,
    }  # fmt: skip
