"""A chat endpoint that knows the answers of a release: to see that rows, tool and scorer fit together before a model is asked.

    python examples/gold_endpoint.py out/puzzles 8123

It listens on 127.0.0.1 until it is interrupted, and gives every prompt of the release its gold reply.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from puzzlemill.factory.read import open_release, rows


class Gold(BaseHTTPRequestHandler):
    replies: dict[str, str]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = next(message["content"] for message in asked["messages"] if message["role"] == "user")
        message = {"role": "assistant", "content": self.replies.get(prompt, "This is no prompt of the release.")}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        head = {"id": "gold", "object": "chat.completion", "created": 0, "model": str(asked.get("model"))}
        body = json.dumps({**head, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: gold_endpoint.py RELEASE PORT")
    Gold.replies = {row["prompt"]: row["gold_reply"] for row in rows(open_release(Path(sys.argv[1])), ("prompt", "gold_reply"))}
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Gold) as server:
        print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
        server.serve_forever()
