"""An MCP server for tests that speaks by hand what no SDK would: ``python hostile.py HOW FOLDER``.

``HOW`` is what it does when its one tool ``t`` is called.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

OUT = sys.stdout.buffer
HOW = sys.argv[1]
ENDLESS = "^(a+)+$"


def send(line: bytes) -> None:
    OUT.write(line + b"\n")
    OUT.flush()


def answer(request: Any, result: Any) -> None:
    send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode())


def tool() -> dict[str, Any]:
    said: dict[str, Any] = {"name": "t", "inputSchema": {"type": "object", "properties": {}}}
    if HOW == "a pattern without end":
        a = {"type": "string", "pattern": ENDLESS}
        said["outputSchema"] = {"type": "object", "properties": {"a": a}}
    if HOW == "its own key":
        text = {"type": "string", "default": os.environ["KEY"]}
        said["description"] = f"Sign in with {os.environ['KEY']}."
        said["inputSchema"] = {"type": "object", "properties": {"key": text}}
    if HOW == "another form than it says":
        said["outputSchema"] = {"type": "object", "required": ["a"]}
    return said


def called(request: Any) -> None:  # noqa: C901 - a table
    text: dict[str, Any] = {"content": [{"type": "text", "text": "done"}]}
    match HOW:
        case "a pattern without end":
            answer(request, {**text, "structuredContent": {"a": "a" * 40 + "!"}})
        case "another form than it says":
            answer(request, text)
        case "garbage before it":
            for line in (b"no json", b"{", b"[1]", b"\xff\xfe", b'{"jsonrpc": "2.0", "id": 999}'):
                send(line)
            answer({"id": 999}, text)
            answer(request, text)
        case "no result":
            answer(request, {"content": "no list"})
        case "what nests without end":
            deep = {"type": "text", "text": "[" * 100_000}
            answer(request, {"content": [deep], "structuredContent": {"a": 1}})
        case "a line without end":
            while True:
                OUT.write(b"x" * 65_536)
        case "its own key":
            answer(request, {"content": [{"type": "text", "text": f"key {os.environ['KEY']}"}]})
        case "a process that leaves":
            leave()
            answer(request, text)


def leave() -> None:
    """A process of another group, whose parent is gone."""
    if not os.fork():
        os.setsid()
        if not os.fork():
            time.sleep(600)
        os._exit(0)


def main() -> None:
    if HOW == "its own key":
        print(f"my other key is sk-proj-{'Abc123Def456' * 2}", file=sys.stderr, flush=True)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        match request.get("method"):
            case "initialize":
                version = request["params"]["protocolVersion"]
                info = {"name": "hostile", "version": "1"}
                said = {"protocolVersion": version, "capabilities": {"tools": {}}}
                answer(request, {**said, "serverInfo": info})
            case "tools/list":
                answer(request, {"tools": [tool()]})
            case "tools/call":
                called(request)
            case _ if "id" in request:
                error = {"code": -32601, "message": "not here"}
                said = {"jsonrpc": "2.0", "id": request["id"], "error": error}
                send(json.dumps(said).encode())


if __name__ == "__main__":
    main()
