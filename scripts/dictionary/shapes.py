"""Bodies of events as the loop writes them (docs/protocol.md 1), with made-up content."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scripts.dictionary.prose import WORDS, prose, sentence

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

Body = dict[str, Any]

TOOLS = ["search", "lookup_order", "issue_refund", "read_document", "send_email", "get_weather",
         "list_files", "run_query", "fetch_page", "create_ticket"]  # fmt: skip
MODELS = ["gpt-4o-mini", "gpt-4.1", "gpt-5", "claude-sonnet-4", "scripted:refund-desk", "smollm2"]
AGENTS = ["refund-desk", "researcher", "root", "assistant", "planner"]


def _hex(rng: random.Random, digits: int = 64) -> str:
    return f"{rng.getrandbits(digits * 4):0{digits}x}"


def _digest(rng: random.Random) -> str:
    return "d1:" + _hex(rng)


def _base32(rng: random.Random, prefix: str) -> str:
    letters = "0123456789abcdefghjkmnpqrstvwxyz"
    return f"{prefix}_01" + "".join(rng.choice(letters) for _ in range(24))


def _seq(rng: random.Random) -> int:
    return rng.choice((rng.randrange(2, 100), rng.randrange(100, 6000)))


def _call_id(rng: random.Random) -> str:
    return f"c{_seq(rng)}.{rng.choice((0, 0, 0, 1, 2))}"


def _by(rng: random.Random) -> Body:
    return {"kind": "user", "id": _base32(rng, "user"), "name": rng.choice(WORDS["person"])}


def _arguments(rng: random.Random) -> Body:
    order = f"ORD-{rng.randrange(1000, 9999)}"
    return rng.choice(
        [
            {"query": sentence(rng)[:90], "limit": rng.randrange(50)},
            {"order_id": order, "amount": f"{rng.randrange(500)}.00", "reason": sentence(rng)},
            {"order_id": order},
            {"path": f"docs/{rng.choice(WORDS['noun'])}.md"},
            {"to": "ann@example.com", "subject": sentence(rng)[:40], "body": prose(rng, 200)},
        ]
    )


def _record(rng: random.Random) -> Body:
    return {
        "id": rng.randrange(10_000), "name": rng.choice(WORDS["person"]),
        "status": rng.choice(WORDS["status"]),
        "created_at": f"2026-0{rng.randrange(1, 10)}-1{rng.randrange(10)}T08:30:00Z",
        "total": f"{rng.randrange(900)}.50", "currency": "USD", "title": sentence(rng)[:50],
        "url": "https://example.com/" + rng.choice(WORDS["noun"]), "description": sentence(rng),
        "items": [{"sku": f"SKU-{rng.randrange(999)}", "quantity": 1, "price": "19.99"}],
    }  # fmt: skip


def _schema(rng: random.Random) -> Body:
    fields = {key: {"type": "string", "description": sentence(rng)} for key in _arguments(rng)}
    return {
        "type": "object", "properties": fields, "required": list(fields),
        "additionalProperties": False,
    }  # fmt: skip


def _definition_of(name: str, rng: random.Random) -> Body:
    return {
        "name": name, "description": sentence(rng), "approval": False, "effectful": False,
        "idempotent": False, "required_role": "approver", "consequence": None, "version": "1",
        "secret": [], "timeout": 60.0, "schema": _schema(rng),
    }  # fmt: skip


def _tool(name: str, rng: random.Random) -> Body:
    function = {"name": name, "description": sentence(rng), "parameters": _schema(rng)}
    return {"type": "function", "function": function}


def session_start(rng: random.Random) -> Body:
    slug = rng.choice(AGENTS)
    agent = {"slug": slug, "name": slug.title(), "version": 1, "digest": _digest(rng)}
    definition = {
        "slug": slug, "name": slug.title(), "description": sentence(rng), "params": {},
        "strategy": "function-calling", "model": rng.choice(MODELS), "samples": [sentence(rng)],
        "instructions": prose(rng, 900),
        "tools": [_definition_of(name, rng) for name in TOOLS[:3]],
        "middleware": [{"injection": "ask", "use": "guardrail"}, {"use": "caching"}],
        "limits": {"max_steps": 10, "window": None},
    }  # fmt: skip
    return {
        "agent": agent, "definition": definition, "limits": {"max_steps": 10, "window": None},
        "seed": _hex(rng, 32), "loop_version": 1, "engine": "playhead-1", "plugins": [],
    }  # fmt: skip


def user_message(rng: random.Random) -> Body:
    message = {"role": "user", "content": prose(rng, rng.choice((80, 200, 600)))}
    policy = rng.choice(("start", "enqueue"))
    return {
        "message": message,
        "by": _by(rng),
        "to": f"agent:{rng.choice(AGENTS)}",
        "policy": policy,
    }


def llm_request(rng: random.Random) -> Body:
    at = _seq(rng)
    count = rng.randrange(2, 2000)
    grown: list[list[Any]] = [["c", 0, count], ["m", at], ["m", at + 2]]
    fresh: list[list[Any]] = [["n", {"role": "system", "content": prose(rng, 400)}], ["m", 2]]
    first = rng.random() < 0.15
    return {
        "model": rng.choice(MODELS), "params": {"temperature": 0}, "n": count + 2,
        "tools": [_tool(name, rng) for name in TOOLS[:2]] if first else 3,
        "prompt": fresh if first else grown, "digest": _digest(rng), "fingerprint": _digest(rng),
    }  # fmt: skip


def llm_response(rng: random.Random) -> Body:
    calls = [
        {
            "name": rng.choice(TOOLS),
            "arguments": _arguments(rng),
            "provider_id": "call_" + _hex(rng, 24),
        }
        for _ in range(rng.choice((0, 1, 1, 2)))
    ]
    message = {"role": "assistant", "content": prose(rng, rng.choice((0, 60, 200, 500)))}
    usage = {
        "input": rng.randrange(90_000), "output": rng.randrange(900),
        "cached": rng.choice((None, 0, 1024)),
        "reasoning": rng.choice((None, 0, 64)), "semantics": "inclusive",
    }  # fmt: skip
    return {
        "message": {**message, "tool_calls": calls} if calls else message, "usage": usage,
        "stop_reason": "tool_calls" if calls else "stop", "price": rng.choice((None,
        "openai/gpt-4o-mini")),
        "cost": rng.choice((None, f"0.00{rng.randrange(9999)}")), "source": "live",
        "ms": rng.randrange(9000), "ttft_ms": rng.randrange(900), "model": rng.choice(MODELS),
        "provider": {"id": "chatcmpl-" + _hex(rng, 24), "body_sha256": _hex(rng)}, "attempt": 1,
    }  # fmt: skip


def tool_call(rng: random.Random) -> Body:
    return {
        "call_id": _call_id(rng), "tool": rng.choice(TOOLS), "arguments": _arguments(rng),
        "digest": _digest(rng), "version": "1", "effectful": rng.random() < 0.3,
        "idempotent": False,
    }  # fmt: skip


def tool_result(rng: random.Random) -> Body:
    records = [_record(rng) for _ in range(rng.randrange(1, 5))]
    content = rng.choice(
        (prose(rng, 500), prose(rng, 2000), json.dumps(records), json.dumps(records[0]))
    )
    call = _call_id(rng)
    return {
        "call_id": call, "tool": rng.choice(TOOLS), "success": rng.random() < 0.9, "source": "live",
        "message": {"role": "tool", "content": content, "tool_call_id": call},
        "ms": rng.randrange(2000),
    }  # fmt: skip


def step_end(rng: random.Random) -> Body:
    at = _seq(rng)
    guarded = {"middleware": {"guardrail": {"seen": at}}, "strategy": {}}
    return {
        "step": rng.randrange(1000), "digest": _digest(rng), "append": [["m", at], ["m", at + 2]],
        "state": rng.choice(({"middleware": {}, "strategy": {}}, guarded)),
    }  # fmt: skip


def session_end(rng: random.Random) -> Body:
    return {"run": 1, "outcome": "finished", "answer": prose(rng, 200), "steps": rng.randrange(30)}


def interrupt(rng: random.Random) -> Body:
    return {
        "id": _base32(rng, "int"), "kind": "approval",
        "address": f"agent:{rng.choice(AGENTS)};tool:issue_refund:{_call_id(rng)}",
        "generation": 0, "parents": [{"address": "agent:refund-desk", "info": None}],
        "schema": _schema(rng), "call_id": _call_id(rng), "tool": "issue_refund",
        "info": None,
        "arguments": _arguments(rng), "digest": _digest(rng), "consequence": sentence(rng),
        "allowed": ["approve", "edit", "reject", "respond"], "required_role": "approver",
        "expires_at": "2026-12-01T10:00:00.000000Z", "on_expiry": "reject",
    }  # fmt: skip


def decision(rng: random.Random) -> Body:
    return {
        "interrupt": _base32(rng, "int"), "of": _seq(rng), "decision": rng.choice(("approve",
        "edit", "reject")),
        "digest": _digest(rng), "message": sentence(rng), "by": _by(rng), "to": "agent:refund-desk",
    }  # fmt: skip


def llm_error(rng: random.Random) -> Body:
    return {
        "code": rng.choice(("rate_limited", "server_error", "stalled", "context_length", "auth")),
        "message": sentence(rng), "permanent": False, "retry_after": rng.choice((None, 2.0)),
        "final": False, "attempt": 1, "partial": None, "ms": rng.randrange(9000),
    }  # fmt: skip


#: How often each stands among the samples, about as in a session.
SHAPES: list[tuple[int, Callable[[random.Random], Body]]] = [
    (10, llm_request), (12, llm_response), (10, tool_call), (14, tool_result), (10, step_end),
    (2, session_start), (3, user_message), (2, session_end), (2, interrupt), (2, decision),
    (1, llm_error),
]  # fmt: skip
